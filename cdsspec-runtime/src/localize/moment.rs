//! When calls began and returned, in the order of the run.
//!
//! The interval of a call is that from its first operation to its last: it cannot take effect outside of it. It is the strongest precedence that a run can show. Under
//! `Sc` the engine `random` adds operations in the order in which they take effect (it reads the newest store, and writes last), so that this is real time.

use crate::record::{Moment, Recording, ThreadId};

/// Where a call of a recording begins and ends.
pub(super) struct Span {
    pub(super) thread: ThreadId,
    pub(super) invocation: Moment,
    pub(super) response: Option<Moment>,
}

/// The moments of invocation and return of calls, which are numbered from 0: no two are at once. Calls of a thread are given in its order.
pub(super) fn moments(recording: &Recording, spans: &[Span]) -> Vec<(u64, Option<u64>)> {
    let mut by_thread = vec![Vec::new(); recording.threads.len()];
    for operation in &recording.operations {
        by_thread[operation.thread.index()].push((operation.position, operation.id.index()));
    }
    let mut boundaries = Vec::new();
    for (call, span) in spans.iter().enumerate() {
        let of_thread = &by_thread[span.thread.index()];
        // Positions may leave numbers out.
        let done = |moment: Moment| of_thread.partition_point(|(position, _)| *position <= moment.position);
        let before = done(span.invocation);
        let after = span.response.map(done);
        let has_operation = after.unwrap_or(of_thread.len()) > before;
        // Before operation n is 2n, after it 2n + 1. A call without an operation is at a point, behind what its thread has done.
        let last = before.checked_sub(1).map(|last| of_thread[last].1);
        let created = recording.threads[span.thread.index()].created_by.map(|operation| operation.index());
        let point = last.or(created).map_or(0, |last| 2 * last + 1);
        let begin = if has_operation { 2 * of_thread[before].1 } else { point };
        boundaries.push((begin, span.thread, boundaries.len(), call, false));
        if let Some(after) = after {
            let end = if has_operation { 2 * of_thread[after - 1].1 + 1 } else { point };
            boundaries.push((end, span.thread, boundaries.len(), call, true));
        }
    }
    // Calls stand in the order of their thread, each invocation before its return.
    boundaries.sort_unstable();
    let mut moments = vec![(0, None); spans.len()];
    for (moment, (.., call, is_return)) in (0..).zip(boundaries) {
        match is_return {
            false => moments[call].0 = moment,
            true => moments[call].1 = Some(moment),
        }
    }
    moments
}

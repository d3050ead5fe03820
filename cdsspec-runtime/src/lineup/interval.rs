//! The order of invocations and returns in one execution.

use crate::record::{Clock, Moment, OperationId, OperationKind, Recording, ThreadId};
use crate::scenario::{LoggedCall, Slot};

/// The invocation of a call, or its return.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Boundary {
    /// It is invoked.
    Invocation(Slot),
    /// It returns.
    Return(Slot),
}

/// Where the boundaries of the calls of an execution stand, and what is known there.
pub(super) struct Boundaries {
    points: Vec<Point>,
}

struct Point {
    boundary: Boundary,
    thread: ThreadId,
    /// How many operations its thread had done.
    position: u32,
    /// Its place among the boundaries of its thread.
    index: usize,
    /// What is before it: of each thread the operations that are.
    known: Clock,
}

impl Boundaries {
    /// Those of the calls of a recording; `clock` says what is before an operation, itself included.
    pub(super) fn of<'a>(
        recording: &Recording,
        calls: &[Option<LoggedCall>],
        clock: impl Fn(OperationId) -> &'a Clock,
    ) -> Self {
        let mut by_thread = vec![Vec::new(); recording.threads.len()];
        let mut joins = Vec::new();
        for operation in &recording.operations {
            by_thread[operation.thread.index()].push((operation.position, operation.id));
            if let OperationKind::Join(ended) = operation.kind {
                joins.push((operation.thread, operation.position, ended));
            }
        }
        let known = |thread: ThreadId, position: u32| {
            // Positions may leave numbers out.
            let of_thread = &by_thread[thread.index()];
            let done = of_thread.partition_point(|(other, _)| *other <= position);
            let last = done.checked_sub(1).map(|index| of_thread[index].1);
            let before = last.or(recording.threads[thread.index()].created_by);
            let mut known = before.map(|operation| clock(operation).clone()).unwrap_or_default();
            for &(joiner, at, ended) in &joins {
                if known.get(joiner) >= at {
                    known.include(ended, u32::MAX);
                }
            }
            known
        };
        let mut points = Vec::new();
        for (index, call) in calls.iter().enumerate() {
            let Some(call) = call else { continue };
            let mut add = |boundary, moment: Moment| {
                let (thread, position) = (call.thread, moment.position);
                // Calls stand in the order of their thread, but for the last ones, which come after the initial ones of theirs as well.
                let index = points.len();
                points.push(Point { boundary, thread, position, index, known: known(thread, position) });
            };
            add(Boundary::Invocation(Slot::new(index)), call.invocation);
            if let Some((moment, _)) = &call.response {
                add(Boundary::Return(Slot::new(index)), *moment);
            }
        }
        Self { points }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// The boundaries, by their numbers.
    pub(super) fn list(&self) -> Vec<Boundary> {
        self.points.iter().map(|point| point.boundary).collect()
    }

    /// The boundary with this number.
    pub(super) fn boundary(&self, index: usize) -> Boundary {
        self.points[index].boundary
    }

    /// Whether one boundary is before another in every order of time that the execution stands for.
    ///
    /// In other threads it is if the operation after the one is before, or is, the operation before the other; or if the thread of the one was
    /// joined before the other.
    pub(super) fn is_before(&self, first: usize, second: usize) -> bool {
        let (first, second) = (&self.points[first], &self.points[second]);
        if first.thread == second.thread {
            return first.index < second.index;
        }
        second.known.get(first.thread) > first.position
    }

    /// `[a][b]`: whether call `a` has returned before `b` begins in some order of time that the execution stands for, for so many calls: in
    /// each in which `b` need not begin before `a` returns.
    ///
    /// A serial order that keeps all these pairs keeps each of the orders of time, of which each has some of them.
    pub(super) fn may_precede(&self, call_count: usize) -> Vec<Vec<bool>> {
        self.pairs(call_count, |returned, begun| !self.is_before(begun, returned))
    }

    /// `precedes[a][b]`: whether call `a` had returned before `b` began, for so many calls.
    pub(super) fn precedes(&self, call_count: usize) -> Vec<Vec<bool>> {
        self.pairs(call_count, |returned, begun| self.is_before(returned, begun))
    }

    /// The pairs of calls of which the return of the one is so related to the invocation of the other.
    fn pairs(&self, call_count: usize, is_related: impl Fn(usize, usize) -> bool) -> Vec<Vec<bool>> {
        let mut precedes = vec![vec![false; call_count]; call_count];
        for first in 0..self.len() {
            let Boundary::Return(returned) = self.boundary(first) else { continue };
            for second in 0..self.len() {
                let Boundary::Invocation(begun) = self.boundary(second) else { continue };
                precedes[returned.index()][begun.index()] |= is_related(first, second);
            }
        }
        precedes
    }
}

/// What is before each operation, itself included, in every order in which the operations of a sequentially consistent execution may have taken effect:
/// (sb ∪ rf ∪ mo ∪ rb)⁺, with creation and join of threads. Cost: O(operations · threads).
///
/// # Panics
/// If the modification order is not known, or the execution is not sequentially consistent: a mistake of ours.
pub(super) fn real_time_clocks(recording: &Recording) -> Vec<Clock> {
    let before = edges(recording);
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); before.len()];
    for (operation, before) in before.iter().enumerate() {
        before.iter().for_each(|&earlier| after[earlier].push(operation));
    }
    let mut open: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..before.len()).filter(|&operation| open[operation] == 0).collect();
    let mut clocks = vec![Clock::new(); before.len()];
    let mut done = 0;
    while let Some(operation) = ready.pop() {
        done += 1;
        let recorded = &recording.operations[operation];
        let mut clock = Clock::new();
        clock.include(recorded.thread, recorded.position);
        before[operation].iter().for_each(|&earlier| clock.join(&clocks[earlier]));
        clocks[operation] = clock;
        for &later in &after[operation] {
            open[later] -= 1;
            if open[later] == 0 {
                ready.push(later);
            }
        }
    }
    assert_eq!(done, before.len(), "cdsspec bug: an execution under Sc has an order of its operations");
    clocks
}

/// For each operation those that are directly before it.
fn edges(recording: &Recording) -> Vec<Vec<usize>> {
    let mut before = vec![Vec::new(); recording.operations.len()];
    let mut last: Vec<Option<usize>> = vec![None; recording.threads.len()];
    for operation in &recording.operations {
        let id = operation.id.index();
        let thread = operation.thread.index();
        let created = recording.threads[thread].created_by.map(OperationId::index);
        before[id].extend(last[thread].replace(id).or(created));
        let writer = operation.read.and_then(|store| recording.store(store).operation);
        before[id].extend(writer.map(OperationId::index));
        if let OperationKind::Join(ended) = operation.kind {
            before[id].extend(last[ended.index()]);
        }
    }
    let orders = recording.modification_order.as_ref();
    let orders = orders.expect("cdsspec bug: the modification order was asked for");
    let mut next = vec![None; recording.stores.len()];
    for pair in orders.iter().flat_map(|order| order.windows(2)) {
        let writer = |store| recording.store(store).operation.map(OperationId::index);
        let Some(second) = writer(pair[1]) else { continue };
        before[second].extend(writer(pair[0]));
        next[pair[0].index()] = Some(second);
    }
    for operation in &recording.operations {
        let overwriter = operation.read.and_then(|store| next[store.index()]);
        if let Some(overwriter) = overwriter.filter(|&overwriter| overwriter != operation.id.index()) {
            before[overwriter].push(operation.id.index());
        }
    }
    before
}

//! Conflict-serializability of one execution: what Line-Up was compared with.
//!
//! Each call is a transaction. A call is before another one if an operation of the one is before one of the other, and both are operations of the same thread, or accesses of
//! the same location of which one writes; locks and condition variables are locations as well. The execution is conflict-serializable iff some serial order of the calls
//! keeps all this: iff there is no cycle.
//!
//! So it is as well if *any* operation of the one is before one of the other: what orders two operations is a chain of such pairs, each within a call or from one call to
//! another, or from the main thread, which makes its calls before and after all others. What threads do that a call starts itself is no part of the call: an
//! alarm that needs it is not raised.
//!
//! What is not, may well be linearizable: a compare-exchange that fails and is tried again reads twice.
//!
//! # Paper
//! Line-Up (PLDI 2010), section 5.6, by the definition of Farzan and Madhusudan (CAV 2008).

use crate::record::{Clock, Operation, Recording};
use crate::scenario::LoggedCall;

/// Whether the execution is conflict-serializable; `clocks` say what is before each operation, itself included, in an order that is total on conflicting ones, as that of
/// an execution under Sc is.
pub(super) fn is_serializable(recording: &Recording, calls: &[Option<LoggedCall>], clocks: &[Clock]) -> bool {
    let call_of = |operation: &Operation| calls.iter().position(|call| is_of(operation, call.as_ref()));
    let owned: Vec<(usize, &Operation)> = recording
        .operations
        .iter()
        .filter_map(|operation| call_of(operation).map(|call| (call, operation)))
        .collect();
    let mut is_before = vec![vec![false; calls.len()]; calls.len()];
    for (earlier, first) in &owned {
        for (later, second) in &owned {
            let is_ordered = clocks[second.id.index()].get(first.thread) >= first.position;
            if earlier != later && is_ordered {
                is_before[*earlier][*later] = true;
            }
        }
    }
    !has_cycle(is_before)
}

/// Whether a call made the operation.
fn is_of(operation: &Operation, call: Option<&LoggedCall>) -> bool {
    call.is_some_and(|call| {
        let returned = call.response.as_ref().map_or(u32::MAX, |(moment, _)| moment.position);
        let made = call.invocation.position + 1..=returned;
        call.thread == operation.thread && made.contains(&operation.position)
    })
}

/// Whether something is, by steps, before itself.
fn has_cycle(mut is_before: Vec<Vec<bool>>) -> bool {
    let count = is_before.len();
    for middle in 0..count {
        let after = is_before[middle].clone();
        for first in is_before.iter_mut().filter(|first| first[middle]) {
            first.iter_mut().zip(&after).for_each(|(known, &more)| *known |= more);
        }
    }
    (0..count).any(|one| is_before[one][one])
}

#[cfg(test)]
mod tests {
    use super::has_cycle;
    use crate::lineup::{LineUp, Precedence};
    use crate::scenario::Scenario;
    use crate::sync::atomic::{AtomicU32, Ordering::SeqCst};

    /// Whether an alarm is raised on two threads that make these calls.
    fn has_alarm(precedence: Precedence, first: &str, second: &str) -> bool {
        let scenario = Scenario::new(|| AtomicU32::new(0))
            .op("add()", |word| word.fetch_add(1, SeqCst).into())
            .op("lossy_add()", |word| {
                let old = word.load(SeqCst);
                word.store(old + 1, SeqCst);
                old.into()
            })
            .op("get()", |word| word.load(SeqCst).into())
            .op("get_twice()", |word| {
                word.load(SeqCst);
                word.load(SeqCst).into()
            });
        let lineup = LineUp::new(scenario).precedence(precedence);
        lineup.check(&lineup.scenario().matrix([[first], [second]])).is_unserializable
    }

    #[test]
    fn an_alarm_is_raised_where_conflicting_accesses_order_calls_in_a_cycle() {
        let has = |first, second| has_alarm(Precedence::RealTime, first, second);
        assert!(has("lossy_add()", "add()"));
        // It is linearizable: the alarm is false.
        assert!(has("get_twice()", "add()"));
        assert!(!has("get_twice()", "get_twice()"), "reads do not conflict");
        assert!(!has("add()", "add()") && !has("lossy_add()", "get()"));
        assert!(!has_alarm(Precedence::HappensBefore, "lossy_add()", "add()"), "it is not looked for");
    }

    /// By trying all orders.
    fn has_order(is_before: &[Vec<bool>], order: &mut Vec<usize>) -> bool {
        if order.len() == is_before.len() {
            return true;
        }
        (0..is_before.len()).any(|next| {
            if order.contains(&next)
                || (0..is_before.len()).any(|left| !order.contains(&left) && is_before[left][next])
            {
                return false;
            }
            order.push(next);
            let is_found = has_order(is_before, order);
            order.pop();
            is_found
        })
    }

    #[test]
    fn there_is_a_cycle_iff_no_order_keeps_all_pairs() {
        let mut cyclic = 0;
        for bits in 0..1_u32 << 12 {
            let mut is_before = vec![vec![false; 4]; 4];
            let pairs = (0..4).flat_map(|first| (0..4).map(move |last| (first, last)));
            for (index, (first, last)) in pairs.filter(|(first, last)| first != last).enumerate() {
                is_before[first][last] = bits >> index & 1 != 0;
            }
            let has_order = has_order(&is_before, &mut Vec::new());
            cyclic += u32::from(!has_order);
            assert_eq!(has_cycle(is_before), !has_order, "{bits:b}");
        }
        // There are 543 acyclic relations of four things (OEIS A003024).
        assert_eq!(cyclic, 4096 - 543);
    }
}

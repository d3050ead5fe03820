//! The order of the `SeqCst` operations of an execution.
//!
//! Under loom each `SeqCst` access is an `AcqRel` one behind a fence, and the fences are ordered as they ran. The accesses are not: a load
//! may run after a store and still read the one that was there before, and then it is before that store.

use crate::record::{Operation, Recording, ScOrder};

/// psc⁺ of RC11 (PLDI 2017, section 3.3) as far as an execution of loom shows it: what follows from the program order of each thread, from
/// what happens before what in between, from the order of the stores of each location, and from the order in which the fences of
/// the program ran. It is partial, as psc⁺ is: accesses of different locations are ordered only where something of this orders them. The
/// total orders that extend it are looked at by whoever checks.
///
/// Cost: O(n² · m) for n `SeqCst` operations among m operations, and O(n³).
pub(super) fn sc_order(recording: &Recording) -> ScOrder {
    let operations: Vec<&Operation> =
        recording.operations.iter().filter(|operation| operation.is_sc()).collect();
    if operations.is_empty() {
        return ScOrder::Unordered;
    }
    let all = &operations;
    let pairs = all.iter().flat_map(|first| all.iter().map(move |second| (first, second)));
    let ordered = pairs.filter(|(first, second)| is_before(recording, first, second));
    ScOrder::from_pairs(ordered.map(|(first, second)| (first.id, second.id)))
}

fn is_before(recording: &Recording, first: &Operation, second: &Operation) -> bool {
    if first.thread == second.thread {
        return first.position < second.position;
    }
    let is_at = |one: &Operation, other: &Operation| one.location == other.location;
    match (first.location, second.location) {
        (None, None) => first.id < second.id,
        (Some(_), Some(_)) => {
            is_at(first, second) && is_before_at_location(first, second)
                || is_before_by_others(recording, first, second)
        }
        // [F] ; hb ; (mo ∪ rb), and [F] ; hb.
        (None, Some(_)) => {
            let leads = |one: &Operation| first.happens_before(one) && is_at(one, second);
            first.happens_before(second)
                || second.written.is_some()
                    && recording.operations.iter().any(|one| leads(one) && is_before_at_location(one, second))
        }
        // (mo ∪ rb) ; hb ; [F], and hb ; [F].
        (Some(_), None) => {
            let leads = |one: &Operation| one.happens_before(second) && is_at(one, first);
            let is_later = |one: &Operation| one.written.is_some() && is_before_at_location(first, one);
            first.happens_before(second) || recording.operations.iter().any(|one| leads(one) && is_later(one))
        }
    }
}

/// mo, reads-from, and reads-before. The stores of a location are numbered in its modification order.
fn is_before_at_location(first: &Operation, second: &Operation) -> bool {
    match (first.written, second.written) {
        (Some(store), Some(later)) => store < later,
        (Some(store), None) => second.read.is_some_and(|read| store <= read),
        (None, Some(later)) => first.read.is_some_and(|read| read < later),
        (None, None) => false,
    }
}

/// sb|≠loc ; hb ; sb|≠loc: by an operation on something else after the first, and one before the second.
fn is_before_by_others(recording: &Recording, first: &Operation, second: &Operation) -> bool {
    let operations = || recording.operations.iter();
    let is_after = |one: &&Operation| {
        one.thread == first.thread && one.position > first.position && one.location != first.location
    };
    let is_earlier = |one: &&Operation| {
        one.thread == second.thread && one.position < second.position && one.location != second.location
    };
    // The next such operation happens before all that later ones do, and the last one knows all that earlier ones do.
    let next = operations().filter(is_after).min_by_key(|one| one.position);
    let last = operations().filter(is_earlier).max_by_key(|one| one.position);
    next.zip(last).is_some_and(|(next, last)| next.happens_before(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{
        Clock, LocationId, OperationId, OperationKind, Orders, Place, StoreId, ThreadId, operation_name,
    };
    use std::sync::atomic::Ordering;

    /// A thread, a location, the store that is read, the store that is written.
    type Access = (usize, Option<usize>, Option<usize>, Option<usize>);

    fn recording(order: Ordering, accesses: &[Access]) -> Recording {
        let mut recording = Recording::default();
        for (index, &(thread, location, read, written)) in accesses.iter().enumerate() {
            let position = 1 + accesses[..index].iter().filter(|earlier| earlier.0 == thread).count();
            recording.operations.push(Operation {
                id: OperationId::new(index),
                thread: ThreadId::new(thread),
                position: u32::try_from(position).unwrap(),
                place: Place::here(operation_name!("access"), Orders::None),
                kind: OperationKind::Load,
                order: Some(order),
                location: location.map(LocationId::new),
                read: read.map(StoreId::new),
                written: written.map(StoreId::new),
                clock: Clock::default(),
            });
        }
        recording
    }

    /// Which of these operations, in the order in which they ran, are before which.
    fn pairs(order: Ordering, accesses: &[Access]) -> Vec<(usize, usize)> {
        pairs_of(recording(order, accesses), accesses.len())
    }

    fn pairs_of(mut recording: Recording, count: usize) -> Vec<(usize, usize)> {
        recording.sc = sc_order(&recording);
        let all = || 0..count;
        let is_ordered = |&(first, second): &(usize, usize)| {
            recording.sc_before(OperationId::new(first), OperationId::new(second))
        };
        all().flat_map(|first| all().map(move |second| (first, second))).filter(is_ordered).collect()
    }

    #[test]
    fn a_load_that_ran_after_a_store_and_read_the_one_before_is_before_it() {
        let ran = [(1, Some(0), None, Some(2)), (2, Some(0), Some(1), None), (3, Some(0), Some(2), None)];
        assert_eq!(pairs(Ordering::SeqCst, &ran), [(0, 2), (1, 0), (1, 2)]);
        assert_eq!(pairs(Ordering::AcqRel, &ran), []);
    }

    #[test]
    fn accesses_of_different_locations_are_ordered_by_their_threads() {
        let ran = [(1, Some(0), None, Some(2)), (2, Some(1), None, Some(3)), (2, Some(0), Some(0), None)];
        assert_eq!(pairs(Ordering::SeqCst, &ran), [(1, 0), (1, 2), (2, 0)]);
    }

    #[test]
    fn updates_follow_their_stores_and_fences_the_order_in_which_they_ran() {
        let ran = [
            (1, Some(0), Some(0), Some(1)),
            (2, Some(0), Some(1), Some(2)),
            (1, None, None, None),
            (2, None, None, None),
        ];
        assert_eq!(pairs(Ordering::SeqCst, &ran), [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]);
    }

    /// The order, where those of `relaxed` are relaxed, and each of `known` is an operation that knows so many of a thread.
    fn pairs_knowing(
        accesses: &[Access],
        relaxed: &[usize],
        known: &[(usize, usize, u32)],
    ) -> Vec<(usize, usize)> {
        let mut recording = recording(Ordering::SeqCst, accesses);
        for &index in relaxed {
            recording.operations[index].order = Some(Ordering::Relaxed);
        }
        for &(index, thread, count) in known {
            recording.operations[index].clock.include(ThreadId::new(thread), count);
        }
        pairs_of(recording, accesses.len())
    }

    #[test]
    fn what_happens_before_in_between_orders_accesses_if_it_is_by_other_locations() {
        // The first thread writes and releases, the second acquires and writes.
        let released_at = |location| {
            let ran = [
                (1, Some(0), None, Some(2)),
                (1, Some(location), None, Some(3)),
                (2, Some(location), Some(3), None),
                (2, Some(1), None, Some(4)),
            ];
            pairs_knowing(&ran, &[1, 2], &[(2, 1, 2), (3, 1, 2)])
        };
        assert_eq!(released_at(5), [(0, 3)]);
        assert_eq!([released_at(0), released_at(1)], [[], []], "psc asks for another location on both sides");
    }

    #[test]
    fn a_fence_orders_what_is_beside_it_against_accesses_of_other_threads() {
        // A relaxed read after the fence misses the store; one before the fence has seen it.
        let missed = [(1, None, None, None), (1, Some(0), Some(0), None), (2, Some(0), None, Some(1))];
        assert_eq!(pairs_knowing(&missed, &[1], &[(1, 1, 1)]), [(0, 2)]);
        let store_known = [(1, Some(0), None, Some(1)), (2, None, None, None)];
        assert_eq!(pairs_knowing(&store_known, &[], &[(1, 1, 1)]), [(0, 1)]);
        // The first thread misses what the second overwrites it with, before a fence.
        let overwritten = [(1, Some(0), Some(0), None), (2, Some(0), None, Some(1)), (2, None, None, None)];
        assert_eq!(pairs_knowing(&overwritten, &[1], &[(2, 2, 2)]), [(0, 2)]);
    }
}

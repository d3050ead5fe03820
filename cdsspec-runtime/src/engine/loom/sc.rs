//! The order of the `SeqCst` operations of an execution.
//!
//! Under loom each `SeqCst` access is an `AcqRel` one behind a fence, and the fences are ordered as they ran. The accesses are not: a load
//! may run after a store and still read the one that was there before, and then it is before that store.

use crate::record::{Operation, Recording, ScOrder};

/// What follows from the program order of each thread, the order of the stores of each location, and the order in which the fences of the
/// program ran; as in RC11 there is nothing between accesses of different locations but what follows from these. Left out: what a
/// fence of the program orders against an access of another thread.
///
/// Cost: O(n³) in the number of `SeqCst` operations.
pub(super) fn sc_order(recording: &Recording) -> ScOrder {
    let operations: Vec<&Operation> =
        recording.operations.iter().filter(|operation| operation.is_sc()).collect();
    if operations.is_empty() {
        return ScOrder::Unordered;
    }
    let all = &operations;
    let pairs = all.iter().flat_map(|first| all.iter().map(move |second| (first, second)));
    let ordered = pairs.filter(|(first, second)| is_before(first, second));
    ScOrder::from_pairs(ordered.map(|(first, second)| (first.id, second.id)))
}

fn is_before(first: &Operation, second: &Operation) -> bool {
    if first.thread == second.thread {
        return first.position < second.position;
    }
    match (first.location, second.location) {
        (None, None) => first.id < second.id,
        (Some(here), Some(there)) if here == there => is_before_at_location(first, second),
        _ => false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Clock, LocationId, OperationId, OperationKind, Orders, Place, StoreId, ThreadId};
    use std::sync::atomic::Ordering;

    /// A thread, a location, the store that is read, the store that is written.
    type Access = (usize, Option<usize>, Option<usize>, Option<usize>);

    /// Which of these operations, in the order in which they ran, are before which.
    fn pairs(order: Ordering, accesses: &[Access]) -> Vec<(usize, usize)> {
        let mut recording = Recording::default();
        for (index, &(thread, location, read, written)) in accesses.iter().enumerate() {
            let position = 1 + accesses[..index].iter().filter(|earlier| earlier.0 == thread).count();
            recording.operations.push(Operation {
                id: OperationId::new(index),
                thread: ThreadId::new(thread),
                position: u32::try_from(position).unwrap(),
                place: Place::here("access", Orders::None),
                kind: OperationKind::Load,
                order: Some(order),
                location: location.map(LocationId::new),
                read: read.map(StoreId::new),
                written: written.map(StoreId::new),
                clock: Clock::default(),
            });
        }
        recording.sc = sc_order(&recording);
        let all = || 0..accesses.len();
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
    fn accesses_of_different_locations_are_ordered_by_their_threads_only() {
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
}

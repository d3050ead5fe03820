//! Extracts r from a recording.

use super::matrix::BitMatrix;
use super::{Cycle, OrderRelation};
use crate::record::{CallId, MethodCall, ObjectId, Recording, ScOrder};

impl OrderRelation {
    /// The order r of each object, over the calls of that object; the index is that of the object. Calls without ordering points are
    /// unordered with all others. Pending calls are in it.
    ///
    /// r of an object is hb ∪ sc between the points of its own calls, closed over its own calls: a way through calls of other objects
    /// orders none of them. All objects together are looked at for cycles only.
    ///
    /// Cost: O(points² + calls³ / word), plus O(calls³) where there is a cycle.
    ///
    /// # Errors
    /// A shortest cycle over the calls of all objects, if there is one: then r is no order. Contradicting pairs are cycles of two calls.
    ///
    /// # Paper
    /// CDSSpec, section 5.2, "Extracting the Ordering Relation"; definition 9 and theorem 1.
    pub fn of_objects(recording: &Recording) -> Result<Vec<Self>, Cycle> {
        let direct = direct_edges(recording);
        let mut closed = direct.clone();
        closed.close();
        if (0..closed.size()).any(|call| closed.contains(call, call)) {
            return Err(Cycle::shortest(recording, &direct));
        }
        let of_object = |object| {
            let of_it = recording.calls.iter().filter(|call| call.object == object);
            let calls: Vec<CallId> = of_it.map(|call| call.id).collect();
            if calls.len() == closed.size() {
                return Self::of_closed(calls, closed.clone());
            }
            let slots: Vec<usize> = calls.iter().map(|call| call.index()).collect();
            Self::close(calls, direct.part(&slots))
                .expect("cdsspec bug: a cycle of an object's calls is one of all calls")
        };
        Ok((0..recording.objects.len()).map(ObjectId::new).map(of_object).collect())
    }

    /// The relations over these calls, all of the recording in some order, as words: executions with so many calls have the same relations
    /// if these are equal. Calls of different objects are unordered. Cost: O(calls² / word + pairs).
    pub(crate) fn words_of(relations: &[Self], calls: &[&MethodCall]) -> Vec<usize> {
        let mut before = BitMatrix::new(calls.len());
        let mut columns = vec![0; calls.len()];
        for (column, call) in calls.iter().enumerate() {
            columns[call.id.index()] = column;
        }
        for (row, second) in calls.iter().enumerate() {
            for first in relations[second.object.index()].predecessors(second.id) {
                before.insert(row, columns[first.index()]);
            }
        }
        before.words().to_vec()
    }
}

/// Which calls are directly before which: row `b` is the set of calls before `b`.
fn direct_edges(recording: &Recording) -> BitMatrix {
    let calls = &recording.calls;
    let mut before = BitMatrix::new(calls.len());
    for (row, second) in calls.iter().enumerate() {
        if second.points.is_empty() {
            continue;
        }
        for (column, first) in calls.iter().enumerate() {
            if row != column && is_directly_before(recording, first, second) {
                before.insert(row, column);
            }
        }
    }
    before
}

/// Whether `first` is before `second` without going by other calls: what [`direct_edge`] finds, where only that is asked.
fn is_directly_before(recording: &Recording, first: &MethodCall, second: &MethodCall) -> bool {
    let is_sc_ordered = !matches!(recording.sc, ScOrder::Unordered);
    first.points.iter().any(|earlier| {
        let earlier = recording.operation(earlier.operation);
        second.points.iter().any(|later| {
            let later = recording.operation(later.operation);
            earlier.happens_before(later) || is_sc_ordered && recording.sc_before(earlier.id, later.id)
        })
    })
}

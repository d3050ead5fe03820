//! Counts of handles that are kept without events, as long as nobody can tell in which order they changed.
//!
//! Programs share their structure by [`Arc`](crate::sync::Arc). Were each clone and drop a read-modify-write, n threads that drop their
//! handles would have n! executions more, that differ in nothing. So a change of a count is noted with the thread that did it and how
//! many events that had then: its *moment*. When the execution has ended, the graph says whether the order of the changes shows
//! ([`is_order_seen`]). If it does, the exploration starts again, and the counts of what is made at that place in the source are
//! changed by events.
//!
//! The handles of a value have two counts, of strong and of weak ones. In the second one is counted for all strong ones together, as std does:
//! it never gets to 0, nobody takes the last, and it is looked at by `weak_count` and `get_mut`.
//!
//! # Who is before whom
//! The moment of thread A after its first k events happens before a moment of another thread B iff the last event that B had then knows,
//! in happens-before, the event of A with index k (the one after the moment: what is released before it releases nothing of the
//! moment), or the join of A; or B has no event, and its creation does.
//!
//! # Why nothing is lost, and nothing added
//! Take a graph without events of a count, and its changes. They are *determined* if
//! 1. at every clone the count is at least 1, whatever changes come first that happen neither before nor after it. It is, if a
//!    clone is made of a handle that is there; and then a count that is 0 stays so;
//! 2. if the count ends at 0, all other changes happen before the last (looks that change nothing are not changes here);
//! 3. every change that looks at the count happens before or after each other change;
//! 4. of two unordered changes, the first happens before every acquire fence that follows the second in its thread, and every
//!    SeqCst fence that the second happens before: all that a read-modify-write could synchronise with by reading from the first;
//! 5. who takes the last handle knows already what its acquire fence would tell it: of the graph, and of two unordered changes of
//!    another count, of which the second is before it in its thread, the first.
//!
//! Then whichever order the changes have that extends sb ∪ rf, each sees a count that leads to the same: the last handle is taken by the
//! same thread at the same moment (1, 2), who looks sees the same (3). Events in that order add no happens-before to the events of the
//! graph (2, 4, 5: the count's only releases are drops, its only acquires those of who takes the last handle or looks, and fences),
//! nor to the order of SeqCst fences (4), so the graph with these events is consistent iff it is without them. On the other hand, leave the
//! events of the counts out of an execution that has them: happens-before gets smaller, what is left is consistent, and is explored.
//! If a change did there what it does not do here, the events before the first such change are the beginning of an execution that is
//! explored here, too, and whose changes are not determined by 1 to 3.
//!
//! All five are about the set of changes and the graph, so they do not depend on the order in which threads ran; and what a thread
//! does depends, until one of them is broken, on its past in the graph alone. An execution in which one is broken may be any
//! mixture, and is not looked at: the exploration starts again.
//!
//! (With events, RC11 orders a SeqCst access before a later one in another thread in one case more: if a clone or drop alone makes that the
//! first step after it is not of its own location. Without them there are more executions then, never fewer.)

use crate::graph::{ClockKind, EventClock};
use crate::graph::{EventId, Label, ReadsFrom, ThreadIndex};
use crate::graph::{Graph, is_acquire};
use crate::port::CountChange;
use crate::record::{LocationId, SourceLocation};
use smallvec::SmallVec;
use std::sync::atomic::Ordering;

/// A thread that looks at a count so often on end, without an event, may do nothing else until it changes.
const LOOKS_MAX: u32 = 1_000;

/// The counts of a run that are kept without events.
pub(crate) struct Counts {
    /// Whether there are none.
    are_events: bool,
    /// Where the values are made whose counts have events: from one start of the exploration to the next there are more.
    counted: Vec<SourceLocation>,
    /// Whether there are more since the exploration started.
    has_grown: bool,
    /// Those of this run are the first `len`; the others are kept for their memory.
    kept: Vec<Kept>,
    len: usize,
    /// The number of each location's, and 1; 0: it has none.
    numbers: Vec<u32>,
    /// How many changes there were.
    change_count: u32,
}

/// One count.
struct Kept {
    made: SourceLocation,
    initial: u64,
    value: u64,
    changes: Vec<Change>,
}

/// A change, or a look, at a moment of a thread.
#[derive(Clone, Copy, Debug)]
struct Change {
    thread: ThreadIndex,
    /// How many events the thread had.
    position: usize,
    difference: i64,
    kind: CountChange,
    /// How often it was done, if it is a look.
    times: u32,
    /// Its number among all changes of the run: of two of one thread, the earlier one has the lower.
    number: u32,
}

/// What became of a change.
pub(crate) struct Changed {
    /// The count before it.
    pub(crate) before: u64,
    /// Whether the thread must not go on.
    pub(crate) must_stop: bool,
}

impl Counts {
    pub(crate) fn new(are_events: bool) -> Self {
        Self {
            are_events,
            counted: Vec::new(),
            has_grown: false,
            kept: Vec::new(),
            len: 0,
            numbers: Vec::new(),
            change_count: 0,
        }
    }

    /// A run begins.
    pub(crate) fn begin(&mut self) {
        self.len = 0;
        self.numbers.clear();
        self.change_count = 0;
        self.has_grown = false;
    }

    /// Whether the count of a value that was made there has events.
    #[inline]
    pub(crate) fn has_events(&self, made: &SourceLocation) -> bool {
        self.are_events || self.counted.contains(made)
    }

    /// The counts of values that were made there have events from now on.
    pub(crate) fn count_from_now(&mut self, made: SourceLocation) {
        if !self.counted.contains(&made) {
            self.counted.push(made);
        }
    }

    /// Whether counts that had no events in this run are to have them.
    pub(crate) fn has_grown(&self) -> bool {
        self.has_grown
    }

    /// A thread that had `position` events changes a count.
    pub(crate) fn change(
        &mut self,
        (location, initial): (LocationId, u64),
        made: SourceLocation,
        (thread, position): (ThreadIndex, usize),
        kind: CountChange,
    ) -> Changed {
        let index = self.number(location, initial, made);
        let number = self.change_count;
        self.change_count += 1;
        let kept = &mut self.kept[index];
        let before = kept.value;
        let difference = kind.difference(before);
        kept.value = before.wrapping_add_signed(difference);
        let mut looks = kept.changes.iter_mut().rev().filter(|change| change.kind.is_look());
        let same = looks.next().filter(|look| (look.thread, look.position) == (thread, position));
        let times = same.as_ref().filter(|_| kind.is_look()).map_or(1, |look| look.times + 1);
        match same {
            Some(look) if difference == 0 && look.difference == 0 && kind.is_look() => look.times = times,
            _ => kept.changes.push(Change { thread, position, difference, kind, times, number }),
        }
        let must_stop = times > LOOKS_MAX;
        if must_stop {
            self.has_grown = true;
            self.counted.push(made);
        }
        Changed { before, must_stop }
    }

    fn number(&mut self, location: LocationId, initial: u64, made: SourceLocation) -> usize {
        let index = location.index();
        if self.numbers.len() <= index {
            self.numbers.resize(index + 1, 0);
        }
        if let Some(number) = self.numbers[index].checked_sub(1) {
            return number as usize;
        }
        if self.kept.len() == self.len {
            self.kept.push(Kept { made, initial, value: initial, changes: Vec::new() });
        }
        let kept = &mut self.kept[self.len];
        (kept.made, kept.initial, kept.value) = (made, initial, initial);
        kept.changes.clear();
        self.len += 1;
        self.numbers[index] = self.len as u32;
        self.len - 1
    }

    /// The execution has ended: whether the order of some changes shows. Their counts have events from then on.
    pub(crate) fn look_at(&mut self, graph: &mut Graph) -> bool {
        let mut past = Past { graph, joins: None, fences: None };
        let kept = &self.kept[..self.len];
        let takes: SmallVec<[Change; 4]> = kept.iter().filter_map(Kept::take).collect();
        for kept in kept {
            if is_order_seen(kept, &mut past) || past.is_before_take(&kept.changes, &takes) {
                self.has_grown = true;
                if !self.counted.contains(&kept.made) {
                    self.counted.push(kept.made);
                }
            }
        }
        self.has_grown
    }
}

impl Kept {
    /// The change that takes the last handle.
    fn take(&self) -> Option<Change> {
        let mut value = self.initial;
        let takes = |change: &&Change| {
            value = value.wrapping_add_signed(change.difference);
            value == 0 && change.difference < 0
        };
        self.changes.iter().find(takes).copied()
    }
}

/// Whether the changes are not determined.
fn is_order_seen(kept: &Kept, past: &mut Past<'_>) -> bool {
    let changes = kept.changes.as_slice();
    let Some(first) = changes.first() else { return false };
    let mut value = kept.initial;
    for change in changes {
        value = value.wrapping_add_signed(change.difference);
        if value == 0 && change.difference < 0 && past.is_fence_needed(change) {
            return true;
        }
    }
    if changes.iter().all(|change| change.thread == first.thread) {
        return false;
    }
    (value == 0 && !past.is_last_known(changes))
        || (0..changes.len()).any(|index| match changes[index].kind {
            CountChange::Add => past.may_find_none(kept, index),
            CountChange::Remove | CountChange::First => false,
            _ => (0..changes.len()).any(|other| past.is_unordered(changes, index, other)),
        })
        || (0..changes.len()).any(|index| past.is_before_fence(changes, index))
}

/// What the graph says of moments.
struct Past<'a> {
    graph: &'a mut Graph,
    /// The joins of the graph, and whom they join, once they are asked for; all clocks are computed then.
    joins: Option<Vec<(ThreadIndex, EventId)>>,
    /// Its acquire fences, once they are asked for.
    fences: Option<SmallVec<[EventId; 4]>>,
}

impl Past<'_> {
    /// Whether a change, by its index, happens before another one.
    fn is_before(&mut self, changes: &[Change], first: usize, second: usize) -> bool {
        self.is_moment_before(&changes[first], &changes[second])
    }

    fn is_moment_before(&mut self, earlier: &Change, later: &Change) -> bool {
        if earlier.thread == later.thread {
            return earlier.number < later.number;
        }
        self.has_created(earlier, later.thread)
            || self.has_joined(later, earlier.thread)
            || self.last_event(later).is_some_and(|event| self.is_known(earlier, event))
    }

    fn is_unordered(&mut self, changes: &[Change], first: usize, second: usize) -> bool {
        !self.is_before(changes, first, second) && !self.is_before(changes, second, first) && first != second
    }

    /// Whether all other changes happen before the last. Looks that changed nothing are none: the last of all may be one, of a count
    /// that is 0 whoever made it so.
    fn is_last_known(&mut self, changes: &[Change]) -> bool {
        let is_change = |change: &Change| change.difference != 0;
        let Some(last) = changes.iter().rposition(is_change) else { return true };
        (0..last).all(|other| !is_change(&changes[other]) || self.is_before(changes, other, last))
    }

    /// Whether the thread was created by the one of the change after it, or by one that was.
    fn has_created(&self, change: &Change, mut thread: ThreadIndex) -> bool {
        while let Some(creation) = self.graph.creators[thread] {
            let creation = self.graph.event(creation);
            if creation.thread == change.thread && creation.index as usize >= change.position {
                return true;
            }
            thread = creation.thread;
        }
        false
    }

    /// Whether the thread of the change had joined this one.
    fn has_joined(&self, change: &Change, thread: ThreadIndex) -> bool {
        let is_join = |&id: &EventId| {
            let label = self.graph.event(id).label;
            matches!(label, Label::Join { child } if child == thread)
        };
        self.graph.threads[change.thread][..change.position].iter().rev().any(is_join)
    }

    /// The last event that the thread of the change had, or its creation.
    fn last_event(&self, change: &Change) -> Option<EventId> {
        match change.position.checked_sub(1) {
            Some(last) => Some(self.graph.threads[change.thread][last]),
            None => self.graph.creators[change.thread],
        }
    }

    /// Whether a change of another thread happens before an event.
    fn is_known(&mut self, change: &Change, event: EventId) -> bool {
        let clocks = &mut *self.graph;
        let joins = self.joins.get_or_insert_with(|| {
            clocks.compute_clocks();
            let joined = |&id: &EventId| match clocks.event(id).label {
                Label::Join { child } => Some((child, id)),
                _ => None,
            };
            (0..clocks.events.len() as EventId).filter_map(|id| joined(&id)).collect()
        });
        let hb = clocks.hb(event);
        (hb.get(change.thread) as usize) > change.position
            || joins.iter().any(|&(child, join)| child == change.thread && clocks.event(join).is_in(hb))
    }

    /// Whether a clone may find a count of 0, other changes having come first that may come before or after it: of each thread so many
    /// that the count is lowest.
    fn may_find_none(&mut self, kept: &Kept, clone: usize) -> bool {
        let changes = kept.changes.as_slice();
        let mut count = kept.initial.cast_signed();
        // Of each thread, what its unordered changes come to, and the least that they come to on the way.
        let mut unordered: SmallVec<[(ThreadIndex, i64, i64); 8]> = SmallVec::new();
        for (index, change) in changes.iter().enumerate() {
            if index == clone || change.difference == 0 || self.is_before(changes, clone, index) {
                continue;
            }
            if self.is_before(changes, index, clone) {
                count += change.difference;
                continue;
            }
            let known = unordered.iter().position(|(thread, ..)| *thread == change.thread);
            let known = known.unwrap_or_else(|| {
                unordered.push((change.thread, 0, 0));
                unordered.len() - 1
            });
            let (_, sum, least) = &mut unordered[known];
            *sum += change.difference;
            *least = (*least).min(*sum);
        }
        count + unordered.iter().map(|(_, _, least)| least).sum::<i64>() < 1
    }

    /// Whether a fence could tell, after this change, which unordered ones came before it.
    fn is_before_fence(&mut self, changes: &[Change], index: usize) -> bool {
        let graph = &*self.graph;
        let fences = self.fences.get_or_insert_with(|| {
            let order = |id: EventId| graph.event(id).label.order(false).is_some_and(is_acquire);
            let is_fence = |id: EventId| matches!(graph.event(id).label, Label::Fence { .. });
            (0..graph.events.len() as EventId).filter(|&id| is_fence(id) && order(id)).collect()
        });
        if fences.is_empty() {
            return false;
        }
        let fences = fences.clone();
        fences.into_iter().any(|fence| {
            self.follows(&changes[index], fence)
                && (0..changes.len()).any(|other| {
                    let change = &changes[other];
                    self.is_unordered(changes, index, other) && !self.is_known(change, fence)
                })
        })
    }

    /// Whether the fence of who takes the last handle of another count could tell which of two unordered changes of this one came first.
    fn is_before_take(&mut self, changes: &[Change], takes: &[Change]) -> bool {
        takes.iter().any(|take| {
            (0..changes.len()).any(|index| {
                let change = &changes[index];
                (change.thread, change.number < take.number) == (take.thread, true)
                    && (0..changes.len()).any(|other| {
                        self.is_unordered(changes, index, other)
                            && !self.is_moment_before(&changes[other], take)
                    })
            })
        })
    }

    /// Whether a fence may tell what this change read: one of its thread, or a SeqCst one that it happens before.
    fn follows(&mut self, change: &Change, fence: EventId) -> bool {
        let event = self.graph.event(fence);
        if event.thread == change.thread {
            return event.index as usize >= change.position;
        }
        matches!(event.label, Label::Fence { order: Ordering::SeqCst }) && self.is_known(change, fence)
    }

    /// Whether an acquire fence would tell the thread of this change, then, what it does not know: only if it has read what was released,
    /// by a read that does not acquire.
    fn is_fence_needed(&mut self, change: &Change) -> bool {
        let graph = &mut *self.graph;
        let events = &graph.threads[change.thread][..change.position];
        let is_pending = |&id: &EventId| {
            let event = graph.event(id);
            let acquires = event.label.order(event.is_write).is_some_and(is_acquire);
            matches!(event.reads_from, ReadsFrom::Event(_)) && !acquires
        };
        if !events.iter().any(is_pending) {
            return false;
        }
        let Some(last) = self.last_event(change) else { return false };
        self.graph.compute_clocks();
        let (known, pending) = (self.graph.hb(last), self.graph.clock(last, ClockKind::PendingAcquire));
        (0..self.graph.threads.len()).any(|thread| exceeds(pending, known, thread))
    }
}

fn exceeds(first: EventClock<'_>, second: EventClock<'_>, thread: ThreadIndex) -> bool {
    first.get(thread) > second.get(thread)
}

#[cfg(test)]
mod tests {
    use super::CountChange::{Add, AddIfAny, Look, Remove, RemoveSole};
    use super::*;
    use crate::graph::Event;
    use crate::record::{Orders, Place, operation_name};

    /// The main thread starts two others, which do a release fence each, and joins the first.
    fn graph() -> Graph {
        let mut graph = Graph::new();
        let event = |thread, label| {
            Event::new(thread, label, Place::here(operation_name!("test"), Orders::None), None)
        };
        for _ in 0..2 {
            let child = graph.new_thread();
            graph.push(event(0, Label::Create { child }));
        }
        for thread in [1, 2] {
            graph.push(event(thread, Label::Fence { order: Ordering::Release }));
        }
        graph.push(event(0, Label::Join { child: 1 }));
        graph
    }

    /// Whether the order of changes shows, of a value with one handle: thread, events before it, change, in the order of the run.
    fn is_seen(changes: &[(ThreadIndex, usize, CountChange)]) -> bool {
        let mut counts = Counts::new(false);
        for &(thread, position, kind) in changes {
            let made = SourceLocation::caller();
            assert!(!counts.change((LocationId::new(0), 1), made, (thread, position), kind).must_stop);
        }
        counts.look_at(&mut graph())
    }

    #[test]
    fn drops_that_happen_before_the_last_have_no_order() {
        // At its start, and at its end.
        for position in [0, 1] {
            assert!(!is_seen(&[(0, 0, Add), (1, position, Remove), (0, 3, Remove)]), "joined");
            assert!(is_seen(&[(0, 0, Add), (2, position, Remove), (0, 3, Remove)]), "not joined");
            assert!(!is_seen(&[(0, 0, Add), (2, position, Remove)]), "there is another handle");
        }
        assert!(is_seen(&[(0, 0, Add), (1, 0, Remove), (0, 2, Remove)]), "dropped before the join");
    }

    #[test]
    fn a_look_after_the_last_drop_is_not_the_last_change() {
        for look in [Look, RemoveSole, AddIfAny] {
            let drops = [(0, 0, Add), (1, 0, Remove)];
            assert!(is_seen(&[&drops[..], &[(0, 2, Remove), (0, 3, look)]].concat()), "unordered drops");
            assert!(!is_seen(&[&drops[..], &[(0, 3, Remove), (0, 3, look)]].concat()), "joined");
            assert!(!is_seen(&[&drops[..], &[(0, 3, look), (0, 3, Remove)]].concat()), "between them");
            assert!(is_seen(&[&drops[..], &[(0, 3, Remove), (2, 1, look)]].concat()), "an unordered look");
        }
    }

    #[test]
    fn a_clone_is_made_of_a_handle_that_is_there() {
        assert!(!is_seen(&[(0, 0, Add), (2, 0, Add), (1, 0, Remove)]));
        assert!(is_seen(&[(2, 0, Add), (1, 0, Remove)]), "the drop may come first");
        assert!(!is_seen(&[
            (0, 0, Add),
            (2, 0, Add),
            (1, 0, Add),
            (1, 0, Remove),
            (1, 1, Add),
            (1, 1, Remove)
        ]));
        assert!(is_seen(&[
            (0, 0, Add),
            (2, 0, Add),
            (1, 0, Add),
            (1, 0, Remove),
            (1, 1, Remove),
            (0, 2, Remove)
        ]));
    }

    #[test]
    fn who_looks_sees_the_order_unless_there_is_none() {
        for look in [Look, RemoveSole] {
            assert!(!is_seen(&[(0, 0, Add), (1, 0, Remove), (0, 3, look)]), "joined");
            assert!(is_seen(&[(0, 0, Add), (1, 0, Remove), (0, 2, look)]), "not joined");
            assert!(!is_seen(&[(0, 0, Add), (0, 1, look), (2, 0, Remove)]), "before it was started");
        }
    }

    #[test]
    fn who_looks_on_end_is_stopped() {
        let mut counts = Counts::new(false);
        let made = SourceLocation::caller();
        let look = || counts.change((LocationId::new(3), 2), made, (1, 5), Look);
        let looks = std::iter::repeat_with(look).take_while(|changed| !changed.must_stop).count();
        assert_eq!(looks, LOOKS_MAX as usize);
        assert!(counts.has_grown() && counts.has_events(&made));
    }
}

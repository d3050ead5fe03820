//! Whether a round of a loop repeats the one before it: questions that the graph alone answers. What for, and why the answers are enough, says
//! [`rounds`](super::rounds).

use crate::graph::{
    Action, ClockKind, Event, EventId, Graph, Label, LocationIndex, ReadsFrom, ThreadIndex, is_same_place,
};
use crate::record::Place;
use smallvec::SmallVec;

/// A round has no more events than that.
pub(super) const ROUND_EVENTS_MAX: usize = 128;

/// What an operation has in common with those that a loop does in other rounds.
pub(super) struct Likeness<'r> {
    /// Of the same kind.
    pub(super) label: &'r Label,
    pub(super) place: &'r Place,
    pub(super) location: Option<LocationIndex>,
}

impl Likeness<'_> {
    /// Whether an event has that in common.
    #[inline]
    pub(super) fn is_of(&self, event: &Event) -> bool {
        event.label.is_like(self.label)
            && is_same_place(&event.place, self.place)
            && event.location == self.location
    }
}

/// The index of the last of a thread's events that is like what it does next, if that is not long ago. No loop is known by the threads that
/// it starts or joins, or by what it chooses.
#[inline]
pub(super) fn last_like(graph: &Graph, events: &[EventId], next: &Likeness<'_>) -> Option<usize> {
    if matches!(next.label, Label::Create { .. } | Label::Join { .. } | Label::Choice { .. }) {
        return None;
    }
    let begin = events.len().saturating_sub(ROUND_EVENTS_MAX);
    let position = events[begin..].iter().rposition(|&id| next.is_of(graph.event(id)));
    position.map(|position| begin + position)
}

/// Whether these events of a thread only read, or change words that they may change, and change them back.
///
/// Who stops after them stops with the lock free, not between an unlock and the next lock: else others that poll would be taken to wait for
/// it. So they first add, and then take it back.
pub(super) fn changes_nothing(
    graph: &Graph,
    round: &[EventId],
    may_change: impl Fn(LocationIndex) -> bool,
) -> bool {
    comes_to_nothing(graph, round, may_change, |sum| sum.cast_signed() >= 0)
}

/// Whether these events of a thread only read, or change words, and change them back.
pub(super) fn takes_back(graph: &Graph, round: &[EventId]) -> bool {
    comes_to_nothing(graph, round, |_| true, |_| true)
}

/// Whether all that these events of a thread change comes to nothing at the end, and to what it may on the way.
fn comes_to_nothing(
    graph: &Graph,
    round: &[EventId],
    may_change: impl Fn(LocationIndex) -> bool,
    may_be: impl Fn(u64) -> bool,
) -> bool {
    let mut changes: SmallVec<[(LocationIndex, u64); 4]> = SmallVec::new();
    for &id in round {
        let event = graph.event(id);
        let is_quiet = match event.label {
            Label::Access(Action::BeginCell { is_write }) => !is_write,
            Label::Create { .. } | Label::Join { .. } | Label::Access(Action::Store { .. }) => false,
            _ => true,
        };
        if !is_quiet {
            return false;
        }
        let (true, Some(location)) = (event.is_write, event.location) else { continue };
        let change = event.value.wrapping_sub(graph.value_of(location, event.reads_from));
        if change == 0 {
            continue;
        }
        if !may_change(location) {
            return false;
        }
        let known = changes.iter().position(|(other, _)| *other == location);
        let known = known.unwrap_or_else(|| {
            changes.push((location, 0));
            changes.len() - 1
        });
        let sum = &mut changes[known].1;
        *sum = sum.wrapping_add(change);
        if !may_be(*sum) {
            return false;
        }
    }
    changes.iter().all(|&(_, sum)| sum == 0)
}

/// Whether a round of a thread, from the second of these indices to the third, did what the one before it did, from the first to the second, and
/// taught the thread nothing new.
pub(super) fn is_same_round(graph: &Graph, thread: ThreadIndex, [begin, start, end]: [usize; 3]) -> bool {
    let events = &graph.threads[thread];
    did_the_same(graph, &events[begin..start], &events[start..end])
        && knows_the_same(graph, thread, events[start - 1], events[end - 1])
}

/// Whether a thread did the same operations in two rounds, and saw the same.
pub(super) fn did_the_same(graph: &Graph, first: &[EventId], second: &[EventId]) -> bool {
    let is_same = |(&first, &second)| is_same_operation(graph, first, second);
    first.len() == second.len() && first.iter().zip(second).all(is_same)
}

/// Whether two operations of a thread did the same and saw the same, what it wrote itself aside: where the second one reads a store of the
/// thread's own, the first one has read the same, or an older store, over which the thread has written since.
fn is_same_operation(graph: &Graph, first: EventId, second: EventId) -> bool {
    let (one, other) = (graph.event(first), graph.event(second));
    let is_own =
        |store| matches!(store, ReadsFrom::Event(write) if graph.event(write).thread == other.thread);
    Likeness { label: &one.label, place: &one.place, location: one.location }.is_of(other)
        && one.is_write == other.is_write
        && one.choice == other.choice
        && (one.reads_from == other.reads_from || is_own(other.reads_from))
}

/// Whether a thread knew, and would pass on, the same events of others after both rounds, given that it did the same in them.
///
/// The third clock, what a later acquire fence would learn, need not be compared: beside what happens before, it has the same events then. It
/// grows by what the stores release that the second round reads. The first round has read the same ones, or they are the thread's own.
/// Its own store releases what happened before it, and what the stores released over which it wrote, one after the other: which were read.
fn knows_the_same(graph: &Graph, thread: ThreadIndex, first: EventId, second: EventId) -> bool {
    [ClockKind::Hb, ClockKind::ReleaseFence].into_iter().all(|kind| {
        let (one, other) = (graph.clock(first, kind), graph.clock(second, kind));
        (0..graph.threads.len()).all(|index| index == thread || one.get(index) == other.get(index))
    })
}

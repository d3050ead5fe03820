//! Threads that spin: whether they come back for many rounds, and whether they would do so for ever.

use super::loops::ROUNDS_MAX;
use super::port::RunPort;
use super::repeat::Likeness;
use super::request::{Asked, Request};
use super::rounds::Head;
use super::state::RunState;
use crate::graph::{Action, EventId, Graph, Label, LocationIndex, ReadsFrom, ThreadIndex};
use crate::record::Place;
pub(crate) use crate::record::SpinReason;
use smallvec::SmallVec;

/// How a thread spins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spin {
    /// The index of the event that its last round begins with.
    pub(crate) from: usize,
    pub(crate) place: Place,
    /// Whether it was after the round what it was before.
    pub(crate) comes_back: bool,
    pub(crate) reason: SpinReason,
}

impl RunPort {
    /// A thread has stopped in a loop with this head, since it is as it was a round ago. What a loop keeps in the heap is not part of that, so
    /// the first time the thread is followed for many rounds, in which it sees what it saw in the last: if it leaves the loop, no
    /// round of that is left out, and the exploration starts again. The run is made up from there: the program runs again.
    pub(crate) fn confirm_spin(&self, thread: ThreadIndex, place: Place) {
        let round = {
            let run = self.run.borrow();
            let spin = run.thread(thread).spin().filter(|spin| spin.reason != SpinReason::Bounded).copied();
            let is_known = run.is_playing() || run.loops.is_confirmed(&place);
            let Some(spin) = spin.filter(|_| !is_known) else { return };
            run.explorer.graph().threads[thread][spin.from..].to_vec()
        };
        let comes_back = self.goes_round(thread, &round);
        self.note_confirmed(place, comes_back);
    }

    /// The same, of a thread that only yields.
    pub(crate) fn confirm_idle(&self, thread: ThreadIndex, place: &Place) {
        {
            let run = self.run.borrow();
            if run.is_playing() || run.thread(thread).spin().is_none() || run.loops.is_confirmed(place) {
                return;
            }
        }
        let comes_back = self.yields_on(thread);
        self.note_confirmed(*place, comes_back);
    }

    /// Whether a thread that spins does so for many rounds: it does its last round over and over, or only yields.
    pub(super) fn stays_in_loop(&self, thread: ThreadIndex, spin: &Spin) -> bool {
        let round = self.run.borrow().explorer.graph().threads[thread][spin.from..].to_vec();
        if round.is_empty() { self.yields_on(thread) } else { self.goes_round(thread, &round) }
    }

    /// Whether a thread yields many times, and does nothing else.
    fn yields_on(&self, thread: ThreadIndex) -> bool {
        let yields_again = |_| {
            let is_over = self.coroutines.resume(thread).is_some();
            self.requests.note_suspended(thread);
            let yields = !is_over && matches!(self.requests.asked(thread), Some(Asked::Yield(_)));
            if yields {
                self.requests.forget(thread);
            }
            yields
        };
        (0..ROUNDS_MAX).all(yields_again)
    }

    fn note_confirmed(&self, place: Place, comes_back: bool) {
        let run = &mut *self.run.borrow_mut();
        if comes_back {
            run.loops.confirmed.push(place);
            run.now.must_run_again = true;
        } else {
            run.loops.kept.push(place);
            run.start_again();
        }
    }

    /// Whether a thread does these operations over and over, seeing each time what it saw.
    fn goes_round(&self, thread: ThreadIndex, round: &[EventId]) -> bool {
        let mut yields = 0;
        for _ in 0..ROUNDS_MAX {
            let mut rest = round;
            while let Some((&event, later)) = rest.split_first() {
                let asked = self.requests.asked(thread);
                match asked {
                    Some(Asked::Operation(request, _)) => {
                        // SAFETY: the thread that asks is suspended, with the request on its stack.
                        let request = unsafe { &*request };
                        if !self.run.borrow().is_done_again(event, request) {
                            return false;
                        }
                        self.answer(thread, event);
                        rest = later;
                    }
                    Some(Asked::Yield(_)) => {
                        self.requests.forget(thread);
                        yields += 1;
                    }
                    None => return false,
                }
                if yields > self.limits.branches_max || self.coroutines.resume(thread).is_some() {
                    return false;
                }
                self.requests.note_suspended(thread);
            }
        }
        true
    }
}

impl RunState {
    /// Whether a request is that of this event.
    fn is_done_again(&self, event: EventId, request: &Request<'_>) -> bool {
        let location = request.location.and_then(|location| self.now.locations[location.index()].bound);
        let again = Likeness { label: &request.label, place: request.place, location };
        again.is_of(self.explorer.graph().event(event))
    }

    /// Whether a thread that spins would go on spinning if it saw the newest values: it comes back, everything that its last round read has the
    /// value that it had then, nobody else has done anything since that may have an effect, and all values are afterwards what they were, so that
    /// the next thread finds the same.
    pub(crate) fn spins_for_ever(&self, thread: ThreadIndex, spin: &Spin) -> bool {
        let graph = self.explorer.graph();
        let round = &graph.threads[thread][spin.from..];
        // Of each location, the newest value, and what it is in the course of the round.
        let mut values: SmallVec<[(LocationIndex, u64, u64); 4]> = SmallVec::new();
        let is_again = |&id: &EventId| {
            let event = graph.event(id);
            if event.is_spurious
                || event.choice != 0
                || matches!(event.label, Label::Create { .. } | Label::Join { .. })
            {
                return false;
            }
            if let Label::Access(Action::BeginCell { .. }) = event.label {
                return is_cell_settled(graph, id);
            }
            let accessed = event.location.filter(|_| event.label.is_read() || event.is_write);
            let Some(location) = accessed else { return true };
            let known = values.iter().position(|(other, ..)| *other == location);
            let known = known.unwrap_or_else(|| {
                let newest = graph.value_of(location, graph.newest(location));
                values.push((location, newest, newest));
                values.len() - 1
            });
            let now = &mut values[known].2;
            let sees_the_same = !event.label.is_read()
                || graph.value_of(location, event.reads_from) == *now
                    && !self.has_newer_effect(thread, location, event.reads_from);
            if event.is_write {
                *now = event.value;
            }
            sees_the_same
        };
        spin.comes_back && round.iter().all(is_again) && values.iter().all(|(_, newest, now)| newest == now)
    }

    /// Whether some thread that spins writes in its round, if only to take it back, what the wait of this event is for.
    pub(crate) fn is_satisfied_in_round(&self, wait: EventId) -> bool {
        let graph = self.explorer.graph();
        let wait = graph.event(wait);
        let satisfies = |&id: &EventId| {
            let event = graph.event(id);
            event.is_write && event.location == wait.location && wait.label.is_satisfied(event.value)
        };
        (0..graph.threads.len().min(self.now.threads.len())).any(|index| match self.thread(index).spin() {
            Some(spin) => graph.threads[index][spin.from..].iter().any(satisfies),
            None => false,
        })
    }

    /// Whether another thread has written to this location since this store, outside of rounds that have no effect or are done again for ever:
    /// with the value, what it guards may have changed, which is not seen.
    fn has_newer_effect(&self, thread: ThreadIndex, location: LocationIndex, store: ReadsFrom) -> bool {
        let graph = self.explorer.graph();
        let position = graph.position(location, store);
        graph.location(location).writes[position..].iter().any(|&write| {
            let event = graph.event(write);
            event.thread != thread && !self.is_in_round(event.thread, event.index as usize)
        })
    }

    /// Whether the running thread, in its events from this one on, has taken something, as a lock, that others have taken and given back since.
    /// What they have left there is in the memory by now: the thread cannot be followed, as it would see that.
    pub(crate) fn has_held_stale(&self, from: usize) -> bool {
        let graph = self.explorer.graph();
        graph.threads[self.now.current][from..].iter().any(|&id| {
            let event = graph.event(id);
            let updated = event.location.filter(|_| event.label.is_read() && event.is_write);
            updated.is_some_and(|location| {
                event.value != graph.value_of(location, event.reads_from)
                    && self.has_newer_effect(self.now.current, location, event.reads_from)
            })
        })
    }

    /// Whether the event of a thread with this index is in a round that is not news to others.
    fn is_in_round(&self, thread: ThreadIndex, index: usize) -> bool {
        self.now.threads.get(thread).is_some_and(|run| is_in_round(run.spin(), &run.rounds.heads, index))
    }
}

/// Whether the event of a thread with this index is in a round without an effect, or in the last one of a thread that comes back.
pub(super) fn is_in_round(spin: Option<&Spin>, heads: &[Head], index: usize) -> bool {
    let is_last = spin.is_some_and(|spin| spin.comes_back && index >= spin.from);
    is_last || heads.iter().any(|head| head.is_quiet && (head.start..head.index).contains(&index))
}

/// Whether an access of a cell, in a round, would see the same again: it reads, and nobody has written since.
pub(super) fn is_cell_settled(graph: &Graph, id: EventId) -> bool {
    let event = graph.event(id);
    let (Label::Access(Action::BeginCell { is_write: false }), Some(location)) =
        (event.label, event.location)
    else {
        return false;
    };
    graph.location(location).cells.iter().all(|&other| {
        let rival = graph.event(other);
        let writes = matches!(rival.label, Label::Access(Action::BeginCell { is_write: true }));
        !writes || rival.is_in(graph.hb(id))
    })
}

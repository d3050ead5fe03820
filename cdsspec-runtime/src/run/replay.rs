//! Events that are in the graph run again, with the values of this run.

use super::now::EventProgress;
use super::request::Request;
use super::state::RunState;
use super::thread_run::{Status, Waiters};
use crate::graph::{Action, EventId, Label, LocationIndex, ReadsFrom, is_same_place};
use crate::record::LocationId;

/// What became of an event that is in the graph.
pub(crate) enum Replayed {
    /// It has run.
    Run,
    /// Its thread cannot go on now; its status says when.
    Suspended,
    /// The program has done something else.
    Departed,
}

impl RunState {
    /// The next event of the running thread, `id`, is to run.
    #[inline(always)]
    pub(crate) fn replay(&mut self, id: EventId, request: &Request<'_>) -> Replayed {
        let event = self.explorer.graph().event(id);
        let must_wait = match event.reads_from {
            ReadsFrom::Event(store) => !self.has_run(store),
            _ => matches!(event.label, Label::Join { child } if !self.has_ended(child)),
        };
        if must_wait {
            self.suspend_before(id);
            return Replayed::Suspended;
        }
        if !self.refresh(id, request) {
            return Replayed::Departed;
        }
        self.note_replayed();
        if request.label.is_wait() && self.explorer.graph().is_waiting(id) {
            // It does not run, but which location of this run it waits at is known before events are added.
            self.suspend(Status::Waiting { event: id });
            return Replayed::Suspended;
        }
        Replayed::Run
    }

    /// The running thread waits for what its next event needs.
    #[inline(never)]
    fn suspend_before(&mut self, id: EventId) {
        let event = self.explorer.graph().event(id);
        let status = match (event.reads_from, &event.label) {
            (ReadsFrom::Event(store), _) => Status::AfterEvent(store),
            (_, &Label::Join { child }) => Status::AfterThread(child, event.place),
            _ => unreachable!("cdsspec bug: only stores and threads are waited for"),
        };
        self.suspend(status);
    }

    /// An event gets the values of this run. `false` if the request is another one.
    #[inline(always)]
    fn refresh(&mut self, id: EventId, request: &Request<'_>) -> bool {
        let event = self.explorer.graph_mut().event_mut(id);
        if !event.label.is_like(&request.label) || !is_same_place(&event.place, request.place) {
            return false;
        }
        // The thread of a creation is the graph's.
        if !matches!(event.label, Label::Create { .. }) {
            event.label = request.label;
        }
        let (Some(bound), Some(location)) = (event.location, request.location) else { return true };
        if self.now.locations[location.index()].bound != Some(bound) && !self.bind(location, bound) {
            return false;
        }
        let graph = self.explorer.graph_mut();
        let event = graph.event(id);
        let written = match event.label {
            Label::Access(Action::Store { value, .. }) => Some(value),
            Label::Access(Action::BeginCell { .. }) => return true,
            _ => graph.written(id),
        };
        let value = written.unwrap_or(0);
        let is_same = written.is_some() == event.is_write && !is_other_number(event.value, value);
        if is_same {
            graph.event_mut(id).value = value;
        }
        is_same
    }

    /// How the program left its path.
    pub(crate) fn departure(&self, id: EventId, request: &Request<'_>) -> String {
        let event = self.explorer.graph().event(id);
        let bound = request.location.and_then(|location| self.now.locations[location.index()].bound);
        let is_operation = event.label.is_like(&request.label) && is_same_place(&event.place, request.place);
        if is_operation && event.location == bound {
            format!("{} read or wrote another value than before", request.place)
        } else {
            format!("it did {} where it had done {}", request.place, event.place)
        }
    }

    /// Makes a location of this run be this one of the graph. `false` if it is another one, or the graph's is taken.
    fn bind(&mut self, location: LocationId, bound: LocationIndex) -> bool {
        let known = self.now.locations[location.index()];
        if let Some(known) = known.bound {
            return known == bound;
        }
        if self.now.location_ids.len() <= bound as usize {
            self.now.location_ids.resize(bound as usize + 1, None);
        }
        if self.now.location_ids[bound as usize].is_some() {
            return false;
        }
        let initial = &mut self.explorer.graph_mut().locations[bound as usize].initial;
        if is_other_number(*initial, known.initial) {
            return false;
        }
        *initial = known.initial;
        self.now.location_ids[bound as usize] = Some(location);
        self.now.locations[location.index()].bound = Some(bound);
        true
    }

    /// The graph's number of a location of this run; a new one if it has none.
    pub(crate) fn bound(&mut self, location: LocationId) -> LocationIndex {
        let known = self.now.locations[location.index()];
        if let Some(bound) = known.bound {
            return bound;
        }
        let ids = &self.now.location_ids;
        let is_taken = |index: LocationIndex| ids.get(index as usize).copied().flatten().is_some();
        let new = self.explorer.new_location(known.initial, is_taken);
        self.bind(location, new);
        new
    }

    /// An event of the running thread has run.
    #[inline(always)]
    pub(crate) fn note_run(&mut self, id: EventId) {
        let progress = std::mem::replace(&mut self.now.progress[id as usize], EventProgress::Run);
        self.now.ran.push(id);
        self.current_mut().next += 1;
        if let EventProgress::Pending(waiters) = progress
            && waiters != Waiters::None
        {
            self.wake_waiters(waiters, |status| matches!(status, Status::AfterEvent(event) if *event == id));
        }
    }

    /// An event of the graph has run, or waits as it did.
    #[inline(always)]
    fn note_replayed(&mut self) {
        self.now.replay_left -= 1;
        if self.now.replay_left == 0 {
            self.wake(|status| matches!(status, Status::AfterReplay));
        }
    }
}

/// Whether a value is another number than it was. Addresses may be others in each run, and a word may be one: what is too large for a
/// plain number is not compared.
#[inline]
fn is_other_number(first: u64, second: u64) -> bool {
    const NUMBER_MAX: u64 = 1 << 16;
    let is_number = |value: u64| value.cast_signed().unsigned_abs() < NUMBER_MAX;
    first != second && is_number(first) && is_number(second)
}

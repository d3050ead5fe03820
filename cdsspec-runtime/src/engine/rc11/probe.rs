//! Which waits are loops: a thread at `yield_now` or `spin_loop` waits only if it would come back to the same point, again and again, having
//! read the same stores and done nothing else.
//!
//! To find out, the thread goes on as a *probe*: its reads see again what they saw, and nothing is added to the graph. If it comes back
//! for as many rounds as the limit says, it is a loop, and the thread waits: rounds that read the same are not explored again, and
//! the executions in which it reads something else come from its reads' other choices. If it does anything else, the point is one to
//! pass: that is noted in the graph, and the program runs again under it if the probe has made up anything.

use super::event::{EventId, Label};
use super::port::{Rc11Port, Request};
use super::state::{RunState, Status};
use crate::record::{Place, ValueKind};

/// A thread that goes on to see whether it comes back.
pub(super) struct Probe {
    /// Where it yielded.
    place: Place,
    /// Which of its yields with so many events behind it that is.
    ordinal: u16,
    /// What its operations of this round saw again.
    round: Vec<EventId>,
    round_count: usize,
    operation_count: usize,
    /// Yields on end without an operation between them.
    idle_count: usize,
}

/// A thread that yields so often without an operation does nothing else.
const IDLE_YIELDS_MAX: usize = 10_000;

impl Rc11Port {
    /// Whether the running thread only probes.
    pub(super) fn is_probing(&self) -> bool {
        let run = self.run.borrow();
        run.threads.get(run.current).and_then(Option::as_ref).is_some_and(|thread| thread.probe.is_some())
    }

    /// A thread yields: it waits, if that is in a loop that only reads.
    pub(super) fn yield_thread(&self, place: Place) {
        if self.is_looked_at() {
            return;
        }
        let must_stop = {
            let mut run = self.run.borrow_mut();
            let run = &mut *run;
            self.count_yield(run);
            if run.cut.is_some() {
                run.current_mut().status = Status::Cut;
                true
            } else if run.current_mut().probe.is_some() {
                self.yield_again(run, place)
            } else {
                run.begin_probe(place);
                false
            }
        };
        if must_stop {
            self.stop_thread();
        }
    }

    /// A probing thread does an operation: what it sees again. `None` if it does not probe, or not any more.
    pub(super) fn probe_operation(&self, request: &Request) -> Option<EventId> {
        let must_stop = {
            let mut run = self.run.borrow_mut();
            let run = &mut *run;
            run.current_mut().probe.as_ref()?;
            match run.seen_before(request) {
                Some(event) => {
                    if let Some(probe) = &mut run.current_mut().probe {
                        probe.round.push(event);
                        probe.operation_count += 1;
                        probe.idle_count = 0;
                    }
                    return Some(event);
                }
                None => run.pass(),
            }
        };
        if must_stop {
            self.stop_thread();
        }
        None
    }

    /// A probing thread yields. Whether it must stop.
    fn yield_again(&self, run: &mut RunState, place: Place) -> bool {
        let rounds_max = self.limits.spin_rounds_max;
        let Some(probe) = &mut run.current_mut().probe else { return false };
        if place != probe.place || probe.round.is_empty() {
            probe.idle_count += 1;
            let is_idle = probe.idle_count > IDLE_YIELDS_MAX;
            if is_idle {
                let from = run.current_mut().next;
                run.current_mut().status = Status::Spinning { from, place };
            }
            return is_idle;
        }
        probe.round_count += 1;
        let (round, is_loop) = (std::mem::take(&mut probe.round), probe.round_count >= rounds_max.max(1));
        if !run.is_last_round(&round) {
            return run.pass();
        }
        if is_loop {
            let from = run.current_mut().next - round.len();
            run.current_mut().status = Status::Spinning { from, place };
        }
        is_loop
    }

    /// The running thread does not go on in this run.
    fn stop_thread(&self) {
        let thread = self.run.borrow().current;
        loop {
            self.coroutines.suspend(thread);
        }
    }
}

impl RunState {
    fn begin_probe(&mut self, place: Place) {
        let thread = self.current;
        let (next, event_count) = (self.thread(thread).next, self.explorer.graph().threads[thread].len());
        let current = self.current_mut();
        let index = u16::try_from(next).expect("checked by the limit of events");
        let ordinal = if current.last_yield.0 == index { current.last_yield.1 + 1 } else { 0 };
        current.last_yield = (index, ordinal);
        // Nothing to wait for, or known to go on.
        if next == 0 || next < event_count || self.explorer.graph().is_passed(thread, (index, ordinal)) {
            return;
        }
        self.current_mut().probe = Some(Probe {
            place,
            ordinal,
            round: Vec::new(),
            round_count: 0,
            operation_count: 0,
            idle_count: 0,
        });
    }

    /// The running thread's last event that did what is asked for, at the same place and location, without an effect.
    fn seen_before(&self, request: &Request) -> Option<EventId> {
        let graph = self.explorer.graph();
        let location = match request.location {
            Some(location) => Some(self.locations[location.index()].bound?),
            None => None,
        };
        let kind = std::mem::discriminant(&request.label);
        graph.threads[self.current].iter().rev().copied().find(|&id| {
            let event = graph.event(id);
            event.place == request.place
                && std::mem::discriminant(&event.label) == kind
                && event.label.location() == location
                && self.is_quiet(id)
        })
    }

    /// Whether an event has no effect that another thread could see. Locks that are taken and released again have none.
    fn is_quiet(&self, id: EventId) -> bool {
        let event = self.explorer.graph().event(id);
        let is_internal = || {
            let location = event.label.location().and_then(|location| self.location_ids[location as usize]);
            location.is_some_and(|location| self.locations[location.index()].kind == ValueKind::Internal)
        };
        match event.label {
            Label::Cell { is_write, .. } => !is_write,
            Label::Create { .. } | Label::Join { .. } => false,
            _ => !event.is_write || is_internal(),
        }
    }

    /// Whether the running thread's last events did, and saw, what a round of its probe did.
    fn is_last_round(&self, round: &[EventId]) -> bool {
        let graph = self.explorer.graph();
        let events = &graph.threads[self.current];
        let Some(begin) = events.len().checked_sub(round.len()) else { return false };
        events[begin..].iter().zip(round).all(|(&known, &seen)| {
            let (first, second) = (graph.event(known), graph.event(seen));
            let is_same_read = first.reads_from == second.reads_from || first.is_write;
            first.place == second.place
                && first.label.location() == second.label.location()
                && is_same_read
                && self.is_quiet(known)
        })
    }

    /// The running thread does not come back: it passes the point. Whether it must stop, and the program run again, since the probe has
    /// made up what it saw.
    pub(super) fn pass(&mut self) -> bool {
        let thread = self.current;
        let next = self.thread(thread).next;
        let Some(probe) = self.current_mut().probe.take() else { return false };
        let index = u16::try_from(next).expect("checked by the limit of events");
        self.explorer.graph_mut().note_passed(thread, (index, probe.ordinal));
        let must_stop = probe.operation_count > 0;
        if must_stop {
            self.current_mut().status = Status::Cut;
            self.must_run_again = true;
        }
        must_stop
    }
}

//! Which waits are loops: a thread at `yield_now` or `spin_loop` waits only if it would come back to the same point, again and again, having
//! read the same stores and done nothing else.
//!
//! To find out, the thread goes on as a *probe*: its reads see again what they saw, and nothing is added to the graph. If it comes back a
//! few times with its stack as it was ([`frames`](super::frames)), it is a loop, and the thread waits: rounds that read the same are
//! not explored again, and the executions in which it reads something else come from its reads' other choices. If it does anything
//! else, the point is one to pass: that is noted in the graph, and the program runs again under it if the probe has made up anything. If
//! it comes back again and again with another stack, it may count its rounds: after so many as the limit says, the thread waits all
//! the same, and what was found holds within that limit.
//!
//! A thread that does the same reads a few times on end without a yield probes from its next operation on.

use super::event::{EventId, Label, is_same_place};
use super::port::{Rc11Port, Request};
use super::state::{RunState, Status};
use crate::record::{Place, ValueKind};

/// A thread that goes on to see whether it comes back.
pub(super) struct Probe {
    /// Where it yielded, or the operation that begins its round.
    place: Place,
    /// Which of its yields with so many events behind it that is.
    ordinal: u16,
    /// How many operations a round has, where no yield ends it.
    reads: Option<usize>,
    /// What its operations of this round saw again.
    round: Vec<EventId>,
    round_count: usize,
    operation_count: usize,
    /// Whether a call began or ended, or had an ordering point, that is not recorded.
    pub(super) has_skipped: bool,
    /// Its stack when the last round ended.
    fingerprint: Option<u64>,
    /// Rounds on end after which its stack was as before.
    same_count: usize,
    /// Yields on end without an operation between them.
    idle_count: usize,
    /// Yields at other places since the last round ended.
    other_count: usize,
}

/// A thread that yields so often without an operation does nothing else.
const IDLE_YIELDS_MAX: usize = 10_000;

/// A thread that has come back so often on end with the same stack is in a loop.
const SAME_ROUNDS: usize = 8;

/// A round has no more yields than that.
const OTHER_YIELDS_MAX: usize = 8;

/// In place of the ordinal of a yield.
const NO_YIELD: u16 = u16::MAX;

impl Rc11Port {
    /// Whether the running thread only probes.
    pub(super) fn is_probing(&self) -> bool {
        let run = self.run.borrow();
        run.threads.get(run.current).is_some_and(|thread| thread.probe.is_some())
    }

    /// The running thread's stack, as a number.
    pub(super) fn fingerprint(&self) -> Option<u64> {
        let thread = self.run.borrow().current;
        super::frames::fingerprint(self.coroutines.base(thread))
    }

    /// A thread yields: it waits, if that is in a loop that only reads. Not inlined: its caller's frame is part of the fingerprint.
    #[inline(never)]
    pub(super) fn yield_thread(&self, place: Place, fingerprint: Option<u64>) {
        let must_stop = {
            let mut run = self.run.borrow_mut();
            let run = &mut *run;
            self.count_yield(run);
            if run.cut.is_some() {
                run.suspend(Status::Cut);
                true
            } else if run.current_mut().probe.is_some() {
                self.yield_again(run, place, fingerprint)
            } else {
                run.begin_probe(place, None, fingerprint);
                false
            }
        };
        if must_stop {
            self.stop_thread();
        }
    }

    /// Whether the running thread probes, or may have to from this operation on.
    pub(super) fn may_probe(&self, request: &Request<'_>) -> bool {
        self.run.borrow().may_probe(request)
    }

    /// A thread does an operation. If it probes, what it sees again; `None` if it does not, or not any more. Not inlined: its caller's
    /// frame is part of the fingerprint.
    #[inline(never)]
    pub(super) fn probe_operation(&self, request: &Request<'_>, fingerprint: Option<u64>) -> Option<EventId> {
        let must_stop = {
            let mut run = self.run.borrow_mut();
            let run = &mut *run;
            if run.current_mut().probe.is_none() {
                run.begin_probe_without_yield(request, fingerprint);
            }
            self.operate_again(run, request, fingerprint)?
        };
        if let Err(event) = must_stop {
            return Some(event);
        }
        self.stop_thread();
        None
    }

    /// `Err` with the event that a probing thread sees again, or `Ok` if it must stop. `None`: it does not probe, or not any more.
    fn operate_again(
        &self,
        run: &mut RunState,
        request: &Request<'_>,
        fingerprint: Option<u64>,
    ) -> Option<Result<(), EventId>> {
        let probe = run.current_mut().probe.as_ref()?;
        let ends_round = probe.reads.is_some_and(|reads| probe.round.len() == reads);
        if ends_round && self.end_round(run, fingerprint) {
            return Some(Ok(()));
        }
        let Some(event) = run.seen_before(request) else {
            return run.pass().then_some(Ok(()));
        };
        let probe = run.current_mut().probe.as_mut()?;
        probe.round.push(event);
        probe.operation_count += 1;
        probe.idle_count = 0;
        Some(Err(event))
    }

    /// A probing thread yields. Whether it must stop.
    fn yield_again(&self, run: &mut RunState, place: Place, fingerprint: Option<u64>) -> bool {
        let Some(probe) = &mut run.current_mut().probe else { return false };
        if probe.reads.is_some() {
            return run.pass();
        }
        if place == probe.place {
            return self.end_round(run, fingerprint);
        }
        probe.other_count += 1;
        if probe.other_count > OTHER_YIELDS_MAX {
            // It has left the loop for another one, which may be where it waits.
            probe.place = place;
            probe.other_count = 0;
            probe.round.clear();
            probe.same_count = 0;
        }
        false
    }

    /// A probing thread has come back. Whether it must stop: since it is in a loop, or since it is not.
    fn end_round(&self, run: &mut RunState, fingerprint: Option<u64>) -> bool {
        let Some(probe) = &mut run.current_mut().probe else { return false };
        probe.other_count = 0;
        let is_same = fingerprint.is_some() && fingerprint == probe.fingerprint;
        probe.same_count = if is_same { probe.same_count + 1 } else { 0 };
        probe.fingerprint = fingerprint;
        let is_certain = probe.same_count >= SAME_ROUNDS;
        let round = std::mem::take(&mut probe.round);
        let (count, max) = if round.is_empty() {
            (&mut probe.idle_count, IDLE_YIELDS_MAX)
        } else {
            (&mut probe.round_count, self.limits.spin_rounds_max)
        };
        *count += 1;
        let (is_loop, place) = (is_certain || *count >= max, probe.place);
        if !run.is_last_round(&round) {
            return run.pass();
        }
        if is_loop {
            let from = run.current_mut().next - round.len();
            run.suspend(Status::Spinning { from, place, is_certain });
        }
        is_loop
    }

    /// The running thread does not go on in this run, unless to leave its unwinding when that has ended.
    pub(super) fn stop_thread(&self) {
        let thread = self.run.borrow().current;
        while !self.is_looked_at() {
            self.coroutines.suspend(thread);
        }
    }
}

impl RunState {
    fn begin_probe(&mut self, place: Place, reads: Option<usize>, fingerprint: Option<u64>) {
        let thread = self.current;
        let (next, event_count) = (self.thread(thread).next, self.explorer.graph().threads[thread].len());
        let index = u16::try_from(next).expect("checked by the limit of events");
        let ordinal = if reads.is_some() { NO_YIELD } else { self.current_mut().count_yield(index) };
        // Nothing to wait for, or known to go on.
        if next == 0 || next < event_count || self.explorer.graph().is_passed(thread, (index, ordinal)) {
            return;
        }
        self.current_mut().probe = Some(Box::new(Probe {
            place,
            ordinal,
            reads,
            round: Vec::new(),
            round_count: 0,
            operation_count: 0,
            has_skipped: false,
            fingerprint,
            same_count: 0,
            idle_count: 0,
            other_count: 0,
        }));
    }

    /// Lets the running thread probe if it is about to begin a round of reads that it has done a few times on end.
    fn begin_probe_without_yield(&mut self, request: &Request<'_>, fingerprint: Option<u64>) {
        if let Some((reads, place)) = self.repeated_reads()
            && place == *request.place
        {
            self.begin_probe(place, Some(reads), fingerprint);
        }
    }

    /// Whether the running thread probes, or may have to from this operation on.
    #[inline]
    pub(super) fn may_probe(&self, request: &Request<'_>) -> bool {
        let thread = self.thread(self.current);
        let is_new = || thread.next == self.explorer.graph().threads[self.current].len();
        thread.probe.is_some() || is_new() && self.has_only_read() && self.is_repeated(request)
    }

    fn is_repeated(&self, request: &Request<'_>) -> bool {
        self.repeated_reads().is_some_and(|(_, place)| place == *request.place)
    }

    /// The running thread's last event that did what is asked for, at the same place and location, without an effect; `None`, too, if what is
    /// asked for now would have one: a compare-exchange that failed, and now expects what it read.
    fn seen_before(&self, request: &Request<'_>) -> Option<EventId> {
        let graph = self.explorer.graph();
        let location = match request.location {
            Some(location) => Some(self.locations[location.index()].bound?),
            None => None,
        };
        let kind = std::mem::discriminant(&request.label);
        let last = graph.threads[self.current].iter().rev().copied().find(|&id| {
            let event = graph.event(id);
            is_same_place(&event.place, request.place)
                && std::mem::discriminant(&event.label) == kind
                && event.location == location
        })?;
        // Another operand may make another outcome of the same value: a compare-exchange that expects now what it has just read.
        let event = graph.event(last);
        let would_write = match location {
            Some(location) if event.label.is_read() => {
                let seen = graph.value_of(location, event.reads_from);
                request.label.written(seen).is_some()
            }
            _ => event.is_write,
        };
        (would_write == event.is_write && self.is_quiet(last)).then_some(last)
    }

    /// Whether an event has no effect that another thread could see. Locks that are taken and released again have none.
    fn is_quiet(&self, id: EventId) -> bool {
        let event = self.explorer.graph().event(id);
        let is_internal = || {
            let location = event.location.and_then(|location| self.location_ids[location as usize]);
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
            is_same_place(&first.place, &second.place)
                && first.location == second.location
                && is_same_read
                && self.is_quiet(known)
        })
    }

    /// The running thread does not come back: it passes the point. Whether it must stop, and the program run again, since the probe has
    /// made up what it saw, or left out what is to be recorded.
    #[inline]
    pub(super) fn pass(&mut self) -> bool {
        match self.current_mut().probe.take() {
            Some(probe) => self.end_probe(&probe),
            None => false,
        }
    }

    /// What [`pass`](Self::pass) does, for a thread that probed.
    fn end_probe(&mut self, probe: &Probe) -> bool {
        let thread = self.current;
        let next = self.thread(thread).next;
        let index = u16::try_from(next).expect("checked by the limit of events");
        self.explorer.graph_mut().note_passed(thread, (index, probe.ordinal));
        let must_stop = probe.operation_count > 0 || probe.has_skipped;
        if must_stop {
            self.suspend(Status::Cut);
            self.must_run_again = true;
        }
        must_stop
    }
}

//! The port's primitives on execution graphs.

use super::coroutine::Coroutines;
use super::following::Following;
use super::now::EventProgress;
use super::replay::Replayed;
pub(crate) use super::request::Request;
use super::request::{Answer, New, Reply, Requests};
use super::state::RunState;
use super::thread_run::{Status, Waiters};
use super::{Limits, Options, Watch};
use crate::graph::{Event, EventId, Label, ThreadIndex};
use crate::heap;
use crate::memory_model::{Axioms, MemoryModel};
use crate::port::{
    self, Access, Action, CellAccess, CountChange, Notice, Operation, Port, WaitLoad, take_beginning,
};
use crate::record::{
    Ending, Limit, LimitKind, LocationId, Place, Race, Recorder, SourceLocation, StepKind, ThreadId,
    ValueKind, operation_name,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The engine's side of the port, for one exploration.
pub(crate) struct RunPort {
    pub(crate) recorder: Rc<RefCell<Recorder>>,
    pub(crate) limits: Limits,
    pub(crate) run: RefCell<RunState>,
    pub(crate) coroutines: Coroutines,
    pub(crate) requests: Requests,
    /// Whether an execution goes on after a race, for tests that compare all outcomes.
    pub(crate) goes_on_after_race: bool,
    /// Whether executions are drawn.
    pub(crate) is_sampling: bool,
    /// The memory model, if other orders are in force there than are written.
    other_orders: Option<&'static dyn Axioms>,
    /// When the exploration began.
    pub(crate) started: Instant,
    unobserved_depth: Cell<usize>,
    /// Who looks on.
    watch: Option<Arc<Watch>>,
}

/// Whether the clock is looked at before the event with this number: it costs more than an event.
fn event_is_due(number: usize) -> bool {
    (number + 1).is_multiple_of(128)
}

impl RunPort {
    pub(crate) fn new(
        recorder: Rc<RefCell<Recorder>>,
        limits: Limits,
        run: RunState,
        options: Options,
        watch: Option<Arc<Watch>>,
    ) -> Self {
        let has_other_orders = options.memory_model != MemoryModel::Rc11;
        Self {
            recorder,
            coroutines: Coroutines::new(limits.stack_bytes),
            requests: Requests::default(),
            limits,
            is_sampling: run.explorer.is_sampling(),
            run: RefCell::new(run),
            goes_on_after_race: options.goes_on_after_race,
            other_orders: has_other_orders.then(|| options.memory_model.axioms()),
            started: Instant::now(),
            unobserved_depth: Cell::new(0),
            watch,
        }
    }

    /// A request with the orders that are in force, if these may be others.
    #[inline]
    pub(crate) fn in_force<'r>(&self, request: &Request<'r>) -> Option<Request<'r>> {
        let axioms = self.other_orders?;
        Some(Request { label: axioms.in_force(request.label), ..*request })
    }

    /// Whether values are being looked at after the end of an execution.
    pub(crate) fn set_closed(&self, is_closed: bool) {
        self.unobserved_depth.set(usize::from(is_closed));
    }

    /// Whether operations are to be carried out on the newest values, unrecorded.
    pub(crate) fn is_looked_at(&self) -> bool {
        self.unobserved_depth.get() > 0
    }

    #[inline(always)]
    pub(crate) fn step(&self, run: &mut RunState, request: &Request<'_>, looks_for_rounds: bool) -> Reply {
        let current = run.thread(run.now.current);
        if current.still_at.is_some_and(|still_at| current.next >= still_at) {
            run.suspend(Status::Still(*request.place));
            return Reply::Suspend;
        }
        let known = run.explorer.graph().threads.get(run.now.current, current.next);
        if looks_for_rounds && (!self.is_sampling || run.is_quiet()) && run.is_head(known, request) {
            return Reply::Head;
        }
        if let Some(watch) = &self.watch {
            watch.note(current.id, request.place);
        }
        if run.now.cut.is_some() {
            run.suspend(Status::Cut);
            return Reply::Suspend;
        }
        match known {
            Some(event) => self.replay(run, event, request),
            None => self.go_on(run, request),
        }
    }

    /// The thread does something that is not in the graph.
    #[inline(never)]
    fn go_on(&self, run: &mut RunState, request: &Request<'_>) -> Reply {
        if run.is_replaying() {
            run.suspend(Status::AfterReplay);
            return Reply::Suspend;
        }
        if let Some(limit) = self.limit_reached(run) {
            self.cut(run, Ending::Limit(limit));
            return Reply::Suspend;
        }
        if event_is_due(run.explorer.graph().events.len()) && self.is_late() {
            let limit = self.limits.duration();
            self.cut(run, Ending::Limit(limit));
            return Reply::Suspend;
        }
        if run.is_playing() && !self.keep_to_steps(run, request) {
            run.suspend(Status::Cut);
            return Reply::Suspend;
        }
        self.add(run, request)
    }

    /// Whether the time of the exploration is over.
    pub(crate) fn is_late(&self) -> bool {
        self.limits.duration_max.is_some_and(|max| self.started.elapsed() >= max)
    }

    fn limit_reached(&self, run: &RunState) -> Option<Limit> {
        let event_count = run.explorer.graph().events.len();
        if event_count >= self.limits.recording_max {
            return Some(Limit { kind: LimitKind::RecordingSize, value: self.limits.recording_max as u64 });
        }
        (event_count >= self.limits.branches_max)
            .then_some(Limit { kind: LimitKind::Branches, value: self.limits.branches_max as u64 })
    }

    pub(crate) fn cut(&self, run: &mut RunState, ending: Ending) {
        run.now.cut.get_or_insert(ending);
        run.suspend(Status::Cut);
    }

    #[inline(always)]
    fn replay(&self, run: &mut RunState, id: EventId, request: &Request<'_>) -> Reply {
        match run.replay(id, request) {
            Replayed::Run => {
                self.note_run(run, id);
                Reply::Done(id)
            }
            Replayed::Suspended => Reply::Suspend,
            Replayed::Departed => self.depart(run, id, request),
        }
    }

    #[cold]
    fn depart(&self, run: &mut RunState, id: EventId, request: &Request<'_>) -> Reply {
        let message = run.departure(id, request);
        self.cut(run, Ending::Nondeterministic(message));
        Reply::Suspend
    }

    #[inline]
    fn add(&self, run: &mut RunState, request: &Request<'_>) -> Reply {
        if let Label::Join { child } = request.label
            && !run.has_ended(child)
        {
            run.suspend(Status::AfterThread(child, *request.place));
            return Reply::Suspend;
        }
        let location = request.location.map(|location| run.bound(location));
        if let (true, Some(location)) = (request.label.is_wait(), location)
            && !self.is_sampling
            && !run.is_ended_by_newest(location, &request.label)
            && !run.has_step()
            && (self.limits.is_serial || run.may_others_go_on())
        {
            run.suspend(Status::Held { location, place: *request.place });
            return Reply::Suspend;
        }
        let label = match request.label {
            Label::Create { .. } => Label::Create { child: run.explorer.graph_mut().new_thread() },
            label => label,
        };
        let mut event = Event::new(run.now.current, label, *request.place, location);
        event.is_head = run.is_new_head();
        let id = run.explorer.add(event);
        if run.is_playing() && run.explorer.is_departed() {
            run.depart_at(request.place);
        }
        run.now.progress.push(EventProgress::Pending(Waiters::None));
        if label.is_wait() && run.explorer.graph().is_waiting(id) {
            if self.is_sampling {
                run.take_wait_back(id);
                if label.action().is_some_and(Action::may_be_given_up) {
                    return Reply::GivenUp;
                }
                run.suspend(Status::Held {
                    location: location.expect("a read has a location"),
                    place: *request.place,
                });
            } else {
                run.suspend(Status::Waiting { event: id });
            }
            return Reply::Suspend;
        }
        self.note_run(run, id);
        if matches!(label, Label::Access(_)) {
            run.has_mixed |= run.explorer.graph().is_mixed(id);
            // Run again, one that shows before the steps are over showed at the end, where an access came to read an older store than at first.
            if let Some(first) = run.explorer.graph().race_with(id)
                && !run.has_step()
            {
                self.note_race(run, first, id);
                if !self.goes_on_after_race {
                    return Reply::Suspend;
                }
            }
        }
        Reply::Done(id)
    }

    /// Looks for races at the end of an execution, where an event may have made another choice than when it was added: one that is no cell
    /// access, but races with one. Not a wait: its word is one of ours, which nobody accesses as a cell, and it may not be over.
    pub(crate) fn note_mixed_race(&self) {
        let run = &mut *self.run.borrow_mut();
        if self.is_sampling || !run.has_mixed || run.now.race.is_some() || run.now.cut.is_some() {
            return;
        }
        let graph = run.explorer.graph();
        let ids = (0..).zip(&graph.events).filter(|(_, event)| !event.label.is_wait());
        let found = ids.map(|(id, _)| id).find_map(|id| Some((graph.race_with(id)?, id)));
        if let Some((first, second)) = found {
            super::recording::start(run, &mut self.recorder.borrow_mut());
            if let (Some(first), Some(second)) = (run.operation(first), run.operation(second)) {
                run.now.race = Some(Race { first, second });
            }
        }
    }

    fn note_race(&self, run: &mut RunState, first: EventId, second: EventId) {
        super::recording::start(run, &mut self.recorder.borrow_mut());
        let operation = |event: EventId| run.operation(event);
        if let (Some(first), Some(second)) = (operation(first), operation(second)) {
            let race = Race { first, second };
            if self.goes_on_after_race {
                run.now.race.get_or_insert(race);
            } else {
                self.cut(run, Ending::Race(race));
            }
        }
    }

    /// Changes what the run is expected to do, where anybody asks for that.
    fn expect(&self, change: impl FnOnce(&mut RunState, ThreadIndex)) {
        if self.is_sampling && !self.is_looked_at() && self.run.borrow().expectation.is_wanted {
            let run = &mut *self.run.borrow_mut();
            change(run, run.now.current);
        }
    }

    /// An event has run.
    #[inline(always)]
    fn note_run(&self, run: &mut RunState, id: EventId) {
        run.note_run(id);
        run.note_look(id);
        run.note_unlock(id);
        if self.is_sampling {
            run.note_sampled(id);
        } else if run.now.has_waiting {
            run.wake_held(id);
        }
        // A creation is recorded when its thread has a number.
        if run.now.is_recording && !matches!(run.explorer.graph().event(id).label, Label::Create { .. }) {
            super::recording::record(run, &mut self.recorder.borrow_mut(), id);
        }
    }

    /// Both are explored: that the wait succeeds, and that a timeout ends it. Where threads run one after the other, it does if the wait would
    /// not end by itself.
    fn unless_timeout(&self, waits: bool, wait: impl FnOnce() -> port::Reply) -> port::Reply {
        let ends_by_timeout = match self.limits.is_serial {
            _ if self.is_looked_at() => false,
            true => waits,
            false => self.choose(2) != 0,
        };
        if ends_by_timeout { port::Reply::NotDone } else { wait() }
    }

    /// Whether a wait with a timeout, where threads run one after the other, would not end by itself. In a replay the graph has what comes
    /// later as well: then it did not end if it is not there.
    fn would_wait(&self, location: LocationId, action: Action) -> bool {
        let known = {
            let run = self.run.borrow();
            let graph = run.explorer.graph();
            let next = run.thread(run.now.current).next;
            graph.threads[run.now.current].get(next).map(|&event| graph.event(event).label)
        };
        match known {
            Some(label) => !label.is_like(&Label::Access(action)),
            None => !action.is_satisfied(self.peek(location)),
        }
    }

    fn choose(&self, count: usize) -> usize {
        <dyn Port>::choose(self, count)
    }

    /// One of `count` choices of the running thread, which is noted at this place.
    fn choose_at(&self, place: Place, count: u32) -> usize {
        let label = Label::Choice { count };
        let answer = self.operate(&Request { label, place: &place, location: None });
        answer.map_or(0, |answer| answer.value as usize)
    }

    /// An access, which is one event.
    #[inline]
    fn access(&self, place: &Place, location: LocationId, action: Action) -> port::Reply {
        let label = Label::Access(action);
        match self.operate(&Request { label, place, location: Some(location) }) {
            Some(answer) if answer.is_given_up => port::Reply::NotDone,
            Some(answer) => reply_of(&action, &answer),
            None => self.access_unobserved(location, &action),
        }
    }

    /// An access that nobody observes: it is about the newest value.
    fn access_unobserved(&self, location: LocationId, action: &Action) -> port::Reply {
        match action {
            Action::ExchangeRead { .. } => return port::Reply::NotDone,
            Action::BeginCell { .. } => return port::Reply::Cell(CellAccess(None)),
            _ => {}
        }
        let value = self.peek(location);
        let written = action.written(value);
        if let Some(new) = written {
            self.run.borrow_mut().now.overlay.insert(location, new);
        }
        reply_of(action, &Answer { value, is_write: written.is_some(), operation: None, is_given_up: false })
    }

    fn may_exchange_read(&self, place: &Place, location: LocationId) -> bool {
        if self.run.borrow().is_playing() && !self.is_looked_at() {
            return self.run.borrow().next_kind() == Some(StepKind::ExchangeRead);
        }
        !self.is_looked_at()
            && !self.limits.is_serial
            && !self.is_sampling
            && self.run.borrow_mut().may_leave_failures_out(place, location)
    }

    fn wait_behind_writer(&self, access: Access) {
        let place = Place { name: operation_name!("waits behind a writer"), ..access.place };
        let is_left_out = self.is_looked_at() || self.limits.is_serial || self.is_sampling;
        if is_left_out || self.choose_at(place, 2) == 0 {
            return;
        }
        self.run.borrow_mut().current_mut().is_behind_writer = true;
        <dyn Port>::wait_load(self, access, WaitLoad { operand: 0, function: |_, _| false });
        self.run.borrow_mut().current_mut().is_behind_writer = false;
    }

    fn wakes_spuriously(&self, place: Place) -> bool {
        let place = Place { name: operation_name!("spurious wake-up"), ..place };
        if !self.limits.has_spurious_wakeups || self.is_looked_at() || self.run.borrow().has_woken(&place) {
            return false;
        }
        let is_woken = self.choose_at(place, 2) == 1;
        if is_woken {
            // Nothing but a line of the report.
            <dyn Port>::fence(self, place, Ordering::Relaxed);
        }
        is_woken
    }

    fn change_count(&self, location: LocationId, made: SourceLocation, change: CountChange) -> port::Reply {
        if self.is_looked_at() || self.run.borrow_mut().has_count_events(made) {
            return port::Reply::NotDone;
        }
        let changed = self.run.borrow_mut().change_count(location, made, change);
        if changed.must_stop {
            self.stop_thread();
        }
        port::Reply::Value(changed.before)
    }

    fn yield_thread(&self, place: Place) {
        if self.is_looked_at() {
            self.coroutines.yield_unobserved();
        } else {
            // It is no operation that looks at the stack; what it noted is not for the next one.
            take_beginning(&place);
            self.requests.ask(New::Yield(place));
            self.wait_for_answer();
        }
    }

    fn take_panic(&self, thread: ThreadId) {
        if !self.is_looked_at() {
            let mut run = self.run.borrow_mut();
            let thread = run.now.thread_indices[thread.index()];
            run.thread_mut(thread).is_panic_taken = true;
        }
    }
}

/// The reply to an access that was carried out.
#[inline]
fn reply_of(action: &Action, answer: &Answer) -> port::Reply {
    match action {
        Action::BeginCell { .. } => port::Reply::Cell(CellAccess(answer.operation)),
        Action::Store { .. } => port::Reply::Done,
        Action::CompareExchange { .. } if !answer.is_write => port::Reply::Failed(answer.value),
        _ => port::Reply::Value(answer.value),
    }
}

impl Port for RunPort {
    fn perform(&self, request: port::Request) -> port::Reply {
        use port::Reply::{Done, Joined, NotDone, Thread, Truth, Value};
        // By reference: most operations are events, which have it copied once.
        let place = &request.place;
        match request.operation {
            Operation::Access { location, action } if action.is_timed() => {
                let waits = self.limits.is_serial && self.would_wait(location, action);
                self.unless_timeout(waits, || self.access(place, location, action))
            }
            Operation::Access { location, action: Action::ExchangeRead { .. } }
                if !self.may_exchange_read(place, location) =>
            {
                NotDone
            }
            Operation::Access { location, action } => self.access(place, location, action),
            Operation::Fence { order } => {
                self.operate(&Request { label: Label::Fence { order }, place, location: None });
                Done
            }
            Operation::WaitBehindWriter { location, order } => {
                self.wait_behind_writer(Access { place: *place, location, order });
                Done
            }
            Operation::WakeSpuriously => Truth(self.wakes_spuriously(*place)),
            Operation::Count { location, made, change } => self.change_count(location, made, change),
            Operation::Spawn { name, stack_bytes, body } => {
                Thread(self.spawn_thread(*place, name, stack_bytes, body))
            }
            Operation::Join { thread } => Joined(self.join_thread(*place, thread)),
            Operation::IsFinished { thread } => Truth(self.thread_has_ended(*place, thread)),
            Operation::Yield => {
                self.yield_thread(*place);
                Done
            }
            Operation::Choose { count } => {
                Value(self.choose_at(*place, u32::try_from(count).unwrap_or(u32::MAX)) as u64)
            }
            // Every execution is explored: a call clock has nothing to bring back.
            Operation::Tick => NotDone,
        }
    }

    fn note(&self, notice: Notice<'_>) {
        match notice {
            Notice::Touch(hint) => self.note_use(hint),
            Notice::Effect(effect) if !self.is_looked_at() => self.run.borrow_mut().note_effect(effect),
            Notice::Effect(_) => {}
            Notice::Recording => {
                super::recording::start(&mut self.run.borrow_mut(), &mut self.recorder.borrow_mut());
            }
            Notice::CallBegin(expected) => {
                self.expect(|run, thread| run.expectation.begin_call(thread, expected()));
            }
            Notice::CallEnd => self.expect(|run, thread| run.expectation.end_call(thread)),
            Notice::Planned(expected) => self.expect(|run, _| run.expectation.plan(expected())),
            // How long an access lasts does not matter to the graph.
            Notice::CellEnd(_) => {}
            Notice::StandStillAfter(event_count) => {
                let mut run = self.run.borrow_mut();
                let current = run.current_mut();
                current.still_at = Some(current.next + event_count);
            }
            Notice::Follow(guide) => {
                let run = &mut *self.run.borrow_mut();
                run.now.following =
                    Some(Following::new(guide, run.now.current, run.now.thread_indices.len()));
            }
            Notice::BodyEnd => self.note_end(),
            Notice::PanicTaken(thread) => self.take_panic(thread),
        }
    }

    fn thread(&self) -> ThreadId {
        let run = self.run.borrow();
        run.thread(run.now.current).id
    }

    fn progress(&self) -> heap::Progress {
        let run = self.run.borrow();
        let current = run.thread(run.now.current);
        heap::Progress {
            thread: current.id,
            position: current.next as u32,
            sequence: run.now.ran.len() as u32,
            is_observed: !self.is_looked_at(),
            is_in_round: run.is_in_quiet_round(),
        }
    }

    fn is_unobserved(&self) -> bool {
        self.is_looked_at()
    }

    fn unobserved(&self, f: &mut dyn FnMut()) {
        struct Leave<'a>(&'a Cell<usize>);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() - 1);
            }
        }
        self.unobserved_depth.set(self.unobserved_depth.get() + 1);
        let _leave = Leave(&self.unobserved_depth);
        f();
    }

    fn is_panicking(&self) -> bool {
        self.coroutines.is_panicking()
    }

    fn new_location(&self, kind: ValueKind, initial: u64) -> LocationId {
        let mut run = self.run.borrow_mut();
        let location = LocationId::new(run.now.locations.len());
        run.now.locations.push(super::now::LocationRun { kind, initial, bound: None });
        if run.now.is_recording {
            self.recorder.borrow_mut().new_location(kind, initial);
        }
        location
    }

    fn peek(&self, location: LocationId) -> u64 {
        self.run.borrow().newest_value(location)
    }

    fn name(&self, thread: ThreadId) -> Option<String> {
        let run = self.run.borrow();
        run.thread(run.now.thread_indices[thread.index()]).name.clone()
    }

    fn refuse(&self, message: &str) {
        if !self.is_looked_at() {
            self.cut(&mut self.run.borrow_mut(), Ending::Nondeterministic(message.to_owned()));
            self.stop_thread();
        }
    }
}

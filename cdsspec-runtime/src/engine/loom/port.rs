//! The port's primitives on loom.

use super::cut;
use super::state::{LoomState, WaitFor};
use super::trace::{Trace, TraceStep};
use crate::engine::{Limits, Watch};
use crate::heap::Progress;
use crate::port::{Access, Action, CellAccess, Notice, Operation, Port, Reply, Request};
use crate::record::{
    Ending, Limit, LimitKind, LocationId, Place, Recorder, Recording, StoreId, ThreadId, ValueKind,
};
use crate::run::panic_message;
use loom::sync::atomic::AtomicUsize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering::{self, Relaxed};

/// The engine's side of the port, for one exploration.
pub(super) struct LoomPort {
    /// Who looks on.
    watch: Option<Arc<Watch>>,
    pub(super) recorder: Rc<RefCell<Recorder>>,
    pub(super) limits: Limits,
    pub(super) state: RefCell<LoomState>,
    pub(super) atomics: RefCell<Vec<AtomicUsize>>,
    pub(super) trace: RefCell<Trace>,
    atomic_count: usize,
    pub(super) atomics_wanted: Cell<Option<usize>>,
    /// The thread that is running. Each operation sets it again after a switch.
    pub(super) current: Cell<ThreadId>,
    /// How deep in `unobserved`.
    unobserved_depth: Cell<usize>,
    is_closed: Cell<bool>,
}

/// How an operation of the running thread is carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// With loom.
    Observed,
    /// The thread unwinds from a panic of the program: recorded, on the newest values, without a switch, so that only one thread
    /// unwinds at a time and `std::thread::panicking` tells the truth.
    Panicking,
    /// At once and unrecorded.
    Unobserved,
}

impl LoomPort {
    pub(super) fn new(
        recorder: Rc<RefCell<Recorder>>,
        limits: Limits,
        atomic_count: usize,
        watch: Option<Arc<Watch>>,
    ) -> Self {
        Self {
            watch,
            recorder,
            limits,
            state: RefCell::default(),
            atomics: RefCell::default(),
            trace: RefCell::default(),
            atomic_count,
            atomics_wanted: Cell::new(None),
            current: Cell::new(ThreadId::new(0)),
            unobserved_depth: Cell::new(0),
            is_closed: Cell::new(false),
        }
    }

    /// How many atomics the program needs, if there were too few.
    pub(super) fn atomics_wanted(&self) -> Option<usize> {
        self.atomics_wanted.get()
    }

    /// An execution begins, in loom's main thread.
    pub(super) fn begin(&self) {
        self.state.borrow_mut().clear();
        let mut atomics = self.atomics.borrow_mut();
        atomics.clear();
        atomics.extend((0..self.atomic_count).map(|_| AtomicUsize::new(0)));
        if self.limits.has_call_clock {
            self.state.borrow_mut().atomics_used = 1;
        }
        self.trace.borrow_mut().begin();
        self.current.set(ThreadId::new(0));
        self.unobserved_depth.set(0);
    }

    /// The execution has ended: its recording, to look at. Until [`reopen`](Self::reopen), operations are unobserved.
    pub(super) fn close(&self) -> Box<Recording> {
        self.unobserved_depth.set(1);
        self.is_closed.set(true);
        self.recorder.borrow_mut().take_recording()
    }

    /// Takes the recording back, for its memory.
    pub(super) fn reopen(&self, recording: Box<Recording>) {
        // Recorded values are dropped here, while their instrumented parts still have values.
        let mut recorder = Recorder::new();
        recorder.give_back(recording);
        *self.recorder.borrow_mut() = recorder;
        self.is_closed.set(false);
        self.unobserved_depth.set(0);
    }

    /// Whether the execution has ended and its recording is being looked at.
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.get()
    }

    /// How the running thread's next operation is carried out. Leaves the thread if the execution was cut.
    pub(super) fn mode(&self) -> Mode {
        if self.unobserved_depth.get() > 0 {
            return Mode::Unobserved;
        }
        let is_cut = self.state.borrow().cut.is_some();
        match (std::thread::panicking(), is_cut) {
            (false, false) => Mode::Observed,
            (true, false) => Mode::Panicking,
            (true, true) => Mode::Unobserved,
            (false, true) if self.is_last_operation() => Mode::Observed,
            (false, true) => cut::leave(),
        }
    }

    /// Whether the running thread of an execution that was cut may still show loom its next operation, so that loom finds the
    /// executions in which that one comes earlier. It is not carried out: the thread leaves from inside it.
    fn is_last_operation(&self) -> bool {
        let mut state = self.state.borrow_mut();
        !std::mem::replace(&mut state.threads[self.current.get().index()].has_shown_last, true)
    }

    fn is_cut(&self) -> bool {
        self.state.borrow().cut.is_some()
    }

    /// Cuts the execution: the running thread leaves at its next operation, the others when they run next.
    pub(super) fn cut(&self, ending: Ending) {
        let parked: Vec<_> = {
            let mut state = self.state.borrow_mut();
            if state.cut.is_some() {
                return;
            }
            state.cut = Some(ending);
            let mut parked = Vec::new();
            for thread in &mut state.threads {
                if matches!(thread.waiting, Some((_, WaitFor::Store(_)))) {
                    thread.waiting = None;
                    parked.extend(thread.handle.clone());
                }
            }
            parked
        };
        loom::skip_branch();
        for thread in parked {
            thread.unpark();
        }
    }

    /// Cuts the execution and leaves.
    pub(super) fn cut_and_leave(&self, ending: Ending) {
        self.cut(ending);
        self.state.borrow_mut().threads[self.current.get().index()].has_shown_last = true;
        self.mode();
    }

    /// Runs one operation of loom's for the running thread. `None` if the execution was cut meanwhile and the thread unwinds.
    pub(super) fn run<R>(&self, operation: impl FnOnce() -> R) -> Option<R> {
        let me = self.current.get();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(operation));
        self.current.set(me);
        match result {
            Ok(result) => (self.mode() != Mode::Unobserved).then_some(result),
            Err(payload) => {
                let message = format!("loom: {}", panic_message(&*payload));
                self.cut_and_leave(Ending::EngineFailed(message));
                None
            }
        }
    }

    /// An operation begins: counts it, and sees whether the program does the same as before.
    pub(super) fn begin_operation(&self, place: Place, location: Option<LocationId>) {
        self.count_branch();
        if let Some(watch) = &self.watch {
            watch.note(self.current.get(), &place);
        }
        self.note_step(TraceStep::Begin { thread: self.current.get(), place, location });
    }

    /// Notes a step; a program that has left its path is cut off, whatever else it might do.
    pub(super) fn note_step(&self, step: TraceStep) {
        if self.is_cut() {
            return;
        }
        let left = self.trace.borrow_mut().note(step);
        if let Some(message) = left {
            self.cut(Ending::Nondeterministic(message));
            // loom must not be shown any more: its path does not fit.
            for thread in &mut self.state.borrow_mut().threads {
                thread.has_shown_last = true;
            }
            self.mode();
        }
    }

    /// The execution has ended in the middle: why it was cut before that, if it was, or for this reason.
    pub(super) fn end_abruptly(&self, ending: Ending) {
        let ending = self.state.borrow().cut.clone().unwrap_or(ending);
        self.recorder.borrow_mut().recording_mut().ending = ending;
    }

    /// Counts a step of this execution against its limits.
    pub(super) fn count_branch(&self) {
        if self.is_cut() {
            return;
        }
        let branch_count = {
            let mut state = self.state.borrow_mut();
            state.branch_count += 1;
            state.branch_count
        };
        let limit = if branch_count > self.limits.branches_max {
            Limit { kind: LimitKind::Branches, value: self.limits.branches_max as u64 }
        } else if self.recorder.borrow().recording().operations.len() >= self.limits.recording_max {
            Limit { kind: LimitKind::RecordingSize, value: self.limits.recording_max as u64 }
        } else {
            return;
        };
        // The operation at hand is still shown to loom; the thread leaves from inside it.
        self.cut(Ending::Limit(limit));
        self.state.borrow_mut().threads[self.current.get().index()].has_shown_last = true;
    }

    /// The store that was newest when `location` was last changed.
    pub(super) fn newest(&self, location: LocationId) -> StoreId {
        let state = self.state.borrow();
        let index = *state.locations[location.index()].indices.last().expect("the initial store is there");
        self.store_at(&state, location, index)
    }

    pub(super) fn store_at(&self, state: &LoomState, location: LocationId, index: usize) -> StoreId {
        state.stores[index].unwrap_or(state.locations[location.index()].initial)
    }

    fn fence_op(&self, place: Place, order: Ordering) {
        if self.is_cut() {
            return;
        }
        match self.mode() {
            Mode::Unobserved => return,
            Mode::Observed => {
                self.begin_operation(place, None);
                if self.run(|| loom::sync::atomic::fence(order)).is_none() {
                    return;
                }
            }
            Mode::Panicking => {}
        }
        self.recorder.borrow_mut().fence(self.current.get(), place, order);
    }

    fn begin_cell(&self, place: Place, location: LocationId, is_write: bool) -> CellAccess {
        if self.is_cut() && !std::thread::panicking() {
            cut::leave();
        }
        if self.mode() == Mode::Unobserved {
            return CellAccess(None);
        }
        let result = self.recorder.borrow_mut().begin_cell(self.current.get(), place, location, is_write);
        match result {
            Ok(operation) => CellAccess(Some(operation)),
            Err(race) => {
                self.cut_and_leave(Ending::Race(race));
                CellAccess(None)
            }
        }
    }

    fn end_cell(&self, access: CellAccess) {
        if let CellAccess(Some(operation)) = access
            && !self.is_unobserved()
        {
            self.recorder.borrow_mut().end_cell(operation);
        }
    }

    fn tick(&self) -> Option<u64> {
        if !self.limits.has_call_clock || self.mode() != Mode::Observed {
            return None;
        }
        self.count_branch();
        let atomics = self.atomics.borrow();
        self.run(|| atomics[0].fetch_add(1, Relaxed)).map(|tick| tick as u64)
    }

    /// The reply to a wait: without a timeout, one that is unobserved and would have to wait has the newest value.
    fn waited(&self, location: LocationId, is_timed: bool, value: Option<u64>) -> Reply {
        match value {
            None if is_timed => Reply::NotDone,
            value => Reply::Value(value.unwrap_or_else(|| self.peek(location))),
        }
    }

    fn act(&self, place: Place, location: LocationId, action: Action) -> Reply {
        let access = |order| Access { place, location, order };
        match action {
            Action::Load { order } => Reply::Value(self.load_op(access(order))),
            Action::Store { order, value } => {
                self.store_op(access(order), value);
                Reply::Done
            }
            Action::Update { order, update } => Reply::Value(self.update_op(access(order), update)),
            Action::CompareExchange { success, failure, expected, new, .. } => {
                let exchanged = self.compare_exchange_op(access(success), failure, expected, new);
                exchanged.map_or_else(Reply::Failed, Reply::Value)
            }
            Action::ExchangeRead { .. } => Reply::NotDone,
            Action::WaitLoad { order, wait, is_timed } => {
                let value = self.wait_load_op(access(order), wait, is_timed);
                self.waited(location, is_timed, value)
            }
            Action::WaitUpdate { order, wait, is_timed } => {
                let value = self.wait_update_op(access(order), wait, is_timed);
                self.waited(location, is_timed, value)
            }
            Action::BeginCell { is_write } => Reply::Cell(self.begin_cell(place, location, is_write)),
        }
    }
}

impl Port for LoomPort {
    fn perform(&self, request: Request) -> Reply {
        let place = request.place;
        match request.operation {
            Operation::Access { location, action } => self.act(place, location, action),
            Operation::Fence { order } => {
                self.fence_op(place, order);
                Reply::Done
            }
            Operation::Spawn { name, stack_bytes, body } => {
                Reply::Thread(self.spawn_thread(place, name, stack_bytes, body))
            }
            Operation::Join { thread } => Reply::Joined(self.join_thread(place, thread)),
            Operation::IsFinished { thread } => {
                Reply::Truth(self.state.borrow().threads[thread.index()].is_finished)
            }
            Operation::Yield => {
                self.yield_thread(place);
                Reply::Done
            }
            Operation::Choose { .. } => Reply::Value(0),
            Operation::Tick => self.tick().map_or(Reply::NotDone, Reply::Value),
            Operation::WakeSpuriously => Reply::Truth(false),
            Operation::WaitBehindWriter { .. } => Reply::Done,
            Operation::Count { .. } => Reply::NotDone,
        }
    }

    fn note(&self, notice: Notice<'_>) {
        match notice {
            Notice::CellEnd(access) => self.end_cell(access),
            Notice::PanicTaken(thread) => {
                self.state.borrow_mut().threads[thread.index()].is_panic_taken = true;
            }
            Notice::Effect(_)
            | Notice::Recording
            | Notice::Touch(_)
            | Notice::BodyEnd
            | Notice::CallBegin(_)
            | Notice::CallEnd
            | Notice::Planned(_)
            | Notice::StandStillAfter(_)
            | Notice::Follow(_) => {}
        }
    }

    fn thread(&self) -> ThreadId {
        self.current.get()
    }

    fn progress(&self) -> Progress {
        let recorder = self.recorder.borrow();
        let thread = self.current.get();
        // The recording of an execution that has ended is taken: what it kept is dropped, and nobody asks when.
        let position = if self.is_closed() { 0 } else { recorder.position(thread) };
        Progress {
            thread,
            position,
            sequence: recorder.recording().operations.len() as u32,
            is_observed: !self.is_unobserved(),
            is_in_round: false,
        }
    }

    fn is_unobserved(&self) -> bool {
        self.unobserved_depth.get() > 0 || self.state.borrow().cut.is_some() && std::thread::panicking()
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

    fn new_location(&self, kind: ValueKind, initial: u64) -> LocationId {
        self.make_location(kind, initial)
    }

    fn peek(&self, location: LocationId) -> u64 {
        self.state.borrow().locations[location.index()].newest_value
    }

    fn wait_until_left(&self, thread: ThreadId) {
        self.wait_until_thread_left(thread);
    }

    fn refuse(&self, message: &str) {
        self.cut_and_leave(Ending::Nondeterministic(message.to_owned()));
    }
}

//! The smallest engine: one thread after another, a started thread runs to its end at once, every read gets the newest store.

use cdsspec_runtime::heap::Progress;
use cdsspec_runtime::port::{
    self, Access, Action, Body, CellAccess, Execution, Notice, Operation, Port, Reply, Request,
};
use cdsspec_runtime::record::{
    LocationId, OperationKind, Place, Recorder, Recording, StoreId, ThreadId, ValueKind,
};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(crate) struct Fake {
    recorder: Rc<RefCell<Recorder>>,
    /// The newest store of each location, and its value, or the one that was put there unobserved.
    newest: RefCell<Vec<(StoreId, u64)>>,
    thread: Cell<ThreadId>,
    unobserved: Cell<bool>,
    panics: RefCell<Vec<(ThreadId, Box<dyn Any + Send>)>>,
}

/// A run, whose executions begin one after another.
pub(crate) struct Run {
    execution: Execution,
    port: Rc<Fake>,
}

/// Runs `f` in an execution of its own; returns what was recorded, too.
pub(crate) fn run<R>(f: impl FnOnce() -> R) -> (R, Recording) {
    let run = Run::new();
    let result = run.execute(f);
    (result, std::mem::take(run.port.recorder.borrow_mut().recording_mut()))
}

/// The names of the operations of a recording.
pub(crate) fn names(recording: &Recording) -> Vec<&'static str> {
    recording.operations.iter().map(|operation| operation.place.name.spelling()).collect()
}

/// Checks that every operation has its place in this file of tests, and none in the sources of the types.
pub(crate) fn assert_placed(recording: &Recording, file: &str) {
    assert_eq!(recording.errors.len(), 0, "{:?}", recording.errors);
    for operation in &recording.operations {
        assert_eq!(operation.place.source.file, file, "{}", operation.place);
    }
}

impl Run {
    pub(crate) fn new() -> Self {
        let recorder = Rc::new(RefCell::new(Recorder::new()));
        let port = Rc::new(Fake {
            recorder: Rc::clone(&recorder),
            newest: RefCell::default(),
            thread: Cell::new(ThreadId::new(0)),
            unobserved: Cell::new(false),
            panics: RefCell::default(),
        });
        Self { execution: Execution::new(Rc::clone(&port) as Rc<dyn Port>, recorder), port }
    }

    pub(crate) fn execute<R>(&self, f: impl FnOnce() -> R) -> R {
        self.port.newest.borrow_mut().clear();
        self.port.thread.set(ThreadId::new(0));
        self.execution.begin();
        port::enter(&self.execution, f)
    }

    pub(crate) fn recording<R>(&self, f: impl FnOnce(&Recording) -> R) -> R {
        f(self.port.recorder.borrow().recording())
    }
}

impl Fake {
    fn newest(&self, location: LocationId) -> StoreId {
        self.newest.borrow()[location.index()].0
    }

    fn load(&self, access: Access) -> u64 {
        let from = self.newest(access.location);
        self.record(|recorder| recorder.load(self.thread(), access.place, access.order, from));
        self.peek(access.location)
    }

    /// A read-modify-write that writes what `f` gives. If it gives nothing, it fails with this order; one that cannot fail would wait for ever.
    fn exchange(&self, access: Access, failure: Option<Ordering>, f: &dyn Fn(u64) -> Option<u64>) -> Reply {
        let old = self.peek(access.location);
        let Some(new) = f(old) else {
            let order = failure.expect("nobody else can end this wait");
            return Reply::Failed(self.load(Access { order, ..access }));
        };
        self.write(access.location, new, |recorder| {
            recorder.update(self.thread(), access.place, access.order, self.newest(access.location), new)
        });
        Reply::Value(old)
    }

    fn act(&self, place: Place, location: LocationId, action: Action) -> Reply {
        let access = |order| Access { place, location, order };
        match action {
            Action::Load { order } => Reply::Value(self.load(access(order))),
            Action::Store { order, value } => {
                self.write(location, value, |recorder| {
                    recorder.store(self.thread(), place, order, location, value)
                });
                Reply::Done
            }
            Action::Update { order, update } => {
                self.exchange(access(order), None, &|old| Some(update.apply(old)))
            }
            Action::CompareExchange { success, failure, expected, new, .. } => {
                self.exchange(access(success), Some(failure), &|old| (old == expected).then_some(new))
            }
            // The engine has two ways to go on where a timeout may end a wait, and takes the last one, as always.
            Action::WaitLoad { is_timed: true, .. } | Action::WaitUpdate { is_timed: true, .. } => {
                Reply::NotDone
            }
            Action::WaitLoad { order, wait, .. } => {
                assert!(wait.is_satisfied(self.peek(location)), "nobody else can end this wait");
                Reply::Value(self.load(access(order)))
            }
            Action::WaitUpdate { order, wait, .. } => {
                self.exchange(access(order), None, &|old| wait.apply(old))
            }
            Action::ExchangeRead { .. } => Reply::NotDone,
            Action::BeginCell { is_write } => {
                let began = self.recorder.borrow_mut().begin_cell(self.thread(), place, location, is_write);
                Reply::Cell(CellAccess::new(Some(began.unwrap_or_else(|_| panic!("race")))))
            }
        }
    }

    fn fence(&self, place: Place, order: Ordering) -> Reply {
        self.record(|recorder| recorder.fence(self.thread(), place, order));
        Reply::Done
    }

    fn spawn(&self, place: Place, name: Option<String>, body: &Arc<dyn Body>) -> ThreadId {
        let parent = self.thread();
        let child = self.recorder.borrow_mut().create(parent, place, name);
        self.thread.set(child);
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| Arc::clone(body).run())) {
            self.panics.borrow_mut().push((child, payload));
        }
        self.thread.set(parent);
        child
    }

    fn join(&self, place: Place, thread: ThreadId) -> std::thread::Result<()> {
        self.recorder.borrow_mut().join(self.thread(), place, thread);
        let mut panics = self.panics.borrow_mut();
        match panics.iter().position(|(panicked, _)| *panicked == thread) {
            Some(index) => Err(panics.remove(index).1),
            None => Ok(()),
        }
    }

    fn write(&self, location: LocationId, value: u64, write: impl FnOnce(&mut Recorder) -> StoreId) {
        let recorded = self.record(write);
        let newest = &mut self.newest.borrow_mut()[location.index()];
        *newest = (recorded.unwrap_or(newest.0), value);
    }

    fn record<R>(&self, f: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
        (!self.unobserved.get()).then(|| f(&mut self.recorder.borrow_mut()))
    }
}

impl Port for Fake {
    fn perform(&self, Request { place, operation }: Request) -> Reply {
        match operation {
            Operation::Access { location, action } => self.act(place, location, action),
            Operation::Fence { order } => self.fence(place, order),
            // A stand-in: the recorder has no operation for it.
            Operation::Yield => self.fence(place, Ordering::Relaxed),
            Operation::Spawn { name, body, .. } => Reply::Thread(self.spawn(place, name, &body)),
            Operation::Join { thread } => Reply::Joined(self.join(place, thread)),
            Operation::IsFinished { .. } => Reply::Truth(true),
            Operation::Choose { count } => Reply::Value(count as u64 - 1),
            Operation::WakeSpuriously => Reply::Truth(false),
            Operation::WaitBehindWriter { .. } => Reply::Done,
            Operation::Count { .. } | Operation::Tick => Reply::NotDone,
        }
    }

    fn note(&self, notice: Notice<'_>) {
        if let Notice::CellEnd(access) = notice
            && let Some(operation) = access.operation()
        {
            self.recorder.borrow_mut().end_cell(operation);
        }
    }

    fn thread(&self) -> ThreadId {
        self.thread.get()
    }

    fn progress(&self) -> Progress {
        let is_observed = !self.unobserved.get();
        Progress { thread: self.thread(), position: 0, sequence: 0, is_observed, is_in_round: false }
    }

    fn is_unobserved(&self) -> bool {
        self.unobserved.get()
    }

    fn unobserved(&self, f: &mut dyn FnMut()) {
        let was = self.unobserved.replace(true);
        f();
        self.unobserved.set(was);
    }

    fn new_location(&self, kind: ValueKind, initial: u64) -> LocationId {
        let mut recorder = self.recorder.borrow_mut();
        let location = recorder.new_location(kind, initial);
        let store = recorder.recording().locations[location.index()].initial;
        self.newest.borrow_mut().push((store, initial));
        location
    }

    fn peek(&self, location: LocationId) -> u64 {
        self.newest.borrow()[location.index()].1
    }

    fn refuse(&self, message: &str) {
        panic!("{message}");
    }
}

/// Runs `f`, which must panic, quietly; returns the message.
pub(crate) fn message_of<R>(f: impl FnOnce() -> R) -> String {
    // `resume_unwind` would not call the hook, but std's own panics do: they are part of the test's output.
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(_) => panic!("it should have panicked"),
        Err(payload) => match payload.downcast::<String>() {
            Ok(message) => *message,
            Err(payload) => match payload.downcast::<&'static str>() {
                Ok(message) => (*message).to_owned(),
                Err(payload) => resume_unwind(payload),
            },
        },
    }
}

/// Of which kinds the operations of a recording are, with their names.
pub(crate) fn kinds(recording: &Recording) -> Vec<(OperationKind, &'static str)> {
    recording.operations.iter().map(|operation| (operation.kind, operation.place.name.spelling())).collect()
}

//! The running thread, and names for threads.

use crate::port::{Access, Update, WaitUpdate, here, with};
use crate::record::{self, Orders, operation_name};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// std's `ThreadId`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThreadId(Id);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Id {
    Std(std::thread::ThreadId),
    Execution { number: u64, thread: record::ThreadId },
}

impl ThreadId {
    /// The thread of this execution that it names, if it is of this one.
    pub(super) fn of_execution(self, current: u64) -> Option<record::ThreadId> {
        match self.0 {
            Id::Execution { number, thread } if number == current => Some(thread),
            _ => None,
        }
    }
}

impl ThreadId {
    /// The thread that it names, if it is of an execution.
    pub(super) fn of_any_execution(self) -> Option<record::ThreadId> {
        match self.0 {
            Id::Execution { thread, .. } => Some(thread),
            Id::Std(_) => None,
        }
    }
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Id::Std(id) => fmt::Debug::fmt(&id, f),
            Id::Execution { thread, .. } => write!(f, "ThreadId({})", thread.index()),
        }
    }
}

/// std's `Thread`: names a thread.
#[derive(Clone)]
pub struct Thread(Inner);

#[derive(Clone)]
enum Inner {
    Std(std::thread::Thread),
    Execution { id: ThreadId, name: Option<Arc<str>> },
}

impl Thread {
    pub(super) fn of_std(thread: std::thread::Thread) -> Self {
        Self(Inner::Std(thread))
    }

    pub(super) fn of_execution(number: u64, thread: record::ThreadId, name: Option<Arc<str>>) -> Self {
        Self(Inner::Execution { id: ThreadId(Id::Execution { number, thread }), name })
    }

    /// Its id.
    pub fn id(&self) -> ThreadId {
        match &self.0 {
            Inner::Std(thread) => ThreadId(Id::Std(thread.id())),
            Inner::Execution { id, .. } => *id,
        }
    }

    /// Its name.
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Inner::Std(thread) => thread.name(),
            Inner::Execution { name, .. } => name.as_deref(),
        }
    }

    /// Gives the thread the token that it [`park`]s for. Nothing, if its execution is over.
    #[inline(always)]
    #[track_caller]
    pub fn unpark(&self) {
        let place = here(operation_name!("unpark"), Orders::None);
        let id = match &self.0 {
            Inner::Std(thread) => return thread.unpark(),
            Inner::Execution { id, .. } => *id,
        };
        with(|execution| {
            if let Some(thread) = id.of_execution(execution.number()) {
                let location = execution.token(thread);
                let access = Access { place, location, order: Ordering::Release };
                execution.port().update(access, Update { operand: 1, function: |_, token| token });
            }
        });
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").field("id", &self.id()).field("name", &self.name()).finish_non_exhaustive()
    }
}

/// The running thread.
pub fn current() -> Thread {
    let thread = with(|execution| {
        let thread = execution.port().thread();
        let recorded = || {
            let recorder = execution.recorder().borrow();
            recorder.recording().threads.get(thread.index()).and_then(|recorded| recorded.name.clone())
        };
        let name = execution.port().name(thread).or_else(recorded);
        // As std names it.
        let name = name.or_else(|| (thread.index() == 0).then(|| "main".to_owned()));
        Thread::of_execution(execution.number(), thread, name.map(Arc::from))
    });
    thread.unwrap_or_else(|| Thread::of_std(std::thread::current()))
}

/// Waits for the token of the running thread, and takes it. As std's it may also end without a reason: in an execution once per place
/// and thread, where the engine models that.
#[inline(always)]
#[track_caller]
pub fn park() {
    let place = here(operation_name!("park"), Orders::None);
    let parked = with(|execution| {
        let port = execution.port();
        if port.wakes_spuriously(place) {
            return;
        }
        let location = execution.token(port.thread());
        let access = Access { place, location, order: Ordering::Acquire };
        port.wait_update(access, TAKE_TOKEN);
    });
    if parked.is_none() {
        std::thread::park();
    }
}

const TAKE_TOKEN: WaitUpdate =
    WaitUpdate { operand: 0, function: |token, taken| (token == 1).then_some(taken) };

/// Waits for the token of the running thread, or for a time, and takes the token if it is there. There is no time in an
/// execution: there it may end at any moment.
#[inline(always)]
#[track_caller]
pub fn park_timeout(duration: Duration) {
    let place = here(operation_name!("park_timeout"), Orders::None);
    let parked = with(|execution| {
        let port = execution.port();
        let location = execution.token(port.thread());
        let access = Access { place, location, order: Ordering::Acquire };
        if port.wait_update_or_timeout(access, TAKE_TOKEN).is_none() {
            port.update(access, Update { operand: 0, function: |_, taken| taken });
        }
    });
    if parked.is_none() {
        std::thread::park_timeout(duration);
    }
}

/// Lets others run: the thread can do nothing useful until another has done something.
#[inline(always)]
#[track_caller]
pub fn yield_now() {
    let place = here(operation_name!("yield_now"), Orders::None);
    if with(|execution| execution.port().yield_now(place)).is_none() {
        std::thread::yield_now();
    }
}

/// Sleeps. There is no time in an execution: there it is a [`yield_now`].
#[inline(always)]
#[track_caller]
pub fn sleep(duration: Duration) {
    let place = here(operation_name!("sleep"), Orders::None);
    if with(|execution| execution.port().yield_now(place)).is_none() {
        std::thread::sleep(duration);
    }
}

/// Whether the running thread unwinds.
pub fn panicking() -> bool {
    with(|execution| execution.port().is_panicking()).unwrap_or_else(std::thread::panicking)
}

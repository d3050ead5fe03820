//! `scope`: threads that may borrow from the one that starts them.

use super::current::Thread;
use super::join::{Slot, Task};
use super::{Builder, Result};
use crate::port::{Body, here, with};
use crate::record::{self, Orders, Place, operation_name};
use std::any::Any;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// std's `Scope`: what scoped threads are started in.
pub struct Scope<'scope, 'env> {
    /// The scope outside of executions.
    outside: OnceLock<&'scope std::thread::Scope<'scope, 'env>>,
    /// The threads of the execution, each after those that its starter started before.
    threads: Mutex<Vec<Arc<Scoped>>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// std's `ScopedJoinHandle`. Dropped, it leaves the thread running, to the end of its scope at most.
pub struct ScopedJoinHandle<'scope, T> {
    thread: Thread,
    inner: Inner<'scope, T>,
}

enum Inner<'scope, T> {
    Std(std::thread::ScopedJoinHandle<'scope, T>),
    Execution(Arc<Scoped>, Arc<dyn Slot<T> + 'scope>),
}

/// A scoped thread of an execution.
struct Scoped {
    thread: record::ThreadId,
    starter: record::ThreadId,
    joined: Mutex<Joined>,
}

#[derive(Default)]
struct Joined {
    /// Whether its handle was used for that: then a panic is the joiner's to look at.
    is_by_handle: bool,
    has_panicked: bool,
    /// The payload, for the handle, also if the end of the scope got it.
    payload: Option<Box<dyn Any + Send>>,
}

impl Scoped {
    /// Waits for the end of the thread.
    fn join(&self, place: Place) {
        let joined = with(|execution| execution.port().join(place, self.thread));
        if let Some(Err(payload)) = joined {
            let mut joined = self.joined();
            // An engine has the payload for the one who joins first.
            if !std::mem::replace(&mut joined.has_panicked, true) {
                joined.payload = Some(payload);
            }
        }
    }

    fn joined(&self) -> MutexGuard<'_, Joined> {
        self.joined.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// std's `scope`.
///
/// # Panics
/// If a thread panicked that was not joined by its handle.
#[inline(always)]
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let place = here(operation_name!("scope"), Orders::None);
    let scope = Scope::<'_, 'env> {
        outside: OnceLock::new(),
        threads: Mutex::default(),
        scope: PhantomData,
        env: PhantomData,
    };
    match with(|execution| execution.port().thread()) {
        Some(me) => scope_in_execution(&scope, place, me, f),
        None => std::thread::scope(|outside| {
            // SAFETY: `scope` outlives std's scope, and so all threads in it. Lifetimes make no difference to the layout.
            let scope = unsafe { &*std::ptr::from_ref(&scope).cast::<Scope<'_, 'env>>() };
            let was_set = scope.outside.set(outside);
            debug_assert!(was_set.is_ok(), "cdsspec bug: a scope is entered once");
            f(scope)
        }),
    }
}

/// Whatever happens, no thread of the scope is left when this returns or unwinds.
fn scope_in_execution<'scope, 'env, F, T>(
    scope: &'scope Scope<'scope, 'env>,
    place: Place,
    me: record::ThreadId,
    f: F,
) -> T
where
    F: FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let result = catch_unwind(AssertUnwindSafe(|| f(scope)));
    // Unwinds if the execution was cut.
    let joined = catch_unwind(AssertUnwindSafe(|| scope.join_started_by(me, place)));
    let threads: Vec<_> = scope.threads().iter().map(|each| each.thread).collect();
    with(|execution| threads.iter().for_each(|thread| execution.port().wait_until_left(*thread)));
    let is_panicked = match joined {
        Ok(()) => scope.threads().iter().any(|each| {
            let joined = each.joined();
            joined.has_panicked && !joined.is_by_handle
        }),
        Err(payload) => resume_unwind(payload),
    };
    match result {
        Err(payload) => resume_unwind(payload),
        Ok(_) if is_panicked => panic!("a scoped thread panicked"),
        Ok(result) => result,
    }
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// Starts a thread that ends before the scope does.
    ///
    /// # Panics
    /// Outside an execution, if the operating system cannot start a thread.
    #[inline(always)]
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Builder::new().spawn_scoped(self, f).expect("failed to spawn thread")
    }

    /// Joins all that a thread of the scope, which has ended or is this one, started, and all that those started. In the order in
    /// which each started its own: that is the same in every replay.
    fn join_started_by(&self, starter: record::ThreadId, place: Place) {
        let started: Vec<_> =
            self.threads().iter().filter(|each| each.starter == starter).map(Arc::clone).collect();
        for scoped in started {
            scoped.join(place);
            self.join_started_by(scoped.thread, place);
        }
    }

    fn threads(&self) -> MutexGuard<'_, Vec<Arc<Scoped>>> {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Builder {
    /// Starts a thread that ends before the scope does.
    ///
    /// # Errors
    /// Outside an execution, what the operating system says.
    #[inline(always)]
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let place = here(operation_name!("spawn"), Orders::None);
        if let Some(outside) = scope.outside.get() {
            return self.into_std().spawn_scoped(outside, f).map(ScopedJoinHandle::of_std);
        }
        let task = Arc::new(Task::new(f));
        let body: Arc<dyn Body + 'scope> = Arc::clone(&task) as Arc<dyn Body + 'scope>;
        // SAFETY: the scope ends after the thread has left its body; and an engine that leaves a thread without unwinding it does
        // not run or drop the body later.
        let body = unsafe { std::mem::transmute::<Arc<dyn Body + 'scope>, Arc<dyn Body>>(body) };
        let spawned = with(|execution| {
            let starter = execution.port().thread();
            let thread = self.spawn_in_execution(execution, place, body);
            (starter, thread)
        });
        let (starter, thread) = spawned.expect("a scope is used in the execution that it is of");
        let id = thread.id().of_any_execution().expect("cdsspec bug: it was started in an execution");
        let scoped = Arc::new(Scoped { thread: id, starter, joined: Mutex::default() });
        scope.threads().push(Arc::clone(&scoped));
        Ok(ScopedJoinHandle { thread, inner: Inner::Execution(scoped, task) })
    }
}

impl<'scope, T> ScopedJoinHandle<'scope, T> {
    fn of_std(handle: std::thread::ScopedJoinHandle<'scope, T>) -> Self {
        Self { thread: Thread::of_std(handle.thread().clone()), inner: Inner::Std(handle) }
    }

    /// Waits for the thread to end; returns what it returned.
    ///
    /// # Errors
    /// The payload of its panic.
    #[inline(always)]
    #[track_caller]
    pub fn join(self) -> Result<T> {
        let place = here(operation_name!("join"), Orders::None);
        match self.inner {
            Inner::Std(handle) => handle.join(),
            Inner::Execution(scoped, slot) => {
                scoped.joined().is_by_handle = true;
                scoped.join(place);
                if let Some(payload) = scoped.joined().payload.take() {
                    return Err(payload);
                }
                slot.take()
            }
        }
    }

    /// The thread.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether the thread has ended: as [`JoinHandle::is_finished`](super::JoinHandle::is_finished) says it.
    #[inline(always)]
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        let place = here(operation_name!("is_finished"), Orders::None);
        match &self.inner {
            Inner::Std(handle) => handle.is_finished(),
            Inner::Execution(scoped, _) => {
                with(|execution| execution.port().is_finished(place, scoped.thread)).unwrap_or(true)
            }
        }
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}

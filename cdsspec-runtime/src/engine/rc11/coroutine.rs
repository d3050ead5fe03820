//! Threads of the program as coroutines on one OS thread, on pooled stacks.

use super::event::ThreadIndex;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a thread ended.
pub(super) type ThreadResult = Result<(), Box<dyn Any + Send>>;

type Thread = Coroutine<(), (), ThreadResult, DefaultStack>;

/// The coroutines of a run, by number of the thread in the graph.
pub(super) struct Coroutines {
    threads: RefCell<Vec<Option<Thread>>>,
    /// Each thread's way to suspend itself, from its start on.
    yielders: RefCell<Vec<*const Yielder<(), ()>>>,
    /// Where each thread's stack begins.
    bases: RefCell<Vec<usize>>,
    stacks: RefCell<Vec<DefaultStack>>,
    /// Threads that are suspended while they unwind: to std, every thread of this OS thread panics then.
    unwinding: RefCell<Vec<ThreadIndex>>,
    /// The thread that only runs to leave its unwinding, and how often it has yielded.
    leaving: Cell<Option<(ThreadIndex, usize)>>,
    stack_bytes: usize,
    /// Whether a thread also gives way before each of its operations, so that another one may be chosen.
    is_giving_way: bool,
}

/// The least size of a stack; pages that are not touched cost nothing.
const STACK_BYTES_MIN: usize = 1024 * 1024;

/// A destructor that yields so often while nobody observes it waits for another thread.
const LEAVING_YIELDS_MAX: usize = 100_000;

impl Coroutines {
    pub(super) fn new(stack_bytes: usize, is_giving_way: bool) -> Self {
        Self {
            threads: RefCell::default(),
            yielders: RefCell::default(),
            bases: RefCell::default(),
            stacks: RefCell::default(),
            unwinding: RefCell::default(),
            leaving: Cell::new(None),
            stack_bytes: stack_bytes.max(STACK_BYTES_MIN),
            is_giving_way,
        }
    }

    /// Makes a thread that will run `body`.
    pub(super) fn create(&self, thread: ThreadIndex, stack_bytes: Option<usize>, body: Box<dyn FnOnce()>) {
        let is_large = stack_bytes.is_some_and(|bytes| bytes > self.stack_bytes);
        let pooled = if is_large { None } else { self.stacks.borrow_mut().pop() };
        let stack = pooled.unwrap_or_else(|| {
            let bytes = stack_bytes.unwrap_or(0).max(self.stack_bytes);
            DefaultStack::new(bytes).expect("the system has memory for one more stack")
        });
        let base = stack.base().get();
        let this = std::ptr::from_ref(self);
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<(), ()>, ()| {
            // SAFETY: coroutines run only inside `resume`, which borrows `self`.
            let this = unsafe { &*this };
            this.yielders.borrow_mut()[thread] = std::ptr::from_ref(yielder);
            catch_unwind(AssertUnwindSafe(body))
        });
        let mut threads = self.threads.borrow_mut();
        if threads.len() <= thread {
            threads.resize_with(thread + 1, || None);
            self.yielders.borrow_mut().resize(thread + 1, std::ptr::null());
            self.bases.borrow_mut().resize(thread + 1, 0);
        }
        self.bases.borrow_mut()[thread] = base;
        threads[thread] = Some(coroutine);
    }

    /// Runs a thread until it suspends itself or ends; how it ended, if it did.
    pub(super) fn resume(&self, thread: ThreadIndex) -> Option<ThreadResult> {
        let taken = self.threads.borrow_mut()[thread].take();
        let mut coroutine = taken.expect("cdsspec bug: a thread that can go on has a coroutine");
        match coroutine.resume(()) {
            CoroutineResult::Yield(()) => {
                self.threads.borrow_mut()[thread] = Some(coroutine);
                None
            }
            CoroutineResult::Return(result) => {
                self.stacks.borrow_mut().push(coroutine.into_stack());
                Some(result)
            }
        }
    }

    /// Where the stack of `thread` begins: it grows downwards.
    pub(super) fn base(&self, thread: ThreadIndex) -> usize {
        self.bases.borrow()[thread]
    }

    /// Suspends the running thread, `thread`.
    pub(super) fn suspend(&self, thread: ThreadIndex) {
        let is_unwinding = self.is_panicking();
        if is_unwinding {
            self.unwinding.borrow_mut().push(thread);
        }
        let yielder = self.yielders.borrow()[thread];
        // SAFETY: the thread is running, so its yielder, which lives on its stack, does.
        unsafe { &*yielder }.suspend(());
        if is_unwinding {
            self.unwinding.borrow_mut().retain(|&other| other != thread);
        }
    }

    /// Whether the running thread panics.
    pub(super) fn is_panicking(&self) -> bool {
        std::thread::panicking() && self.unwinding.borrow().is_empty()
    }

    /// Lets another thread be chosen before an operation, where that is wanted.
    pub(super) fn may_switch(&self, thread: ThreadIndex) {
        if self.is_giving_way {
            self.suspend(thread);
        }
    }

    /// Drops the threads that have not ended, without unwinding them: no destructor of the program runs, but for those of a thread that
    /// was unwinding already. It must leave its panic behind, or std would take this OS thread to panic for ever; so it goes on, and
    /// nobody observes what it does.
    pub(super) fn reset(&self) {
        let unwinding = std::mem::take(&mut *self.unwinding.borrow_mut());
        for thread in unwinding.into_iter().rev() {
            self.leaving.set(Some((thread, 0)));
            drop(self.resume(thread));
        }
        self.leaving.set(None);
        self.unwinding.borrow_mut().clear();
        for mut coroutine in self.threads.borrow_mut().drain(..).flatten() {
            if !coroutine.done() {
                // SAFETY: what is on the stack is leaked; references to it from elsewhere are the program's, and no thread of it
                // runs again in this execution.
                unsafe { coroutine.force_reset() };
            }
            self.stacks.borrow_mut().push(coroutine.into_stack());
        }
    }

    /// A thread that is not observed yields. One that leaves its unwinding may wait for what nobody does any more: it is dropped.
    pub(super) fn yield_unobserved(&self) {
        if let Some((thread, count)) = self.leaving.get() {
            self.leaving.set(Some((thread, count + 1)));
            if count >= LEAVING_YIELDS_MAX {
                self.suspend(thread);
            }
        }
    }
}

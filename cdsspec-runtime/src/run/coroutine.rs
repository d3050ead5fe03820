//! Threads of the program as coroutines on one OS thread.

use crate::graph::ThreadIndex;
use crate::port::Body;
use crate::process;
use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::any::Any;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// How a thread ended.
pub(crate) type ThreadResult = Result<(), Box<dyn Any + Send>>;

/// What is handed over at each switch: nothing that anybody looks at. It has no room in a register, so that its address is handed over;
/// what has would be written and read unaligned, at a higher cost than all else of a switch where nothing is optimised.
type Handed = [usize; 2];

const HANDED: Handed = [0; 2];

type Thread = Coroutine<Handed, Handed, Infallible, DefaultStack>;

/// The coroutines of an exploration.
pub(crate) struct Coroutines {
    /// By number of the thread in the graph.
    workers: RefCell<Vec<Rc<Worker>>>,
    /// The one that runs, or ran last.
    running: Cell<*const Worker>,
    /// Threads that are suspended while they unwind: to std, every thread of this OS thread panics then.
    unwinding: RefCell<Vec<ThreadIndex>>,
    /// How many panics there had been when the running thread was resumed.
    panics_before: Cell<u64>,
    /// The thread that only runs to leave its unwinding, and how often it has yielded.
    leaving: Cell<Option<(ThreadIndex, usize)>>,
    stack_bytes: usize,
    /// All stacks are between these addresses.
    span: Cell<(usize, usize)>,
}

/// A coroutine that runs one body after the other: a new one costs more than to go on with an old one.
struct Worker {
    /// `None` only while it is replaced.
    coroutine: UnsafeCell<Option<Thread>>,
    stack_bytes: usize,
    /// Where its stack begins.
    base: usize,
    /// Its way to suspend itself, from its start on.
    yielder: Cell<*const Yielder<Handed, Handed>>,
    /// What it is to run next.
    body: Cell<Option<Arc<dyn Body>>>,
    /// The payload of the panic that ended the body that it ran last, if one did.
    panic: Cell<Option<Box<dyn Any + Send>>>,
    /// Whether it has a body that has not ended.
    is_busy: Cell<bool>,
    /// Whether a panic has begun in the body. It may have been caught.
    has_panicked: Cell<bool>,
}

/// The least size of a stack; pages that are not touched cost nothing.
const STACK_BYTES_MIN: usize = 1024 * 1024;

/// A destructor that yields so often while nobody observes it waits for another thread.
const LEAVING_YIELDS_MAX: usize = 100_000;

impl Coroutines {
    pub(crate) fn new(stack_bytes: usize) -> Self {
        Self {
            workers: RefCell::default(),
            running: Cell::new(std::ptr::null()),
            unwinding: RefCell::default(),
            panics_before: Cell::new(0),
            leaving: Cell::new(None),
            stack_bytes: stack_bytes.max(STACK_BYTES_MIN),
            span: Cell::new((usize::MAX, 0)),
        }
    }

    /// Makes a thread that will run `body`.
    pub(crate) fn create(&self, thread: ThreadIndex, stack_bytes: Option<usize>, body: Arc<dyn Body>) {
        let mut workers = self.workers.borrow_mut();
        while workers.len() <= thread {
            workers.push(self.new_worker(self.stack_bytes));
        }
        if let Some(bytes) = stack_bytes.filter(|&bytes| bytes > workers[thread].stack_bytes) {
            workers[thread] = self.new_worker(bytes);
        }
        let worker = &workers[thread];
        let left = worker.body.replace(Some(body));
        debug_assert!(left.is_none(), "cdsspec bug: a worker runs one body after the other");
        worker.is_busy.set(true);
        worker.has_panicked.set(false);
    }

    /// Runs a thread until it suspends itself or ends; how it ended, if it did.
    #[inline]
    pub(crate) fn resume(&self, thread: ThreadIndex) -> Option<ThreadResult> {
        let worker = Rc::as_ptr(&self.workers.borrow()[thread]);
        self.running.set(worker);
        // SAFETY: a worker goes only when another one takes its place, which is not while it is busy; this one is, and its body leaves
        // it before it is looked at for the last time.
        let worker = unsafe { &*worker };
        self.panics_before.set(process::panic_count());
        worker.resume();
        if self.panics_before.get() != process::panic_count() {
            worker.has_panicked.set(true);
        }
        if worker.is_busy.get() { None } else { Some(worker.panic.take().map_or(Ok(()), Err)) }
    }

    fn new_worker(&self, stack_bytes: usize) -> Rc<Worker> {
        let worker = Worker::new(stack_bytes);
        let (low, high) = self.span.get();
        self.span.set((low.min(worker.base - stack_bytes), high.max(worker.base)));
        worker
    }

    /// Whether an address may be on a stack.
    #[inline]
    pub(crate) fn may_be_on_stack(&self, address: usize) -> bool {
        let (low, high) = self.span.get();
        (low..high).contains(&address)
    }

    /// Whose stack an address is on.
    pub(crate) fn stack_of(&self, address: usize) -> Option<ThreadIndex> {
        let workers = self.workers.borrow();
        workers.iter().position(|worker| (worker.base - worker.stack_bytes..worker.base).contains(&address))
    }

    /// Where the stack of `thread` begins: it grows downwards.
    pub(crate) fn base(&self, thread: ThreadIndex) -> usize {
        self.workers.borrow()[thread].base
    }

    /// Suspends the running thread.
    #[inline]
    pub(crate) fn suspend(&self) {
        if self.is_panicking() {
            self.suspend_unwinding();
        } else {
            self.leave_running();
        }
    }

    #[cold]
    fn suspend_unwinding(&self) {
        let running = self.running.get();
        let thread = self.workers.borrow().iter().position(|worker| std::ptr::eq(&**worker, running));
        let thread = thread.expect("cdsspec bug: the running thread has a worker");
        if self.unwinding.borrow().is_empty() {
            // It alone panics: what others began was caught.
            self.workers.borrow().iter().for_each(|worker| worker.has_panicked.set(false));
        }
        self.unwinding.borrow_mut().push(thread);
        self.leave_running();
        self.unwinding.borrow_mut().retain(|&other| other != thread);
    }

    /// Goes back to who has resumed the running thread.
    #[inline]
    fn leave_running(&self) {
        // SAFETY: `resume` has set it, and keeps the worker until the thread comes back to it.
        let worker = unsafe { &*self.running.get() };
        // SAFETY: the thread is running, so its yielder, which lives on its stack, does.
        unsafe { &*worker.yielder.get() }.suspend(HANDED);
    }

    /// Whether the running thread panics. Where others are suspended while they unwind, that std says so tells nothing, but that a panic has begun
    /// in it.
    pub(crate) fn is_panicking(&self) -> bool {
        std::thread::panicking() && (self.unwinding.borrow().is_empty() || self.has_running_panicked())
    }

    #[cold]
    fn has_running_panicked(&self) -> bool {
        // SAFETY: `resume` has set it, and keeps the worker until the thread comes back to it.
        let worker = unsafe { &*self.running.get() };
        worker.has_panicked.get() || self.panics_before.get() != process::panic_count()
    }

    /// Drops the threads that have not ended, without unwinding them: no destructor of the program runs, but for those of a thread that
    /// was unwinding already. It must leave its panic behind, or std would take this OS thread to panic for ever; so it goes on, and
    /// nobody observes what it does.
    pub(crate) fn reset(&self) {
        let unwinding = std::mem::take(&mut *self.unwinding.borrow_mut());
        for thread in unwinding.into_iter().rev() {
            self.leaving.set(Some((thread, 0)));
            drop(self.resume(thread));
        }
        self.leaving.set(None);
        self.unwinding.borrow_mut().clear();
        for worker in self.workers.borrow().iter().filter(|worker| worker.is_busy.get()) {
            worker.reset();
        }
    }

    /// A thread that is not observed yields. One that leaves its unwinding may wait for what nobody does any more: it is dropped.
    pub(crate) fn yield_unobserved(&self) {
        if let Some((thread, count)) = self.leaving.get() {
            self.leaving.set(Some((thread, count + 1)));
            if count >= LEAVING_YIELDS_MAX {
                self.suspend();
            }
        }
    }
}

impl Worker {
    fn new(stack_bytes: usize) -> Rc<Self> {
        let stack = DefaultStack::new(stack_bytes).expect("the system has memory for one more stack");
        let worker = Rc::new(Self {
            coroutine: UnsafeCell::new(None),
            stack_bytes,
            base: stack.base().get(),
            yielder: Cell::new(std::ptr::null()),
            body: Cell::new(None),
            panic: Cell::new(None),
            is_busy: Cell::new(false),
            has_panicked: Cell::new(false),
        });
        worker.start(stack);
        worker
    }

    /// Makes the coroutine.
    fn start(&self, stack: DefaultStack) {
        let this = std::ptr::from_ref(self);
        let coroutine = Coroutine::with_stack(stack, move |yielder: &Yielder<Handed, Handed>, _| {
            // SAFETY: the coroutine runs only inside `resume`, which borrows `self`; and `self` is in an `Rc`, so it stays where it is.
            let this = unsafe { &*this };
            this.yielder.set(yielder);
            loop {
                if let Some(body) = this.body.take() {
                    this.panic.set(catch_unwind(AssertUnwindSafe(|| body.run())).err());
                    this.is_busy.set(false);
                }
                yielder.suspend(HANDED);
            }
        });
        // SAFETY: nothing else uses the coroutine: this one is being made, or was left by `reset`.
        unsafe { *self.coroutine.get() = Some(coroutine) };
    }

    /// Runs the coroutine until it suspends itself.
    fn resume(&self) {
        // SAFETY: nobody else uses the coroutine meanwhile: what runs inside of it resumes no thread, and only the loop of the
        // exploration, which waits for it here, drops threads.
        let coroutine = unsafe { &mut *self.coroutine.get() };
        let Some(coroutine) = coroutine else { unreachable!("cdsspec bug: a worker has a coroutine") };
        let CoroutineResult::Yield(_) = coroutine.resume(HANDED);
    }

    /// Leaves what the coroutine is doing. What is on its stack, and a body that did not begin, is leaked: references to it from
    /// elsewhere are the program's, and no thread of it runs again in this execution.
    fn reset(&self) {
        self.is_busy.set(false);
        if let Some(body) = self.body.take() {
            std::mem::forget(body);
            return;
        }
        let stack = self.leave();
        self.start(stack.expect("cdsspec bug: a worker has a coroutine"));
    }

    /// Takes the stack from the coroutine, whatever it is doing.
    fn leave(&self) -> Option<DefaultStack> {
        // SAFETY: the coroutine does not run, and nobody else uses it.
        let mut coroutine = unsafe { &mut *self.coroutine.get() }.take()?;
        // SAFETY: what is on the stack is leaked.
        unsafe { coroutine.force_reset() };
        Some(coroutine.into_stack())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        std::mem::forget(self.body.take());
        self.leave();
    }
}

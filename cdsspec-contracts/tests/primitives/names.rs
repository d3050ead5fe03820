//! What is std's has the same names here: the program of `tests/std_names.rs`.

use cdsspec_contracts::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use cdsspec_contracts::sync::mpsc::{self, Receiver, Sender, SyncSender};
use cdsspec_contracts::sync::{
    Arc, Barrier, BarrierWaitResult, Condvar, LazyLock, LockResult, Mutex, MutexGuard, Once, OnceLock,
    OnceState, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError, TryLockResult,
    WaitTimeoutResult, Weak,
};
use cdsspec_contracts::thread::{
    self, AccessError, Builder, JoinHandle, LocalKey, Scope, ScopedJoinHandle, Thread, ThreadId,
};
use std::cell::Cell;

/// Statics of all that have a `const` constructor.
static COUNT: AtomicUsize = AtomicUsize::new(0);
static ONCE: Once = Once::new();
static LOCK: OnceLock<usize> = OnceLock::new();
static LAZY: LazyLock<Mutex<usize>> = LazyLock::new(|| Mutex::new(*LOCK.get_or_init(|| 3)));
static ALL: (Barrier, Condvar, Mutex<()>, RwLock<()>) =
    (Barrier::new(2), Condvar::new(), Mutex::new(()), RwLock::new(()));

std::thread_local! {
    static LOCAL: Cell<usize> = const { Cell::new(1) };
}

/// Types that are used nowhere below.
#[expect(dead_code, clippy::type_complexity, reason = "only their names matter")]
struct Names<'a, 'b>(
    Option<(BarrierWaitResult, OnceState, WaitTimeoutResult, AccessError, LocalKey<()>, Thread, ThreadId)>,
    Option<(
        LockResult<()>,
        TryLockResult<()>,
        TryLockError<()>,
        PoisonError<()>,
        Weak<()>,
        Builder,
        JoinHandle<()>,
    )>,
    Option<(MutexGuard<'a, ()>, RwLockReadGuard<'a, ()>, RwLockWriteGuard<'a, ()>, ScopedJoinHandle<'a, ()>)>,
    Option<(Sender<()>, SyncSender<()>, Receiver<()>, Arc<()>, &'a Scope<'a, 'b>)>,
);

fn program() {
    ONCE.call_once(|| COUNT.store(1, Relaxed));
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            LOCAL.set(LOCAL.get() + 1);
            *LAZY.lock().unwrap() += LOCAL.get();
            ALL.0.wait();
            sender.send(COUNT.load(Relaxed)).unwrap();
        });
        ALL.0.wait();
        assert_eq!((receiver.recv(), receiver.recv().is_err()), (Ok(1), true));
    });
    assert!(*LAZY.lock().unwrap() == 5 && LOCAL.get() == 1);
    drop((ALL.1.wait_while(ALL.2.lock().unwrap(), |()| false), ALL.3.read()));
}

#[test]
fn statics_of_every_kind_are_those_of_std() {
    program();
}

/// What the compiler turns into something else of std's types, and what they may be used across.
#[test]
fn locks_of_values_without_a_size_and_across_panics() {
    fn crosses<T: Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>(_: &T) {}
    let slice: Arc<Mutex<[i32]>> = Arc::new(Mutex::new([1, 2]));
    let shown: Box<RwLock<dyn std::fmt::Debug>> = Box::new(RwLock::new(5));
    assert_eq!((slice.lock().unwrap().len(), format!("{:?}", &*shown.read().unwrap())), (2, "5".to_owned()));
    crosses(&(Mutex::new(Cell::new(1)), RwLock::new(1), Condvar::new(), Barrier::new(1)));
    crosses(&(Once::new(), OnceLock::<i32>::new(), AtomicUsize::new(1)));
    crosses(&cdsspec_contracts::threads::HandOver::new());
}

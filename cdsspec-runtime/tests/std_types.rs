//! The rest of std's concurrency API under both engines: the exact outcomes of small programs.
#![cfg(feature = "loom")]
#![allow(clippy::unwrap_used, reason = "tests")]

use crate::common::{engines, outcomes_ending};
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::*};
use cdsspec_runtime::sync::mpsc::{RecvTimeoutError, channel, sync_channel};
use cdsspec_runtime::sync::{
    Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, RwLockWriteGuard,
};
use cdsspec_runtime::{thread, thread_local};
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(1_000_000);

programs! {
    who_reads_is_let_in_beside_a_downgraded_guard: ["1 1"] = {
        let lock = Arc::new(RwLock::new(0));
        let mut writes = lock.write().unwrap();
        let other = {
            let lock = Arc::clone(&lock);
            thread::spawn(move || *lock.read().unwrap())
        };
        *writes = 1;
        let reads = RwLockWriteGuard::downgrade(writes);
        let seen = other.join().unwrap();
        format!("{} {seen}", *reads)
    };
    nobody_writes_while_a_guard_is_downgraded: ["1 after", "11 before"] = {
        let lock = Arc::new(RwLock::new(0));
        let other = {
            let lock = Arc::clone(&lock);
            thread::spawn(move || {
                let mut writes = lock.write().unwrap();
                *writes += 10;
                if *writes == 10 { "before" } else { "after" }
            })
        };
        let mut writes = lock.write().unwrap();
        *writes += 1;
        let read = *RwLockWriteGuard::downgrade(writes);
        format!("{read} {}", other.join().unwrap())
    };
    scoped_threads_borrow_and_all_have_ended_after_the_scope: ["1 2 3"] = {
        let (mut one, mut two) = (0, 0);
        let three = thread::scope(|scope| {
            scope.spawn(|| one = 1);
            scope.spawn(|| two = 2).join().unwrap();
            3
        });
        format!("{one} {two} {three}")
    };
    scoped_threads_run_together: ["0 1", "1 0", "1 1"] = {
        let (x, y) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (a, b) = thread::scope(|scope| {
            let other = scope.spawn(|| {
                x.store(1, SeqCst);
                y.load(SeqCst)
            });
            y.store(1, SeqCst);
            let mine = x.load(SeqCst);
            (other.join().unwrap(), mine)
        });
        format!("{a} {b}")
    };
    a_scoped_thread_starts_others_and_the_scope_waits_for_them: ["2"] = {
        let count = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| {
                scope.spawn(|| count.fetch_add(1, Relaxed));
                count.fetch_add(1, Relaxed);
            });
        });
        format!("{}", count.load(Relaxed))
    };
    a_panic_of_a_scoped_thread_is_the_joiners_or_the_scopes: ["joined / a scoped thread panicked"] = {
        let joined = thread::scope(|scope| {
            let payload = scope.spawn(|| resume_unwind(Box::new("joined"))).join().unwrap_err();
            *payload.downcast::<&str>().unwrap()
        });
        let left = std::panic::catch_unwind(|| {
            thread::scope(|scope| {
                scope.spawn(|| resume_unwind(Box::new("left")));
            });
        });
        format!("{joined} / {}", left.unwrap_err().downcast::<&str>().unwrap())
    };
    // On rc11 the first wait may also end without a reason.
    a_timeout_ends_a_wait_that_nothing_else_ends: ["true true timeout"] rc11 ["false true timeout", "true true timeout"] = {
        thread::park_timeout(LONG);
        let (mutex, condvar) = (Mutex::new(0), Condvar::new());
        let (guard, one) = condvar.wait_timeout(mutex.lock().unwrap(), LONG).unwrap();
        let (guard, two) = condvar.wait_timeout_while(guard, LONG, |value| *value == 0).unwrap();
        drop(guard);
        let (_sender, receiver) = channel::<()>();
        let three = if receiver.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) { "timeout" } else { "" };
        format!("{} {} {three}", one.timed_out(), two.timed_out())
    };
    a_timed_wait_is_ended_by_a_notification_or_a_timeout: ["1 false"] rc11 ["0 true", "1 false"] = {
        let shared = Arc::new((Mutex::new(0), Condvar::new()));
        let other = shared.clone();
        thread::spawn(move || {
            *other.0.lock().unwrap() = 1;
            other.1.notify_one();
        });
        let guard = shared.0.lock().unwrap();
        let (guard, result) = shared.1.wait_timeout_while(guard, LONG, |value| *value == 0).unwrap();
        format!("{} {}", *guard, result.timed_out())
    };
    a_receive_ends_by_a_message_or_a_timeout: ["Ok(1)"] rc11 ["Err(Timeout)", "Ok(1)"] = {
        let (sender, receiver) = channel();
        thread::spawn(move || sender.send(1).ok());
        format!("{:?}", receiver.recv_timeout(LONG))
    };
    parking_ends_by_a_token_or_a_timeout: ["1"] rc11 ["0", "1"] = {
        let flag = Arc::new(AtomicUsize::new(0));
        let (inner, main) = (flag.clone(), thread::current());
        thread::spawn(move || {
            inner.store(1, Relaxed);
            main.unpark();
        });
        thread::park_timeout(LONG);
        format!("{}", flag.load(Relaxed))
    };
    a_barrier_lets_all_go_on_together_with_one_leader: ["1 2 2"] = {
        let (barrier, count) = (Barrier::new(2), AtomicUsize::new(0));
        let come = || {
            count.fetch_add(1, Relaxed);
            let leader = barrier.wait().is_leader();
            (usize::from(leader), count.load(Relaxed))
        };
        let (mine, others) = thread::scope(|scope| {
            let other = scope.spawn(come);
            (come(), other.join().unwrap())
        });
        format!("{} {} {}", mine.0 + others.0, mine.1, others.1)
    };
    a_once_calls_one_and_the_others_wait_for_it: ["1 1 true"] = {
        let (once, count) = (Once::new(), AtomicUsize::new(0));
        let call = || {
            once.call_once(|| { count.fetch_add(1, Relaxed); });
            count.load(Relaxed)
        };
        let (mine, others) = thread::scope(|scope| {
            let other = scope.spawn(call);
            (call(), other.join().unwrap())
        });
        format!("{mine} {others} {}", once.is_completed())
    };
    a_static_lock_is_set_anew_in_every_execution: ["None 1 1 Err(2)", "None 2 2 Err(1)", "Some(2) 2 2 Err(1)"] = {
        static LOCK: OnceLock<usize> = OnceLock::new();
        let child = thread::spawn(|| (LOCK.set(2).is_ok(), *LOCK.get().unwrap()));
        let before = LOCK.get();
        let set = LOCK.set(1);
        let mine = *LOCK.get().unwrap();
        let (is_theirs, theirs) = child.join().unwrap();
        assert_eq!(is_theirs, set.is_err());
        format!("{before:?} {mine} {theirs} {:?}", if is_theirs { set } else { Err(2) })
    };
    a_lazy_static_is_made_once_in_every_execution: ["1 7 7"] = {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        static LAZY: LazyLock<usize> = LazyLock::new(|| COUNT.fetch_add(1, Relaxed) + 7);
        let child = thread::spawn(|| *LAZY);
        let mine = *LAZY;
        let theirs = child.join().unwrap();
        format!("{} {mine} {theirs}", COUNT.load(Relaxed))
    };
    a_value_that_could_not_be_made_is_made_by_the_next: ["true 3"] = {
        let lock = OnceLock::new();
        let made = thread::scope(|scope| {
            scope.spawn(|| *lock.get_or_init(|| resume_unwind(Box::new("no value")))).join()
        });
        format!("{} {}", made.is_err(), lock.get_or_init(|| 3))
    };
    each_thread_has_its_own_local: ["1 2 2"] = {
        thread_local! {
            static LOCAL: Cell<usize> = const { Cell::new(0) };
            static NAMES: RefCell<Vec<usize>> = RefCell::new(vec![1, 2]);
        }
        LOCAL.set(1);
        let theirs = thread::spawn(|| {
            NAMES.with_borrow_mut(|names| names.push(3));
            LOCAL.replace(5) + 2
        });
        let theirs = theirs.join().unwrap();
        format!("{} {theirs} {}", LOCAL.get(), NAMES.take().len())
    };
    a_local_is_destroyed_at_the_end_of_its_thread: ["1"] = {
        struct Counted(Arc<AtomicUsize>);
        impl Drop for Counted {
            fn drop(&mut self) {
                self.0.fetch_add(1, Relaxed);
                assert!(LOCAL.try_with(|_| ()).is_err());
            }
        }
        thread_local! { static LOCAL: RefCell<Option<Counted>> = RefCell::default() }
        let count = Arc::new(AtomicUsize::new(0));
        let inner = count.clone();
        thread::spawn(move || LOCAL.set(Some(Counted(inner)))).join().unwrap();
        format!("{}", count.load(Relaxed))
    };
}

#[test]
fn what_waits_for_ever_is_blocked() {
    let blocked: [fn(); 6] = [
        || _ = Barrier::new(2).wait(),
        || Once::new().wait(),
        || _ = OnceLock::<usize>::new().wait(),
        || {
            let (_sender, receiver) = channel::<usize>();
            assert!(receiver.recv().is_err());
        },
        || {
            let (sender, _receiver) = sync_channel(0);
            sender.send(1).unwrap();
        },
        || {
            let once = Once::new();
            once.call_once(|| once.call_once(|| ()));
        },
    ];
    for (program, engine) in
        blocked.into_iter().flat_map(|program| engines().into_iter().map(move |engine| (program, engine)))
    {
        let outcomes = outcomes_ending(&*engine, "blocked", move || {
            program();
            String::new()
        });
        assert_eq!(outcomes, [""; 0]);
    }
}

#[test]
fn no_thread_of_a_scope_is_left_when_an_execution_is_cut() {
    /// What the threads have borrowed: cleared when it goes.
    struct Lent(std::sync::atomic::AtomicUsize);
    impl Drop for Lent {
        fn drop(&mut self) {
            self.0.store(0, Relaxed);
        }
    }
    struct Borrow<'a>(&'a Lent);
    impl Drop for Borrow<'_> {
        fn drop(&mut self) {
            assert_eq!(self.0.0.load(Relaxed), 7, "it is borrowed after it has gone");
        }
    }
    let program = || {
        let lent = Lent(std::sync::atomic::AtomicUsize::new(7));
        let mutex = Mutex::new(());
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let _borrow = Borrow(&lent);
                    let _guard = mutex.lock().unwrap();
                    loop {
                        thread::park();
                    }
                });
            }
            let _borrow = Borrow(&lent);
            let _guard = mutex.lock().unwrap();
        });
        String::new()
    };
    for engine in engines() {
        assert_eq!(outcomes_ending(&*engine, "blocked", program), [""; 0]);
    }
}

#[test]
fn a_poisoned_lazy_lock_panics_in_its_execution_only() {
    static LAZY: LazyLock<usize> = LazyLock::new(|| resume_unwind(Box::new("no value")));
    for engine in engines() {
        let outcomes = outcomes_ending(&*engine, "complete", || {
            let made = [(); 2].map(|()| {
                thread::spawn(|| *LAZY)
                    .join()
                    .unwrap_err()
                    .downcast_ref::<&str>()
                    .map(|message| (*message).to_owned())
            });
            format!("{made:?}")
        });
        assert_eq!(
            outcomes,
            ["[Some(\"no value\"), Some(\"one-time initialization may not be performed: it has panicked\")]"]
        );
    }
}

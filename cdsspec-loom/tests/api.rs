//! loom's API, name by name: what it does in a model, and what its faults come to.

use cdsspec_loom as loom;
use loom::alloc::{Layout, Track};
use loom::cell::{Cell, UnsafeCell};
use loom::model::Builder;
use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering::*};
use loom::sync::{Arc, Notify};
use loom::thread;
use std::panic;

/// The first line of the report of a program with a fault.
fn fault(program: impl Fn() + Send + Sync + 'static) -> String {
    let panicked = panic::catch_unwind(panic::AssertUnwindSafe(|| loom::model(program)));
    let report = *panicked.expect_err("a fault is found").downcast::<String>().expect("a report is a text");
    report.lines().next().unwrap_or_default().to_owned()
}

fn verdict(program: impl Fn() + Send + Sync + 'static) -> String {
    fault(program).split(':').next().unwrap_or_default().to_owned()
}

/// Shared although its type is not to be, as by an unsafe `Sync` that is wrong.
struct Shared<T>(std::cell::UnsafeCell<T>);

// SAFETY: it is not: the tests are about what comes of it.
unsafe impl<T> Sync for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Send for Shared<T> {}

impl<T> Shared<T> {
    fn new(value: T) -> Arc<Self> {
        Arc::new(Self(std::cell::UnsafeCell::new(value)))
    }

    fn with<R>(&self, f: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: all threads of an execution run on one OS thread, and `f` does one operation.
        f(unsafe { &mut *self.0.get() })
    }
}

#[test]
fn with_mut_is_a_write_that_is_not_atomic() {
    let joined_first = |is_joined: bool| {
        move || {
            let shared = Shared::new(AtomicUsize::new(1));
            let other = Arc::clone(&shared);
            let thread = thread::spawn(move || other.with(|atomic| atomic.load(Relaxed)));
            if is_joined {
                thread.join().unwrap();
                shared.with(|atomic| atomic.with_mut(|value| *value += 1));
                assert_eq!(shared.with(|atomic| atomic.load(Relaxed)), 2);
            } else {
                shared.with(|atomic| atomic.with_mut(|value| *value += 1));
                thread.join().unwrap();
            }
        }
    };
    loom::model(joined_first(true));
    assert_eq!(verdict(joined_first(false)), "race");
}

#[test]
fn unsync_load_is_a_read_that_is_not_atomic() {
    let program = |order, seen| {
        move || {
            let pair = Arc::new((AtomicUsize::new(0), AtomicBool::new(false)));
            let other = Arc::clone(&pair);
            let thread = thread::spawn(move || {
                other.0.store(1, Relaxed);
                other.1.store(true, order);
            });
            if pair.1.load(Acquire) == seen {
                // SAFETY: if the flag was seen and released, the store happens before.
                assert_eq!(unsafe { pair.0.unsync_load() }, 1);
            }
            thread.join().unwrap();
        }
    };
    loom::model(program(Release, true));
    assert_eq!(verdict(program(Relaxed, true)), "race");
    assert_eq!(verdict(program(Release, false)), "race");
    // Two loads are no conflict.
    loom::model(|| {
        let atomic = Arc::new(AtomicPtr::new(std::ptr::null_mut::<u8>()));
        let other = Arc::clone(&atomic);
        let thread = thread::spawn(move || other.load(Relaxed).is_null());
        // SAFETY: nobody stores.
        assert!(unsafe { atomic.unsync_load() }.is_null());
        assert!(thread.join().unwrap());
    });
}

/// The race is in the execution in which the other thread reads what was there before.
#[test]
fn a_race_is_seen_where_a_stale_store_is_read() {
    let program = |order| {
        move || {
            let atomic = Arc::new(AtomicUsize::new(0));
            let other = Arc::clone(&atomic);
            let thread = thread::spawn(move || other.fetch_add(1, order));
            // SAFETY: it is the race that is looked for.
            assert!(unsafe { atomic.unsync_load() } < 2);
            atomic.store(2, Release);
            thread.join().unwrap();
        }
    };
    assert_eq!(verdict(program(Acquire)), "race");
    assert_eq!(verdict(program(Relaxed)), "race");
}

#[test]
fn a_pointer_into_a_cell_is_an_access_as_long_as_it_is_kept() {
    let program = |is_kept: bool| {
        move || {
            let shared = Shared::new((UnsafeCell::new(1), AtomicBool::new(false)));
            let other = Arc::clone(&shared);
            let thread = thread::spawn(move || {
                other.with(|(cell, flag)| {
                    let pointer = cell.get();
                    let mut kept = is_kept.then_some(pointer);
                    flag.store(true, Release);
                    // SAFETY: nobody writes, as far as this test is about that.
                    kept.take().map(|kept| unsafe { *kept.deref() })
                })
            });
            shared.with(|(cell, flag)| {
                if flag.load(Acquire) {
                    // SAFETY: as above.
                    cell.get_mut().with(|pointer| unsafe { *pointer = 2 });
                }
            });
            thread.join().unwrap();
        }
    };
    loom::model(program(false));
    assert_eq!(verdict(program(true)), "race");
}

#[test]
fn a_cell_that_two_threads_share_is_a_race() {
    let program = || {
        let cell = Shared::new(Cell::new(1));
        let other = Arc::clone(&cell);
        let thread = thread::spawn(move || other.with(|cell| cell.set(2)));
        cell.with(|cell| cell.get());
        thread.join().unwrap();
    };
    assert_eq!(verdict(program), "race");
    loom::model(|| {
        let (one, two) = (Cell::new(1), Cell::from(2));
        one.swap(&two);
        one.swap(&one);
        assert_eq!((one.replace(5), one.take(), one.get(), two.into_inner()), (2, 5, 0, 1));
    });
}

#[test]
fn what_is_left_is_a_leak() {
    assert_eq!(
        fault(|| std::mem::forget(Arc::new(1))),
        format!("leak: the Arc that was made at {}:{} is left when the execution ends", file!(), line!() - 1)
    );
    assert_eq!(verdict(|| std::mem::forget(Track::new(1))), "leak");
    let layout = Layout::new::<u64>();
    // SAFETY: the size is not 0.
    assert_eq!(verdict(move || assert!(!unsafe { loom::alloc::alloc(layout) }.is_null())), "leak");
    loom::model(move || {
        // SAFETY: the size is not 0.
        let block = unsafe { loom::alloc::alloc_zeroed(layout) };
        // SAFETY: it was allocated with this layout.
        unsafe { loom::alloc::dealloc(block, layout) };
        let mut tracked = Track::new(1);
        *tracked.get_mut() += 1;
        assert_eq!((*tracked.get_ref(), tracked.into_inner()), (2, 2));
        let shared = Arc::new(3);
        let thread = thread::spawn({
            let shared = Arc::clone(&shared);
            move || *shared
        });
        assert_eq!((thread.join().unwrap(), Arc::try_unwrap(shared)), (3, Ok(3)));
    });
}

#[test]
fn an_arc_of_std_is_taken_over_whatever_its_size() {
    struct Ends<'a>(&'a std::sync::atomic::AtomicU32);
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            self.0.fetch_add(1, Relaxed);
        }
    }
    let count = std::sync::atomic::AtomicU32::new(0);
    let made: Arc<[Ends<'_>]> = Arc::from_std(std::sync::Arc::new([Ends(&count), Ends(&count)]));
    let other = Arc::clone(&made);
    drop(made);
    assert_eq!((count.load(Relaxed), other.len()), (0, 2));
    drop(other);
    assert_eq!(count.load(Relaxed), 2);
    loom::model(|| {
        let words: Arc<dyn Fn(u32) -> u32 + Send + Sync> = Arc::from_std(std::sync::Arc::new(|x| x + 1));
        let other = Arc::clone(&words);
        let thread = thread::spawn(move || other(1));
        assert_eq!((words(2), thread.join().unwrap()), (3, 2));
    });
    let shared = std::sync::Arc::new(1);
    let refused = panic::catch_unwind(|| Arc::from_std(std::sync::Arc::clone(&shared)));
    assert!(refused.is_err());
}

#[test]
fn threads_take_what_is_not_send() {
    loom::model(|| {
        let value = std::rc::Rc::new(1);
        let thread = thread::spawn(move || value);
        assert_eq!(*thread.join().unwrap(), 1);
        let named = thread::Builder::new().name("named".to_owned()).stack_size(1 << 16);
        let thread = named.spawn(|| thread::current().name().map(str::to_owned)).unwrap();
        assert_eq!(thread.thread().name(), Some("named"));
        assert_eq!(thread.join().unwrap().as_deref(), Some("named"));
    });
    assert!(panic::catch_unwind(|| thread::spawn(|| ())).is_err(), "there is no thread outside of a model");
}

loom::lazy_static! {
    /// Made in each execution.
    static ref COUNT: AtomicUsize = AtomicUsize::new(40);
    pub(crate) static ref SHARED: Arc<u32> = Arc::new(7);
}

#[test]
fn a_lazy_static_is_made_in_each_execution_and_ends_with_it() {
    loom::model(|| {
        let thread = thread::spawn(|| COUNT.fetch_add(1, Relaxed));
        COUNT.fetch_add(1, Relaxed);
        thread.join().unwrap();
        assert_eq!((COUNT.load(Relaxed), **SHARED), (42, 7));
    });
}

loom::thread_local! {
    static LOCAL: std::cell::Cell<u32> = std::cell::Cell::new(1);
}

#[test]
fn a_thread_local_is_one_value_for_each_thread() {
    loom::model(|| {
        LOCAL.with(|local| local.set(2));
        let thread = thread::spawn(|| LOCAL.with(std::cell::Cell::get));
        assert_eq!((thread.join().unwrap(), LOCAL.with(std::cell::Cell::get)), (1, 2));
    });
}

#[test]
fn notify_orders_what_is_before_it() {
    let program = |is_notified: bool| {
        move || {
            let pair = Arc::new((Notify::new(), AtomicUsize::new(0)));
            let other = Arc::clone(&pair);
            let thread = thread::spawn(move || {
                other.1.store(1, Relaxed);
                if is_notified {
                    other.0.notify();
                }
            });
            while pair.1.load(Relaxed) == 0 {
                pair.0.wait();
            }
            thread.join().unwrap();
        }
    };
    loom::model(program(true));
    assert_eq!(verdict(program(false)), "deadlock");
}

#[test]
fn limits_of_looms_builder() {
    let program = || {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::clone(&x);
        let thread = thread::spawn(move || y.fetch_add(1, Relaxed));
        x.fetch_add(1, Relaxed);
        thread.join().unwrap();
    };
    let mut builder = Builder::new();
    builder.max_permutations = Some(1);
    builder.max_threads = 1;
    builder.preemption_bound = Some(0);
    builder.check(program);
    let mut few = Builder::default();
    few.max_branches = 2;
    assert!(panic::catch_unwind(|| few.check(program)).is_err(), "a bound that is reached is no pass");
    builder.checkpoint_file("never.json");
    assert!(panic::catch_unwind(|| builder.check(program)).is_err(), "there are no checkpoints");
}

/// Past a harness that captures what a test prints which passes.
#[test]
fn a_pass_at_a_limit_is_said() {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    let output = command.args(["--exact", "limits_of_looms_builder"]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stderr);
    let note = "limits_of_looms_builder: inconclusive: stopped after 1 execution (limit 1); other executions were not \
                explored, and it passes, as under loom";
    assert!(output.status.success() && shown.contains(note), "{shown}");
}

#[test]
fn what_limits_looms_exploration_leaves_nothing_out_here() {
    let program = || {
        let x = Arc::new(AtomicUsize::new(0));
        loom::stop_exploring();
        let y = Arc::clone(&x);
        let thread = thread::spawn(move || y.store(1, Relaxed));
        loom::skip_branch();
        let seen = x.load(Relaxed);
        loom::explore();
        thread.join().unwrap();
        assert_ne!(seen, 1, "it may be seen");
    };
    assert_eq!(verdict(program), "panic");
    const { assert!(loom::MAX_THREADS == 5) };
}

#[test]
fn what_is_not_to_be_reached_panics() {
    // SAFETY: it panics here.
    assert_eq!(verdict(|| unsafe { loom::hint::unreachable_unchecked() }), "panic");
}

//! A fence that is added after an operation is done there and then: what comes next comes after it, be it an operation or not.

use super::{builder, of_name};
use cdsspec_runtime::cell::UnsafeCell;
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::hint::spin_loop;
use cdsspec_runtime::model::Outcome;
use cdsspec_runtime::port::{Overrides, PlaceLog};
use cdsspec_runtime::record::{OperationName, Place, operation_name};
use cdsspec_runtime::sync::atomic::AtomicUsize;
use cdsspec_runtime::thread;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};

cdsspec_runtime::allocator!();

/// The one place of an operation, whatever the verdict.
fn place(program: fn(), name: OperationName) -> Place {
    let log = PlaceLog::new();
    let _ = builder().place_log(&log).stop_at_first(false).check(program);
    of_name(&log.places(), name)
}

fn check(program: fn(), overrides: Overrides) -> Outcome {
    builder().order_overrides(overrides).check(program)
}

fn after(place: Place) -> Overrides {
    Overrides::new().with_fence_after(place, Acquire)
}

/// What two threads share; who leaves last frees it.
struct Shared {
    users: AtomicUsize,
    uses: AtomicUsize,
}

fn leave__leave() {
    let shared = Box::into_raw(Box::new(Shared { users: AtomicUsize::new(2), uses: AtomicUsize::new(0) }));
    let shared = shared.expose_provenance();
    let leave = move || {
        // SAFETY: it is there until both have left.
        let of_both = unsafe { &*std::ptr::with_exposed_provenance::<Shared>(shared) };
        of_both.uses.load(Relaxed);
        if of_both.users.fetch_sub(1, Release) == 1 {
            // SAFETY: both have left; if that is not ordered, the engine says so.
            drop(unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<Shared>(shared)) });
        }
    };
    let other = thread::spawn(leave);
    leave();
    other.join().expect("it does not panic");
}

#[test]
fn a_free_comes_after_the_fence() {
    let last = place(leave__leave, operation_name!("fetch_sub", Update));
    check(leave__leave, Overrides::new()).assert_verdict(Verdict::Freed);
    check(leave__leave, Overrides::new().with_fence_before(last, Acquire)).assert_verdict(Verdict::Freed);
    check(leave__leave, after(last)).assert_holds();
}

struct Guarded {
    data: UnsafeCell<u32>,
    flag: AtomicUsize,
}

// SAFETY: the flag orders the accesses; where it does not, the engine reports the race and nothing is read.
unsafe impl Sync for Guarded {}

impl Guarded {
    fn new() -> Self {
        Self { data: UnsafeCell::new(0), flag: AtomicUsize::new(0) }
    }

    fn write(&self) {
        // SAFETY: nobody reads before the flag is up.
        self.data.with_mut(|data| unsafe { *data = 1 });
        self.flag.store(1, Release);
    }

    fn read(&self) {
        // SAFETY: nobody writes once the flag is up.
        self.data.with(|data| assert_eq!(unsafe { *data }, 1));
    }
}

/// Reads when the flag is up, having waited so.
fn write__wait(wait: impl Fn(&AtomicUsize)) {
    let guarded = Guarded::new();
    thread::scope(|scope| {
        scope.spawn(|| guarded.write());
        wait(&guarded.flag);
        guarded.read();
    });
}

fn write__yield() {
    write__wait(|flag| {
        while flag.load(Relaxed) == 0 {
            spin_loop();
        }
    });
}

fn write__spin() {
    write__wait(|flag| while flag.load(Relaxed) == 0 {});
}

#[test]
fn a_thread_that_waits_in_a_loop_with_an_added_fence_is_seen_to_wait() {
    for program in [write__yield, write__spin] {
        let load = place(program, operation_name!("load", Load));
        check(program, Overrides::new()).assert_verdict(Verdict::Race);
        check(program, after(load)).assert_verdict(Verdict::Holds);
        check(program, after(load).with_fence_before(load, SeqCst)).assert_verdict(Verdict::Holds);
        check(program, Overrides::new().with_fence_before(load, Acquire)).assert_verdict(Verdict::Race);
    }
}

/// Waits for what nobody says.
fn yields() {
    let flag = AtomicUsize::new(0);
    while flag.load(Relaxed) == 0 {
        spin_loop();
    }
}

fn spins() {
    let flag = AtomicUsize::new(0);
    while flag.load(Relaxed) == 0 {}
}

#[test]
fn a_loop_with_an_added_fence_that_never_ends_is_a_livelock() {
    for program in [yields, spins] {
        check(program, after(place(program, operation_name!("load", Load))))
            .assert_verdict(Verdict::Livelock);
    }
}

/// Who joins the thread that looked knows what it saw.
fn write__look_join_read() {
    let guarded = Guarded::new();
    thread::scope(|scope| {
        scope.spawn(|| guarded.write());
        let looker = scope.spawn(|| guarded.flag.load(Relaxed));
        if looker.join().expect("it does not panic") == 1 {
            guarded.read();
        }
    });
}

#[test]
fn the_end_of_a_thread_comes_after_the_fence_of_its_last_operation() {
    let load = place(write__look_join_read, operation_name!("load", Load));
    check(write__look_join_read, Overrides::new()).assert_verdict(Verdict::Race);
    check(write__look_join_read, after(load)).assert_verdict(Verdict::Holds);
}

/// A counter that says with one operation that it is the last.
fn count__count_read() {
    let guarded = Guarded::new();
    thread::scope(|scope| {
        scope.spawn(|| guarded.write());
        let count = |old| (old == 1).then_some(2);
        if guarded.flag.fetch_update(Relaxed, Relaxed, count).is_ok() {
            guarded.read();
        }
    });
}

#[test]
fn fences_of_a_fetch_update_are_beside_the_whole_of_it() {
    let update = place(count__count_read, operation_name!("fetch_update", FetchUpdate));
    check(count__count_read, Overrides::new()).assert_verdict(Verdict::Race);
    check(count__count_read, after(update)).assert_verdict(Verdict::Holds);
    // Between its load and its compare-exchange nothing can be written.
    let before = Overrides::new().with_fence_before(update, Acquire);
    check(count__count_read, before).assert_verdict(Verdict::Race);
}

#[test]
#[cfg(feature = "loom")]
fn loom_does_an_added_fence_at_once_too() {
    use cdsspec_runtime::model::EngineKind;
    let load = operation_name!("load", Load);
    let update = operation_name!("fetch_update", FetchUpdate);
    for (program, name) in [(write__look_join_read as fn(), load), (count__count_read, update)] {
        let overrides = after(place(program, name));
        builder().engine(EngineKind::Loom).order_overrides(overrides).check(program).assert_holds();
    }
}

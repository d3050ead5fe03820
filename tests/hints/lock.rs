//! Who holds what, in a deadlock.

use super::{report, rows};
use cdsspec::sync::{Arc, Mutex, Once, RwLock};
use cdsspec::{Builder, EngineKind, thread};

const LABELS: [&str; 4] = ["thread 0", "thread 1", "thread 2", "do"];

fn two_locks() {
    let locks = Arc::new((Mutex::new(()), Mutex::new(())));
    let other = locks.clone();
    let thread = thread::spawn(move || {
        let _first = other.1.lock();
        let _second = other.0.lock();
    });
    let _first = locks.0.lock();
    let _second = locks.1.lock();
    drop((_first, _second));
    thread.join().expect("no thread panics");
}

#[test]
fn a_deadlock_says_who_holds_what_since_which_line() {
    for engine in [EngineKind::Rc11, EngineKind::Loom] {
        let outcome = Builder::new().engine(engine).check(two_locks);
        let report = outcome.report();
        assert!(report.starts_with("deadlock: 2 threads can never go on\n"), "{report}");
        assert_eq!(
            rows(report, &LABELS),
            [
                "thread 0: waits in lock: thread 1 holds it since its lock at A D",
                "thread 1: waits in lock: thread 0 holds it since its lock at C B",
                "do: let all threads take locks in one order, and whoever changes what another waits for notify or unpark it \
                 after that",
            ]
        );
    }
}

#[test]
fn a_thread_that_locks_twice_is_told_that_it_holds_the_lock() {
    let report = report(|| {
        let lock = Mutex::new(0);
        let _guard = lock.lock();
        let _again = lock.lock();
    });
    assert_eq!(
        rows(&report, &LABELS),
        [
            "thread 0: waits in lock: it holds that itself, since its lock at A B",
            "do: a thread cannot lock again what it holds: let the lock go before, as by the end of the guard's scope, or hand \
             the guard on",
        ]
    );
}

#[test]
fn the_readers_that_a_writer_waits_for_are_all_named() {
    let report = report(|| {
        let lock = Arc::new(RwLock::new(0));
        let other = lock.clone();
        let reader = thread::spawn(move || std::mem::forget(other.read()));
        reader.join().expect("no thread panics");
        let _reading = lock.read();
        let _writing = lock.write();
    });
    assert_eq!(
        rows(&report, &LABELS),
        [
            "thread 0: waits in write: thread 1, which has ended, holds it since its read at A; it holds that itself, since its \
             read at B C",
            "do: a thread cannot lock again what it holds: let the lock go before, as by the end of the guard's scope, or hand \
             the guard on",
        ]
    );
}

#[test]
fn a_lock_whose_guard_was_forgotten_is_held_by_a_thread_that_has_ended() {
    let report = report(|| {
        let lock = Arc::new(Mutex::new(0));
        let other = lock.clone();
        thread::spawn(move || std::mem::forget(other.try_lock())).join().expect("no thread panics");
        drop(lock.lock());
    });
    assert_eq!(
        rows(&report, &LABELS),
        [
            "thread 0: waits in lock: thread 1, which has ended, holds it since its try_lock at A B",
            "do: a thread ended without letting the lock go: do not forget its guard",
        ]
    );
}

#[test]
fn an_initialisation_that_waits_for_itself_is_held_like_a_lock() {
    let report = report(|| {
        let once = Once::new();
        once.call_once(|| once.call_once(|| {}));
    });
    assert_eq!(
        rows(&report, &LABELS)[..1],
        ["thread 0: waits in call_once: it holds that itself, since its call_once at A A"]
    );
}

#[test]
fn what_is_no_lock_is_held_by_nobody() {
    let report = report(|| {
        let (sender, receiver) = cdsspec::sync::mpsc::channel::<u32>();
        sender.send(1).expect("no thread panics");
        receiver.recv().expect("no thread panics");
        receiver.recv().expect("no thread panics");
    });
    assert_eq!(rows(&report, &LABELS)[..1], ["thread 0: waits in recv A"]);
}

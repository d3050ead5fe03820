//! Programs of loom's API, which run on rc11.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;
use patched_loom_structure::Slot;
use std::panic;

fn publish(published: Ordering) {
    let slot = Arc::new(Slot::new(published));
    let other = Arc::clone(&slot);
    let thread = thread::spawn(move || other.set(1));
    assert!(matches!(slot.get(), None | Some(1)));
    thread.join().unwrap();
}

#[test]
fn what_a_dependency_publishes_is_explored() {
    loom::model(|| publish(Ordering::Release));
    let failed = panic::catch_unwind(|| loom::model(|| publish(Ordering::Relaxed)));
    let report = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(report.starts_with("race: "), "{report}");
    assert!(report.contains("rc11"), "{report}");
}

/// loom's accesses are `AcqRel`, so that it shows (false, false) here.
#[test]
fn seq_cst_accesses_are_ordered() {
    loom::model(|| {
        let (x, y) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (x2, y2) = (Arc::clone(&x), Arc::clone(&y));
        let thread = thread::spawn(move || {
            x2.store(true, Ordering::SeqCst);
            y2.load(Ordering::SeqCst)
        });
        y.store(true, Ordering::SeqCst);
        let saw = x.load(Ordering::SeqCst);
        assert!(saw || thread.join().unwrap());
    });
}

#[test]
fn any_number_of_threads_can_be_started() {
    loom::model(|| {
        let threads: Vec<_> = (0..8).map(|index| thread::spawn(move || index)).collect();
        let sum: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        assert_eq!(sum, 28);
    });
}

/// `cdsspec` is there as well, and meant by `--cfg loom` is this.
#[test]
fn the_default_engine_is_rc11() {
    let outcome = cdsspec::Builder::new().check(|| {});
    assert_eq!(outcome.engine, "rc11");
}

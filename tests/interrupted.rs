//! What is left on the screen when a run does not come to its end: what was found before.

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::{Builder, thread};
use std::process::Command;
use std::sync::Arc;

/// Set in the process that does not come to its end.
const CHILD: &str = "CHILD_OF_THE_TEST";

fn is_wrong_once_and_then_aborts() {
    let _outcome = Builder::new().name("crashes").stop_at_first(false).check(|| {
        let x = Arc::new(AtomicUsize::new(0));
        let x2 = x.clone();
        let other = thread::spawn(move || x2.store(1, Relaxed));
        let seen = x.load(Relaxed);
        other.join().expect("it does not panic");
        if seen == 1 {
            std::process::abort();
        }
        panic!("nothing was seen");
    });
}

/// Runs itself again, as the process that aborts.
#[test]
fn a_crash_leaves_what_was_found_before() {
    if std::env::var_os(CHILD).is_some() {
        return is_wrong_once_and_then_aborts();
    }
    let test = std::env::current_exe().expect("a test has a file");
    let output = Command::new(test)
        .args(["--exact", "a_crash_leaves_what_was_found_before", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .expect("it runs");
    let shown = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "it aborts");
    for phrase in ["panic: nothing was seen", "execution 1; the run goes on", "interrupted.rs"] {
        assert!(shown.contains(phrase), "{phrase}: {shown}");
    }
}

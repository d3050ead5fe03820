//! A lock of std that is held while another thread runs: the run stands still, and says where its threads are.

use crate::child;

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Release};
use cdsspec::{Builder, hint, thread};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn stands_still(builder: Builder) {
    let _outcome = builder.name("stands_still").check(|| {
        let shared = Arc::new((Mutex::new(()), AtomicUsize::new(0)));
        let shared2 = shared.clone();
        let other = thread::spawn(move || {
            while shared2.1.load(Acquire) == 0 {
                hint::spin_loop();
            }
            let _guard = shared2.0.lock();
        });
        let guard = shared.0.lock();
        shared.1.store(1, Release);
        other.join().expect("it does not panic");
        drop(guard);
    });
}

/// The harness captures what tests print, and never shows it of one that does not end.
#[test]
fn a_run_that_stands_still_says_where_its_threads_are_though_the_harness_captures() {
    if child::is_child() {
        let patience = [300, 20_000].map(Duration::from_millis);
        return stands_still(Builder::new().watchdog(patience[0]).watchdog_exit(patience[1]));
    }
    let (shown, _) = child::run_until(
        &child::test_name!("a_run_that_stands_still_says_where_its_threads_are_though_the_harness_captures"),
        "  do ",
        |child| child.kill().expect("it stands still"),
    );
    for phrase in [
        "stands_still: nothing has moved for 0.3 s\n",
        "thread 0  last did join",
        "thread 1  last did load",
        "tests/watchdog.rs:16",
    ] {
        assert!(shown.contains(phrase), "{phrase}: {shown}");
    }
}

#[test]
fn a_run_that_stands_still_ends_the_process_where_that_is_asked_for() {
    if child::is_child() {
        return stands_still(Builder::new());
    }
    let variables = [("CDSSPEC_WATCHDOG_MS", "0"), ("CDSSPEC_WATCHDOG_EXIT_MS", "200")];
    let output = child::run(
        &child::test_name!("a_run_that_stands_still_ends_the_process_where_that_is_asked_for"),
        &variables,
    );
    let shown = child::stderr(&output);
    assert_eq!(output.status.code(), Some(101), "{shown}");
    for phrase in ["stands_still: nothing has moved for 0.2 s; the process ends\n", "thread 0  last did join"]
    {
        assert!(shown.contains(phrase), "{phrase}: {shown}");
    }
}

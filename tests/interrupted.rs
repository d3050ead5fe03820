//! What is left on the screen when a run does not come to its end: what was found before.

use crate::child;

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::{Builder, thread};
use std::sync::Arc;

/// Panics in its first execution, and does `then` in the second.
fn is_wrong_once(then: fn()) {
    let _outcome = Builder::new().name("is_wrong_once").stop_at_first(false).check(move || {
        let x = Arc::new(AtomicUsize::new(0));
        let x2 = x.clone();
        let other = thread::spawn(move || x2.store(1, Relaxed));
        let seen = x.load(Relaxed);
        other.join().expect("it does not panic");
        if seen == 1 {
            then();
        }
        panic!("nothing was seen");
    });
}

const FOUND: [&str; 3] = ["panic: nothing was seen", "execution 1; the run goes on", "interrupted.rs"];

#[test]
fn a_crash_leaves_what_was_found_before() {
    if child::is_child() {
        return is_wrong_once(|| std::process::abort());
    }
    let output = child::run(&child::test_name!("a_crash_leaves_what_was_found_before"), &[]);
    let shown = child::stderr(&output);
    assert!(!output.status.success(), "it aborts");
    for phrase in FOUND {
        assert!(shown.contains(phrase), "{phrase}: {shown}");
    }
}

/// Nobody waits so long: whoever sees what was found presses Ctrl-C, and the harness, which captures, never shows it.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_was_found_before() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;
    use std::time::Duration;

    if child::is_child() {
        return is_wrong_once(|| std::thread::sleep(Duration::from_secs(20)));
    }
    let (shown, status) = child::run_until(
        &child::test_name!("an_interrupt_leaves_what_was_found_before"),
        "the run goes on",
        |child| {
            let pid = child.id().to_string();
            let killed = Command::new("kill").args(["-INT", &pid]).status().expect("there is a `kill`");
            assert!(killed.success());
        },
    );
    const SIGINT: i32 = 2;
    assert_eq!(status.signal(), Some(SIGINT), "{shown}");
    for phrase in FOUND {
        assert!(shown.contains(phrase), "{phrase}: {shown}");
    }
}

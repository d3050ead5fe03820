//! A lock of std that is held while another thread runs: the run stands still, and says where its threads are.

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Release};
use cdsspec::{Builder, hint, thread};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Set in the process that stands still.
const CHILD: &str = "CHILD_OF_THE_TEST";

fn stands_still() {
    let _outcome = Builder::new().name("stands_still").watchdog(Duration::from_millis(300)).check(|| {
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

/// Runs itself again, as the process that stands still.
#[test]
fn a_run_that_stands_still_says_where_its_threads_are() {
    if std::env::var_os(CHILD).is_some() {
        return stands_still();
    }
    let test = std::env::current_exe().expect("a test has a file");
    let mut child = Command::new(test)
        .args(["--exact", "a_run_that_stands_still_says_where_its_threads_are", "--nocapture"])
        .env(CHILD, "1")
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it runs");
    let stderr = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut lines = Vec::new();
    for line in stderr.lines() {
        lines.push(line.expect("it is text"));
        if lines.last().is_some_and(|line| line.contains("  do ")) {
            break;
        }
    }
    child.kill().expect("it stands still");
    child.wait().expect("it was killed");
    let shown = lines.join("\n");
    for phrase in [
        "stands_still: nothing has moved for 0.3 s",
        "thread 0  last did join",
        "thread 1  last did load",
        "tests/watchdog.rs:19",
    ] {
        assert!(shown.contains(phrase), "{phrase}: {shown}");
    }
}

//! Threads.

use super::fake::{Run, assert_placed, names, run};
use cdsspec_runtime::thread::{self, Builder};
use std::time::Duration;

#[test]
fn a_thread_returns_its_result() {
    let test = || thread::spawn(|| 7).join().unwrap();
    assert_eq!(test(), 7);
    let (value, recording) = run(test);
    assert_eq!(value, 7);
    assert_eq!(names(&recording), ["spawn", "join"]);
    assert_placed(&recording, file!());
}

#[test]
fn a_thread_that_borrows_unchecked_runs_as_others() {
    let test = || {
        let (mut left, right) = (1, 2);
        // SAFETY: it is joined here.
        let child = unsafe {
            Builder::new().spawn_unchecked(|| {
                left += right;
                &right
            })
        };
        let result = *child.unwrap().join().unwrap();
        (left, result)
    };
    assert_eq!(test(), (3, 2));
    let (value, recording) = run(test);
    assert_eq!(value, (3, 2));
    assert_eq!(names(&recording), ["spawn", "join"]);
    assert_placed(&recording, file!());
}

#[test]
fn joining_a_thread_that_panicked_gives_its_payload() {
    let test = || {
        let payload = thread::spawn(|| std::panic::resume_unwind(Box::new("payload"))).join().unwrap_err();
        *payload.downcast::<&str>().unwrap()
    };
    assert_eq!(test(), "payload");
    assert_eq!(run(test).0, "payload");
}

#[test]
fn a_thread_has_the_name_that_it_was_given() {
    let test = || {
        let builder = Builder::new().name("worker".to_owned()).stack_size(64 * 1024);
        let child = builder.spawn(|| thread::current().name().map(str::to_owned)).unwrap();
        assert_eq!(child.thread().name(), Some("worker"));
        assert_ne!(child.thread().id(), thread::current().id());
        child.join().unwrap()
    };
    assert_eq!(test().as_deref(), Some("worker"));
    assert_eq!(run(test).0.as_deref(), Some("worker"));
    assert_eq!(run(|| thread::current().name().map(str::to_owned)).0.as_deref(), Some("main"));
}

#[test]
fn a_dropped_handle_leaves_the_thread_and_its_result_is_dropped() {
    let (count, recording) = run(|| {
        let value = std::sync::Arc::new(());
        let inner = std::sync::Arc::clone(&value);
        drop(thread::spawn(move || inner));
        std::sync::Arc::strong_count(&value)
    });
    assert_eq!(count, 1);
    assert_eq!(names(&recording), ["spawn"]);
}

#[test]
fn unpark_is_kept_for_the_next_park() {
    let test = || {
        let main = thread::current();
        thread::spawn(move || main.unpark()).join().unwrap();
        thread::park();
        thread::current().unpark();
        thread::current().unpark();
        thread::park();
    };
    test();
    let ((), recording) = run(test);
    assert_eq!(names(&recording), ["spawn", "unpark", "join", "park", "unpark", "unpark", "park"]);
    assert_eq!(recording.locations.len(), 1);
    assert_placed(&recording, file!());
}

#[test]
fn unpark_happens_before_the_park_that_it_ends() {
    let ((), recording) = run(|| {
        let main = thread::current();
        let _detached = thread::spawn(move || main.unpark());
        thread::park();
    });
    assert_eq!(names(&recording), ["spawn", "unpark", "park"]);
    assert!(recording.operations[1].happens_before(&recording.operations[2]));
}

#[test]
fn a_handle_of_an_execution_that_is_over_does_nothing() {
    let runner = Run::new();
    let (old, old_id) = runner.execute(|| (thread::current(), thread::current().id()));
    old.unpark();
    runner.execute(|| {
        old.unpark();
        assert_ne!(thread::current().id(), old_id);
    });
    runner.recording(|recording| assert_eq!(recording.operations.len(), 0));
    assert_eq!(format!("{old_id:?}"), "ThreadId(0)");
}

#[test]
fn there_is_no_time_in_an_execution() {
    let ((), recording) = run(|| {
        thread::sleep(Duration::from_secs(1_000_000));
        thread::yield_now();
        assert!(!thread::panicking());
    });
    assert_eq!(names(&recording), ["sleep", "yield_now"]);
    assert_placed(&recording, file!());
    thread::sleep(Duration::from_millis(1));
    thread::yield_now();
}

#[test]
#[expect(deprecated, reason = "they are part of std's API")]
fn the_deprecated_times_in_milliseconds_are_there() {
    let test = || {
        thread::sleep_ms(1);
        thread::park_timeout_ms(1);
    };
    test();
    let ((), recording) = run(test);
    assert_eq!(names(&recording)[..2], ["sleep", "park_timeout"]);
    assert_placed(&recording, file!());
}

#[test]
fn a_finished_thread_says_so() {
    let test = || {
        let child = thread::spawn(|| ());
        while !child.is_finished() {
            std::thread::yield_now();
        }
        format!("{child:?}")
    };
    assert_eq!(test(), "JoinHandle { .. }");
    assert_eq!(run(test).0, "JoinHandle { .. }");
}

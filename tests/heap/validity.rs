//! What std or the program keeps beyond an execution stays valid, and so does what crosses the border either way.

use super::common::{ENGINES, Node, check};
use crate::child;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::{Builder, EngineKind, Verdict, hint, thread};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock, mpsc};

/// Two threads meet at an atomic, so that there is more than one execution.
fn in_several_executions(body: impl Fn(usize) + Send + Sync + 'static) {
    let body = Arc::new(body);
    for engine in ENGINES {
        let body = body.clone();
        let outcome = Builder::new().engine(engine).stop_at_first(false).check(move || {
            let flag = cdsspec::sync::Arc::new(AtomicUsize::new(0));
            let (flag2, body2) = (flag.clone(), body.clone());
            let other = thread::spawn(move || {
                flag2.store(1, Release);
                body2(1);
            });
            body(flag.load(Acquire));
            other.join().expect("no thread panics");
        });
        assert!(outcome.holds() && outcome.executions > 1, "{outcome}");
    }
}

#[test]
fn what_is_printed_in_an_execution_goes_to_buffers_that_last() {
    if child::is_child() {
        in_several_executions(|value| {
            println!("{}", "in an execution ".repeat(20 + value));
            // Past the harness, which captures what the macros print.
            let mut out = std::io::stdout().lock();
            out.write_all(" ".repeat(3000 * value).as_bytes()).expect("stdout is open");
            out.flush().expect("stdout is open");
        });
        return println!("{}", "outside of one ".repeat(100));
    }
    let test = child::test_name!("what_is_printed_in_an_execution_goes_to_buffers_that_last");
    let output = child::run(&test, &[]);
    assert!(output.status.success(), "{}", child::stderr(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains(&" ".repeat(3000)) && !printed.contains("execution "), "{printed}");
}

#[test]
fn what_a_once_lock_keeps_is_there_in_the_next_execution() {
    static NAMES: OnceLock<HashMap<usize, String>> = OnceLock::new();
    static GROWN: Mutex<Vec<String>> = Mutex::new(Vec::new());
    in_several_executions(|value| {
        let names = NAMES.get_or_init(|| (0..100).map(|number| (number, number.to_string())).collect());
        assert_eq!(names[&(value + 40)], (value + 40).to_string());
        GROWN.lock().expect("nobody panics with it").push("y".repeat(value + 1));
    });
    let names = NAMES.get().expect("it was initialised");
    assert!((0..100).all(|number| names[&number] == number.to_string()));
    let grown = std::mem::take(&mut *GROWN.lock().expect("nobody panics with it"));
    assert!(grown.iter().all(|text| text.chars().all(|letter| letter == 'y')));
}

#[test]
fn what_a_thread_local_of_std_keeps_is_there_in_the_next_execution() {
    std::thread_local! {
        static KEPT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    }
    in_several_executions(|value| KEPT.with_borrow_mut(|kept| kept.push(value.to_string())));
    KEPT.with_borrow(|kept| assert!(kept.len() > 3 && kept.iter().all(|value| value == "0" || value == "1")));
}

#[test]
fn a_panic_with_a_hook_and_a_backtrace_leaves_nothing_behind_that_is_reused() {
    for engine in ENGINES {
        for _ in 0..3 {
            let outcome = check(engine, || {
                let text = std::backtrace::Backtrace::force_capture().to_string();
                assert!(text.is_empty(), "{} frames", text.lines().count());
            });
            assert_eq!(outcome.verdict, Verdict::Panic, "{outcome}");
        }
    }
    assert!(!std::backtrace::Backtrace::force_capture().to_string().is_empty());
}

#[test]
fn std_threads_made_in_an_execution_free_what_it_allocated_and_it_frees_what_they_did() {
    in_several_executions(|value| {
        let (send, receive) = mpsc::channel::<Vec<u8>>();
        let made = vec![1_u8; 100 + value];
        let outside = std::thread::spawn(move || {
            drop(made);
            let sent = vec![2_u8; 100];
            send.send(sent).expect("it is received");
            vec![3_u8; 100]
        });
        assert_eq!(receive.recv().expect("it is sent"), [2; 100]);
        assert_eq!(outside.join().expect("it does not panic"), [3; 100]);
    });
}

#[test]
fn std_threads_that_outlive_an_execution_free_what_it_allocated_meanwhile_and_after() {
    let (send, receive) = mpsc::channel::<Vec<u8>>();
    let outside = std::thread::spawn(move || {
        receive.into_iter().map(|bytes| assert!(bytes.iter().all(|byte| *byte == 7))).count()
    });
    in_several_executions(move |value| {
        for bytes in 1..50 {
            send.send(vec![7; bytes * (value + 1)]).expect("it is received");
        }
    });
    assert!(outside.join().expect("it does not panic") >= 4 * 49);
}

#[test]
fn what_was_allocated_before_is_freed_in_an_execution_and_what_is_kept_of_one_is_freed_after() {
    let before = Arc::new(Mutex::new((0..40).map(|number| vec![number; 30]).collect::<Vec<_>>()));
    let after = Arc::new(Mutex::new(Vec::new()));
    let (before2, after2) = (before.clone(), after.clone());
    in_several_executions(move |value| {
        drop(before2.lock().expect("nobody panics with it").pop());
        after2.lock().expect("nobody panics with it").push(vec![value; 30]);
    });
    let after = std::mem::take(&mut *after.lock().expect("nobody panics with it"));
    assert!(after.iter().all(|values| values.iter().all(|value| *value <= 1)));
    assert!(before.lock().expect("nobody panics with it").len() < 40);
}

#[test]
fn memory_that_was_freed_stays_as_it_was_until_the_execution_ends() {
    for engine in ENGINES {
        let outcome = Builder::new().engine(engine).freed(false).check(|| {
            let freed: Vec<*mut Node> = (0..100).map(Node::alloc).collect();
            for &node in &freed {
                // SAFETY: it is held back: that is what is tested.
                unsafe { Node::free(node) };
            }
            let fresh: Vec<*mut Node> = (0..100).map(Node::alloc).collect();
            assert!(fresh.iter().all(|node| !freed.contains(node)));
            for (number, node) in freed.into_iter().enumerate() {
                // SAFETY: as above.
                assert_eq!(unsafe { &*node }.value.load(Relaxed), number);
            }
            for node in fresh {
                // SAFETY: nobody else has it.
                unsafe { Node::free(node) };
            }
        });
        assert!(outcome.holds(), "{outcome}");
    }
}

#[test]
fn a_loop_that_allocates_in_each_round_is_still_known_to_wait() {
    let outcome = check(EngineKind::Rc11, || {
        let flag = cdsspec::sync::Arc::new(AtomicUsize::new(0));
        let flag2 = flag.clone();
        let other = thread::spawn(move || flag2.store(1, Release));
        loop {
            let round = Box::new(1);
            if flag.load(Acquire) == *round {
                break;
            }
            drop(round);
            hint::spin_loop();
        }
        other.join().expect("no thread panics");
    });
    let complete = outcome.complete_executions - outcome.delayed_executions;
    assert_eq!((outcome.verdict, complete), (Verdict::Holds, 1), "{outcome}");
}

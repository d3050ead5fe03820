//! A program that ends the process leaves a line that says which program it was, in which test, though the harness captures.

#![cfg(unix)]

use crate::child;

use cdsspec::{Builder, EngineKind, thread};
use std::os::unix::process::ExitStatusExt;

const ABORT: i32 = 6;
const SEGMENTATION: i32 = 11;

/// Runs a test as a child that crashes: it ends by this signal, and its standard error output has each of the phrases.
fn crashes(test: &str, signal: i32, phrases: &[&str]) {
    let output = child::run(&child::test_name!(test), &[]);
    let shown = child::notes(&output);
    assert_eq!(output.status.signal(), Some(signal), "{shown}");
    for phrase in phrases {
        assert!(shown.contains(phrase), "{phrase}: {shown}");
    }
    assert_eq!(shown.matches("cdsspec: the process ended").count(), 1, "{shown}");
}

/// Runs in a second thread of a program.
fn run(engine: EngineKind, crash: fn()) {
    let builder = Builder::new().name("crash__join").engine(engine);
    let _outcome = builder.check(move || thread::spawn(crash).join().expect("it does not panic"));
}

fn overflow() {
    #[expect(unconditional_recursion, reason = "the stack is to overflow")]
    fn deeper(depth: u64) -> u64 {
        let frame = std::hint::black_box([depth; 64]);
        deeper(depth + 1) + frame[0]
    }
    std::hint::black_box(deeper(0));
}

fn panic_twice() {
    struct Panics;
    impl Drop for Panics {
        fn drop(&mut self) {
            panic!("the second panic");
        }
    }
    let _panics = Panics;
    panic!("the first panic");
}

#[test]
fn a_stack_overflow_of_a_program_names_it() {
    if child::is_child() {
        return run(EngineKind::Rc11, overflow);
    }
    let line = "cdsspec: the process ended by SIGSEGV while the program `crash__join` ran, in the test \
                `crash::a_stack_overflow_of_a_program_names_it`: a stack overflowed (`Builder::stack_bytes`)";
    crashes("a_stack_overflow_of_a_program_names_it", SEGMENTATION, &[line]);
}

#[test]
fn an_abort_on_loom_names_the_program() {
    if child::is_child() {
        return run(EngineKind::Loom, || std::process::abort());
    }
    crashes("an_abort_on_loom_names_the_program", ABORT, &["`crash__join`"]);
}

#[test]
fn an_abort_of_a_program_names_it() {
    if child::is_child() {
        return run(EngineKind::Rc11, || std::process::abort());
    }
    let line = "cdsspec: the process ended by SIGABRT while the program `crash__join` ran, in the test \
                `crash::an_abort_of_a_program_names_it`: it was aborted";
    crashes("an_abort_of_a_program_names_it", ABORT, &[line]);
}

#[test]
fn a_panic_while_a_program_panics_names_it() {
    if child::is_child() {
        return run(EngineKind::Rc11, panic_twice);
    }
    let phrases =
        ["ended by SIGABRT while the program `crash__join` ran", "something panicked while a panic"];
    crashes("a_panic_while_a_program_panics_names_it", ABORT, &phrases);
}

/// std's own handler, which was there before, still says what it knows, and nothing is told of a program that has ended.
#[test]
fn a_crash_outside_of_any_program_is_none_of_ours() {
    if child::is_child() {
        run(EngineKind::Rc11, || ());
        return overflow();
    }
    let test = "a_crash_outside_of_any_program_is_none_of_ours";
    let output = child::run(&child::test_name!(test), &[]);
    let shown = child::stderr(&output);
    assert_eq!(output.status.signal(), Some(ABORT), "{shown}");
    assert!(shown.contains("has overflowed its stack") && !shown.contains("cdsspec: "), "{shown}");
}

//! A panic of the checker's own is no verdict: it is never shown as the program's, wherever it happens and whoever catches it.

use crate::by_hand;
use crate::child;

use cdsspec::__private as private;
use cdsspec::{Builder, EngineKind, Outcome, Verdict, thread};
use private::{MethodId, as_instance};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Nothing is written about it that holds anything.
struct Unit;

#[cdsspec::spec]
impl Unit {
    #[post_condition(is_looked_at(index))]
    fn look(&self, index: usize) {
        let _ = index;
    }
}

/// A clause that asks our own code for a method that is not there.
fn is_looked_at(index: usize) -> bool {
    by_hand::specification("Unit").method(MethodId::new(index)).clauses.len() == 1
}

/// A mistake that our code finds by itself, and says is one.
fn panics_as_a_bug() {
    as_instance::<u32, i32>(&1);
}

/// A mistake that nobody has foreseen.
fn panics_in_our_code() {
    is_looked_at(7);
}

/// The text of the panic with which the check ends; or what it comes to.
fn check(engine: EngineKind, program: impl Fn() + Send + Sync + 'static) -> Result<Outcome, String> {
    let check = || Builder::new().name("bug").engine(engine).stop_at_first(false).check(program);
    catch_unwind(AssertUnwindSafe(check))
        .map_err(|payload| *payload.downcast::<String>().expect("the panic has a text"))
}

#[track_caller]
fn assert_is_bug(result: Result<Outcome, String>, first_line: &str, place: &str) {
    let text = result.expect_err("it is no verdict");
    assert_eq!(text.lines().next(), Some(first_line), "{text}");
    let version = format!("version  cdsspec {}, engine ", env!("CARGO_PKG_VERSION"));
    for phrase in [place, version.as_str(), "  program  bug\n", "please send these"] {
        assert!(text.contains(phrase), "{phrase}: {text}");
    }
}

const FORESEEN: &str = "cdsspec bug: only values of the specified instance are recorded";
const UNFORESEEN: &str = "cdsspec bug: index out of bounds: the len is 1 but the index is 7";
const INSTANCE: &str = "cdsspec-runtime/src/specification/instance.rs:";
const SPECIFICATION: &str = "cdsspec-runtime/src/specification/mod.rs:";

#[test]
fn a_panic_of_ours_in_a_thread_of_the_program_is_no_panic_of_the_program() {
    for engine in [EngineKind::Rc11, EngineKind::Loom] {
        assert_is_bug(check(engine, panics_as_a_bug), FORESEEN, INSTANCE);
        assert_is_bug(check(engine, panics_in_our_code), UNFORESEEN, SPECIFICATION);
        let in_second_thread = || drop(thread::spawn(panics_in_our_code));
        assert_is_bug(check(engine, in_second_thread), UNFORESEEN, SPECIFICATION);
    }
}

#[test]
fn a_panic_of_ours_that_the_program_takes_as_a_result_is_a_bug_all_the_same() {
    let joined = || drop(thread::spawn(panics_in_our_code).join().expect_err("it panics"));
    assert_is_bug(check(EngineKind::Rc11, joined), UNFORESEEN, SPECIFICATION);
    let caught = || drop(catch_unwind(panics_in_our_code).expect_err("it panics"));
    assert_is_bug(check(EngineKind::Rc11, caught), UNFORESEEN, SPECIFICATION);
}

#[test]
fn a_panic_of_ours_while_an_execution_is_checked_is_no_mistake_of_the_specification() {
    assert_is_bug(check(EngineKind::Rc11, || Unit.look(7)), UNFORESEEN, SPECIFICATION);
    assert!(check(EngineKind::Rc11, || Unit.look(0)).expect("nothing panics").holds());
}

/// A run that goes on after a fault prints it at once.
#[test]
fn a_panic_of_ours_is_not_printed_as_a_fault_either() {
    if child::is_child() {
        return assert_is_bug(check(EngineKind::Rc11, || Unit.look(7)), UNFORESEEN, SPECIFICATION);
    }
    let output = child::run(&child::test_name!("a_panic_of_ours_is_not_printed_as_a_fault_either"), &[]);
    assert_eq!((output.status.code(), child::stderr(&output)), (Some(0), String::new()));
}

#[test]
fn a_panic_of_the_program_is_the_program_s() {
    let verdict = |program: fn()| check(EngineKind::Rc11, program).map(|outcome| outcome.verdict);
    let out_of_bounds = || {
        let values = std::hint::black_box([0_u8; 1].as_slice());
        std::hint::black_box(values[std::hint::black_box(7)]);
    };
    assert_eq!(verdict(out_of_bounds), Ok(Verdict::Panic));
    assert_eq!(
        verdict(|| cdsspec::sync::atomic::fence(std::sync::atomic::Ordering::Relaxed)),
        Ok(Verdict::Panic)
    );
    // Ours says so, at a place of ours: the mistake is the program's.
    let scope_panics = || thread::scope(|scope| drop(scope.spawn(|| panic!("in the scope"))));
    assert_eq!(verdict(scope_panics), Ok(Verdict::Panic));
}

#[test]
fn a_run_after_a_bug_is_as_if_there_had_been_none() {
    assert_is_bug(check(EngineKind::Rc11, panics_in_our_code), UNFORESEEN, SPECIFICATION);
    assert!(check(EngineKind::Rc11, || drop(thread::spawn(|| ()))).expect("nothing panics").holds());
}

//! `#[cdsspec::test]`: the body is a program, run for every execution.

#![allow(non_snake_case, reason = "programs spell themselves: `add__add`")]

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::thread;
use cdsspec::{Builder, Outcome};

/// A register, of which reads may be old.
struct Register {
    value: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(value: i32)]
impl Register {
    const fn new() -> Self {
        Self { value: AtomicI32::new(0) }
    }

    #[side_effect(*value = new)]
    fn write(&self, new: i32) {
        #[op_define]
        self.value.store(new, Release);
    }

    #[side_effect(*value)]
    fn read(&self) -> i32 {
        #[op_define]
        self.value.load(Acquire)
    }

    /// A mistake: the read is not what the last write wrote.
    #[side_effect(*value)]
    fn read_wrong(&self) -> i32 {
        #[op_define]
        let value = self.value.load(Relaxed);
        value + 1
    }
}

static SHARED: Register = Register::new();

#[cdsspec::test]
fn a_register_holds_in_one_thread() {
    SHARED.write(1);
    assert_eq!(SHARED.read(), 1);
}

#[cdsspec::test(executions_max = 10_000, call_clock = false)]
fn writes_of_two_threads_are_ordered_by_their_points_or_not_at_all() {
    let register = Arc::new(AtomicI32::new(0));
    let other = Arc::clone(&register);
    let child = thread::spawn(move || other.store(1, Release));
    child.join().expect("it does not panic");
    assert_eq!(register.load(Acquire), 1);
}

#[cdsspec::test]
#[should_panic(expected = "violated")]
fn a_wrong_value_is_violated() {
    SHARED.read_wrong();
}

#[cdsspec::test]
fn a_result_is_looked_at() -> Result<(), std::num::ParseIntError> {
    let value: i32 = "1".parse()?;
    SHARED.write(value);
    Ok(())
}

#[cdsspec::test]
#[should_panic(expected = "InvalidDigit")]
fn an_error_fails_the_test() -> Result<(), std::num::ParseIntError> {
    let _: i32 = "x".parse()?;
    Ok(())
}

#[should_panic(expected = "violated")]
#[cdsspec::test]
#[allow(clippy::unit_arg, reason = "another attribute below")]
fn attributes_may_stand_above_and_below() {
    SHARED.read_wrong();
}

#[cdsspec::test(
    name = "write__read",
    engine = cdsspec::EngineKind::Loom,
    executions_max = 10_000,
    duration_max = std::time::Duration::from_secs(60),
    preemptions_max = 3,
    branches_max = 1_000,
    recording_max = 1_000,
    histories_max = 1_000,
    histories = cdsspec::Histories::All,
    sc_order = cdsspec::SeqCstOrder::Total,
    seed = 1,
    call_clock = true,
    stop_at_first = true,
    spurious_failures = false,
    loop_rounds_max = 4,
    stack_bytes = 1 << 18,
    verdict = HoldsWithin
)]
fn every_limit_is_an_argument() {
    SHARED.write(1);
    assert_eq!(SHARED.read(), 1);
}

#[cdsspec::test(verdict = Violated)]
fn a_seeded_bug_is_expected() {
    SHARED.read_wrong();
}

#[cdsspec::test(verdict = cdsspec::Verdict::Inconclusive | Violated, branches_max = 1)]
fn one_of_several_verdicts_is_expected() {
    SHARED.write(1);
    SHARED.read_wrong();
}

#[cdsspec::test(verdict = Violated)]
#[should_panic(expected = "expected: violated, and not\nholds")]
fn a_bug_that_is_not_there_fails_the_test() {
    SHARED.write(1);
}

/// Counts how often a test body ran.
static RUNS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

#[cdsspec::test]
fn a_check_runs_once_and_its_outcome_must_hold() -> Outcome {
    assert_eq!(RUNS.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
    Builder::new().check(|| {
        let other = thread::spawn(|| SHARED.write(1));
        SHARED.write(2);
        other.join().expect("it does not panic");
    })
}

#[cdsspec::test]
#[should_panic(expected = "violated: `read_wrong` returned 1, the specification says 0")]
fn a_check_fails_with_its_report() -> Outcome {
    Builder::new().check(|| _ = SHARED.read_wrong())
}

#[cdsspec::test(verdict = Violated)]
fn a_check_is_expected_to_find_a_bug() -> Outcome {
    Builder::new().check(|| _ = SHARED.read_wrong())
}

#[cdsspec::test]
#[should_panic(expected = "inconclusive")]
fn a_check_that_reached_its_limit_is_no_pass() -> Outcome {
    Builder::new().executions_max(1).check(|| {
        let other = thread::spawn(|| SHARED.write(1));
        SHARED.value.load(Acquire);
        other.join().expect("it does not panic");
    })
}

#[cdsspec::test]
fn a_check_behind_a_question_mark() -> Result<Outcome, std::num::ParseIntError> {
    let value: i32 = "1".parse()?;
    Ok(Builder::new().check(move || SHARED.write(value)))
}

#[cdsspec::test]
#[should_panic(expected = "InvalidDigit")]
fn an_error_before_the_check_fails_the_test() -> Result<Outcome, std::num::ParseIntError> {
    let value: i32 = "x".parse()?;
    Ok(Builder::new().check(move || SHARED.write(value)))
}

/// The type decides, whatever it is called.
type Checked = Outcome;

#[cdsspec::test]
fn an_alias_of_an_outcome_is_one() -> Checked {
    Builder::new().check(|| SHARED.write(1))
}

#[test]
fn an_outcome_is_the_result_of_a_plain_test_too() -> Outcome {
    Builder::new().check(|| SHARED.write(1))
}

#[test]
fn an_outcome_that_does_not_hold_fails_a_plain_test() {
    use std::process::{ExitCode, Termination};
    let code = |outcome: Outcome| format!("{:?}", Termination::report(outcome));
    assert_eq!(code(Builder::new().check(|| _ = SHARED.read_wrong())), format!("{:?}", ExitCode::FAILURE));
    assert_eq!(code(Builder::new().check(|| _ = SHARED.read())), format!("{:?}", ExitCode::SUCCESS));
}

#[cdsspec::test]
#[should_panic(expected = "it never returns")]
fn a_test_that_never_returns() -> ! {
    panic!("it never returns")
}

#[cdsspec::test]
fn attributes_inside_the_body() {
    #![allow(unused_variables, reason = "stands inside")]
    let unused = SHARED.read();
}

/// Attributes of other crates that make tests, as tokens: one wraps the body and adds `#[test]`, the other only wraps it.
mod other_test_attributes {
    use super::{Builder, Outcome, SHARED};

    #[cdsspec::test]
    #[::core::prelude::v1::test]
    fn another_test_attribute_below_is_kept_and_not_doubled() {
        SHARED.write(1);
    }

    #[cdsspec::test]
    #[test]
    fn another_test_attribute_below_a_check() -> Outcome {
        Builder::new().check(|| SHARED.write(1))
    }
}

/// The example of the documentation, which a doctest does not run.
mod documented {
    use cdsspec::sync::atomic::{AtomicI32, Ordering::SeqCst};
    use cdsspec::{Builder, Outcome, thread};

    static COUNT: AtomicI32 = AtomicI32::new(0);

    #[cdsspec::test]
    fn add__add() {
        let other = thread::spawn(|| COUNT.fetch_add(1, SeqCst));
        COUNT.fetch_add(1, SeqCst);
        other.join().unwrap();
        assert_eq!(COUNT.load(SeqCst), 2);
    }

    // A seeded bug is found, within a limit.
    #[cdsspec::test(verdict = Panic, executions_max = 1_000)]
    fn load_store__load_store() {
        let add = || COUNT.store(COUNT.load(SeqCst) + 1, SeqCst);
        let other = thread::spawn(add);
        add();
        other.join().unwrap();
        assert_eq!(COUNT.load(SeqCst), 2);
    }

    // A test that returns an outcome runs once, and checks programs itself.
    #[cdsspec::test]
    fn every_number_of_threads() -> Outcome {
        for count in [0, 1] {
            let outcome = Builder::new().check(move || (0..count).for_each(|_| drop(thread::spawn(|| ()))));
            outcome.assert_holds();
        }
        Builder::new().check(|| drop(thread::spawn(|| ())))
    }
}

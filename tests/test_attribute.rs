//! `#[cdsspec::test]`: the body is a program, run for every execution.

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::thread;

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
    seed = 1,
    call_clock = true,
    stop_at_first = true,
    stack_bytes = 1 << 18
)]
fn every_limit_is_an_argument() {
    SHARED.write(1);
    assert_eq!(SHARED.read(), 1);
}

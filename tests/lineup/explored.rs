//! Types that say what can be invoked on them.

use cdsspec::lineup::Failure;
use cdsspec::sync::Mutex;
use cdsspec::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use cdsspec::{Explore, Scenario, Verdict};
use std::collections::HashMap;

/// A map without a specification.
#[derive(Default)]
struct Map(Mutex<HashMap<u8, u8>>);

#[cdsspec::scenarios(threads = 2, calls = 1, jobs = 2, new = Map::default)]
impl Map {
    #[scenario(args((1, 10), (2, 20)))]
    fn insert(&self, key: u8, value: u8) -> Option<u8> {
        self.0.lock().expect("nobody panics with it").insert(key, value)
    }

    #[scenario(range = 1..=2)]
    fn get(&self, key: u8) -> Option<u8> {
        self.0.lock().expect("nobody panics with it").get(&key).copied()
    }

    #[scenario(shown, once, exempt)]
    fn len(&self) -> std::num::Wrapping<usize> {
        std::num::Wrapping(self.0.lock().expect("nobody panics with it").len())
    }

    /// Not marked, and so not invoked.
    #[expect(dead_code, reason = "nobody calls it")]
    fn clear(&self) {
        self.0.lock().expect("nobody panics with it").clear();
    }
}

#[test]
fn what_is_marked_is_invoked() {
    use cdsspec::lineup::Invoked;
    let scenario = Map::invoked(Scenario::new(Map::default));
    let names: Vec<_> = scenario.invocations().collect();
    assert_eq!(names, ["insert(1, 10)", "insert(2, 20)", "get(1)", "get(2)", "len()"]);
}

/// A counter that loses increments; nothing is marked, so that all that takes nothing is invoked.
#[derive(Default)]
struct Lossy(AtomicU32);

#[cdsspec::scenarios]
impl Lossy {
    fn new() -> Self {
        Self::default()
    }

    fn inc(&self) {
        self.0.store(self.0.load(SeqCst) + 1, SeqCst);
    }

    fn get(&self) -> u32 {
        self.0.load(SeqCst)
    }
}

#[test]
fn a_type_without_a_specification_is_lined_up() {
    let explore = Explore::new(Lossy::new);
    assert!(!explore.is_specified());
    let checks = explore.run();
    assert_eq!(checks.verdict, Verdict::Violated, "{checks}");
    let check = checks.failure.expect("it failed");
    assert!(matches!(check.failure, Some(Failure::NoWitness { .. })));
    assert_eq!(check.matrix.call_count(), 4, "{check}");
}

/// A flag with a specification, and an error: it reads twice.
pub(super) struct Flag(AtomicBool);

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(is_set: bool)]
impl Flag {
    pub(super) fn new() -> Self {
        Self(AtomicBool::new(false))
    }

    /// Sets the flag; whether it was not set before.
    #[side_effect(!std::mem::replace(is_set, true))]
    pub(super) fn set(&self) -> bool {
        #[op_define]
        let was_set = self.0.load(SeqCst);
        if !was_set {
            #[op_clear_define]
            self.0.store(true, SeqCst);
        }
        !was_set
    }
}

pub(super) fn flag() -> Scenario<Flag> {
    use cdsspec::lineup::Invoked;
    Flag::invoked(Scenario::new(Flag::new))
}

#[test]
fn a_type_with_a_specification_is_checked_against_it() {
    let explore = Explore::new(Flag::new);
    assert!(explore.is_specified());
    let checks = explore.run();
    assert_eq!(checks.verdict, Verdict::Violated, "{checks}");
    let check = checks.failure.expect("it failed");
    let Some(Failure::Fault { outcome }) = &check.failure else { panic!("{check}") };
    assert_eq!(outcome.verdict, Verdict::Violated);
    assert_eq!(check.matrix.dimension(), (2, 1), "{check}");
}

#[test]
#[should_panic(
    expected = "violated: `Lossy` is not linearizable: no serial execution explains what was returned"
)]
fn a_line_of_a_test_explores() {
    cdsspec::explore(Lossy::new);
}

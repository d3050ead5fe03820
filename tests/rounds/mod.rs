//! Small programs whose loops were once mistaken, with the verdict that is right.

mod fences;
mod locks;
mod waiting;

use cdsspec::{Builder, EngineKind, Outcome, Verdict};
use std::time::Duration;

fn check(program: fn()) -> Outcome {
    Builder::new().duration_max(Duration::from_secs(20)).check(program)
}

/// A program, the verdict that is right, which rc11 has; and loom's, with the row of what it does not model that says why it is another.
type Row = (&'static str, fn(), Verdict, Verdict, Option<&'static str>);

const PRUNED: Option<&str> = Some("some executions (it prunes by last accesses)");
const POLLED: Option<&str> =
    Some("loops that write in each round, and several that poll: they end at branches_max");

const ROWS: [Row; 13] = {
    use Verdict::{Holds, HoldsWithin, Inconclusive, Livelock, Panic, Race, Unjustified};
    [
        ("a round that waited", waiting::a_round_that_waited_is_remembered, Panic, Panic, None),
        ("a lock says that it was contended", waiting::a_lock_says_that_it_was_contended, Panic, Panic, None),
        ("a poll under a lock counts", waiting::a_poll_under_a_lock_counts, Panic, Panic, None),
        ("a futile acquire", waiting::a_futile_acquire_orders_calls, Unjustified, Unjustified, None),
        ("two pollers of one lock", waiting::two_pollers_of_one_lock, Livelock, Inconclusive, POLLED),
        ("add, look, take back", waiting::add_then_look_then_take_back, HoldsWithin, HoldsWithin, None),
        ("test and set", waiting::test_and_set, Holds, Inconclusive, POLLED),
        (
            "test and set, locked for ever",
            waiting::test_and_set_that_nobody_unlocks,
            Livelock,
            Inconclusive,
            POLLED,
        ),
        ("polls until finished", waiting::polls_until_finished, Holds, HoldsWithin, PRUNED),
        (
            "a relaxed round, a later fence",
            fences::a_relaxed_round_and_a_later_fence,
            Unjustified,
            Unjustified,
            None,
        ),
        ("a release fence in a round", fences::a_release_fence_in_a_round, Unjustified, HoldsWithin, PRUNED),
        ("a swap is no load", fences::a_swap_is_no_load, Holds, HoldsWithin, PRUNED),
        ("a carried failure is relaxed", fences::a_carried_failure_is_relaxed, Race, Race, None),
    ]
};

#[test]
fn every_program_has_the_verdict_that_is_right() {
    for (name, program, expected, ..) in ROWS {
        let outcome = check(program);
        assert_eq!(outcome.verdict, expected, "{name}: {outcome}");
    }
}

#[test]
fn on_loom_it_has_that_verdict_or_a_row_says_why_not() {
    for (name, program, right, expected, reason) in ROWS {
        let outcome = Builder::new().engine(EngineKind::Loom).executions_max(10_000).check(program);
        assert_eq!(outcome.verdict, expected, "{name}: {outcome}");
        assert_eq!(right == expected, reason.is_none(), "{name}");
        assert!(reason.is_none_or(|reason| outcome.not_modelled.iter().any(|row| row == reason)), "{name}");
    }
}

/// An optimal checker needs as many executions as there are orders of the four.
#[test]
fn updates_that_fail_and_try_again_are_explored_once_for_each_order() {
    let outcome = check(waiting::four_updates);
    assert_eq!((outcome.verdict, outcome.complete_executions), (Verdict::Holds, 24), "{outcome}");
}

/// Waiters that write in each round are followed within a bound, if they have no end.
#[test]
fn locks_whose_waiters_write_or_back_off_are_checked_to_an_end() {
    let bounds = |outcome: &Outcome| outcome.bounds.len();
    for (name, program) in locks::rows() {
        let right = Builder::new().check(move || program(locks::STRONG));
        let is_bounded = name == "add, then check";
        let expected = if is_bounded { Verdict::HoldsWithin } else { Verdict::Holds };
        assert_eq!((right.verdict, bounds(&right)), (expected, usize::from(is_bounded)), "{name}: {right}");
        let wrong = Builder::new().check(move || program(locks::WEAK));
        assert_eq!(wrong.verdict, Verdict::Race, "{name}: {wrong}");
        println!("{name}: {} and {} executions, {:.3} s", right.executions, wrong.executions, right.seconds);
    }
}

//! Small programs whose loops were once mistaken, with the verdict that is right, on rc11.

mod fences;
mod locks;
mod waiting;

use cdsspec::{Builder, Outcome, Verdict};
use std::time::Duration;

fn check(program: fn()) -> Outcome {
    Builder::new().duration_max(Duration::from_secs(20)).check(program)
}

#[test]
fn every_program_has_the_verdict_that_is_right() {
    use Verdict::{Holds, HoldsWithin, Livelock, Panic, Race, Unjustified};
    let rows: [(&str, fn(), Verdict); 13] = [
        ("a round that waited", waiting::a_round_that_waited_is_remembered, Panic),
        ("a lock says that it was contended", waiting::a_lock_says_that_it_was_contended, Panic),
        ("a poll under a lock counts", waiting::a_poll_under_a_lock_counts, Panic),
        ("a futile acquire", waiting::a_futile_acquire_orders_calls, Unjustified),
        ("two pollers of one lock", waiting::two_pollers_of_one_lock, Livelock),
        ("add, look, take back", waiting::add_then_look_then_take_back, HoldsWithin),
        ("test and set", waiting::test_and_set, Holds),
        ("test and set, locked for ever", waiting::test_and_set_that_nobody_unlocks, Livelock),
        ("polls until finished", waiting::polls_until_finished, Holds),
        ("a relaxed round, a later fence", fences::a_relaxed_round_and_a_later_fence, Unjustified),
        ("a release fence in a round", fences::a_release_fence_in_a_round, Unjustified),
        ("a swap is no load", fences::a_swap_is_no_load, Holds),
        ("a carried failure is relaxed", fences::a_carried_failure_is_relaxed, Race),
    ];
    for (name, program, expected) in rows {
        let outcome = check(program);
        assert_eq!(outcome.verdict, expected, "{name}: {outcome}");
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

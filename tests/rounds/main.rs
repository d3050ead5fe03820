//! scratch
#[path = "fences.rs"]
mod fences;
#[path = "waiting.rs"]
mod waiting;
use cdsspec::{Builder, Verdict};

#[test]
fn rows() {
    let rows: Vec<(&str, fn())> = vec![
        ("a_round_that_waited_is_remembered", waiting::a_round_that_waited_is_remembered),
        ("a_lock_says_that_it_was_contended", waiting::a_lock_says_that_it_was_contended),
        ("a_poll_under_a_lock_counts", waiting::a_poll_under_a_lock_counts),
        ("a_futile_acquire_orders_calls", waiting::a_futile_acquire_orders_calls),
        ("two_pollers_of_one_lock", waiting::two_pollers_of_one_lock),
        ("add_then_look_then_take_back", waiting::add_then_look_then_take_back),
        ("test_and_set", waiting::test_and_set),
        ("test_and_set_that_nobody_unlocks", waiting::test_and_set_that_nobody_unlocks),
        ("four_updates", waiting::four_updates),
        ("polls_until_finished", waiting::polls_until_finished),
        ("a_relaxed_round_and_a_later_fence", fences::a_relaxed_round_and_a_later_fence),
        ("a_release_fence_in_a_round", fences::a_release_fence_in_a_round),
        ("a_swap_is_no_load", fences::a_swap_is_no_load),
        ("a_carried_failure_is_relaxed", fences::a_carried_failure_is_relaxed),
    ];
    let only = std::env::var("ONLY").ok();
    for (name, program) in rows {
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let outcome = Builder::new().duration_max(std::time::Duration::from_secs(10)).check(program);
        println!(
            "{name:40} {:?} executions {} complete {} {:.3}s {:?}",
            outcome.verdict, outcome.executions, outcome.complete_executions, outcome.seconds, outcome.bounds
        );
        if only.is_some() {
            println!("{outcome}");
        }
    }
    let _ = Verdict::Holds;
}

//! Searches whose time is over at any moment.

use super::deadline::Timer;
use super::{Advice, Goal, Injections, Programs, advise, weaken};
use crate::cell::UnsafeCell;
use crate::sync::atomic::AtomicUsize;
use crate::thread;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{self, Relaxed, SeqCst};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(3600);

/// A clock by which the time is over after so many looks.
fn clock(look_count: u32) -> Timer {
    let looks = AtomicU32::new(0);
    Timer(Arc::new(move || match looks.fetch_add(1, Relaxed) {
        0 => Duration::ZERO,
        look if look <= look_count => Duration::ZERO,
        _ => LIMIT,
    }))
}

struct Mailbox {
    data: UnsafeCell<u32>,
    state: AtomicUsize,
}

// SAFETY: `state` orders the accesses of `data`; where it does not, the engine reports the race.
unsafe impl Sync for Mailbox {}

impl Mailbox {
    fn put(&self, order: Ordering) {
        // SAFETY: nobody reads before the state is 1.
        self.data.with_mut(|data| unsafe { *data = 1 });
        self.state.fetch_add(1, order);
    }

    fn take(&self, order: Ordering) {
        if self.state.compare_exchange(1, 2, order, Relaxed).is_ok() {
            // SAFETY: nobody writes once the state is 1.
            self.data.with(|data| assert_eq!(unsafe { *data }, 1));
        }
    }
}

/// A value is handed over with these orders.
fn hand_over(order: Ordering) {
    let mailbox = Mailbox { data: UnsafeCell::new(0), state: AtomicUsize::new(0) };
    thread::scope(|scope| {
        scope.spawn(|| mailbox.put(order));
        mailbox.take(order);
    });
}

fn programs(order: Ordering) -> Programs {
    let twice = move || (0..2).for_each(|_| hand_over(order));
    Programs::new("hand_over")
        .program("once", move || hand_over(order))
        .program("twice", twice)
        .jobs(1)
        .progress(false)
}

fn in_time(order: Ordering, look_count: u32) -> Programs {
    Programs { clock: Some(clock(look_count)), ..programs(order).duration_max(LIMIT) }
}

/// Cuts a search at each of its looks at the clock; how many there are. `check` says whether the result is complete.
fn cut_everywhere(check: impl Fn(u32) -> bool) -> u32 {
    (0..10_000).find(|&look_count| check(look_count)).expect("a search ends")
}

fn check_advice(advice: &Advice, complete: &Advice) -> bool {
    let text = advice.to_string();
    if advice.is_complete() {
        assert_eq!(text, complete.to_string());
        return true;
    }
    assert!(text.contains("the time was over") || text.contains("in time"), "it says so: {text}");
    let is_said = match advice.goal {
        Goal::Open(_) => !advice.is_confirmed && advice.patch.is_empty(),
        Goal::Weaken | Goal::Strengthen => advice.not_reached_count > 0 || !advice.is_confirmed,
        Goal::Hopeless(_) => false,
    };
    assert!(is_said, "{text}");
    false
}

#[test]
fn advice_whose_time_is_over_at_any_moment_is_not_complete_and_says_so() {
    let count = |order| {
        let complete = advise(programs(order));
        assert!(complete.is_complete(), "{complete}");
        cut_everywhere(|look_count| check_advice(&advise(in_time(order, look_count)), &complete))
    };
    let counts = [SeqCst, Relaxed].map(count);
    assert!(counts.into_iter().all(|count| count > 20), "{counts:?}");
}

#[test]
fn what_is_not_reached_is_said_of_weakenings_whose_time_is_over_at_any_moment() {
    let complete = weaken(programs(SeqCst));
    assert!(complete.is_complete(), "{complete}");
    let check = |look_count| {
        let injections: Injections = weaken(in_time(SeqCst, look_count));
        let text = injections.to_string();
        if injections.is_complete() {
            assert_eq!(text, complete.to_string());
            return true;
        }
        let is_said = text.contains("not reached") || text.contains("is inconclusive as it is written");
        assert!(is_said, "{text}");
        assert!(!injections.json_lines().contains("survived") || injections.left_out.is_empty(), "{text}");
        false
    };
    let count = cut_everywhere(check);
    assert!(count > 10, "{count}");
}

#[test]
fn a_run_that_is_given_up_in_time_is_no_result() {
    // It would hold, but for the time that it is given: none.
    let late =
        |builder: crate::model::Builder| builder.duration_max(Duration::ZERO).check(|| hand_over(SeqCst));
    let advice = advise(Programs::new("late").run("late", late).progress(false));
    assert!(matches!(advice.goal, Goal::Open(_)) && !advice.is_complete(), "{advice}");
    let injections = weaken(Programs::new("late").run("late", late).progress(false));
    assert!(!injections.is_complete() && injections.left_out.len() == 1, "{injections}");
}

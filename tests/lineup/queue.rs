//! The queue of figure 1: a take that gives up waiting for the lock.

use super::{PRECEDENCES, smallest};
use cdsspec::lineup::{Failure, LineUp};
use cdsspec::sync::{Condvar, Mutex};
use cdsspec::{Scenario, Verdict};
use std::collections::VecDeque;
use std::time::Duration;

/// A queue under a lock that one may wait for, for a time.
struct Queue<const TIMES_OUT: bool> {
    is_held: Mutex<bool>,
    is_free: Condvar,
    items: Mutex<VecDeque<u32>>,
}

impl<const TIMES_OUT: bool> Queue<TIMES_OUT> {
    fn new() -> Self {
        Self { is_held: Mutex::new(false), is_free: Condvar::new(), items: Mutex::default() }
    }

    fn acquire(&self) {
        let mut is_held = self.is_held.lock().expect("nobody panics with it");
        while *is_held {
            is_held = self.is_free.wait(is_held).expect("nobody panics with it");
        }
        *is_held = true;
    }

    fn acquire_for(&self, time: Duration) -> bool {
        let is_held = self.is_held.lock().expect("nobody panics with it");
        let (mut is_held, result) =
            self.is_free.wait_timeout_while(is_held, time, |held| *held).expect("nobody panics with it");
        if result.timed_out() {
            return false;
        }
        *is_held = true;
        true
    }

    fn release(&self) {
        *self.is_held.lock().expect("nobody panics with it") = false;
        self.is_free.notify_one();
    }

    fn add(&self, item: u32) {
        self.acquire();
        self.items.lock().expect("nobody panics with it").push_back(item);
        self.release();
    }

    fn try_take(&self) -> Option<u32> {
        if TIMES_OUT {
            // The error: it should wait until it has the lock.
            if !self.acquire_for(Duration::from_millis(1)) {
                return None;
            }
        } else {
            self.acquire();
        }
        let item = self.items.lock().expect("nobody panics with it").pop_front();
        self.release();
        item
    }
}

fn scenario<const TIMES_OUT: bool>() -> Scenario<Queue<TIMES_OUT>> {
    Scenario::new(Queue::<TIMES_OUT>::new)
        .op_for("add", [200, 400], |queue, item| queue.add(item).into())
        .op("try_take()", |queue| queue.try_take().into())
}

const FIGURE_1: [[&str; 2]; 2] = [["add(200)", "try_take()"], ["add(400)", "try_take()"]];

#[test]
fn the_test_of_figure_1_has_no_witness() {
    for precedence in PRECEDENCES {
        let scenario = scenario::<true>();
        let matrix = scenario.matrix(FIGURE_1);
        let check = LineUp::new(scenario).precedence(precedence).check(&matrix);
        assert_eq!(check.verdict, Verdict::Violated, "{check}");
        assert_eq!((check.observations.full_count(), check.observations.stuck_count()), (6, 0));
        assert!(matches!(check.failure, Some(Failure::NoWitness { pending: None, .. })), "{check}");
    }
}

#[test]
fn a_queue_that_waits_holds_there() {
    for precedence in PRECEDENCES {
        let scenario = scenario::<false>();
        let matrix = scenario.matrix(FIGURE_1);
        let check = LineUp::new(scenario).precedence(precedence).check(&matrix);
        assert_eq!(check.verdict, Verdict::HoldsWithin, "{check}");
    }
}

#[test]
fn a_sample_finds_it() {
    let lineup = LineUp::new(scenario::<true>()).set_up(|builder| builder.executions_max(500));
    let (_, check) = smallest(&lineup, 100);
    let (threads, calls) = check.matrix.dimension();
    assert!(threads == 2 && calls <= 2, "{check}");
}

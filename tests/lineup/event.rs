//! The event of figure 9, with the error of section 5.2.1.

use super::{PRECEDENCES, smallest};
use cdsspec::lineup::{Failure, LineUp};
use cdsspec::sync::atomic::{AtomicU32, Ordering::SeqCst};
use cdsspec::sync::{Condvar, Mutex};
use cdsspec::{Scenario, Verdict};

/// Whether the event is set, and how many have come to wait for it since it was last set, in one word.
struct Event<const REREADS: bool> {
    state: AtomicU32,
    /// Whoever waits comes to wait, and looks, under the lock.
    waiting: Mutex<()>,
    has_changed: Condvar,
}

const SET: u32 = 1;
const WAITER: u32 = 2;

impl<const REREADS: bool> Event<REREADS> {
    fn new() -> Self {
        Self { state: AtomicU32::new(0), waiting: Mutex::new(()), has_changed: Condvar::new() }
    }

    fn set(&self) {
        loop {
            let state = self.state.load(SeqCst);
            if state & SET != 0 {
                return;
            }
            if self.state.compare_exchange(state, SET, SeqCst, SeqCst).is_ok() {
                if state != 0 {
                    let _waiting = self.waiting.lock().expect("nobody panics with it");
                    self.has_changed.notify_all();
                }
                return;
            }
        }
    }

    fn reset(&self) {
        self.state.fetch_and(!SET, SeqCst);
    }

    fn is_set(&self) -> bool {
        self.state.load(SeqCst) & SET != 0
    }

    /// Comes to wait, unless it is set.
    fn is_set_or_counts_waiter(&self) -> bool {
        loop {
            let state = self.state.load(SeqCst);
            if state & SET != 0 {
                return true;
            }
            // The error: what is written comes from another state than the one that is compared.
            let new = if REREADS { self.state.load(SeqCst) } else { state } + WAITER;
            if self.state.compare_exchange(state, new, SeqCst, SeqCst).is_ok() {
                return false;
            }
        }
    }

    fn wait(&self) {
        let mut waiting = self.waiting.lock().expect("nobody panics with it");
        while !self.is_set_or_counts_waiter() {
            waiting = self.has_changed.wait(waiting).expect("nobody panics with it");
        }
    }
}

fn scenario<const REREADS: bool>() -> Scenario<Event<REREADS>> {
    Scenario::new(Event::<REREADS>::new)
        .op("set()", |event| event.set().into())
        .op("reset()", |event| event.reset().into())
        .op("wait()", |event| event.wait().into())
        .op("is_set()", |event| event.is_set().into())
}

#[test]
fn the_test_of_figure_9_is_stuck() {
    for precedence in PRECEDENCES {
        let scenario = scenario::<true>();
        let matrix = scenario.matrix([vec!["wait()"], vec!["set()", "reset()", "set()"]]);
        let check = LineUp::new(scenario).precedence(precedence).check(&matrix);
        assert_eq!(check.verdict, Verdict::Violated, "{check}");
        let Some(Failure::NoWitness { pending: Some(call), .. }) = check.failure else { panic!("{check}") };
        assert_eq!(call.index(), 0, "it is the wait");
    }
}

#[test]
fn the_event_without_the_error_holds_there() {
    for precedence in PRECEDENCES {
        let scenario = scenario::<false>();
        let matrix = scenario.matrix([vec!["wait()"], vec!["set()", "reset()", "set()"]]);
        let check = LineUp::new(scenario).precedence(precedence).check(&matrix);
        assert_eq!(check.verdict, Verdict::HoldsWithin, "{check}");
        // The wait first, or behind the reset; behind a set it returns.
        assert_eq!((check.observations.full_count(), check.observations.stuck_count()), (2, 2));
    }
}

#[test]
fn a_sample_finds_it() {
    let lineup = LineUp::new(scenario::<true>()).set_up(|builder| builder.executions_max(500));
    let (_, check) = smallest(&lineup, 100);
    assert_eq!(check.matrix.dimension(), (2, 3), "{check}");
}

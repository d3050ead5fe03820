//! Line-Up in real time against its naive twin.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::{LineUp, Precedence};
use crate::scenario::Scenario;
use crate::sync::atomic::{AtomicU32, Ordering::SeqCst};
use crate::sync::{Condvar, Mutex};
use std::time::Duration;

/// Line-Up and the twin on all matrices of so many threads with so many calls: how many are refuted, of how many, and how many interleavings the twin
/// went through.
fn judge<T: Send + Sync + 'static>(
    scenario: &Scenario<T>,
    (threads, calls): (usize, usize),
) -> (usize, usize, u64) {
    let lineup = LineUp::new(scenario.clone()).precedence(Precedence::RealTime);
    let compare = |matrix| {
        let comparison = lineup.compare(&matrix, 100_000).expect("it is small, and has no fault");
        assert!(comparison.agrees() && !comparison.is_by_past, "{matrix}{comparison:?}");
        let (is_same, count) = lineup.compare_by_past(&matrix);
        assert!(
            is_same && count <= comparison.interleavings,
            "{matrix}{comparison:?}, {count} by their past"
        );
        comparison
    };
    let all: Vec<_> = scenario.matrices(threads, calls).map(compare).collect();
    let refuted = all.iter().filter(|one| one.refuted == Some((true, true))).count();
    (refuted, all.len(), all.iter().map(|one| one.interleavings).sum())
}

#[derive(Default)]
struct Lossy(AtomicU32);

#[derive(Default)]
struct Locked(Mutex<u32>);

#[test]
fn a_lossy_counter_is_refuted_on_the_same_matrices() {
    let scenario = Scenario::new(Lossy::default)
        .op("inc()", |counter| counter.0.store(counter.0.load(SeqCst) + 1, SeqCst).into())
        .op("add(2)", |counter| {
            counter.0.fetch_add(2, SeqCst);
            ().into()
        })
        .op("get()", |counter| counter.0.load(SeqCst).into());
    let (refuted, count, interleavings) = judge(&scenario, (2, 2));
    assert_eq!((refuted, count), (12, 45));
    assert!(interleavings > 100, "{interleavings}");
}

#[test]
fn a_locked_register_is_refuted_on_none() {
    let scenario = Scenario::new(Locked::default)
        .op("set(1)", |register| std::mem::replace(&mut *register.0.lock().unwrap(), 1).into())
        .op("set(2)", |register| std::mem::replace(&mut *register.0.lock().unwrap(), 2).into());
    let (refuted, count, _) = judge(&scenario, (2, 2));
    assert_eq!((refuted, count), (0, 10));
}

/// A semaphore without permits at first; one that forgets a permit if somebody waits already.
#[derive(Default)]
struct Semaphore<const FORGETS: bool> {
    /// Permits, and threads that wait.
    state: Mutex<(u32, u32)>,
    has_permit: Condvar,
}

impl<const FORGETS: bool> Semaphore<FORGETS> {
    fn release(&self) {
        let mut state = self.state.lock().unwrap();
        if !FORGETS || state.1 == 0 {
            state.0 += 1;
        }
        self.has_permit.notify_one();
    }

    fn acquire(&self) {
        let mut state = self.state.lock().unwrap();
        state.1 += 1;
        while state.0 == 0 {
            state = self.has_permit.wait(state).unwrap();
        }
        (state.0, state.1) = (state.0 - 1, state.1 - 1);
    }

    /// Waits for a time.
    fn try_acquire(&self) -> bool {
        let state = self.state.lock().unwrap();
        let time = Duration::from_millis(1);
        let (mut state, _) = self.has_permit.wait_timeout_while(state, time, |state| state.0 == 0).unwrap();
        let is_there = state.0 > 0;
        state.0 = state.0.saturating_sub(1);
        is_there
    }

    fn scenario() -> Scenario<Self> {
        Scenario::new(Self::default)
            .op("release()", |semaphore| semaphore.release().into())
            .op("acquire()", |semaphore| semaphore.acquire().into())
    }

    fn timed_scenario() -> Scenario<Self> {
        Self::scenario().op("try_acquire()", |semaphore| semaphore.try_acquire().into())
    }
}

#[test]
fn what_waits_is_refuted_where_a_permit_is_forgotten() {
    let refuted = |(refuted, count, _)| (refuted, count);
    assert_eq!(refuted(judge(&Semaphore::<false>::scenario(), (2, 2))), (0, 10));
    assert_eq!(refuted(judge(&Semaphore::<true>::scenario(), (2, 2))), (4, 10));
    assert_eq!(refuted(judge(&Semaphore::<false>::timed_scenario(), (2, 1))), (0, 6));
    assert_eq!(refuted(judge(&Semaphore::<true>::timed_scenario(), (2, 1))), (1, 6));
}

/// Two numbers, read and written one after the other.
#[derive(Default)]
struct Pair([AtomicU32; 2]);

#[test]
fn what_a_call_has_read_in_its_middle_is_part_of_its_past() {
    let scenario = Scenario::new(Pair::default)
        .op("set(1)", |pair| {
            pair.0.iter().for_each(|number| number.store(1, SeqCst));
            ().into()
        })
        .op("get()", |pair| {
            let [first, second] = [0, 1].map(|index| pair.0[index].load(SeqCst));
            (first, second).into()
        });
    let (refuted, count, _) = judge(&scenario, (2, 1));
    assert_eq!((refuted, count), (1, 3));
}

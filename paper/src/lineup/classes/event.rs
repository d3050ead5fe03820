//! What one waits for: an event, a semaphore, a countdown.

use super::Monitor;
use cdsspec_runtime::scenario::Scenario;
use cdsspec_runtime::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Whether the event is set, and how many have come to wait for it since it was last set, in one word.
pub(in super::super) struct Event {
    /// Error A: what is written comes from another state than the one that is compared.
    reads_again: bool,
    state: AtomicU32,
    /// Whoever waits comes to wait, and looks, under the lock.
    waiters: Monitor<()>,
}

const SET: u32 = 1;
const WAITER: u32 = 2;

impl Event {
    fn set(&self) {
        loop {
            let state = self.state.load(SeqCst);
            if state & SET != 0 {
                return;
            }
            if self.state.compare_exchange(state, SET, SeqCst, SeqCst).is_ok() {
                if state != 0 {
                    self.waiters.change(|()| ());
                }
                return;
            }
        }
    }

    /// Comes to wait, unless it is set.
    fn is_set_or_counts_waiter(&self) -> bool {
        loop {
            let state = self.state.load(SeqCst);
            if state & SET != 0 {
                return true;
            }
            let new = if self.reads_again { self.state.load(SeqCst) } else { state } + WAITER;
            if self.state.compare_exchange(state, new, SeqCst, SeqCst).is_ok() {
                return false;
            }
        }
    }

    fn wait(&self) {
        self.waiters.wait(|()| self.is_set_or_counts_waiter().then_some(()));
    }
}

/// An event that stays set until it is reset.
pub(in super::super) fn manual_reset_event(reads_again: bool) -> Scenario<Event> {
    Scenario::new(move || Event { reads_again, state: AtomicU32::new(0), waiters: Monitor::new(()) })
        .name("ManualResetEvent")
        .op("set()", |event| event.set().into())
        .op("wait()", |event| event.wait().into())
        .op("reset()", |event| {
            event.state.fetch_and(!SET, SeqCst);
            ().into()
        })
        .op("is_set()", |event| (event.state.load(SeqCst) & SET != 0).into())
        .op("wait_one()", |event| event.wait().into())
}

fn take(count: &mut u32) -> Option<()> {
    *count = count.checked_sub(1)?;
    Some(())
}

/// A semaphore with one permit.
pub(in super::super) fn semaphore() -> Scenario<Monitor<u32>> {
    fn release(semaphore: &Monitor<u32>, more: u32) -> u32 {
        semaphore.change(|count| std::mem::replace(count, *count + more))
    }
    Scenario::new(|| Monitor::new(1))
        .name("SemaphoreSlim")
        .op("current_count()", |semaphore| semaphore.look(|count| *count).into())
        .op("release()", |semaphore| release(semaphore, 1).into())
        .op("release(2)", |semaphore| release(semaphore, 2).into())
        .op("wait()", |semaphore| semaphore.wait(take).into())
        .op("wait(0)", |semaphore| semaphore.change(|count| take(count).is_some()).into())
}

/// A countdown from two.
pub(in super::super) fn countdown_event() -> Scenario<Monitor<u32>> {
    fn signal(event: &Monitor<u32>, times: u32) -> Result<bool, &'static str> {
        event.change(|count| {
            *count = count.checked_sub(times).ok_or("below zero")?;
            Ok(*count == 0)
        })
    }
    fn try_add(event: &Monitor<u32>, more: u32) -> bool {
        event.change(|count| {
            let is_open = *count > 0;
            *count += if is_open { more } else { 0 };
            is_open
        })
    }
    fn add(event: &Monitor<u32>, more: u32) -> Result<(), &'static str> {
        if try_add(event, more) { Ok(()) } else { Err("it is set") }
    }
    let is_set = |count: &mut u32| (*count == 0).then_some(());
    let mut scenario = Scenario::new(|| Monitor::new(2))
        .name("CountdownEvent")
        .op("is_set()", |event| event.look(|count| *count == 0).into())
        .op("wait()", move |event| event.wait(is_set).into())
        .op("wait(0)", move |event| event.change(is_set).is_some().into())
        .op("current_count()", |event| event.look(|count| *count).into())
        .op("wait_one()", move |event| event.wait(is_set).into());
    for count in [1, 2] {
        scenario = scenario
            .op(format!("signal({count})"), move |event| signal(event, count).into())
            .op(format!("add_count({count})"), move |event| add(event, count).into())
            .op(format!("try_add_count({count})"), move |event| try_add(event, count).into());
    }
    scenario
}

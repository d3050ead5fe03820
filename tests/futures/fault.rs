//! Futures with one flag: known faults of who waits, each with its mended form.
#![allow(clippy::unwrap_used, reason = "programs under test: a thread that panics fails the test")]

use cdsspec::cell::UnsafeCell;
use cdsspec::future::{AtomicWaker, block_on};
use cdsspec::sync::atomic::{AtomicBool, AtomicU32, Ordering::*};
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, Verdict, thread};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Wake, Waker};

fn verdict(program: impl Fn() + Send + Sync + 'static) -> Verdict {
    Builder::new().check(program).verdict
}

/// A value that is sent once.
#[derive(Default)]
struct Slot {
    is_set: AtomicBool,
    value: UnsafeCell<u32>,
    waker: AtomicWaker,
}

// SAFETY: the value is written before the flag is set, and read after it was seen; the tests are about that.
unsafe impl Sync for Slot {}

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// It looks before it registers, and not after that.
    LooksFirst,
    /// When it is polled first, it registers another waker than the one that it is polled with.
    RegistersAnother,
    /// Who sends wakes before it sets the flag.
    WakesFirst,
    /// The flag does not release the value.
    Relaxed,
    /// Who sends goes without sending, and wakes nobody.
    GoesSilently,
}

fn send_receive(fault: Fault) {
    let slot = Arc::new(Slot::default());
    let other = Arc::clone(&slot);
    let sender = thread::spawn(move || {
        if fault == Fault::GoesSilently {
            other.is_set.store(true, Release);
            return;
        }
        // SAFETY: the flag is not set.
        other.value.with_mut(|value| unsafe { *value = 1 });
        if fault == Fault::WakesFirst {
            other.waker.wake();
        }
        other.is_set.store(true, if fault == Fault::Relaxed { Relaxed } else { Release });
        if fault != Fault::WakesFirst {
            other.waker.wake();
        }
    });
    let mut is_registered = false;
    block_on(poll_fn(|context| {
        let look = || slot.is_set.load(Acquire);
        if fault == Fault::LooksFirst && look() {
            return Poll::Ready(());
        }
        if fault == Fault::RegistersAnother && !is_registered {
            slot.waker.register(Waker::noop().clone());
        } else {
            slot.waker.register_by_ref(context.waker());
        }
        is_registered = true;
        if fault != Fault::LooksFirst && look() { Poll::Ready(()) } else { Poll::Pending }
    }));
    if fault != Fault::GoesSilently {
        // SAFETY: the flag was seen.
        assert_eq!(slot.value.with(|value| unsafe { *value }), 1);
    }
    sender.join().unwrap();
}

#[test]
fn one_flag_and_its_faults() {
    assert_eq!(verdict(|| send_receive(Fault::None)), Verdict::Holds);
    for fault in [Fault::LooksFirst, Fault::RegistersAnother, Fault::WakesFirst, Fault::GoesSilently] {
        assert_eq!(verdict(move || send_receive(fault)), Verdict::Deadlock);
    }
    assert_eq!(verdict(|| send_receive(Fault::Relaxed)), Verdict::Race);
}

/// Two futures wait for one event, each on a thread of its own: with one place for a waker the second takes that of the first.
fn two_wait(has_two_places: bool) {
    let gate = Arc::new((AtomicBool::new(false), [AtomicWaker::new(), AtomicWaker::new()]));
    let wait = |index: usize| {
        let gate = Arc::clone(&gate);
        move || {
            block_on(poll_fn(|context| {
                gate.1[if has_two_places { index } else { 0 }].register_by_ref(context.waker());
                if gate.0.load(Acquire) { Poll::Ready(()) } else { Poll::Pending }
            }));
        }
    };
    let waiting = thread::spawn(wait(0));
    let opener = thread::spawn({
        let gate = Arc::clone(&gate);
        move || {
            gate.0.store(true, Release);
            gate.1.iter().for_each(AtomicWaker::wake);
        }
    });
    wait(1)();
    waiting.join().unwrap();
    opener.join().unwrap();
}

#[test]
fn two_that_wait_at_one_place() {
    let check = |has_two_places| {
        Builder::new().spurious_wakeups(false).check(move || two_wait(has_two_places)).verdict
    };
    assert_eq!((check(true), check(false)), (Verdict::HoldsWithin, Verdict::Deadlock));
}

/// A task that is queued when it is woken: as executors do, under the lock of the queue.
struct Queued {
    queue: Arc<Mutex<Vec<u32>>>,
}

impl Wake for Queued {
    fn wake(self: std::sync::Arc<Self>) {
        self.queue.lock().unwrap().push(1);
    }
}

/// A waker that is woken while its caller holds a lock which the waker takes.
fn wakes_under_lock(is_under_lock: bool) {
    let queue = Arc::new(Mutex::new(Vec::new()));
    let waker = Waker::from(std::sync::Arc::new(Queued { queue: Arc::clone(&queue) }));
    let mut held = queue.lock().unwrap();
    held.push(2);
    if is_under_lock {
        waker.wake();
        drop(held);
    } else {
        drop(held);
        waker.wake();
    }
    assert_eq!(queue.lock().unwrap().len(), 2);
}

#[test]
fn a_waker_that_is_called_under_its_lock() {
    assert_eq!(verdict(|| wakes_under_lock(false)), Verdict::Holds);
    assert_eq!(verdict(|| wakes_under_lock(true)), Verdict::Deadlock);
}

/// A select of a channel and of a timer that is ready at once: the item that the channel's future has taken out goes with that future.
fn select(keeps_item: bool) {
    let channel = Arc::new((AtomicU32::new(0), AtomicWaker::new()));
    let other = Arc::clone(&channel);
    let sender = thread::spawn(move || {
        other.0.store(7, Release);
        other.1.wake();
    });
    let mut taken = None;
    {
        let mut receive = pin!(async {
            if !keeps_item {
                // Taken out before the next await point.
                let item = channel.0.swap(0, AcqRel);
                yield_once().await;
                taken = (item != 0).then_some(item);
            }
        });
        // One poll; then the other branch is ready, and this one is dropped.
        let _ = receive.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    sender.join().unwrap();
    let left = channel.0.load(Acquire);
    assert!(left == 7 || taken == Some(7), "the item is gone");
}

async fn yield_once() {
    let mut is_polled = false;
    poll_fn(|_| if std::mem::replace(&mut is_polled, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[test]
fn a_select_that_drops_an_item() {
    assert_eq!(verdict(|| select(true)), Verdict::Holds);
    assert_eq!(verdict(|| select(false)), Verdict::Panic);
}

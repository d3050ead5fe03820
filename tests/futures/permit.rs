//! Permits: waiters in a queue, that may be cancelled.
#![allow(clippy::unwrap_used, reason = "programs under test: a thread that panics fails the test")]

use cdsspec::future::block_on;
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, Verdict, thread};
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// What is wrong with it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A waiter that was given the permit and is dropped keeps it.
    CancelledKeeps,
    /// One that is dropped stays in the queue, and is given the next.
    CancelledStays,
    /// To wake all also takes the permit of who comes next.
    AllTakeThePermit,
    /// One that is polled again has the waker of its first poll.
    OldWaker,
}

#[derive(Default)]
struct State {
    permits: u32,
    waiting: VecDeque<(u32, Waker)>,
    given: Vec<u32>,
    next: u32,
}

struct Semaphore {
    state: Mutex<State>,
    fault: Fault,
}

/// A future of one permit.
struct Acquire<'s> {
    semaphore: &'s Semaphore,
    number: Option<u32>,
    is_done: bool,
}

impl Semaphore {
    fn new(fault: Fault) -> Self {
        Self { state: Mutex::new(State::default()), fault }
    }

    fn release(&self) {
        let mut state = self.state.lock().unwrap();
        match state.waiting.pop_front() {
            Some((number, waker)) => {
                state.given.push(number);
                drop(state);
                waker.wake();
            }
            None => state.permits += 1,
        }
    }

    /// Lets all that wait go on, and nobody else.
    fn release_all(&self) {
        let mut state = self.state.lock().unwrap();
        let waiting = std::mem::take(&mut state.waiting);
        state.given.extend(waiting.iter().map(|(number, _)| *number));
        if self.fault == Fault::AllTakeThePermit {
            state.permits = 0;
        }
        drop(state);
        waiting.into_iter().for_each(|(_, waker)| waker.wake());
    }

    fn acquire(&self) -> Acquire<'_> {
        Acquire { semaphore: self, number: None, is_done: false }
    }
}

impl Future for Acquire<'_> {
    type Output = ();

    fn poll(mut self: std::pin::Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let semaphore = self.semaphore;
        let mut state = semaphore.state.lock().unwrap();
        if let Some(number) = self.number {
            if let Some(index) = state.given.iter().position(|given| *given == number) {
                state.given.remove(index);
                self.is_done = true;
                return Poll::Ready(());
            }
            let waiting = state.waiting.iter_mut().find(|(waiting, _)| *waiting == number);
            if let Some((_, waker)) = waiting
                && semaphore.fault != Fault::OldWaker
            {
                waker.clone_from(context.waker());
            }
            return Poll::Pending;
        }
        if state.permits > 0 {
            state.permits -= 1;
            self.is_done = true;
            return Poll::Ready(());
        }
        let number = state.next;
        state.next += 1;
        state.waiting.push_back((number, context.waker().clone()));
        self.number = Some(number);
        Poll::Pending
    }
}

impl Drop for Acquire<'_> {
    fn drop(&mut self) {
        let Some(number) = self.number.filter(|_| !self.is_done) else { return };
        let mut state = self.semaphore.state.lock().unwrap();
        if self.semaphore.fault != Fault::CancelledStays {
            state.waiting.retain(|(waiting, _)| *waiting != number);
        }
        if let Some(index) = state.given.iter().position(|given| *given == number) {
            state.given.remove(index);
            drop(state);
            if self.semaphore.fault != Fault::CancelledKeeps {
                self.semaphore.release();
            }
        }
    }
}

/// One waiter is polled once and cancelled, another one waits, while a thread gives one permit.
fn cancelled(fault: Fault) {
    let semaphore = Arc::new(Semaphore::new(fault));
    let other = Arc::clone(&semaphore);
    let giver = thread::spawn(move || other.release());
    {
        let mut first = pin!(semaphore.acquire());
        if first.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
            semaphore.release();
        }
    }
    block_on(semaphore.acquire());
    giver.join().unwrap();
}

/// A permit that is there when all that wait are let go on, of whom there are none.
fn broadcast(fault: Fault) {
    let semaphore = Arc::new(Semaphore::new(fault));
    let other = Arc::clone(&semaphore);
    let giver = thread::spawn(move || other.release());
    giver.join().unwrap();
    let other = Arc::clone(&semaphore);
    let all = thread::spawn(move || other.release_all());
    block_on(semaphore.acquire());
    all.join().unwrap();
}

/// A future that is polled by one task first, and then by another.
fn moved(fault: Fault) {
    let semaphore = Arc::new(Semaphore::new(fault));
    let other = Arc::clone(&semaphore);
    let giver = thread::spawn(move || other.release());
    let mut acquire = pin!(semaphore.acquire());
    if acquire.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
        block_on(poll_fn(|context| acquire.as_mut().poll(context)));
    }
    giver.join().unwrap();
}

#[test]
fn permits_and_their_faults() {
    let verdict = |program: fn(Fault), fault| Builder::new().check(move || program(fault)).verdict;
    for program in [cancelled, broadcast, moved] {
        assert_eq!(verdict(program, Fault::None), Verdict::Holds);
    }
    for (program, fault) in [
        (cancelled as fn(Fault), Fault::CancelledKeeps),
        (cancelled, Fault::CancelledStays),
        (broadcast, Fault::AllTakeThePermit),
        (moved, Fault::OldWaker),
    ] {
        assert_eq!(verdict(program, fault), Verdict::Deadlock);
    }
}

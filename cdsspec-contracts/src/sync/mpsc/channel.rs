//! What both ends of a channel share.
//!
//! | before | after |
//! |---|---|
//! | a message is sent | it is received |
//! | the receive that makes room in a channel with a bound | the send that takes the room |
//! | in a channel with bound 0: the receive | the end of the send |
//! | senders are dropped | the receiver is told that all are |
//! | the receiver is dropped | a sender is told so |

use crate::Clock;
use crate::threads::current::{acquire_from, add_to, release_to};
use std::collections::VecDeque;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError, TrySendError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub(super) struct Channel<T> {
    /// How many messages it holds; none: as many as there are.
    bound: Option<usize>,
    state: Mutex<State<T>>,
    /// A message is there, or all senders are gone.
    sent: Condvar,
    /// There is room, a message was taken, or the receiver is gone.
    taken: Condvar,
}

struct State<T> {
    messages: VecDeque<Message<T>>,
    /// How many were sent and received.
    sent: u64,
    received: u64,
    /// What was known at the receives whose room nobody has taken: of a channel with a bound, which has so many at most.
    freed: VecDeque<Clock>,
    senders: usize,
    has_receiver: bool,
    /// Whether the receiver waits.
    is_awaited: bool,
    dropped_senders: Clock,
    dropped_receiver: Clock,
}

struct Message<T> {
    number: u64,
    released: Clock,
    value: T,
}

/// How long to wait.
#[derive(Clone, Copy)]
pub(super) enum Patience {
    None,
    Until(Instant),
    Endless,
}

impl<T> Channel<T> {
    /// With one sender and a receiver.
    pub(super) const fn new(bound: Option<usize>) -> Self {
        let state = State {
            messages: VecDeque::new(),
            sent: 0,
            received: 0,
            freed: VecDeque::new(),
            senders: 1,
            has_receiver: true,
            is_awaited: false,
            dropped_senders: Clock::new(),
            dropped_receiver: Clock::new(),
        };
        Self { bound, state: Mutex::new(state), sent: Condvar::new(), taken: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message, which waits for room, or is refused.
    pub(super) fn send(&self, value: T, patience: Patience) -> Result<(), TrySendError<T>> {
        let mut state = self.state();
        while state.has_receiver && !self.has_room(&state, patience) {
            if let Patience::None = patience {
                return Err(TrySendError::Full(value));
            }
            state = self.taken.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if !state.has_receiver {
            acquire_from(&state.dropped_receiver);
            return Err(TrySendError::Disconnected(value));
        }
        let number = state.send(value, self.bound);
        self.sent.notify_one();
        match (self.bound, patience) {
            (Some(0), Patience::Endless) => self.await_receipt(state, number),
            _ => Ok(()),
        }
    }

    fn has_room(&self, state: &State<T>, patience: Patience) -> bool {
        match (self.bound, patience) {
            (None, _) => true,
            // Who does not wait hands over only to one who waits.
            (Some(0), Patience::None) => state.is_awaited && state.messages.is_empty(),
            (Some(0), _) => true,
            (Some(bound), _) => state.messages.len() < bound,
        }
    }

    /// Waits until the message is received; if the receiver goes, takes it back.
    fn await_receipt(&self, mut state: MutexGuard<'_, State<T>>, number: u64) -> Result<(), TrySendError<T>> {
        loop {
            let waits = state.messages.iter().position(|message| message.number == number);
            let Some(place) = waits else {
                acquire_from(state.freed.back().unwrap_or(&Clock::new()));
                return Ok(());
            };
            if !state.has_receiver
                && let Some(message) = state.messages.remove(place)
            {
                acquire_from(&state.dropped_receiver);
                return Err(TrySendError::Disconnected(message.value));
            }
            state = self.taken.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Receives a message.
    pub(super) fn receive(&self, patience: Patience) -> Result<T, TryRecvError> {
        let mut state = self.state();
        loop {
            if let Some(message) = state.messages.pop_front() {
                state.receive(&message.released, self.bound);
                self.taken.notify_all();
                return Ok(message.value);
            }
            if state.senders == 0 {
                acquire_from(&state.dropped_senders);
                return Err(TryRecvError::Disconnected);
            }
            state = self.await_message(state, patience)?;
        }
    }

    fn await_message<'a>(
        &'a self,
        mut state: MutexGuard<'a, State<T>>,
        patience: Patience,
    ) -> Result<MutexGuard<'a, State<T>>, TryRecvError> {
        state.is_awaited = true;
        let mut state = match patience {
            Patience::None => {
                state.is_awaited = false;
                return Err(TryRecvError::Empty);
            }
            Patience::Endless => self.sent.wait(state).unwrap_or_else(PoisonError::into_inner),
            Patience::Until(end) => {
                let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
                else {
                    state.is_awaited = false;
                    return Err(TryRecvError::Empty);
                };
                self.sent.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
            }
        };
        state.is_awaited = false;
        Ok(state)
    }

    /// One more sender.
    pub(super) fn add_sender(&self) {
        self.state().senders += 1;
    }

    /// One sender less.
    pub(super) fn drop_sender(&self) {
        let mut state = self.state();
        add_to(&mut state.dropped_senders);
        state.senders -= 1;
        if state.senders == 0 {
            self.sent.notify_all();
        }
    }

    /// The receiver goes, and what it has not received. But what a sender waits with goes back to it.
    pub(super) fn drop_receiver(&self) {
        let mut state = self.state();
        release_to(&mut state.dropped_receiver);
        state.has_receiver = false;
        let messages =
            if self.bound == Some(0) { VecDeque::new() } else { std::mem::take(&mut state.messages) };
        self.taken.notify_all();
        drop(state);
        // What the messages do when they are dropped is done without the lock.
        drop(messages);
    }
}

impl<T> State<T> {
    /// Sends; the number of the message.
    fn send(&mut self, value: T, bound: Option<usize>) -> u64 {
        if bound.is_some_and(|bound| bound > 0 && self.sent >= bound as u64)
            && let Some(freed) = self.freed.pop_front()
        {
            acquire_from(&freed);
        }
        let mut released = Clock::new();
        release_to(&mut released);
        let number = self.sent;
        self.sent += 1;
        self.messages.push_back(Message { number, released, value });
        number
    }

    fn receive(&mut self, released: &Clock, bound: Option<usize>) {
        acquire_from(released);
        self.received += 1;
        let Some(bound) = bound else { return };
        if bound == 0 {
            self.freed.clear();
        }
        let mut freed = Clock::new();
        release_to(&mut freed);
        self.freed.push_back(freed);
    }
}

/// What a receive that does not wait for ever came to.
pub(super) fn timed_out(error: TryRecvError) -> RecvTimeoutError {
    match error {
        TryRecvError::Empty => RecvTimeoutError::Timeout,
        TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
    }
}

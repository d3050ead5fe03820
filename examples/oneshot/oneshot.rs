//! A channel for one item: `send` and `recv` each take their end with them. The receiver sleeps until the item is there, as in Bos' *Rust
//! Atomics and Locks* (chapter 5), and each end notices if the other one is gone.
//!
//! One stage says it all: nothing was sent yet; the item is there; no item comes any more, or nobody wants it.
//!
//! # Ordering points
//! - `send`, and `close`, the drop of a sender: the compare-exchange on the stage, won or lost. It releases the item; a `send` that lost
//!   acquires that the receiver is gone.
//! - `try_recv`: the load of the stage. `recv`: the last one, and the swap of the drop of the receiver in it.
//! - `leave`, the drop of a receiver: the swap of the stage.
//!
//! # What is specified
//! The item, and which ends are there. Every execution is admissible. A `send` fails only, and always, if the receiver is gone; a `recv` gets
//! the item, or learns that none comes. Only `try_recv` may err, and say that nothing was sent yet: then some order of the calls that came
//! before it must leave it so. Between a drop of the receiver and a `send` nothing is left to chance: the stage orders them.
//!
//! # What is left out
//! Waiting for a limited time, and wakers: a future would put its waker where the thread is.

use cdsspec::cell::UnsafeCell;
use cdsspec::example::seeded;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU8;
use cdsspec::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use cdsspec::thread::{self, Thread};
use std::marker::PhantomData;

/// Nothing was sent yet.
const OPEN: u8 = 0;
/// The item is there.
const SENT: u8 = 1;
/// No item comes any more, or nobody wants it.
const CLOSED: u8 = 2;

struct Shared<T> {
    stage: AtomicU8,
    item: UnsafeCell<Option<T>>,
}

// SAFETY: the item moves from the sender to the receiver, which the stage orders.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above: at any stage at most one thread uses the item.
unsafe impl<T: Send> Sync for Shared<T> {}

/// Where the item goes in.
pub(crate) struct Sender<T> {
    shared: Arc<Shared<T>>,
    receiving: Thread,
    is_done: bool,
}

/// Where it comes out. It stays with the thread that made it, which is the one that is woken.
pub(crate) struct Receiver<T> {
    shared: Arc<Shared<T>>,
    stays: PhantomData<*const ()>,
}

/// Why there is no item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TryRecvError {
    /// Nothing was sent yet.
    Empty,
    /// No item comes any more.
    Closed,
}

/// What was sent and not received, and which ends are gone.
#[cdsspec::specification]
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
struct Channel {
    item: Option<i32>,
    is_sender_gone: bool,
    is_receiver_gone: bool,
}

/// The two ends of a channel, of which the calling thread is to keep the receiver.
pub(crate) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let shared = Arc::new(Shared { stage: AtomicU8::new(OPEN), item: UnsafeCell::new(None) });
    let sender = Sender { shared: shared.clone(), receiving: thread::current(), is_done: false };
    (sender, Receiver { shared, stays: PhantomData })
}

#[cdsspec::spec(for = Channel, object = self.shared, instance(T = i32))]
impl<T> Sender<T> {
    /// Sends the item.
    ///
    /// # Errors
    /// The item, if the receiver is gone.
    #[returns(|sent| -> bool { sent.is_ok() })]
    #[side_effect({ (state.item, state.is_sender_gone) = (Some(item), true); !state.is_receiver_gone })]
    pub(crate) fn send(mut self, item: T) -> Result<(), T> {
        self.is_done = true;
        // SAFETY: the receiver uses the item only when it was sent.
        self.shared.item.with_mut(|place| unsafe { *place = Some(item) });
        let order = if seeded("send_is_relaxed") { Relaxed } else { Release };
        let open = if seeded("send_always_fails") { CLOSED } else { OPEN };
        #[op_define]
        let sent = self.shared.stage.compare_exchange(open, SENT, order, Acquire);
        if sent.is_ok() {
            if !seeded("does_not_wake") {
                self.receiving.unpark();
            }
            return Ok(());
        }
        if seeded("send_never_fails") {
            return Ok(());
        }
        // SAFETY: the receiver is gone.
        let item = self.shared.item.with_mut(|place| unsafe { (*place).take() });
        item.map_or(Ok(()), Err)
    }

    /// Nothing was sent, and nothing comes any more.
    #[side_effect(state.is_sender_gone = true)]
    fn close(&self) {
        #[op_define]
        let closed = self.shared.stage.compare_exchange(OPEN, CLOSED, Release, Relaxed);
        if closed.is_ok() {
            self.receiving.unpark();
        }
    }
}

#[cdsspec::spec(for = Channel, object = self.shared, instance(T = i32))]
impl<T> Receiver<T> {
    /// The item, if it was sent.
    ///
    /// # Errors
    /// Why there is none.
    #[side_effect(if c_ret == Err(TryRecvError::Empty) { None } else { state.item.take() })]
    #[post_condition(c_ret.ok() == s_ret && (c_ret != Err(TryRecvError::Closed) || state.is_sender_gone))]
    #[justifying_post_condition(c_ret != Err(TryRecvError::Empty) || !state.is_sender_gone)]
    pub(crate) fn try_recv(&mut self) -> Result<T, TryRecvError> {
        #[op_clear_define]
        let stage = self.shared.stage.load(if seeded("recv_is_relaxed") { Relaxed } else { Acquire });
        match stage {
            _ if seeded("says_nothing_was_sent") => Err(TryRecvError::Empty),
            _ if seeded("says_nothing_comes") => Err(TryRecvError::Closed),
            OPEN => Err(TryRecvError::Empty),
            SENT => {
                self.shared.stage.store(CLOSED, Relaxed);
                // SAFETY: the sender has left it.
                let item = self.shared.item.with_mut(|place| unsafe { (*place).take() });
                item.ok_or(TryRecvError::Closed)
            }
            _ => Err(TryRecvError::Closed),
        }
    }

    /// Waits for the item; nothing, if none comes any more.
    #[side_effect(state.item.take())]
    #[post_condition(c_ret == s_ret && state.is_sender_gone)]
    pub(crate) fn recv(mut self) -> Option<T> {
        loop {
            match self.try_recv() {
                Ok(item) => return Some(item),
                Err(TryRecvError::Closed) => return None,
                Err(TryRecvError::Empty) if seeded("does_not_wait") => return None,
                Err(TryRecvError::Empty) => thread::park(),
            }
        }
    }

    /// Nobody wants the item any more.
    #[side_effect(state.is_receiver_gone = true)]
    fn leave(&self) {
        #[op_define]
        self.shared.stage.swap(CLOSED, if seeded("leaves_relaxed") { Relaxed } else { AcqRel });
    }
}

impl<T> Drop for Sender<T> {
    fn drop(&mut self) {
        if !self.is_done {
            self.close();
        }
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.leave();
    }
}

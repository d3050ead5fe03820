//! std's `sync::mpsc`, with clocks.
//!
//! The channels are our own, under one lock each, so that the order of sends and receives is known: std's are faster. What they order is
//! said at `channel.rs`: what std promises, and that the room that a receive makes in a channel with a bound is taken later.

mod channel;
mod receiver;
mod sender;

pub use receiver::{IntoIter, Iter, Receiver, TryIter};
pub use sender::{Sender, SyncSender};
pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

use channel::Channel;
use std::sync::Arc;

/// std's `channel`: sending never waits.
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let channel = Arc::new(Channel::new(None));
    (Sender(Arc::clone(&channel)), Receiver::of(channel))
}

/// std's `sync_channel`: sending waits as long as `bound` messages are there; if that is 0, until the message is received.
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let channel = Arc::new(Channel::new(Some(bound)));
    (SyncSender(Arc::clone(&channel)), Receiver::of(channel))
}

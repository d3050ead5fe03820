//! std's `sync::mpsc`, instrumented.
//!
//! A channel that is made in an execution is of that execution, and is one word: how many messages were sent and received, how
//! many senders there are, and whether the receiver is there. So a receive happens after all sends up to that of its message, and
//! after those that came between: this is more than std promises.
//!
//! A channel that is made outside is std's. Inside an execution it can be used as long as it does not wait: engines cannot see
//! it, and what was sent to it can be received in one execution only. A channel whose execution is over is closed; another execution
//! that uses it is refused.

mod channel;
mod iter;
mod receiver;
mod sender;
mod waiting;
mod word;

pub use iter::{IntoIter, Iter, TryIter};
pub use receiver::Receiver;
pub use sender::{Sender, SyncSender};
pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

use channel::Channel;

/// std's `channel`: sending never waits.
#[inline(always)]
#[track_caller]
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    match Channel::new(None) {
        Some(channel) => (Sender::of_execution(channel.clone()), Receiver::of_execution(channel)),
        None => {
            let (sender, receiver) = std::sync::mpsc::channel();
            (Sender::of_std(sender), Receiver::of_std(receiver))
        }
    }
}

/// std's `sync_channel`: sending waits as long as `bound` messages are there; if that is 0, until the message is received.
#[inline(always)]
#[track_caller]
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    match Channel::new(Some(bound)) {
        Some(channel) => (SyncSender::of_execution(channel.clone()), Receiver::of_execution(channel)),
        None => {
            let (sender, receiver) = std::sync::mpsc::sync_channel(bound);
            (SyncSender::of_std(sender), Receiver::of_std(receiver))
        }
    }
}

//! The programs that are explored. What calls return is for the specification to judge.

use super::oneshot::channel;
use cdsspec::thread;

/// One thread sends, the other waits.
pub(crate) fn send__recv() {
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        scope.spawn(|| sender.send(1));
        receiver.recv();
    });
}

/// One thread sends, the other looks three times: at last when it must be there.
pub(crate) fn send__try_recv() {
    let (sender, mut receiver) = channel();
    thread::scope(|scope| {
        scope.spawn(|| sender.send(1));
        _ = receiver.try_recv();
        _ = receiver.try_recv();
    });
    _ = receiver.try_recv();
}

/// The sender is dropped, the other waits for nothing.
pub(crate) fn drop__recv() {
    let (sender, receiver) = channel::<i32>();
    thread::scope(|scope| {
        scope.spawn(|| drop(sender));
        receiver.recv();
    });
}

/// One thread sends, the other looks once and goes.
pub(crate) fn send__try_recv_drop() {
    let (sender, mut receiver) = channel();
    thread::scope(|scope| {
        scope.spawn(|| sender.send(1));
        _ = receiver.try_recv();
        drop(receiver);
    });
}

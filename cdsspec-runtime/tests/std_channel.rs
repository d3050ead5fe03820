//! Channels under both engines: the exact outcomes of small programs.
#![cfg(feature = "loom")]
#![allow(clippy::unwrap_used, reason = "tests")]

use cdsspec_runtime::sync::Arc;
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::*};
use cdsspec_runtime::sync::mpsc::{TrySendError, channel, sync_channel};
use cdsspec_runtime::thread;

programs! {
    messages_come_in_the_order_of_their_sender: ["[1, 2, 3]", "[1, 3, 2]", "[3, 1, 2]"] = {
        let (sender, receiver) = channel();
        let other = sender.clone();
        thread::spawn(move || [1, 2].map(|message| other.send(message).unwrap()));
        sender.send(3).unwrap();
        drop(sender);
        format!("{:?}", receiver.iter().collect::<Vec<_>>())
    };
    a_look_at_a_channel_finds_a_message_or_none: [
        "[Err(Empty), Err(Empty)]",
        "[Err(Empty), Ok(1)]",
        "[Ok(1), Err(Disconnected)]",
        "[Ok(1), Err(Empty)]"
    ] = {
        let (sender, receiver) = channel();
        let child = thread::spawn(move || sender.send(1).unwrap());
        let seen = [receiver.try_recv(), receiver.try_recv()];
        child.join().unwrap();
        format!("{seen:?}")
    };
    a_full_channel_takes_no_more_until_one_is_received: ["Full 1 2"] = {
        let (sender, receiver) = sync_channel(1);
        sender.send(1).unwrap();
        let full = matches!(sender.try_send(2), Err(TrySendError::Full(2)));
        thread::spawn(move || sender.send(2).unwrap());
        assert!(full);
        format!("Full {} {}", receiver.recv().unwrap(), receiver.recv().unwrap())
    };
    a_channel_without_room_is_a_meeting: ["true 1"] = {
        let (sender, receiver) = sync_channel(0);
        let flag = Arc::new(AtomicUsize::new(0));
        let inner = flag.clone();
        let child = thread::spawn(move || {
            sender.send(1).unwrap();
            inner.load(Relaxed)
        });
        flag.store(1, Relaxed);
        let received = receiver.recv() == Ok(1);
        format!("{received} {}", child.join().unwrap())
    };
    a_message_that_nobody_will_receive_comes_back: ["Err(1)", "Ok(())"] = {
        let (sender, receiver) = channel();
        let child = thread::spawn(move || drop(receiver));
        let sent = sender.send(1).map_err(|error| error.0);
        child.join().unwrap();
        format!("{sent:?}")
    };
    a_sender_that_meets_nobody_gets_its_message_back: ["Err(1)"] = {
        let (sender, receiver) = sync_channel(0);
        let child = thread::spawn(move || drop(receiver));
        let sent = sender.send(1).map_err(|error| error.0);
        child.join().unwrap();
        format!("{sent:?}")
    };
    a_channel_without_senders_is_closed: ["Err(RecvError) Disconnected"] = {
        let (sender, receiver) = channel::<usize>();
        thread::spawn(move || drop(sender));
        format!("{:?} {:?}", receiver.recv(), receiver.try_recv().unwrap_err())
    };
    a_sender_that_waits_for_room_hears_that_the_receiver_is_gone: ["Err(2)"] = {
        let (sender, receiver) = sync_channel(1);
        sender.send(1).unwrap();
        let child = thread::spawn(move || sender.send(2).map_err(|error| error.0));
        drop(receiver);
        format!("{:?}", child.join().unwrap())
    };
    of_two_senders_one_finds_room: ["1 true false", "2 false true"] = {
        let (sender, receiver) = sync_channel(1);
        let other = sender.clone();
        let child = thread::spawn(move || other.try_send(1).is_ok());
        let mine = sender.try_send(2).is_ok();
        let theirs = child.join().unwrap();
        format!("{} {theirs} {mine}", receiver.recv().unwrap())
    };
}

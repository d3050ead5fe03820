//! Channels.

use super::fake::{Run, assert_placed, message_of, names, run};
use cdsspec_runtime::sync::mpsc::{
    RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError, channel, sync_channel,
};
use cdsspec_runtime::thread;
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(1);

#[test]
fn a_channel_keeps_messages_until_they_are_received() {
    let test = || {
        let (sender, receiver) = channel();
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
        let other = sender.clone();
        sender.send(1).unwrap();
        other.send(2).unwrap();
        sender.send(3).unwrap();
        assert_eq!((receiver.recv(), receiver.recv_timeout(SHORT)), (Ok(1), Ok(2)));
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [3]);
        assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
        other.send(4).unwrap();
        drop((sender, other));
        assert_eq!(receiver.iter().collect::<Vec<_>>(), [4]);
        assert_eq!((receiver.recv(), receiver.try_recv()), (Err(RecvError), Err(TryRecvError::Disconnected)));
        assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Disconnected));
        receiver.into_iter().count()
    };
    assert_eq!(test(), 0);
    let (count, recording) = run(test);
    assert_eq!(count, 0);
    assert_placed(&recording, file!());
}

#[test]
fn a_bounded_channel_is_full_at_its_bound() {
    let test = || {
        let (sender, receiver) = sync_channel(2);
        sender.send(1).unwrap();
        sender.try_send(2).unwrap();
        assert_eq!(sender.try_send(3), Err(TrySendError::Full(3)));
        assert_eq!(receiver.recv(), Ok(1));
        sender.clone().try_send(3).unwrap();
        let received: Vec<_> = (&receiver).into_iter().take(2).collect();
        drop(receiver);
        assert_eq!(sender.try_send(4), Err(TrySendError::Disconnected(4)));
        assert_eq!(sender.send(4), Err(SendError(4)));
        format!("{received:?} {sender:?}")
    };
    assert_eq!(test(), "[2, 3] SyncSender { .. }");
    let (shown, recording) = run(test);
    assert_eq!(shown, "[2, 3] SyncSender { .. }");
    assert_placed(&recording, file!());
}

#[test]
fn a_channel_without_room_takes_nothing_of_one_who_does_not_wait() {
    let test = || {
        let (sender, receiver) = sync_channel(0);
        assert_eq!(sender.try_send(1), Err(TrySendError::Full(1)));
        assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
        assert_eq!(receiver.recv_timeout(SHORT), Err(RecvTimeoutError::Timeout));
        assert_eq!(sender.try_send(1), Err(TrySendError::Full(1)));
    };
    test();
    run(test);
}

#[test]
fn each_operation_of_a_channel_is_one_of_the_engines() {
    let ((), recording) = run(|| {
        let (sender, receiver) = sync_channel(1);
        sender.send(1).unwrap();
        receiver.recv().unwrap();
        drop(sender);
        assert!(receiver.recv().is_err());
    });
    assert_eq!(names(&recording), ["send", "recv", "drop", "recv", "drop"]);
    assert_eq!(recording.locations.len(), 1);
}

#[test]
fn messages_are_dropped_with_the_receiver() {
    let test = || {
        let message = std::sync::Arc::new(());
        let (sender, receiver) = channel();
        sender.send(std::sync::Arc::clone(&message)).unwrap();
        drop(receiver);
        let count = std::sync::Arc::strong_count(&message);
        assert!(sender.send(message).is_err());
        count
    };
    assert_eq!(test(), 1);
    assert_eq!(run(test).0, 1);
}

#[test]
fn a_send_happens_before_its_receive() {
    let (message, recording) = run(|| {
        let (sender, receiver) = channel();
        let _detached = thread::spawn(move || sender.send(7).unwrap());
        receiver.recv().unwrap()
    });
    assert_eq!(message, 7);
    assert_eq!(names(&recording), ["spawn", "send", "drop", "recv", "drop"]);
    assert!(recording.operations[1].happens_before(&recording.operations[3]));
}

#[test]
fn a_channel_of_another_place_does_not_wait() {
    let (sender, receiver) = sync_channel(1);
    run(|| {
        sender.send(1).unwrap();
        assert_eq!(receiver.recv(), Ok(1));
        sender.send(2).unwrap();
        assert!(message_of(|| sender.send(3)).starts_with("a channel that was made outside"));
        assert_eq!(receiver.recv_timeout(SHORT), Ok(2));
        assert!(message_of(|| receiver.recv()).starts_with("a channel that was made outside"));
    });
    let runner = Run::new();
    let (sender, receiver) = runner.execute(channel);
    assert_eq!(sender.send(1), Err(SendError(1)));
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    let refused = |message: String| message.starts_with("a channel is used in two executions");
    assert!(refused(message_of(|| runner.execute(|| sender.send(1)))));
    assert!(refused(message_of(|| runner.execute(|| receiver.try_recv()))));
}

use crate::{assert_ordered, assert_unordered, elsewhere, now};
use cdsspec_contracts::sync::mpsc::{
    self, RecvTimeoutError, SendError, TryRecvError, TrySendError, channel, sync_channel,
};
use cdsspec_contracts::thread;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn to_send_a_message_happens_before_to_receive_it() {
    let (sender, receiver) = channel();
    let other = sender.clone();
    let first = elsewhere(move || {
        let first = now();
        other.send(1).unwrap();
        first
    });
    let other = sender.clone();
    let second = elsewhere(move || {
        let second = now();
        other.send(2).unwrap();
        second
    });
    assert_eq!(receiver.recv(), Ok(1));
    assert_ordered(&first, &now());
    assert_unordered(&second, &now());
    assert_eq!(receiver.try_recv(), Ok(2));
    assert_ordered(&second, &now());
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(receiver.recv_timeout(Duration::from_millis(1)), Err(RecvTimeoutError::Timeout));
}

#[test]
fn to_drop_the_senders_happens_before_the_end_of_the_messages() {
    let (sender, receiver) = channel::<()>();
    let first = elsewhere(move || {
        let first = now();
        drop(sender);
        first
    });
    assert_unordered(&first, &now());
    assert_eq!(receiver.iter().count(), 0);
    assert_ordered(&first, &now());
    assert_eq!(receiver.try_recv(), Err(TryRecvError::Disconnected));
    assert_eq!(receiver.recv_timeout(Duration::MAX), Err(RecvTimeoutError::Disconnected));
}

#[test]
fn to_drop_the_receiver_happens_before_a_send_that_fails() {
    let (sender, receiver) = channel();
    sender.send(1).unwrap();
    let first = elsewhere(move || {
        let first = now();
        drop(receiver);
        first
    });
    assert_eq!(sender.send(2), Err(SendError(2)));
    assert_ordered(&first, &now());
}

#[test]
fn a_receive_happens_before_the_send_that_takes_its_room() {
    let (sender, receiver) = sync_channel(2);
    [1, 2].into_iter().for_each(|message| sender.send(message).unwrap());
    assert_eq!(sender.try_send(3), Err(TrySendError::Full(3)));
    let (receiver, [first, second]) = elsewhere(move || {
        let moments = [(); 2].map(|()| {
            let before = now();
            receiver.recv().unwrap();
            before
        });
        (receiver, moments)
    });
    assert_unordered(&first, &now());
    sender.send(3).unwrap();
    assert_ordered(&first, &now());
    assert_unordered(&second, &now());
    sender.send(4).unwrap();
    assert_ordered(&second, &now());
    assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn a_send_without_room_waits_for_the_receive() {
    let (sender, receiver) = sync_channel(0);
    assert_eq!(sender.try_send(0), Err(TrySendError::Full(0)));
    let child = thread::spawn(move || {
        let before = now();
        (before, receiver.recv(), receiver)
    });
    sender.send(1).unwrap();
    let after = now();
    let (before, received, receiver) = child.join().unwrap();
    assert_eq!(received, Ok(1));
    assert_ordered(&before, &after);
    // The receiver goes while the sender waits: the message comes back.
    let child = thread::spawn(move || {
        thread::sleep(Duration::from_millis(5));
        drop(receiver);
    });
    assert_eq!(sender.send(2), Err(SendError(2)));
    child.join().unwrap();
}

#[test]
fn messages_of_many_senders_come_once_and_in_each_ones_order() {
    for (sender, receiver) in [bounded(0), bounded(1), bounded(3), unbounded()] {
        thread::scope(|scope| {
            for number in 0..3 {
                let sender = Arc::clone(&sender);
                scope.spawn(move || (0..200).for_each(|message| sender(number * 1_000 + message)));
            }
            drop(sender);
            let mut next = [0; 3];
            for message in receiver {
                assert_eq!(message % 1_000, next[message / 1_000]);
                next[message / 1_000] += 1;
            }
            assert_eq!(next, [200; 3]);
        });
    }
}

type Ends = (Arc<dyn Fn(usize) + Send + Sync>, mpsc::Receiver<usize>);

fn bounded(bound: usize) -> Ends {
    let (sender, receiver) = sync_channel(bound);
    (Arc::new(move |message| sender.send(message).unwrap()), receiver)
}

fn unbounded() -> Ends {
    let (sender, receiver) = channel();
    (Arc::new(move |message| sender.send(message).unwrap()), receiver)
}

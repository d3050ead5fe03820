//! Channels.

use super::lib::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use super::lib::thread;
use std::time::Duration;

/// What is received beside a thread that sends 1 and 2.
fn beside_a_sender(f: fn(&Receiver<u32>) -> String) -> String {
    let (sender, receiver) = channel();
    let child = thread::spawn(move || {
        sender.send(1).unwrap();
        sender.send(2).unwrap();
    });
    let said = f(&receiver);
    child.join().unwrap();
    said
}

fn send_each(sender: Sender<u32>, numbers: [u32; 2]) -> thread::JoinHandle<()> {
    thread::spawn(move || numbers.iter().for_each(|number| sender.send(*number).unwrap()))
}

table! {
    messages_come_in_the_order_in_which_they_were_sent ["[1, 2]"] {
        beside_a_sender(|receiver| format!("{:?}", receiver.iter().collect::<Vec<_>>()))
    }
    a_message_is_there_or_not ["Err(Empty)", "Ok(1)"] {
        beside_a_sender(|receiver| {
            let said = format!("{:?}", receiver.try_recv());
            receiver.iter().for_each(drop);
            said
        })
    }
    messages_of_two_senders_come_in_any_order_that_keeps_each ["[1, 2, 8, 9]", "[1, 8, 2, 9]", "[1, 8, 9, 2]", "[8, 1, 2, 9]", "[8, 1, 9, 2]", "[8, 9, 1, 2]"] {
        let (sender, receiver) = channel();
        let children = [send_each(sender.clone(), [1, 2]), send_each(sender, [8, 9])];
        children.into_iter().for_each(|child| child.join().unwrap());
        format!("{:?}", receiver.into_iter().collect::<Vec<_>>())
    }
    what_was_sent_is_received_after_the_sender_has_gone ["Ok(1) Err(RecvError) Err(Disconnected)"] {
        let (sender, receiver) = channel();
        sender.send(1).unwrap();
        drop(sender);
        format!("{:?} {:?} {:?}", receiver.recv(), receiver.recv(), receiver.try_recv())
    }
    a_message_that_nobody_will_receive_comes_back ["Err(1)"] {
        let (sender, receiver) = channel();
        drop(receiver);
        format!("{:?}", sender.send(1).map_err(|error| error.0))
    }
    a_clone_keeps_the_channel_open ["Err(Empty) Err(Disconnected)"] {
        let (sender, receiver) = channel::<u32>();
        let other = sender.clone();
        drop(sender);
        let open = format!("{:?}", receiver.try_recv());
        drop(other);
        format!("{open} {:?}", receiver.try_recv())
    }
    a_timed_receive_ends ["Err(Timeout) Err(Disconnected)"] {
        let (sender, receiver) = channel::<u32>();
        let timeout = Duration::from_millis(1);
        let open = receiver.recv_timeout(timeout);
        drop(sender);
        format!("{open:?} {:?}", receiver.recv_timeout(timeout))
    }
    a_bounded_channel_gets_full ["Ok(()) Err(TrySendError::Full(..)) Ok(1) Ok(())"] {
        let (sender, receiver) = sync_channel(1);
        let (first, second) = (sender.try_send(1), sender.try_send(2));
        let received = receiver.recv();
        format!("{first:?} {second:?} {received:?} {:?}", sender.try_send(3))
    }
    a_send_waits_for_room ["[1, 2, 3]"] {
        let (sender, receiver) = sync_channel(1);
        let child = thread::spawn(move || [1, 2, 3].map(|number| sender.send(number).is_ok()));
        let received: Vec<u32> = receiver.iter().collect();
        assert_eq!(child.join().unwrap(), [true; 3]);
        format!("{received:?}")
    }
    a_channel_without_room_hands_over ["Ok(1)"] {
        let (sender, receiver) = sync_channel(0);
        let child = thread::spawn(move || sender.send(1).unwrap());
        let received = receiver.recv();
        child.join().unwrap();
        format!("{received:?}")
    }
    nobody_who_tries_is_received_without_a_receiver_that_waits ["Err(TrySendError::Full(..)) Err(TrySendError::Disconnected(..))"] {
        let (sender, receiver) = sync_channel(0);
        let first = sender.try_send(1);
        drop(receiver);
        format!("{first:?} {:?}", sender.try_send(2))
    }
    a_receiver_that_goes_drops_the_messages ["2 1"] {
        let message = std::sync::Arc::new(());
        let (sender, receiver) = channel();
        sender.send(message.clone()).unwrap();
        let before = std::sync::Arc::strong_count(&message);
        drop(receiver);
        format!("{before} {}", std::sync::Arc::strong_count(&message))
    }
    a_send_comes_before_the_receiver_goes_or_after ["Err(1)", "Ok(())"] {
        let (sender, receiver) = channel();
        let child = thread::spawn(move || drop(receiver));
        let sent = sender.send(1).map_err(|error| error.0);
        child.join().unwrap();
        format!("{sent:?}")
    }
}

//! The state of a channel, in one word.

use crate::port::{Update, WaitLoad, WaitUpdate};

/// From the lowest bit: how many messages were received, how many were sent, both modulo 2^20; how many senders there are; flags.
#[derive(Clone, Copy)]
pub(super) struct Word(pub(super) u64);

const COUNT_BITS: u32 = 20;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
const SENDER: u64 = 1 << (2 * COUNT_BITS);
const SENDERS_MASK: u64 = 0xFFFF * SENDER;
/// The receiver was dropped.
const IS_GONE: u64 = 1 << 56;
/// The receiver waits for a message. Kept if the channel has no room: then `try_send` needs it.
const IS_WAITING: u64 = 1 << 57;

/// A channel with one sender and a receiver.
pub(super) const INITIAL: u64 = SENDER;
/// The operand of a channel that has no bound.
pub(super) const UNBOUNDED: u64 = u64::MAX;

/// One more sender.
pub(super) const ADD_SENDER: Update = Update { operand: SENDER, function: u64::wrapping_add };
/// One sender less.
pub(super) const REMOVE_SENDER: Update = Update { operand: SENDER, function: u64::wrapping_sub };
/// The receiver is gone.
pub(super) const LEAVE: Update = Update { operand: IS_GONE, function: |word, gone| word | gone };
/// The receiver waits.
pub(super) const ANNOUNCE: Update = Update { operand: IS_WAITING, function: |word, waiting| word | waiting };
/// Receives a message once there is one; unchanged if there will be none.
pub(super) const RECEIVE: WaitUpdate = WaitUpdate {
    operand: 0,
    function: |word, _| {
        let received = Word(word).received();
        (received.is_some() || Word(word).is_over()).then_some(received.unwrap_or(word))
    },
};
/// Receives a message if there is one, and waits no longer.
pub(super) const TRY_RECEIVE: Update = Update {
    operand: IS_WAITING,
    function: |word, waiting| Word(word).received().unwrap_or(word & !waiting),
};

/// Sends a message once there is room; unchanged if the receiver is gone. With no room at all, one sender at a time.
pub(super) fn send(bound: u64) -> WaitUpdate {
    let function = |word, bound: u64| {
        let word = Word(word);
        if word.is_gone() { Some(word.0) } else { (word.len() < bound.max(1)).then_some(word.sent()) }
    };
    WaitUpdate { operand: bound, function }
}

/// Sends a message if there is room and the receiver is there.
pub(super) fn try_send(bound: u64) -> Update {
    let function = |word, bound| if Word(word).has_room(bound) { Word(word).sent() } else { word };
    Update { operand: bound, function }
}

/// Whether a message was received, or never will be.
pub(super) fn is_settled(position: u64) -> WaitLoad {
    WaitLoad {
        operand: position,
        function: |word, position| Word(word).has_received(position) || Word(word).is_gone(),
    }
}

impl Word {
    /// How many messages are there.
    pub(super) fn len(self) -> u64 {
        self.end().wrapping_sub(self.start()) & COUNT_MASK
    }

    /// The position of the next message to receive.
    pub(super) fn start(self) -> u64 {
        self.0 & COUNT_MASK
    }

    /// The position of the message that is `index` behind the next one to receive.
    pub(super) fn after_start(self, index: u64) -> u64 {
        (self.start() + index) & COUNT_MASK
    }

    /// The position of the next message to send.
    pub(super) fn end(self) -> u64 {
        self.0 >> COUNT_BITS & COUNT_MASK
    }

    /// Whether no message will come any more.
    pub(super) fn is_over(self) -> bool {
        self.len() == 0 && self.0 & SENDERS_MASK == 0
    }

    pub(super) fn is_gone(self) -> bool {
        self.0 & IS_GONE != 0
    }

    /// Whether a message can be sent without waiting.
    pub(super) fn has_room(self, bound: u64) -> bool {
        let is_taken = bound > 0 || self.0 & IS_WAITING != 0;
        !self.is_gone() && is_taken && self.len() < bound.max(1)
    }

    pub(super) fn has_received(self, position: u64) -> bool {
        // As seen by one who has sent it: it is not far from the start.
        self.start().wrapping_sub(position + 1) & COUNT_MASK < 1 << (COUNT_BITS - 1)
    }

    fn sent(self) -> u64 {
        let end = (self.end() + 1) & COUNT_MASK;
        self.0 & !(COUNT_MASK << COUNT_BITS) | end << COUNT_BITS
    }

    fn received(self) -> Option<u64> {
        let start = (self.start() + 1) & COUNT_MASK;
        (self.len() > 0).then_some(self.0 & !COUNT_MASK & !IS_WAITING | start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_a_channel_wrap_around() {
        let mut word = Word(INITIAL | COUNT_MASK | COUNT_MASK << COUNT_BITS);
        for bound in [1, 2, UNBOUNDED] {
            let position = word.end();
            assert!(word.has_room(bound) && !word.has_received(position));
            word = Word(try_send(bound).apply(word.0));
            assert_eq!((word.len(), word.start()), (1, position));
            assert_eq!(word.has_room(bound), bound > 1);
            assert_eq!(send(bound).apply(word.0).is_some(), bound > 1);
            word = Word(RECEIVE.apply(word.0).expect("there is a message"));
            assert_eq!(word.len(), 0);
            assert!(word.has_received(position) && is_settled(position).is_satisfied(word.0));
            assert!(RECEIVE.apply(word.0).is_none());
        }
        assert_eq!(word.0, INITIAL | 2 | 2 << COUNT_BITS);
    }

    #[test]
    fn a_channel_without_room_takes_a_message_of_one_who_does_not_wait_if_the_receiver_waits() {
        let word = Word(INITIAL);
        assert!(!word.has_room(0));
        assert!(send(0).apply(word.0).is_some());
        let waiting = Word(ANNOUNCE.apply(word.0));
        assert!(waiting.has_room(0));
        let sent = try_send(0).apply(waiting.0);
        assert!(!Word(sent).has_room(0));
        assert!(!Word(TRY_RECEIVE.apply(sent)).has_room(0));
        assert_eq!(TRY_RECEIVE.apply(waiting.0), word.0);
    }
}

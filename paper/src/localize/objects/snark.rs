//! A deque that compares and exchanges two words at once.

use super::arena::Arena;
use cdsspec::hint;
use cdsspec::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::collections::VecDeque;

/// A node, by its number.
type NodeId = usize;

/// It leads to itself on both sides, and stands at both ends.
const DUMMY: NodeId = 0;

/// A word of the shared memory.
#[derive(Clone, Copy)]
enum Word {
    LeftHat,
    RightHat,
    /// What a node leads to on its left.
    Left(NodeId),
    /// What it leads to on its right.
    Right(NodeId),
}

#[derive(Clone, Copy)]
struct Node {
    left: NodeId,
    right: NodeId,
    /// Nothing once it was taken.
    value: Option<i32>,
}

/// What the shared memory is at a time.
#[derive(Clone)]
struct Memory {
    left_hat: NodeId,
    right_hat: NodeId,
    nodes: Vec<Node>,
}

impl Memory {
    fn word(&self, word: Word) -> NodeId {
        match word {
            Word::LeftHat => self.left_hat,
            Word::RightHat => self.right_hat,
            Word::Left(node) => self.nodes[node].left,
            Word::Right(node) => self.nodes[node].right,
        }
    }

    fn word_mut(&mut self, word: Word) -> &mut NodeId {
        match word {
            Word::LeftHat => &mut self.left_hat,
            Word::RightHat => &mut self.right_hat,
            Word::Left(node) => &mut self.nodes[node].left,
            Word::Right(node) => &mut self.nodes[node].right,
        }
    }

    /// Writes two words, if both are as expected.
    fn dcas(&mut self, words: [Word; 2], expected: [NodeId; 2], new: [NodeId; 2]) -> bool {
        let is_as_expected = words.map(|word| self.word(word)) == expected;
        if is_as_expected {
            for (word, node) in words.into_iter().zip(new) {
                *self.word_mut(word) = node;
            }
        }
        is_as_expected
    }
}

/// `Snark`: a deque in a list that is linked both ways, with a *hat* on either end.
///
/// No machine compares and exchanges two words at different places (*DCAS*), and no language has it. So the whole memory is one value behind a pointer here: a read of a word is one load, and what writes a word or two
/// makes a changed copy of all of it, which one compare-exchange puts in place. A DCAS that links a new node makes it as well, and one that takes a node out takes its item.
///
/// # Source
/// Detlefs, Flood, Garthwaite, Martin, Shavit and Steele, *Even better DCAS-based concurrent deques*, 2000; its faults, and their repairs, are those of Doherty, Detlefs, Groves, Flood, Luchangco,
/// Martin, Moir, Shavit and Steele, *DCAS is not a silver bullet for nonblocking algorithm design*, 2004.
///
/// # Fault
/// A pop on one side takes the deque for empty if the node under its hat leads to itself. So does a node that was taken from the other side since. Beside the pop it takes two calls: a push on
/// its side, and a pop on the other one. It returns that the deque is empty, which it never was (type 1).
///
/// The other fault of the paper, by which an item is taken twice, is not in here: an item is taken once, and whoever finds none in the node that it took out goes on.
///
/// # Correct
/// The pop looks whether its hat is still there.
pub(crate) struct Snark {
    /// Leads to what the memory is now.
    now: AtomicPtr<Memory>,
    memories: Arena<Memory>,
    looks_again: bool,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(items: VecDeque<i32>)]
impl Snark {
    fn new(looks_again: bool) -> Self {
        let nodes = vec![Node { left: DUMMY, right: DUMMY, value: None }];
        let memories = Arena::new();
        let first = memories.add(Memory { left_hat: DUMMY, right_hat: DUMMY, nodes });
        Self { now: AtomicPtr::new(first), memories, looks_again }
    }

    /// As first published, but for the second fault.
    pub(crate) fn faulty() -> Self {
        Self::new(false)
    }

    /// With both repairs.
    pub(crate) fn correct() -> Self {
        Self::new(true)
    }

    /// Adds an item at the left end.
    #[scenario(args(1, 2))]
    #[side_effect(items.push_front(value))]
    pub(crate) fn push_left(&self, value: i32) {
        loop {
            let left = self.read(Word::LeftHat);
            let beyond = self.read(Word::Left(left));
            let is_done = if beyond == left {
                let right = self.read(Word::RightHat);
                let new = Node { left: DUMMY, right: DUMMY, value: Some(value) };
                self.link([Word::LeftHat, Word::RightHat], [left, right], new)
            } else {
                let new = Node { left: DUMMY, right: left, value: Some(value) };
                self.link([Word::LeftHat, Word::Left(left)], [left, beyond], new)
            };
            if is_done {
                return;
            }
            hint::spin_loop();
        }
    }

    /// Adds an item at the right end.
    #[scenario(args(1, 2))]
    #[side_effect(items.push_back(value))]
    pub(crate) fn push_right(&self, value: i32) {
        loop {
            let right = self.read(Word::RightHat);
            let beyond = self.read(Word::Right(right));
            let is_done = if beyond == right {
                let left = self.read(Word::LeftHat);
                let new = Node { left: DUMMY, right: DUMMY, value: Some(value) };
                self.link([Word::RightHat, Word::LeftHat], [right, left], new)
            } else {
                let new = Node { left: right, right: DUMMY, value: Some(value) };
                self.link([Word::RightHat, Word::Right(right)], [right, beyond], new)
            };
            if is_done {
                return;
            }
            hint::spin_loop();
        }
    }

    /// Takes the item at the left end, if there is one.
    #[scenario]
    #[side_effect(items.pop_front())]
    pub(crate) fn pop_left(&self) -> Option<i32> {
        loop {
            let left = self.read(Word::LeftHat);
            let right = self.read(Word::RightHat);
            let mut taken = None;
            if self.read(Word::Left(left)) == left {
                if !self.looks_again || self.read(Word::LeftHat) == left {
                    return None;
                }
            } else if left == right {
                let words = [Word::LeftHat, Word::RightHat];
                taken = self.unlink(words, [left, right], [DUMMY, DUMMY]).flatten();
            } else {
                let next = self.read(Word::Right(left));
                let words = [Word::LeftHat, Word::Right(left)];
                if let Some(value) = self.unlink(words, [left, next], [next, left]) {
                    self.write(Word::Left(left), DUMMY);
                    taken = value;
                }
            }
            if taken.is_some() {
                return taken;
            }
            hint::spin_loop();
        }
    }

    /// Takes the item at the right end, if there is one.
    #[scenario]
    #[side_effect(items.pop_back())]
    pub(crate) fn pop_right(&self) -> Option<i32> {
        loop {
            let right = self.read(Word::RightHat);
            let left = self.read(Word::LeftHat);
            let mut taken = None;
            if self.read(Word::Right(right)) == right {
                if !self.looks_again || self.read(Word::RightHat) == right {
                    return None;
                }
            } else if right == left {
                let words = [Word::RightHat, Word::LeftHat];
                taken = self.unlink(words, [right, left], [DUMMY, DUMMY]).flatten();
            } else {
                let next = self.read(Word::Left(right));
                let words = [Word::RightHat, Word::Left(right)];
                if let Some(value) = self.unlink(words, [right, next], [next, right]) {
                    self.write(Word::Right(right), DUMMY);
                    taken = value;
                }
            }
            if taken.is_some() {
                return taken;
            }
            hint::spin_loop();
        }
    }

    fn read(&self, word: Word) -> NodeId {
        self.memories.at(self.now.load(SeqCst)).word(word)
    }

    fn write(&self, word: Word, node: NodeId) {
        self.change(|memory| {
            *memory.word_mut(word) = node;
            Some(())
        });
    }

    /// Lets two words lead to a new node, if both are as expected.
    fn link(&self, words: [Word; 2], expected: [NodeId; 2], new: Node) -> bool {
        let change = |memory: &mut Memory| {
            memory.nodes.push(new);
            let id = memory.nodes.len() - 1;
            memory.dcas(words, expected, [id, id]).then_some(())
        };
        self.change(change).is_some()
    }

    /// Writes two words, if both are as expected, and takes the item of the node that the first one led to, if it is still there.
    fn unlink(&self, words: [Word; 2], expected: [NodeId; 2], new: [NodeId; 2]) -> Option<Option<i32>> {
        self.change(|memory| {
            memory.dcas(words, expected, new).then(|| memory.nodes[expected[0]].value.take())
        })
    }

    /// Changes the memory in one step; where it is not to be changed, it stays.
    fn change<R>(&self, change: impl Fn(&mut Memory) -> Option<R>) -> Option<R> {
        loop {
            let now = self.now.load(SeqCst);
            let mut memory = self.memories.at(now).clone();
            let result = change(&mut memory)?;
            let changed = self.memories.add(memory);
            if self.now.compare_exchange(now, changed, SeqCst, SeqCst).is_ok() {
                return Some(result);
            }
            hint::spin_loop();
        }
    }
}

//! A sequence that shares what it can with those that it was made from.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Values in order. Putting one in or taking one out makes a new sequence, in constant time at the back and, over a chain of sequences, at the front; so a search can keep one for each
/// configuration. Equal sequences are told apart from others by a hash of their values, which is kept, then by the values.
pub struct Sequence<V> {
    /// What was put in last, the last one first; and what was there before, the first one first.
    back: List<V>,
    front: List<V>,
    length: usize,
    /// Of the values `v`, from the first of `n`: the sum of `hash(v_i) * BASE^(n-1-i)`, so that it does not depend on where the list is split.
    hash: u64,
    /// How many nodes of the lists were made for this sequence.
    made: usize,
}

type List<V> = Option<Arc<Node<V>>>;

struct Node<V> {
    value: V,
    next: List<V>,
}

/// Odd, so that no multiplication loses anything.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn power(exponent: usize) -> u64 {
    BASE.wrapping_pow(u32::try_from(exponent).expect("no history has more calls than u32 has numbers"))
}

fn values<V>(list: &List<V>) -> impl Iterator<Item = &V> {
    std::iter::successors(list.as_deref(), |node| node.next.as_deref()).map(|node| &node.value)
}

impl<V: Clone + Hash> Sequence<V> {
    /// Without values.
    #[must_use]
    pub fn new() -> Self {
        Self { back: None, front: None, length: 0, hash: 0, made: 0 }
    }

    /// With one more value at the back.
    #[must_use]
    pub fn with_back(&self, value: V) -> Self {
        let hash = self.hash.wrapping_mul(BASE).wrapping_add(hash_of(&value));
        let back = Some(Arc::new(Node { value, next: self.back.clone() }));
        Self { back, front: self.front.clone(), length: self.length + 1, hash, made: 1 }
    }

    /// The value at the front, and the others.
    #[must_use]
    pub fn without_front(&self) -> Option<(V, Self)> {
        let (front, made) = match &self.front {
            Some(_) => (self.front.clone(), 0),
            None => (reversed(&self.back), self.length),
        };
        let back = if made == 0 { self.back.clone() } else { None };
        let node = front.as_deref()?;
        let length = self.length - 1;
        let hash = self.hash.wrapping_sub(hash_of(&node.value).wrapping_mul(power(length)));
        Some((node.value.clone(), Self { back, front: node.next.clone(), length, hash, made }))
    }

    /// The value at the back, and the others.
    #[must_use]
    pub fn without_back(&self) -> Option<(V, Self)> {
        let (back, made) = match &self.back {
            Some(_) => (self.back.clone(), 0),
            None => (reversed(&self.front), self.length),
        };
        let front = if made == 0 { self.front.clone() } else { None };
        let node = back.as_deref()?;
        let inverse = inverse_of_base();
        let hash = self.hash.wrapping_sub(hash_of(&node.value)).wrapping_mul(inverse);
        let length = self.length - 1;
        Some((node.value.clone(), Self { back: node.next.clone(), front, length, hash, made }))
    }
}

impl<V> Sequence<V> {
    /// The values, from front to back.
    pub fn iter(&self) -> impl Iterator<Item = &V> {
        let back: Vec<&V> = values(&self.back).collect();
        values(&self.front).chain(back.into_iter().rev())
    }

    /// What was allocated for this sequence, and is not that of the one that it was made from.
    pub(crate) fn own_bytes(&self) -> usize {
        // Two counters stand before each node.
        self.made * (size_of::<Node<V>>() + 2 * size_of::<usize>() + size_of::<usize>())
    }
}

/// What `BASE` times it is one.
fn inverse_of_base() -> u64 {
    // Each round doubles the bits that are right; an odd number is its own inverse in the last three.
    (0..5).fold(BASE, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(BASE.wrapping_mul(inverse))))
}

fn reversed<V: Clone>(list: &List<V>) -> List<V> {
    values(list).fold(None, |next, value| Some(Arc::new(Node { value: value.clone(), next })))
}

impl<V> Clone for Sequence<V> {
    fn clone(&self) -> Self {
        Self { back: self.back.clone(), front: self.front.clone(), ..*self }
    }
}

impl<V: Clone + Hash> Default for Sequence<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: PartialEq> PartialEq for Sequence<V> {
    fn eq(&self, other: &Self) -> bool {
        self.length == other.length && self.hash == other.hash && self.iter().eq(other.iter())
    }
}

impl<V: Eq> Eq for Sequence<V> {}

impl<V> Hash for Sequence<V> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

impl<V: fmt::Debug> fmt::Debug for Sequence<V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

impl<V> Drop for Node<V> {
    /// A long list is dropped without recursion.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut node) = next.and_then(Arc::into_inner) {
            next = node.next.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    fn assert_same(sequence: &Sequence<u8>, twin: &VecDeque<u8>) {
        assert!(sequence.iter().eq(twin));
        // However it was made, it is the sequence of these values.
        let fresh = twin.iter().fold(Sequence::new(), |sequence, &value| sequence.with_back(value));
        assert_eq!(*sequence, fresh);
        assert_eq!(sequence.hash, fresh.hash);
    }

    #[test]
    fn all_sequences_of_eight_changes_are_those_of_a_deque() {
        let mut count = 0;
        // Two bits a change.
        for changes in 0_u32..1 << 16 {
            let (mut sequence, mut twin) = (Sequence::new(), VecDeque::new());
            for step in 0..8 {
                match changes >> (2 * step) & 3 {
                    2 => {
                        assert_eq!(sequence.without_front().map(|(value, _)| value), twin.pop_front());
                        sequence = sequence.without_front().map_or(sequence, |(_, rest)| rest);
                    }
                    3 => {
                        assert_eq!(sequence.without_back().map(|(value, _)| value), twin.pop_back());
                        sequence = sequence.without_back().map_or(sequence, |(_, rest)| rest);
                    }
                    value => {
                        sequence = sequence.with_back(value as u8);
                        twin.push_back(value as u8);
                    }
                }
            }
            assert_same(&sequence, &twin);
            count += 1;
        }
        assert_eq!(count, 65_536);
    }

    #[test]
    fn a_million_values_are_dropped_without_recursion() {
        let sequence = (0..1_000_000).fold(Sequence::new(), |sequence, value: u32| sequence.with_back(value));
        let (first, rest) = sequence.without_front().expect("there are some");
        assert_eq!(first, 0);
        drop((sequence, rest));
    }

    #[test]
    fn the_order_of_the_values_counts() {
        let of = |values: &[u8]| values.iter().fold(Sequence::new(), |all, &value| all.with_back(value));
        assert_ne!(of(&[1, 2]), of(&[2, 1]));
        assert_ne!(of(&[1, 2]).hash, of(&[2, 1]).hash);
        assert_ne!(of(&[1]), of(&[1, 1]));
    }
}

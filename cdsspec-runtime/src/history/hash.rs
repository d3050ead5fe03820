//! Hashes of states and of down-sets. What is found by them is compared, so they need not be hard to collide: they must cost little.

use std::hash::Hasher;

/// An odd number near 2^64 over the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes all bits of a word into all others: the last step of SplitMix64.
#[inline]
pub(super) fn mix(word: u64) -> u64 {
    let mut mixed = word.wrapping_mul(MULTIPLIER);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Hashes words, and counts the bytes that it is fed: about as many as what it hashes keeps.
#[derive(Default)]
pub(super) struct WordHasher {
    hash: u64,
    bytes: usize,
}

impl WordHasher {
    /// How many bytes it was fed.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    #[inline]
    fn add(&mut self, word: u64, bytes: usize) {
        self.hash = (self.hash ^ word).wrapping_mul(MULTIPLIER).rotate_left(u64::BITS / 2);
        self.bytes += bytes;
    }
}

impl Hasher for WordHasher {
    #[inline]
    fn finish(&self) -> u64 {
        mix(self.hash)
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(size_of::<u64>()) {
            let mut word = [0; size_of::<u64>()];
            word[..part.len()].copy_from_slice(part);
            self.add(u64::from_le_bytes(word), part.len());
        }
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.add(word.into(), size_of_val(&word));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.add(word.into(), size_of_val(&word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.add(word, size_of_val(&word));
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.add(word as u64, size_of_val(&word));
    }
}

#[cfg(test)]
mod tests {
    use super::WordHasher;
    use std::collections::HashSet;
    use std::hash::{Hash, Hasher};

    fn hash(value: &impl Hash) -> (u64, usize) {
        let mut hasher = WordHasher::default();
        value.hash(&mut hasher);
        (hasher.finish(), hasher.bytes())
    }

    #[test]
    fn small_values_have_hashes_of_their_own_and_are_counted_in_bytes() {
        let mut hashes: [HashSet<u64>; 3] = Default::default();
        for first in 0..64_u8 {
            for second in 0..64_u32 {
                hashes[0].insert(hash(&(first, second)).0);
                hashes[1].insert(hash(&vec![first.into(), second]).0);
                hashes[2].insert(hash(&[first.to_string(), second.to_string()]).0);
            }
        }
        assert_eq!(hashes.map(|hashes| hashes.len()), [64 * 64; 3]);
        assert_eq!(hash(&(1_u8, 2_u32)).1, 5);
        assert_eq!(hash(&vec![7_u64; 10]).1, 88, "the length is fed, too");
    }
}

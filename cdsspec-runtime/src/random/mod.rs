//! Random choices that are the same on every machine and in every version.

#![forbid(unsafe_code)]

/// Steele, Lea and Flood's SplitMix64 (*Fast splittable pseudorandom number generators*, OOPSLA 2014).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The sequence of this seed with this number: sequences with other numbers have nothing to do with it.
    pub(crate) fn stream(seed: u64, number: u64) -> Self {
        let mut first = Self(seed);
        let mut second = Self(first.next() ^ number);
        Self(second.next())
    }

    /// Any number.
    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is small: the bias of the product does not matter.
    #[inline]
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn streams_differ_and_numbers_below_a_bound_are_all_drawn_alike() {
        let firsts = |seed: u64| (0..1_000).map(move |number| Random::stream(seed, number).next());
        let mut all: Vec<u64> = firsts(0).chain(firsts(1)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2_000);
        let mut counts = [0; 5];
        let mut random = Random::new(7);
        (0..50_000).for_each(|_| counts[random.below(5)] += 1);
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}

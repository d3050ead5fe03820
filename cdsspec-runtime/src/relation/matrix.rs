//! A square matrix of bits: a relation on a few things.

use fixedbitset::FixedBitSet;

const WORD_BITS: usize = usize::BITS as usize;

/// The bits of a word that are set, ascending.
fn bits(word: usize) -> impl Iterator<Item = usize> {
    let lowest = |word: usize| (word != 0).then_some(word);
    let rest = move |&word: &usize| lowest(word & (word - 1));
    std::iter::successors(lowest(word), rest).map(|word| word.trailing_zeros() as usize)
}

/// A relation on `0..size`: row `r` is a set of columns. Each row begins with a word of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BitMatrix {
    bits: FixedBitSet,
    size: usize,
    /// Words in a row.
    stride: usize,
}

impl BitMatrix {
    /// The empty relation. Cost: O(size² / word).
    pub(crate) fn new(size: usize) -> Self {
        let stride = size.div_ceil(WORD_BITS);
        Self { bits: FixedBitSet::with_capacity(size * stride * WORD_BITS), size, stride }
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn insert(&mut self, row: usize, column: usize) {
        self.bits.insert(row * self.stride * WORD_BITS + column);
    }

    pub(crate) fn contains(&self, row: usize, column: usize) -> bool {
        self.bits.contains(row * self.stride * WORD_BITS + column)
    }

    /// The words of a row.
    pub(crate) fn row(&self, row: usize) -> &[usize] {
        &self.bits.as_slice()[row * self.stride..(row + 1) * self.stride]
    }

    /// All words: two relations of one size are equal if these are.
    pub(crate) fn words(&self) -> &[usize] {
        self.bits.as_slice()
    }

    /// The columns in a row, ascending.
    pub(crate) fn columns(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let row = self.row(row).iter().enumerate();
        row.flat_map(|(index, &word)| bits(word).map(move |bit| index * WORD_BITS + bit))
    }

    /// Whether the row is within a set of columns.
    pub(crate) fn is_row_within(&self, row: usize, set: &FixedBitSet) -> bool {
        self.row(row).iter().zip(set.as_slice()).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// Whether one row is within another.
    pub(crate) fn is_row_within_row(&self, row: usize, other: usize) -> bool {
        self.row(row).iter().zip(self.row(other)).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// The part of it between these elements, which are numbered anew in this order.
    pub(crate) fn part(&self, elements: &[usize]) -> Self {
        let mut part = Self::new(elements.len());
        for (row, &from) in elements.iter().enumerate() {
            for (column, &to) in elements.iter().enumerate() {
                if self.contains(from, to) {
                    part.insert(row, column);
                }
            }
        }
        part
    }

    /// Closes it transitively (Warshall). Cost: O(size³ / word).
    pub(crate) fn close(&mut self) {
        for middle in 0..self.size {
            if self.row(middle).iter().all(|&word| word == 0) {
                continue;
            }
            let (word, bit) = (middle / WORD_BITS, 1 << (middle % WORD_BITS));
            for row in 0..self.size {
                if self.bits.as_slice()[row * self.stride + word] & bit != 0 {
                    self.join_row(row, middle);
                }
            }
        }
    }

    fn join_row(&mut self, into: usize, from: usize) {
        let words = self.bits.as_mut_slice();
        for word in 0..self.stride {
            words[into * self.stride + word] |= words[from * self.stride + word];
        }
    }
}

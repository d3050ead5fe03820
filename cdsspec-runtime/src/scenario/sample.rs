//! Matrices at random.

use super::builder::Scenario;
use super::enumerate::{LeftOut, columns_of, first_of};
use super::matrix::Matrix;
#[cfg(feature = "localize")]
use super::matrix::{Entry, InvocationId};
use std::collections::BTreeSet;

/// How often one test is drawn again if constraints exclude what was drawn.
const DRAWS_MAX: u64 = 1_000;

/// Some matrices of a dimension, drawn at random.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sample {
    /// Those that were drawn, in the order in which they were first drawn; of those that differ only in the order of threads, or in how
    /// arguments are named, the first one.
    pub matrices: Vec<Matrix>,
    /// How many tests were drawn.
    pub drawn: u64,
    /// How many were passed over.
    pub left_out: LeftOut,
    /// What all of it was drawn from.
    pub seed: u64,
}

impl<T: Send + Sync + 'static> Scenario<T> {
    /// Draws `count` matrices of so many threads with so many calls each, uniformly and independently. Each place of each test has a stream of
    /// random numbers of its own, so that a test is the same however many others are drawn. A test that constraints exclude is drawn
    /// again, up to a thousand times.
    ///
    /// # Paper
    /// Line-Up (PLDI 2010), section 4.3, figure 8.
    pub fn sample(&self, threads: usize, calls: usize, count: u64, seed: u64) -> Sample {
        let (alphabet, renamings) = (self.alphabet(), self.renamings());
        let mut sample = Sample { matrices: Vec::new(), drawn: 0, left_out: LeftOut::default(), seed };
        if alphabet.is_empty() {
            return sample;
        }
        let mut known = BTreeSet::new();
        for test in 0..count {
            for draw in 0..DRAWS_MAX {
                let columns = columns_of(
                    &drawn(seed, (test, draw), threads * calls, alphabet.len()),
                    &alphabet,
                    (threads, calls),
                );
                let matrix = self.matrix_of(&columns);
                if !self.allows(&matrix) {
                    sample.left_out.excluded += 1;
                    continue;
                }
                sample.drawn += 1;
                if known.insert(first_of(&columns, &renamings)) {
                    sample.matrices.push(matrix);
                } else {
                    sample.left_out.repeated += 1;
                }
                break;
            }
        }
        sample
    }
}

/// So many places of one draw of a test, each below `count`.
fn drawn(seed: u64, (test, draw): (u64, u64), place_count: usize, count: usize) -> Vec<usize> {
    let place = |place: usize| {
        let stream = [test, draw, place as u64].into_iter().fold(seed, mix);
        (stream % count as u64) as usize
    };
    (0..place_count).map(place).collect()
}

#[cfg(feature = "localize")]
impl<T: Send + Sync + 'static> Scenario<T> {
    /// The calls that all tests begin with.
    pub(crate) fn initial_entries(&self) -> Vec<Entry> {
        self.matrix_of(&[]).initial
    }

    /// The test with this number of a sample without end, of so many threads with so many calls each; `None`, if there is nothing to invoke, or constraints exclude every call. Those that differ in names alone are tests of their own: they are long.
    pub(crate) fn draw(&self, (threads, calls): (usize, usize), test: u64, seed: u64) -> Option<Matrix> {
        let alphabet = self.alphabet();
        if alphabet.is_empty() {
            return None;
        }
        let places = drawn(seed, (test, 0), threads * calls, alphabet.len());
        if self.constraints.is_empty() {
            return Some(self.matrix_of(&columns_of(&places, &alphabet, (threads, calls))));
        }
        // Call by call, a row after the other: what was drawn, or the next one that is allowed there. A thread for which none is makes fewer calls.
        let mut columns: Vec<Vec<InvocationId>> = vec![Vec::new(); threads];
        for (number, place) in places.into_iter().enumerate() {
            let column = number % threads;
            for offset in 0..alphabet.len() {
                let length = columns[column].len();
                columns[column].extend_from_slice(&alphabet[(place + offset) % alphabet.len()]);
                if self.allows(&self.matrix_of(&columns)) {
                    break;
                }
                columns[column].truncate(length);
            }
        }
        let matrix = self.matrix_of(&columns);
        (matrix.columns.iter().any(|column| !column.is_empty()) && self.allows(&matrix)).then_some(matrix)
    }
}

/// splitmix64 of both.
fn mix(state: u64, next: u64) -> u64 {
    let mut z = state.wrapping_add(next.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

//! The tests of a search, one after the other.

use crate::scenario::{LeftOut, Matrices, Matrix, Sample, Scenario};

/// A test, with its place among all of the search, from 0 on.
pub(super) struct Placed {
    pub(super) place: u64,
    pub(super) matrix: Matrix,
    /// How many were passed over up to it.
    pub(super) left_out: LeftOut,
}

/// All tests of a search in their order, which is the same on every machine: those of the user's own, then those that are generated.
pub(super) struct Tests<'a, T> {
    own: std::slice::Iter<'a, Matrix>,
    generated: Generated<'a, T>,
    next_place: u64,
}

/// Threads, calls, and of how many invocations.
pub(super) type Size = (usize, usize, usize);

enum Generated<'a, T> {
    /// All tests of these sizes.
    All {
        scenario: &'a Scenario<T>,
        sizes: std::vec::IntoIter<Size>,
        current: Option<Matrices<'a, T>>,
        /// Of the sizes before the current one.
        left_out: LeftOut,
    },
    /// A sample, which is drawn before the first of it is checked.
    Drawn { matrices: std::vec::IntoIter<Matrix>, left_out: LeftOut },
}

impl<'a, T: Send + Sync + 'static> Tests<'a, T> {
    pub(super) fn of_sizes(scenario: &'a Scenario<T>, sizes: Vec<Size>) -> Self {
        let (sizes, left_out) = (sizes.into_iter(), LeftOut::default());
        Self::new(scenario, Generated::All { scenario, sizes, current: None, left_out })
    }

    pub(super) fn of_sample(scenario: &'a Scenario<T>, sample: Sample) -> Self {
        let Sample { matrices, left_out, .. } = sample;
        Self::new(scenario, Generated::Drawn { matrices: matrices.into_iter(), left_out })
    }

    fn new(scenario: &'a Scenario<T>, generated: Generated<'a, T>) -> Self {
        Self { own: scenario.tests().iter(), generated, next_place: 0 }
    }

    /// How many tests there were so far.
    pub(super) fn count(&self) -> u64 {
        self.next_place
    }

    /// How many were passed over so far; of a sample: at all.
    pub(super) fn left_out(&self) -> LeftOut {
        match &self.generated {
            Generated::All { current, left_out, .. } => match current {
                Some(matrices) => left_out.and(matrices.left_out()),
                None => *left_out,
            },
            Generated::Drawn { left_out, .. } => *left_out,
        }
    }

    fn next_generated(&mut self) -> Option<Matrix> {
        match &mut self.generated {
            Generated::Drawn { matrices, .. } => matrices.next(),
            Generated::All { scenario, sizes, current, left_out } => loop {
                if let Some(matrix) = current.as_mut().and_then(Iterator::next) {
                    return Some(matrix);
                }
                if let Some(matrices) = current.take() {
                    *left_out = left_out.and(matrices.left_out());
                }
                let (threads, calls, count) = sizes.next()?;
                *current = Some(scenario.matrices_of_first(threads, calls, count));
            },
        }
    }
}

impl<T: Send + Sync + 'static> Iterator for Tests<'_, T> {
    type Item = Placed;

    fn next(&mut self) -> Option<Placed> {
        let matrix = match self.own.next() {
            Some(own) => own.clone(),
            None => self.next_generated()?,
        };
        let place = self.next_place;
        self.next_place += 1;
        Some(Placed { place, matrix, left_out: self.left_out() })
    }
}

//! All matrices of a dimension.

use super::builder::{Domain, Scenario};
use super::matrix::{InvocationId, Matrix};
use std::collections::BTreeSet;

/// All matrices of some threads and calls, in the order of the calls' places in the scenario, the last call of the last thread changing first.
/// Threads are alike, and so are arguments where [`alike_arguments`](Scenario::alike_arguments) says so: of the matrices that differ in nothing
/// else the first one is here.
///
/// # Paper
/// `M` of Line-Up (PLDI 2010), section 3.1.
#[derive(Debug)]
pub struct Matrices<'a, T> {
    scenario: &'a Scenario<T>,
    /// What may stand in a place.
    alphabet: Vec<Vec<InvocationId>>,
    dimension: (usize, usize),
    /// The next matrix, as places in the alphabet, column by column. `None`: there is none.
    next: Option<Vec<usize>>,
    renamings: Vec<Renaming>,
    /// Those that have come, where there are sequences: one and the same may be written in two ways.
    known: BTreeSet<Vec<Vec<InvocationId>>>,
    left_out: LeftOut,
}

/// How many matrices were passed over.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
pub struct LeftOut {
    /// Those that differ from another one only in the order of their threads, or in how arguments are named.
    pub repeated: u64,
    /// Those that a constraint of the scenario excludes.
    pub excluded: u64,
}

impl LeftOut {
    /// These and those.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { repeated: self.repeated + other.repeated, excluded: self.excluded + other.excluded }
    }
}

/// For each invocation, what it is renamed to.
type Renaming = Vec<InvocationId>;

impl<T: Send + Sync + 'static> Scenario<T> {
    /// All matrices of so many threads with so many calls each.
    pub fn matrices(&self, threads: usize, calls: usize) -> Matrices<'_, T> {
        self.matrices_of_first(threads, calls, usize::MAX)
    }

    /// The same, of the first `count` calls and sequences.
    pub(crate) fn matrices_of_first(&self, threads: usize, calls: usize, count: usize) -> Matrices<'_, T> {
        let mut alphabet = self.alphabet();
        alphabet.truncate(count);
        let is_known = |call: &InvocationId| alphabet.contains(&vec![*call]);
        let mut renamings = self.renamings();
        // One that leads to calls which are not among the first would leave out what is nowhere else.
        renamings.retain(|renaming| {
            let known = (0..renaming.len()).map(InvocationId::new).filter(is_known);
            known.into_iter().all(|call| is_known(&renaming[call.index()]))
        });
        let has_any = !alphabet.is_empty() || threads * calls == 0;
        Matrices {
            scenario: self,
            alphabet,
            dimension: (threads, calls),
            next: has_any.then(|| vec![0; threads * calls]),
            renamings,
            known: BTreeSet::new(),
            left_out: LeftOut::default(),
        }
    }

    /// What may stand in a place of a matrix: each call, and each sequence.
    pub(super) fn alphabet(&self) -> Vec<Vec<InvocationId>> {
        let calls = (0..self.invocations.len()).map(|index| vec![InvocationId::new(index)]);
        calls.chain(self.sequences.iter().cloned()).collect()
    }

    /// The ways to rename arguments that leave the initial and the last calls, and constraints, as they are; but for that which renames nothing.
    pub(super) fn renamings(&self) -> Vec<Renaming> {
        let same: Renaming = (0..self.invocations.len()).map(InvocationId::new).collect();
        // A constraint or an exemption may be about some argument alone. Of two lists it is not known how they go together.
        if !self.has_alike_arguments || self.domains.len() > 1 {
            return Vec::new();
        }
        if !self.constraints.is_empty() || !self.sequences.is_empty() || self.has_exemptions() {
            return Vec::new();
        }
        let of_domain = |renamings: Vec<Renaming>, domain: &Domain| -> Vec<Renaming> {
            let count = domain.calls.first().map_or(0, Vec::len);
            let orders = permutations(count);
            let renamed = |renaming: &Renaming, order: &Vec<usize>| {
                let mut renaming = renaming.clone();
                for calls in &domain.calls {
                    for (index, call) in calls.iter().enumerate() {
                        renaming[call.index()] = calls[order[index]];
                    }
                }
                renaming
            };
            renamings
                .iter()
                .flat_map(|renaming| orders.iter().map(move |order| renamed(renaming, order)))
                .collect()
        };
        let all = self.domains.iter().fold(vec![same.clone()], of_domain);
        let keeps = |renaming: &Renaming| {
            let mut fixed = self.initial.iter().chain(&self.last);
            let mut calls = (0..renaming.len()).map(InvocationId::new);
            fixed.all(|call| renaming[call.index()] == *call)
                && calls.all(|call| self.progress(renaming[call.index()]) == self.progress(call))
        };
        all.into_iter().filter(|renaming| *renaming != same && keeps(renaming)).collect()
    }

    fn has_exemptions(&self) -> bool {
        self.invocations.iter().any(|one| one.exemption != super::builder::Exemption::None)
    }
}

impl<T: Send + Sync + 'static> Matrices<'_, T> {
    /// How many matrices were passed over so far.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    fn advance(&mut self) {
        let Some(places) = &mut self.next else { return };
        for place in places.iter_mut().rev() {
            *place += 1;
            if *place < self.alphabet.len() {
                return;
            }
            *place = 0;
        }
        self.next = None;
    }
}

impl<T: Send + Sync + 'static> Iterator for Matrices<'_, T> {
    type Item = Matrix;

    fn next(&mut self) -> Option<Matrix> {
        loop {
            let places = self.next.clone()?;
            self.advance();
            let columns = columns_of(&places, &self.alphabet, self.dimension);
            let is_known = !self.scenario.sequences.is_empty() && !self.known.insert(columns.clone());
            if is_known || !is_first(&columns, &self.renamings) {
                self.left_out.repeated += 1;
                continue;
            }
            let matrix = self.scenario.matrix_of(&columns);
            if self.scenario.allows(&matrix) {
                return Some(matrix);
            }
            self.left_out.excluded += 1;
        }
    }
}

/// The columns that stand in so many places, sequences written out.
pub(super) fn columns_of(
    places: &[usize],
    alphabet: &[Vec<InvocationId>],
    (threads, calls): (usize, usize),
) -> Vec<Vec<InvocationId>> {
    (0..threads)
        .map(|thread| {
            let column = &places[thread * calls..(thread + 1) * calls];
            column.iter().flat_map(|&place| alphabet[place].iter().copied()).collect()
        })
        .collect()
}

/// The first of the matrices that differ from this one only in the order of their threads, or in names.
pub(super) fn first_of(columns: &[Vec<InvocationId>], renamings: &[Renaming]) -> Vec<Vec<InvocationId>> {
    let sorted = |mut columns: Vec<Vec<InvocationId>>| {
        columns.sort_unstable();
        columns
    };
    let renamed = renamings.iter().map(|renaming| {
        let column = |column: &Vec<InvocationId>| column.iter().map(|call| renaming[call.index()]).collect();
        sorted(columns.iter().map(column).collect())
    });
    renamed.fold(sorted(columns.to_vec()), Ord::min)
}

fn is_first(columns: &[Vec<InvocationId>], renamings: &[Renaming]) -> bool {
    columns.is_sorted() && first_of(columns, renamings) == columns
}

/// All orders of so many things, that which changes nothing first.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for next in 0..count {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..=order.len()).rev().map(move |place| {
                    let mut order = order.clone();
                    order.insert(place, next);
                    order
                })
            })
            .collect();
    }
    all
}

//! The smallest failing test.

use super::check::{Check, Failure, LineUp};
use crate::check::Verdict;
use crate::scenario::{Entry, Matrix, Scenario};
use std::mem::{Discriminant, discriminant};

impl<T: Send + Sync + 'static> LineUp<T> {
    /// The smallest test that is left of one that failed: threads, the initial and the last calls, single calls are dropped, one thread makes the calls of two, a call of the longer of two threads is made by the
    /// other, and arguments are made the first of their method, as long as the rest comes to the same: the verdict, what was found, and whether it is about a call that is stuck. Of what it comes to nothing can be dropped.
    ///
    /// A test that passes, or is inconclusive, is handed back as it is.
    ///
    /// # Panics
    /// If the checker itself panicked.
    pub fn smallest(&self, check: Check) -> Check {
        shrink_by(self, check, |matrix| smaller(&self.scenario, matrix))
    }
}

/// The test that is left of one that failed when no step of these leads to one that comes to the same.
pub(crate) fn shrink_by<T: Send + Sync + 'static>(
    lineup: &LineUp<T>,
    mut check: Check,
    steps: impl Fn(&Matrix) -> Vec<Matrix>,
) -> Check {
    if !check.verdict.is_fault() {
        return check;
    }
    while let Some(smaller) = steps(&check.matrix)
        .into_iter()
        .filter(|matrix| lineup.scenario.allows(matrix))
        .map(|matrix| lineup.check(&matrix))
        .find(|smaller| kind(smaller) == kind(&check))
    {
        check = smaller;
    }
    check
}

/// What went wrong, as far as a smaller test must have the same: the verdict, what was found, and whether it is about a call that is stuck.
fn kind(check: &Check) -> (Verdict, Option<(Discriminant<Failure>, bool)>) {
    let is_stuck = |failure: &Failure| matches!(failure, Failure::NoWitness { pending: Some(_), .. });
    let found = check.failure.as_ref().map(|failure| (discriminant(failure), is_stuck(failure)));
    (check.verdict, found)
}

/// The tests that are one step smaller, those that drop most first.
fn smaller<T: Send + Sync + 'static>(scenario: &Scenario<T>, matrix: &Matrix) -> Vec<Matrix> {
    let mut all = Vec::new();
    for column in 0..matrix.columns.len() {
        let mut smaller = matrix.clone();
        smaller.columns.remove(column);
        all.push(smaller);
    }
    if !matrix.initial.is_empty() {
        all.push(Matrix { initial: Vec::new(), ..matrix.clone() });
    }
    if !matrix.last.is_empty() {
        all.push(Matrix { last: Vec::new(), ..matrix.clone() });
    }
    for index in 0..sequence_count(matrix) {
        for place in (0..sequence(matrix, index).len()).rev() {
            let mut smaller = matrix.clone();
            sequence_mut(&mut smaller, index).remove(place);
            smaller.columns.retain(|column| !column.is_empty());
            all.push(smaller);
        }
    }
    all.extend(joined(matrix));
    all.extend(moved(matrix));
    for index in 0..sequence_count(matrix) {
        for place in 0..sequence(matrix, index).len() {
            for earlier in earlier_arguments(scenario, &sequence(matrix, index)[place]) {
                let mut smaller = matrix.clone();
                sequence_mut(&mut smaller, index)[place] = earlier;
                all.push(smaller);
            }
        }
    }
    all
}

/// The tests in which one thread makes the calls of two, those of the one behind those of the other: there are as many calls, and fewer threads.
fn joined(matrix: &Matrix) -> Vec<Matrix> {
    let mut all = Vec::new();
    for first in 0..matrix.columns.len() {
        for second in (0..matrix.columns.len()).filter(|second| *second != first) {
            let mut smaller = matrix.clone();
            let behind = std::mem::take(&mut smaller.columns[second]);
            smaller.columns[first].extend(behind);
            smaller.columns.remove(second);
            all.push(smaller);
        }
    }
    all
}

/// The tests in which a thread makes, first or last, a call of one that makes at least two more: the squares of their numbers of calls add up to less.
fn moved(matrix: &Matrix) -> Vec<Matrix> {
    let mut all = Vec::new();
    for (from, long) in matrix.columns.iter().enumerate() {
        for (to, short) in matrix.columns.iter().enumerate() {
            if long.len() < short.len() + 2 {
                continue;
            }
            for place in 0..long.len() {
                for target in [0, short.len()] {
                    let mut smaller = matrix.clone();
                    let entry = smaller.columns[from].remove(place);
                    smaller.columns[to].insert(target, entry);
                    all.push(smaller);
                }
            }
        }
    }
    all
}

/// The columns, the initial calls, and the last ones.
fn sequence_count(matrix: &Matrix) -> usize {
    matrix.columns.len() + 2
}

fn sequence(matrix: &Matrix, index: usize) -> &[Entry] {
    let columns = matrix.columns.len();
    match index.checked_sub(columns) {
        None => &matrix.columns[index],
        Some(0) => &matrix.initial,
        Some(_) => &matrix.last,
    }
}

fn sequence_mut(matrix: &mut Matrix, index: usize) -> &mut Vec<Entry> {
    let columns = matrix.columns.len();
    match index.checked_sub(columns) {
        None => &mut matrix.columns[index],
        Some(0) => &mut matrix.initial,
        Some(_) => &mut matrix.last,
    }
}

/// The calls of the same method that stand before this one in the scenario.
fn earlier_arguments<T: Send + Sync + 'static>(scenario: &Scenario<T>, entry: &Entry) -> Vec<Entry> {
    let method = |name: &str| name.split('(').next().unwrap_or_default().to_owned();
    let entries = scenario.entries_before(entry);
    entries.filter(|earlier| method(&earlier.name) == method(&entry.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::{joined, moved, smaller};
    use crate::scenario::{Matrix, Scenario};

    fn scenario() -> Scenario<()> {
        ["a()", "b()", "c()", "d()"]
            .iter()
            .fold(Scenario::new(|| ()), |all, name| all.op(*name, |()| 0.into()))
    }

    fn columns(all: &[Matrix]) -> Vec<Vec<Vec<String>>> {
        let names = |column: &Vec<crate::scenario::Entry>| {
            column.iter().map(|entry| entry.name.to_string()).collect()
        };
        all.iter().map(|matrix| matrix.columns.iter().map(names).collect()).collect()
    }

    #[test]
    fn two_threads_become_one_in_both_orders() {
        let all = joined(&scenario().matrix([["a()"], ["b()"]]));
        assert_eq!(columns(&all), [[["a()", "b()"]], [["b()", "a()"]]]);
    }

    #[test]
    fn a_call_moves_to_a_thread_that_makes_two_fewer() {
        let all = columns(&moved(&scenario().matrix([vec!["a()", "b()", "c()"], vec!["d()"]])));
        assert_eq!(all.len(), 6);
        assert!(all.contains(&vec![vec!["a()".into(), "c()".into()], vec!["b()".into(), "d()".into()]]));
        assert!(all.contains(&vec![vec!["a()".into(), "b()".into()], vec!["d()".into(), "c()".into()]]));
        assert!(moved(&scenario().matrix([vec!["a()", "b()"], vec!["d()"]])).is_empty());
    }

    /// So it ends: calls, then threads, then the squares of the columns' lengths, then arguments become less.
    #[test]
    fn every_step_is_smaller() {
        let scenario = scenario();
        let size = |matrix: &Matrix| {
            let squares: usize = matrix.columns.iter().map(|column| column.len().pow(2)).sum();
            (matrix.call_count(), matrix.columns.len(), squares)
        };
        let matrix = scenario.matrix([vec!["a()", "b()", "c()"], vec!["d()"], vec!["a()"]]);
        let all = smaller(&scenario, &matrix);
        assert!(all.len() > 10 && all.iter().all(|smaller| size(smaller) < size(&matrix)));
    }
}

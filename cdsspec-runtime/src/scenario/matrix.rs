//! Finite tests.

use std::fmt;
use std::sync::Arc;

/// An invocation of a scenario, by its place in the list of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InvocationId(u32);

impl InvocationId {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a scenario has fewer than 2^32 invocations"))
    }

    /// Its place in [`Scenario::invocations`](super::Scenario::invocations).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A call that a matrix has: an invocation, with its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Entry {
    /// What is invoked.
    pub invocation: InvocationId,
    /// Its name, as the call is written.
    pub name: Arc<str>,
}

/// A finite test: which calls each thread makes, a column a thread; and which the main thread makes before any of them, and after all.
///
/// [`Scenario::matrix`](super::Scenario::matrix) makes one. It is shown as a table.
///
/// # Paper
/// Line-Up (PLDI 2010), sections 3.1 and 4.3.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub struct Matrix {
    /// What the main thread calls first.
    pub initial: Vec<Entry>,
    /// What the threads call, a column a thread. Columns may differ in length, and be empty.
    pub columns: Vec<Vec<Entry>>,
    /// What the main thread calls when all threads have ended.
    pub last: Vec<Entry>,
}

/// A call of a matrix: the initial ones first, then column by column, then the last ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(u16);

impl Slot {
    pub(crate) fn new(index: usize) -> Self {
        Self(u16::try_from(index).expect("a matrix has fewer than 2^16 calls"))
    }

    /// Its number in the matrix, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Who makes a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Caller {
    /// The main thread, before the threads start.
    Initial,
    /// The thread of this column, from 0.
    Column(u16),
    /// The main thread, when all threads have ended.
    Last,
}

impl Matrix {
    /// How many calls it has.
    pub fn call_count(&self) -> usize {
        self.initial.len() + self.columns.iter().map(Vec::len).sum::<usize>() + self.last.len()
    }

    /// Its dimension: how many threads, and how many calls the longest column has.
    pub fn dimension(&self) -> (usize, usize) {
        (self.columns.len(), self.columns.iter().map(Vec::len).max().unwrap_or(0))
    }

    /// Its calls in the order of their slots, with who makes them.
    pub fn calls(&self) -> impl Iterator<Item = (Slot, Caller, &Entry)> {
        let initial = self.initial.iter().map(|entry| (Caller::Initial, entry));
        let columns = self.columns.iter().enumerate().flat_map(|(index, column)| {
            let caller = Caller::Column(u16::try_from(index).expect("a matrix has fewer than 2^16 threads"));
            column.iter().map(move |entry| (caller, entry))
        });
        let last = self.last.iter().map(|entry| (Caller::Last, entry));
        let all = initial.chain(columns).chain(last).enumerate();
        all.map(|(index, (caller, entry))| (Slot::new(index), caller, entry))
    }

    /// The calls of one column, by their slots.
    pub(crate) fn column_slots(&self, column: usize) -> impl Iterator<Item = (Slot, &Entry)> {
        let before = self.initial.len() + self.columns[..column].iter().map(Vec::len).sum::<usize>();
        self.columns[column].iter().enumerate().map(move |(index, entry)| (Slot::new(before + index), entry))
    }

    /// The last calls, by their slots.
    pub(crate) fn last_slots(&self) -> impl Iterator<Item = (Slot, &Entry)> {
        let before = self.call_count() - self.last.len();
        self.last.iter().enumerate().map(move |(index, entry)| (Slot::new(before + index), entry))
    }

    /// How many orders of its calls there are that keep those of each thread: how many serial histories where nothing blocks. Saturates.
    pub fn serial_order_count(&self) -> u64 {
        let mut count: u128 = 1;
        let mut placed: u128 = 0;
        for column in &self.columns {
            // Into how many places of those before can so many more go: a binomial, built up so that each step is whole.
            for index in 1..=column.len() as u128 {
                placed += 1;
                count = count.saturating_mul(placed) / index;
            }
        }
        u64::try_from(count).unwrap_or(u64::MAX)
    }
}

/// A table: the initial calls in a line above, the last ones in a line below.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, title: &str, entries: &[Entry]| {
            let names: Vec<&str> = entries.iter().map(|entry| &*entry.name).collect();
            if names.is_empty() { Ok(()) } else { writeln!(f, "{title}: {}", names.join(", ")) }
        };
        line(f, "initially", &self.initial)?;
        let titles: Vec<String> = (1..=self.columns.len()).map(|thread| format!("thread {thread}")).collect();
        let width = |(title, column): (&String, &Vec<Entry>)| {
            column.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0).max(title.len())
        };
        let widths: Vec<usize> = titles.iter().zip(&self.columns).map(width).collect();
        let row = |f: &mut fmt::Formatter<'_>, cells: Vec<&str>| {
            let cells: Vec<_> =
                cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
            writeln!(f, "| {} |", cells.join(" | "))
        };
        row(f, titles.iter().map(String::as_str).collect())?;
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        row(f, rules.iter().map(String::as_str).collect())?;
        for index in 0..self.dimension().1 {
            let cell = |column: &'_ Vec<Entry>| column.get(index).map(|entry| entry.name.clone());
            let cells: Vec<_> = self.columns.iter().map(cell).collect();
            row(f, cells.iter().map(|cell| cell.as_deref().unwrap_or_default()).collect())?;
        }
        line(f, "finally", &self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn matrix(initial: &[&str], columns: &[&[&str]], last: &[&str]) -> Matrix {
        let entries = |names: &[&str]| -> Vec<Entry> {
            names.iter().map(|&name| Entry { invocation: InvocationId(0), name: name.into() }).collect()
        };
        Matrix {
            initial: entries(initial),
            columns: columns.iter().map(|column| entries(column)).collect(),
            last: entries(last),
        }
    }

    #[test]
    fn a_matrix_is_shown_as_a_table() {
        let shown = matrix(&["add(1)"], &[&["add(200)", "take()"], &["get()"]], &["len()", "len()"]);
        expect![[r#"
            initially: add(1)
            | thread 1 | thread 2 |
            | -------- | -------- |
            | add(200) | get()    |
            | take()   |          |
            finally: len(), len()
        "#]]
        .assert_eq(&shown.to_string());
        assert_eq!((shown.call_count(), shown.dimension()), (6, (2, 2)));
    }

    #[test]
    fn orders_are_counted_as_interleavings_of_the_columns() {
        let count = |columns: &[&[&str]]| matrix(&[], columns, &[]).serial_order_count();
        assert_eq!(count(&[&["a"; 3], &["a"; 3], &["a"; 3]]), 1_680);
        assert_eq!(count(&[&["a"; 2], &["a"; 2]]), 6);
        assert_eq!(count(&[&["a"; 4], &[]]), 1);
        assert_eq!(count(&[&["a"; 60], &["a"; 60], &["a"; 60]]), u64::MAX);
    }
}

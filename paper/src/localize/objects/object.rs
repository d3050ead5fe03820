//! What is known of an object.

use cdsspec_runtime::scenario::Scenario;

/// An object of the paper.
pub(crate) struct Object<T> {
    /// As in the paper.
    pub(crate) name: &'static str,
    /// What the paper says of it.
    pub(crate) published: Published,
    /// What it is, sequentially.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look at it"))]
    pub(crate) kind: Kind,
    /// What can be asked of the object with its fault; if it has none, of the object.
    pub(crate) scenario: Scenario<T>,
    /// The same without the fault; `None` if there is none.
    pub(crate) correct: Option<Scenario<T>>,
    /// A smallest test case that shows the fault; `None` if there is none.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look at it"))]
    pub(crate) smallest: Option<Triple>,
}

/// A row of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Published {
    /// Of table I.
    One {
        /// When the fault is seen.
        reveal: Reveal,
        /// How many calls each of two threads makes at once.
        concurrent: [usize; 2],
    },
    /// Of table II.
    Two(Row),
}

/// A row of table II.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// What is called in its histories.
    pub(crate) operations: &'static [&'static str],
    /// The histories: threads, and calls of each.
    pub(crate) size: (usize, usize),
    /// How many histories are looked at.
    pub(crate) histories: usize,
    /// How many of them are not linearizable, by version: B, D, H.
    pub(crate) nonlinearizable: [usize; 3],
    /// How many calls are made at once in the test case that comes out, by version; `None` if none does.
    pub(crate) concurrent: [Option<usize>; 3],
}

/// When a fault is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reveal {
    /// In what the calls return that trigger it: type 1.
    AtOnce,
    /// In what later calls return: type 2.
    Later,
}

/// What an object is, sequentially.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Pair,
    Set,
    Queue,
    Stack,
    Deque,
}

/// A test case `(P_s, P_c, P_r)`, by the names of its calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triple {
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look at it"))]
    pub(crate) prepare: &'static [&'static str],
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look at it"))]
    pub(crate) concurrent: [&'static [&'static str]; 2],
    #[cfg_attr(not(test), expect(dead_code, reason = "tests look at it"))]
    pub(crate) reveal: &'static [&'static str],
}

#[cfg(test)]
impl Triple {
    /// How many calls are made at once.
    pub(crate) fn concurrent_size(&self) -> usize {
        self.concurrent.iter().map(|column| column.len()).sum()
    }
}

impl Published {
    /// The largest number of calls at once in a test case of the paper; `None` if there is no such test case.
    pub(crate) fn concurrent_max(&self) -> Option<usize> {
        match self {
            Self::One { concurrent, .. } => Some(concurrent.iter().sum()),
            Self::Two(row) => row.concurrent.into_iter().flatten().max(),
        }
    }
}

/// Who goes through all objects, which are of many types.
pub(crate) trait Visitor {
    /// Here is one.
    fn visit<T: Send + Sync + 'static>(&mut self, object: Object<T>);
}

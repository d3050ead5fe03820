//! Sequential histories and justifying subhistories: searches over the orders of an object's calls.
//!
//! # Paper
//! CDSSpec (PPoPP 2017):
//! - definition 2, valid sequential history: a total order of the calls of an object that extends r;
//! - definitions 5 and 6: every one of them must run with its conditions true ([`check_histories`]);
//! - definition 3, justifying subhistory: an order of the r-predecessors of a call, then the call;
//! - definition 4: some justifying subhistory must run with the justifying conditions of the call true ([`justify`]). Its second
//!   way, "determined by the concurrent set", is what a clause says with `concurrent`. That the predecessors must be justified
//!   too is covered by asking for every call.
//!
//! A search goes depth first over the down-sets of the order, with the state carried along. Where states can be compared, none is
//! searched twice from one down-set.

#![forbid(unsafe_code)]

mod chain;
mod frontier;
mod hash;
mod memo;
mod object;
mod replay;
mod search;
mod sequential;
mod state;
mod subhistory;
mod table;

#[cfg(test)]
pub(crate) mod naive;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod toy;

pub(crate) use state::{message_of, specification_error};
pub(crate) use table::Table;

pub use object::ObjectCalls;
pub use search::{Budget, SearchEnd};
pub use sequential::{BrokenHistory, HistoryCheck, check_histories};
pub use subhistory::{Justification, justify};

/// Which sequential histories are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Histories {
    /// All of them.
    #[default]
    All,
    /// So many of each object, chosen at random. Each time one of the calls that may come next is taken, all alike; that is not
    /// uniform over the histories. The choices depend on the seed and the object alone.
    Random(u64),
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchOptions {
    /// Which histories are checked.
    pub histories: Histories,
    /// Where the random choices begin.
    pub seed: u64,
    /// About how many bytes a search may take to remember states that can be compared; 0: it remembers none. What does not fit is
    /// forgotten, and searched again when the search comes there: it only takes longer.
    pub memo_bytes_max: usize,
}

/// Room for about a million (down-set, state) pairs with small states.
const MEMO_BYTES_MAX: usize = 64 * 1024 * 1024;

impl Default for SearchOptions {
    fn default() -> Self {
        Self { histories: Histories::All, seed: 0, memo_bytes_max: MEMO_BYTES_MAX }
    }
}

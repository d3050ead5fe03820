//! What a search for orders came to.

use super::scope::Scope;
use super::site::{Change, Level, Site};
use super::subject::Proof;

/// Which way the advice goes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Goal {
    /// All programs hold as they are written: which orders could be weaker.
    Weaken,
    /// Some do not: which orders must be stronger, or which fences are missing.
    Strengthen,
    /// Nothing was found: neither with the strongest orders, nor with those that are written, nor with release and acquire, nor with fences
    /// everywhere do all programs hold, as the proof shows. That says nothing of other orders: stronger ones order more calls, too.
    Hopeless(Proof),
    /// A limit, or something else that is no answer, is in the way: in the words of the report.
    Open(String),
}

/// What a search came to.
pub(super) struct Found {
    pub(super) goal: Goal,
    pub(super) sites: Vec<Site>,
    pub(super) change: Change,
    /// For each site and level that was refuted.
    pub(super) proofs: Vec<(Site, Level, Proof)>,
    pub(super) fence_proofs: Vec<Option<Proof>>,
    pub(super) is_confirmed: bool,
    pub(super) not_reached_count: usize,
    pub(super) open_count: usize,
    pub(super) scope: Scope,
}

impl Found {
    /// A search that ended before it began.
    pub(super) fn nothing(goal: Goal, sites: Vec<Site>) -> Self {
        Self {
            goal,
            sites,
            change: Change::default(),
            proofs: Vec::new(),
            fence_proofs: Vec::new(),
            is_confirmed: false,
            not_reached_count: 0,
            open_count: 0,
            scope: Scope::default(),
        }
    }
}

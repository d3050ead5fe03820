//! How to check.

use crate::contract::ContractOptions;
use crate::history::SearchOptions;

/// What stands for the paper's sc, the total order of the SeqCst operations (CDSSpec, section 5.2). RC11 has a partial one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SeqCstOrder {
    /// Every total order that extends the partial one; a fault under one of them is a fault.
    #[default]
    Total,
    /// The partial order: `SeqCst` operations that nothing orders are unordered. Less is checked.
    Partial,
}

/// How to check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CheckOptions {
    /// How to search.
    pub search: SearchOptions,
    /// Histories and subhistories looked at in one execution, at most; `None`: no limit.
    pub histories_max: Option<u64>,
    /// Which orders of the SeqCst operations are looked at.
    pub sc_order: SeqCstOrder,
    /// How contracts are checked.
    pub contract: ContractOptions,
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            search: SearchOptions::default(),
            histories_max: Some(1_000_000),
            sc_order: SeqCstOrder::default(),
            contract: ContractOptions::default(),
        }
    }
}

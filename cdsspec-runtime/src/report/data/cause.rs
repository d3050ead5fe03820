//! Which memory orders are to blame.

use crate::record::{Orders, Place};

/// Which memory orders are to blame for an execution. It is not asked for where that takes more than a moment: 10,000 operations in all, or, by what the first run takes, a second. To find it out, the program runs that execution again with each stronger order, and does each time what else it does, as printing.
///
/// Serialised, with the feature `json`: `none`, `several`, or `each` with a list.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum OrdersToBlame {
    /// None: it is an execution, and has a fault, with every order `SeqCst` as well.
    None,
    /// No single one: with every order `SeqCst` it does not happen.
    Several,
    /// Each of these by itself, those where less than `SeqCst` is enough first, in the order of the source.
    Each(Vec<OrderCause>),
}

/// Orders that would be enough at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct OrderCause {
    /// Where; with the orders that are written.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub place: Place,
    /// The first of the stronger orders there, weaker ones before stronger ones, with which the execution is impossible, or has no fault.
    #[cfg_attr(feature = "json", serde(rename = "enough"))]
    pub orders: Orders,
}

impl OrderCause {
    pub(crate) fn new(place: Place, orders: Orders) -> Self {
        Self { place, orders }
    }
}

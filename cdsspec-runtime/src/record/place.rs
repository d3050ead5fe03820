//! Where an operation stands in the program's source.

use super::{OperationForm, OperationName, operation_name};
use std::fmt;
use std::sync::atomic::Ordering;

/// A line and column of a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct SourceLocation {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl SourceLocation {
    /// The caller's location.
    #[track_caller]
    pub fn caller() -> Self {
        Self::from(std::panic::Location::caller())
    }
}

impl From<&'static std::panic::Location<'static>> for SourceLocation {
    fn from(location: &'static std::panic::Location<'static>) -> Self {
        Self { file: location.file(), line: location.line(), column: location.column() }
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The memory orders written at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Orders {
    /// None is written: locks, cells, creation, join.
    None,
    /// One order.
    One(Ordering),
    /// The orders of a compare-exchange: on success, on failure.
    Two(Ordering, Ordering),
}

impl Orders {
    /// The orders of a compare-exchange, on success and on failure, where these are written; a single one gives the strongest on failure
    /// that goes with it.
    pub fn of_compare_exchange(self) -> Option<(Ordering, Ordering)> {
        match self {
            Self::None => None,
            Self::One(order) => Some((order, strongest_failure(order))),
            Self::Two(success, failure) => Some((success, failure)),
        }
    }
}

/// The failure order that goes with the order of the deprecated `compare_and_swap`.
fn strongest_failure(order: Ordering) -> Ordering {
    match order {
        Ordering::Acquire | Ordering::AcqRel => Ordering::Acquire,
        Ordering::SeqCst => Ordering::SeqCst,
        _ => Ordering::Relaxed,
    }
}

/// The orders as a list of their names.
#[cfg(feature = "json")]
impl serde::Serialize for Orders {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let orders = match *self {
            Self::None => Vec::new(),
            Self::One(order) => vec![order],
            Self::Two(success, failure) => vec![success, failure],
        };
        serializer.collect_seq(orders.into_iter().map(order_name))
    }
}

/// The name of an order, as std has it.
#[cfg(feature = "json")]
pub(crate) fn order_name(order: Ordering) -> &'static str {
    match order {
        Ordering::Relaxed => "Relaxed",
        Ordering::Release => "Release",
        Ordering::Acquire => "Acquire",
        Ordering::AcqRel => "AcqRel",
        _ => "SeqCst",
    }
}

impl fmt::Display for Orders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::One(order) => write!(f, "{order:?}"),
            Self::Two(success, failure) => write!(f, "{success:?}, {failure:?}"),
        }
    }
}

/// Source location, name of the operation, and the orders written there. Two operations of one place cannot be told apart
/// by the source alone.
///
/// Serialised, with the feature `json`, it has `place` (the source location), `name`, and `orders`, a list of their names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Place {
    /// Where the operation is called.
    #[cfg_attr(feature = "json", serde(rename = "place"))]
    pub source: SourceLocation,
    /// The name of the operation.
    pub name: OperationName,
    /// The orders as written.
    pub orders: Orders,
}

impl Place {
    /// The place of the caller.
    #[track_caller]
    pub fn here(name: OperationName, orders: Orders) -> Self {
        Self { source: SourceLocation::caller(), name, orders }
    }

    /// Whether it is a fence.
    pub fn is_fence(&self) -> bool {
        self.name.form() == OperationForm::Fence
    }

    /// A fence that is not written: one that is added beside the operation here.
    pub fn added_fence(self, order: Ordering) -> Self {
        Self { name: operation_name!("added fence", AddedFence), orders: Orders::One(order), ..self }
    }

    /// Whether it is a fence that is not written.
    pub fn is_added_fence(&self) -> bool {
        self.name.form() == OperationForm::AddedFence
    }

    /// Whether the operation could be written with these orders instead, as std has it.
    pub fn allows(&self, orders: Orders) -> bool {
        let is_load_order = |order| matches!(order, Ordering::Relaxed | Ordering::Acquire | Ordering::SeqCst);
        match (self.orders, orders) {
            (Orders::One(_), Orders::One(order)) => match self.name.form() {
                OperationForm::Load => is_load_order(order),
                OperationForm::Store => {
                    matches!(order, Ordering::Relaxed | Ordering::Release | Ordering::SeqCst)
                }
                OperationForm::Fence => order != Ordering::Relaxed,
                _ => true,
            },
            (Orders::Two(..), Orders::Two(_, failure)) => is_load_order(failure),
            _ => false,
        }
    }

    /// Puts places in the order of the source.
    pub fn sort_key(&self) -> impl Ord + use<> {
        let rank = |order: Ordering| match order {
            Ordering::Relaxed => 1,
            Ordering::Release => 2,
            Ordering::Acquire => 3,
            Ordering::AcqRel => 4,
            _ => 5,
        };
        let orders = match self.orders {
            Orders::None => (0, 0),
            Orders::One(order) => (rank(order), 0),
            Orders::Two(success, failure) => (rank(success), rank(failure)),
        };
        (self.source, self.name.spelling(), orders)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}) at {}", self.name, self.orders, self.source)
    }
}

/// Whether a file is one of the instrumented types' own: an operation that was called through a function pointer has its
/// place there.
pub(super) fn is_own_source(file: &str) -> bool {
    const THIS: &str = file!();
    const SUFFIX: &str = "record/place.rs";
    // The folder of the crate's sources, as the compiler names it.
    let own = THIS.strip_suffix(SUFFIX).unwrap_or(THIS);
    file.len() > own.len() && file.starts_with(own) && file[own.len()..].starts_with("sync/")
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_the_instrumented_types_are_own_sources() {
        let own = file!().replace("record/place.rs", "sync/atomic.rs");
        assert!(super::is_own_source(&own));
        assert!(!super::is_own_source(file!()));
        assert!(!super::is_own_source("src/main.rs"));
    }
}

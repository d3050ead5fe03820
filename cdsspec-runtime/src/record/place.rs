//! Where an operation stands in the program's source.

use std::fmt;
use std::sync::atomic::Ordering;

/// A line and column of a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Where the operation is called.
    pub source: SourceLocation,
    /// The name of the operation as the user writes it: `load`, `fetch_add`, `fence`, `lock`, `spawn`.
    pub name: &'static str,
    /// The orders as written.
    pub orders: Orders,
}

impl Place {
    /// The place of the caller.
    #[track_caller]
    pub fn here(name: &'static str, orders: Orders) -> Self {
        Self { source: SourceLocation::caller(), name, orders }
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

//! A call as a file has it.

use super::value::Value;

/// Which files say what calls returned, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Argument and result apart.
    Json,
    /// The value of the return repeats the argument, or has the result in its place.
    Jepsen,
}

/// A call.
#[derive(Debug)]
pub(crate) struct RawCall {
    pub(crate) thread: u64,
    pub(crate) name: String,
    pub(crate) argument: Value,
    /// `None`: it is pending.
    pub(crate) result: Option<Value>,
    pub(crate) invoked: u64,
    pub(crate) returned: Option<u64>,
    pub(crate) places: Places,
}

/// Where its parts stand, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    pub(crate) call: usize,
    pub(crate) name: usize,
    pub(crate) argument: usize,
    pub(crate) result: usize,
}

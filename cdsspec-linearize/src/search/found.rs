//! What searches come to.

use crate::limit::Limit;

/// What a search came to. Calls are those of the problem, in the order in which they take effect.
pub(crate) enum Found {
    /// All calls that returned are linearized.
    Witness(Vec<u32>),
    /// There is no linearization.
    Nothing(Furthest),
    /// A limit was reached.
    Stopped(Limit, Furthest),
}

/// How far a search came.
#[derive(Default)]
pub(crate) struct Furthest {
    /// Everything that returned before this moment was linearized at once, somewhere.
    pub(crate) first_return: u64,
    /// The longest order of calls that was found.
    pub(crate) order: Vec<u32>,
}

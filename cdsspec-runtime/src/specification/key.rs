//! Values that are kept in hash maps, erased.

use std::any::Any;
use std::hash::Hasher;

/// Equality and hash of erased values of one type.
#[derive(Clone, Copy)]
pub struct KeySupport {
    /// Whether two values of the type are equal.
    pub is_equal: fn(&dyn Any, &dyn Any) -> bool,
    /// Feeds a value of the type.
    pub hash: fn(&dyn Any, &mut dyn Hasher),
}

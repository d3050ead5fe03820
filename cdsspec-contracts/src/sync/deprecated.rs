//! What std has deprecated.

use super::Once;

/// A [`Once`] that nothing was called with.
#[deprecated(note = "the `Once::new()` function is now preferred")]
#[expect(clippy::declare_interior_mutable_const, reason = "as in std")]
pub const ONCE_INIT: Once = Once::new();

//! What std has deprecated.

use super::{AtomicBool, AtomicIsize, AtomicUsize};

/// [`hint::spin_loop`](crate::hint::spin_loop).
#[deprecated(note = "use hint::spin_loop instead")]
#[inline]
pub fn spin_loop_hint() {
    std::hint::spin_loop();
}

/// An [`AtomicBool`] that is `false`.
#[deprecated(note = "the `new` function is now preferred")]
#[expect(clippy::declare_interior_mutable_const, reason = "as in std")]
pub const ATOMIC_BOOL_INIT: AtomicBool = AtomicBool::new(false);

/// An [`AtomicIsize`] that is 0.
#[deprecated(note = "the `new` function is now preferred")]
#[expect(clippy::declare_interior_mutable_const, reason = "as in std")]
pub const ATOMIC_ISIZE_INIT: AtomicIsize = AtomicIsize::new(0);

/// An [`AtomicUsize`] that is 0.
#[deprecated(note = "the `new` function is now preferred")]
#[expect(clippy::declare_interior_mutable_const, reason = "as in std")]
pub const ATOMIC_USIZE_INIT: AtomicUsize = AtomicUsize::new(0);

//! Specifications of concurrent data structures beside their code, checked on every behaviour of the C11 memory model.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(any(feature = "check", loom))]
mod instrumented;
mod marker;
#[cfg(not(any(feature = "check", loom)))]
mod plain;

pub use cdsspec_macros::{
    admit, clear, copy, declare_state, initial, justifying_post_condition, justifying_pre_condition,
    post_condition, pre_condition, returns, side_effect, spec, test,
};
#[cfg(any(feature = "check", loom))]
pub use instrumented::*;
#[cfg(not(any(feature = "check", loom)))]
pub use plain::*;

/// Whether this build is instrumented: whether the feature `check` is on, or `--cfg loom`.
pub const INSTRUMENTED: bool = cfg!(any(feature = "check", loom));

//! [loom](https://docs.rs/loom/0.7)'s API on the engines of cdsspec.
//!
//! ```toml
//! [target.'cfg(loom)'.dependencies]
//! loom = { package = "cdsspec-loom", version = "0.1" }
//! ```

pub mod alloc;
pub mod cell;
pub mod future;
pub mod hint;
pub mod lazy_static;
pub mod model;
mod region;
pub mod sync;
pub mod thread;

pub use cdsspec_runtime::thread_local;
#[doc(inline)]
pub use model::model;
pub use region::{MAX_THREADS, explore, skip_branch, stop_exploring};

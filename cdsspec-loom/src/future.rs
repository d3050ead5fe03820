//! Futures: [`block_on`], and [`AtomicWaker`].

pub use cdsspec_runtime::future::{AtomicWaker, block_on};

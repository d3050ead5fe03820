//! Cells whose accesses are checked for races.

mod checked;
mod unsafe_cell;

pub use cdsspec_runtime::cell::{ConstPtr, MutPtr};
pub use checked::Cell;
pub use unsafe_cell::UnsafeCell;

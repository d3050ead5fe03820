//! `std::sync::mpsc`.

pub use cdsspec_runtime::sync::mpsc::*;

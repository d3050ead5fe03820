//! std's `hint`: nothing in it orders anything.

pub use std::hint::*;

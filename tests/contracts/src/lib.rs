//! Structures under contracts: ours, and published ones behind a thin wrapper.

#![warn(missing_docs)]

pub mod ours;
pub mod published;

//! Finite tests of a structure: which calls each of some threads makes; written by hand, all of a size, or drawn at random.
//!
//! A [`Scenario`] says how an object is made, what it can be asked to do, and which tests make sense. A [`Matrix`] is one test. [`lineup`](crate::lineup)
//! checks it without any specification; as a [program](Scenario::program) it is checked against that of its type.
//!
//! # Paper
//! Line-Up: a complete and automatic linearizability checker (Burckhardt, Dern, Musuvathi and Tan, PLDI 2010), sections 3.1 and 4.3.

mod builder;
mod concurrent;
mod constraint;
mod enumerate;
#[cfg(feature = "localize")]
mod guided;
mod kept;
mod matrix;
mod program;
mod sample;
mod serial;
#[cfg(test)]
mod tests;
mod value;

pub use builder::Scenario;
pub(crate) use builder::{Exemption, Guarantee, STEPS_MAX};
pub(crate) use concurrent::{ConcurrentLog, LoggedCall};
pub use enumerate::{LeftOut, Matrices};
#[cfg(feature = "localize")]
pub(crate) use guided::{GuidedRun, NextRun};
pub use kept::Kept;
pub use matrix::{Caller, Entry, InvocationId, Matrix, Slot};
pub use sample::Sample;
pub(crate) use serial::SerialLog;
pub use value::Value;

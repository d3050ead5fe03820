//! The naive twin: RC11 straight from its axioms, by brute force.
//!
//! [`enumerate`] tries all thread-local traces with guessed read values, all choices of reads-from and all modification orders, and
//! keeps the consistent graphs. It knows nothing of engines. [`enumerate_rounds`] does so for tests with loops, which it follows for
//! a number of rounds.
//!
//! # Paper
//! Lahav, Vafeiadis, Kang, Hur, Dreyer, *Repairing sequential consistency in C/C++11*, PLDI 2017: coherence, atomicity, psc, acyclic
//! sb ∪ rf. Release sequences as in C++20: a store and the read-modify-writes that chain from it.

pub mod axiom;
mod call;
mod count;
mod enumeration;
mod matrix;
mod order;
mod stuck;
mod trace;

pub use call::{enumerate_calls, enumerate_verdicts};
pub use count::{Effort, Unrolled, enumerate, enumerate_rounds};
pub use matrix::{EVENTS_MAX, Matrix};
pub use stuck::{Stuck, find_stuck};
pub use trace::TooLarge;

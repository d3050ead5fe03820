//! Contracts: how a concurrent data structure may be used.
//!
//! A contract is a condition over *events*, the calls of an object's methods, and over the order in which they happen: one producer at
//! a time, nothing before `init`. This crate has what a contract is made of, for whoever knows the order: a checker, which explores
//! all executions of a small program, or real threads. The latter are behind the feature `threads`.
//!
//! # Paper
//! López-Gómez and others, *Detecting semantic violations of lock-free data structures through C++ contracts*, The Journal of
//! Supercomputing, 2019: CSV.

// `thread/scope.rs` has the only exception, and says why.
#![deny(unsafe_code)]

mod clock;
mod contract;
mod equal;
mod event;
#[cfg(feature = "threads")]
pub mod hint;
mod part;
mod provided;
mod provider;
mod set;
mod state;
#[cfg(feature = "threads")]
pub mod sync;
#[cfg(test)]
mod tests;
#[cfg(feature = "threads")]
pub mod thread;
#[cfg(feature = "threads")]
pub mod threads;
mod view;
mod violation;

pub use clock::{Clock, Epoch, ThreadIndex};
pub use contract::{Condition, ConditionMoment, Contract, DeclaredSet, Keep, Level, Method, Source};
pub use event::{Event, Events, Mark, Witness, take_witness};
pub use part::{Kept, Looks, Part};
pub use provided::{current, current_clock, provide};
pub use provider::{Now, Provider};
pub use set::{EventSet, intersection, union};
pub use state::{Call, Constructor, Sets, alone, compare_invocations, early, expect_here, set_level};
pub use view::{Set, View, add_current, empty_sets, keep, run};
pub use violation::{Violation, stray};

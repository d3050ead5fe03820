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
#[cfg(feature = "threads")]
pub mod hint;
#[cfg(feature = "threads")]
pub mod sync;
#[cfg(feature = "threads")]
pub mod thread;
#[cfg(feature = "threads")]
pub mod threads;

pub use clock::{Clock, Epoch, ThreadIndex};

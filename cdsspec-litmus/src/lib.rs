//! Litmus tests: small programs in a text format, run under an engine, and judged by a naive twin of the memory model.
//!
//! Parts that share nothing but the [`syntax`] tree:
//! - [`parse()`] reads the format, [`run()`] runs a test as a program on the instrumented atomics;
//! - [`naive`] enumerates the consistent execution graphs of a test from the axioms of RC11, by brute force;
//! - [`operational`] runs a test on machines with queues of stores, state by state: the twins of the memory models Sc, Tso and Pso;
//! - [`recheck`] looks at the executions that an engine hands over: it puts them before the same axioms, and finds duplicates;
//! - [`judge`] asks an engine and a twin about a test;
//! - [`random`] draws tests, [`order`] gives one other orders, [`shrink`] makes one that shows a fault smaller;
//! - [`command`] is the command line.
//!
//! This crate is for the tests and chores of this workspace. It is not published.

pub mod call;
pub mod command;
pub mod explore;
pub mod judge;
pub mod naive;
pub mod operational;
pub mod order;
pub mod parse;
pub mod random;
pub mod recheck;
pub mod run;
pub mod shrink;
pub mod syntax;

pub use explore::{Explored, explore, explore_looking};
pub use parse::{ParseError, parse};
pub use run::{LitmusResult, Loops, Setup, program, run, run_looking, run_observing};
pub use syntax::Litmus;

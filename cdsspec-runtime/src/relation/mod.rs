//! The order over the calls.
//!
//! # Paper
//! CDSSpec (PPoPP 2017):
//! - section 5.2, extracting r: X hb Y or X sc Y, for ordering points X of A and Y of B, gives A r B ([`OrderRelation::of`]);
//! - section 3.1: r is transitive and acyclic. Acyclicity is looked at over the calls of all objects at once; a cycle is a
//!   [`Cycle`], with the operations;
//! - section 3.1: concurrent(m) ([`OrderRelation::concurrent`]);
//! - definition 9 and theorem 1: an object is checked under the part of r that orders its own calls
//!   ([`OrderRelation::restrict`]).
//!
//! Not from there: [`Precedence`], the real-time order that Line-Up and its kin need.

mod build;
mod cycle;
mod matrix;
mod order;
mod precedence;

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub(crate) use build::direct_edge;
pub use cycle::{Cycle, CycleEdge, EdgeReason};
pub use order::OrderRelation;
pub use precedence::{Precedence, has_earlier_tick};

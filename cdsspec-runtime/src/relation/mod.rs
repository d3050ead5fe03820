//! The order over the calls.
//!
//! # Paper
//! CDSSpec (PPoPP 2017):
//! - section 5.2, extracting r: X hb Y or X sc Y, for ordering points X of A and Y of B, gives A r B
//!   ([`OrderRelation::of_objects`]);
//! - there, sc is the total order of the SeqCst operations. Engines give psc⁺, which is partial; `total` has the total orders that extend it;
//! - section 3.1: r is transitive and acyclic. Acyclicity is looked at over the calls of all objects at once; a cycle is a
//!   [`Cycle`], with the operations;
//! - section 3.1: concurrent(m) ([`OrderRelation::concurrent`]);
//! - definition 9 and theorem 1: r of an object is over its own calls, closed over these alone. What orders calls of other objects, or those
//!   against calls of this one, does not constrain its calls; so what holds alone holds beside others.
//!
//! Not from there: [`Precedence`], the real-time order that Line-Up and its kin need.

#![forbid(unsafe_code)]

mod build;
mod cycle;
mod edge;
mod matrix;
mod order;
mod precedence;
mod total;

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod total_tests;

pub use cycle::Cycle;
pub(crate) use edge::direct_edge;
pub use edge::{CycleEdge, EdgeReason};
pub use order::OrderRelation;
pub use precedence::{Precedence, has_earlier_tick};
pub(crate) use total::{TotalOrders, sc_points_in_order, under_sc_points};

//! CheckFence: every execution of a bounded test, by a SAT solver (Burckhardt, Alur and Martin, PLDI 2007).
#![forbid(unsafe_code)]

pub mod encode;
pub mod explore;
pub mod flat;
pub mod interpret;
pub mod litmus;
pub mod lsl;
pub mod memory_model;
pub mod notation;
pub mod observation;
pub mod place;
pub mod range;
pub mod solver;
pub mod trace;

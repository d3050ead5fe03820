//! CheckFence: every execution of a bounded test, by a SAT solver (Burckhardt, Alur and Martin, PLDI 2007).
#![forbid(unsafe_code)]

pub mod interpret;
pub mod litmus;
pub mod lsl;
pub mod observation;

//! CheckFence: every execution of a bounded test, by a SAT solver.
//!
//! # Paper
//! Burckhardt, Alur and Martin, *CheckFence: checking consistency of concurrent data types on relaxed memory models*, PLDI 2007.
//!
//! | section | here |
//! |---|---|
//! | 2.1, test programs; figure 8 | [`lsl::syntax::Program`], [`notation`] |
//! | 2.2, observations | [`observation`] |
//! | 2.3.2, SC, Relaxed and Serial | [`memory_model`]; by brute force [`interpret`]. TSO, PSO, RC11 and Armv8 are of others |
//! | 3.1, LSL; figures 4 and 5 | [`lsl`], with `choose`, `new`, orders, candidate fences and `spin` beyond figure 4 |
//! | 3.1, the front end for C | for a subset of Rust: the attribute `fence` of `cdsspec`, whose [`structure::Source`] is tested by [`structure::check`] |
//! | 3.2, mining and inclusion | [`explore`]; a reference implementation's observations can be handed to the check |
//! | 3.2.1, the formula | [`flat`], [`encode`] |
//! | 3.3, lazy unrolling | [`explore`], [`flat::Unrolling`] |
//! | 3.4, range analysis | [`range`] |
//! | 4.2, missing fences | [`place`] |
//! | 5, the commit point method | not modelled: the paper itself replaces it |
//!
//! # Example
//! ```
//! use cdsspec_fence::explore::{Exploration, Settings};
//! use cdsspec_fence::lsl::parse;
//! use cdsspec_fence::memory_model::MemoryModel;
//!
//! let program = parse(
//!     "global data = 0 global flag = 0
//!      proc write()() { data = &data flag = &flag one = 1 *data = one *flag = one }
//!      proc read()(flag, data) { data = &data flag = &flag flag = *flag data = *data }
//!      thread { write()() } thread { read()() }",
//! )?;
//! let mined = Exploration::new(&program, Settings::new(MemoryModel::Sc)).observations()?;
//! assert_eq!(mined.set.observations.len(), 3);
//! let verdict = Exploration::new(&program, Settings::new(MemoryModel::Relaxed)).check_inclusion(&mined.set);
//! assert_eq!(verdict.name(), "violated");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
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
pub mod structure;
pub mod trace;

//! The runtime of cdsspec: everything that runs. Users meet it through the crate `cdsspec`.
//!
//! An engine runs the program and fills a [`record`]; [`relation`], [`history`], [`check`] and [`report`] follow, each a function
//! of the one before; [`model`] ties them together. `ARCHITECTURE.md` has the map.

pub mod cell;
pub mod check;
pub mod contract;
pub mod engine;
#[cfg(feature = "example")]
pub mod example;
mod explore;
pub mod future;
mod graph;
pub mod heap;
pub mod hint;
pub mod history;
pub mod lineup;
#[cfg(feature = "localize")]
pub mod localize;
pub mod memory_model;
pub mod model;
pub mod port;
mod process;
mod random;
pub mod record;
pub mod relation;
pub mod report;
mod run;
pub mod scenario;
pub mod specification;
pub mod sync;
pub mod thread;
#[cfg(feature = "weaken")]
pub mod weaken;

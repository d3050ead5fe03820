//! Admissibility, histories, justification: what one execution says about the specifications.

mod finding;
mod verdict;

pub use crate::relation::{CycleEdge, EdgeReason};
pub use finding::{ExecutionCheck, Finding};
pub use verdict::Verdict;

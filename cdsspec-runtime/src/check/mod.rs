//! Admissibility, histories, justification: what one execution says about the specifications.

mod finding;
mod verdict;

pub use finding::{CycleEdge, EdgeReason, ExecutionCheck, Finding};
pub use verdict::Verdict;

//! Admissibility, histories, justification: what one execution says about the specifications.
//!
//! # Paper
//! CDSSpec (PPoPP 2017), sections 3 and 5.2:
//! - definition 1, admissibility: in `admissibility`; an inadmissible object is not checked further;
//! - definitions 2, 5, 6: all sequential histories, by [`history::check_histories`](crate::history::check_histories);
//! - definitions 3, 4: every call justified, by [`history::justify`](crate::history::justify);
//! - section 3.2, theorem 1: acyclic over all objects at once, then each object by itself, under r of its own calls;
//! - section 5.2, sc: every total order of the SeqCst operations, where it matters, in `total`;
//! - definition 7, over all executions: the run's, in `model`.

#![forbid(unsafe_code)]

mod admissibility;
mod context;
mod execution;
mod finding;
mod note;
mod object;
mod option;
mod shape;
mod total;
mod verdict;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod total_tests;

pub use crate::relation::{CycleEdge, EdgeReason};
pub use execution::check_execution;
pub use finding::{ExecutionCheck, Finding};
pub use note::Note;
pub use option::{CheckOptions, SeqCstOrder};
pub use shape::{ShapeCheck, ShapeMemo};
pub use verdict::Verdict;

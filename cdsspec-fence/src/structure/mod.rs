//! Data structures in Rust, as users test them: objects, operations with a letter each, tests in the notation of figure 8, and verdicts over source lines.

mod call;
mod check;
mod outcome;
mod report;
mod shape;
mod source;

pub use check::{Check, check};
pub use outcome::Outcome;
pub use source::Source;

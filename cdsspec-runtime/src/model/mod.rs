//! Runs a program under an engine, checks every execution, and says what it came to: ties the rooms together.

mod again;
mod bound;
mod builder;
mod cause;
mod conclusion;
mod engine_kind;
mod environment;
mod expected;
mod identity;
mod outcome;
mod remedy;
mod replay;
mod run;
mod search;
mod setting;
mod shard;
mod smaller;
mod tally;
mod test;
mod test_source;
mod visit;
mod watchdog;

pub use crate::check::SeqCstOrder;
pub use crate::engine::random::Strategy;
pub use crate::history::Histories;
pub use crate::memory_model::MemoryModel;
pub use crate::report::Remedy;
pub use builder::Builder;
pub(crate) use builder::ChosenValue;
pub use cdsspec_contracts::Level as ContractLevel;
pub use engine_kind::EngineKind;
pub use expected::Expected;
pub use outcome::Outcome;
pub(crate) use search::{ChosenSearch, SearchSettings};
#[cfg(feature = "example")]
pub(crate) use setting::is_run_by;
pub use shard::{NoShard, Shard};
pub use test::{ProgramReturn, TestReturn, run_program, run_test};
pub use test_source::{Range, TestNumber, TestSource, TestThread};

/// Explores every execution of `program` and checks each against the specifications of the objects that it uses.
///
/// The same as `Builder::new().model(program)`. The program runs once for every execution: it must do the same each time
/// that it sees the same values.
///
/// # Panics
/// With the report, unless the verdict is `holds`, or `holds_within` bounds that the user set or the engine has.
#[track_caller]
pub fn model(program: impl Fn() + Send + Sync + 'static) {
    Builder::new().model(program);
}

#[cfg(test)]
#[cfg(feature = "loom")]
mod loom_tests;
#[cfg(test)]
mod tests;

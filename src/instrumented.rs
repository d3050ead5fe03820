//! What an instrumented build has in place of std's, and what checks it.

pub use cdsspec_runtime::check::{Note, Verdict};
/// Setting up runs, and what they come to.
pub use cdsspec_runtime::model;
/// What a run came to, as a value: of [`Outcome::details`](model::Outcome::details).
pub mod report {
    pub use cdsspec_runtime::report::{
        Bound, BrokenCondition, Coverage, FindingKind, Hint, MisuseReason, OrderReason, OrderedCalls,
        ReadsFrom, Remedy, Report, ReportedCall, ReportedEvent, ReportedExecution, ReportedFinding,
        ReportedHolder, ReportedMisuse, ReportedOperation, ReportedThread, ReportedWait, RunCounts,
    };
}
pub use cdsspec_runtime::model::{
    Builder, ContractLevel, EngineKind, Histories, MemoryModel, Outcome, SeqCstOrder, Strategy, model,
};
/// Tells the checker what it cannot see of memory.
pub mod alloc {
    pub use cdsspec_runtime::heap::initialized;
}
/// Programs and seeded bugs with a command line.
#[cfg(feature = "example")]
pub use cdsspec_runtime::example;
pub use cdsspec_runtime::heap::Allocator;
/// Whether a structure is linearizable, without a specification.
pub use cdsspec_runtime::lineup;
pub use cdsspec_runtime::lineup::{Explore, explore};
/// Long histories, and what of them is at fault.
#[cfg(feature = "localize")]
pub use cdsspec_runtime::localize;
#[cfg(feature = "localize")]
pub use cdsspec_runtime::localize::{Localize, localize};
/// Finite tests that are made, not written.
pub use cdsspec_runtime::scenario;
pub use cdsspec_runtime::scenario::Scenario;
pub use cdsspec_runtime::specification::{helper_markers, registry};
/// Which memory orders are needed.
#[cfg(feature = "weaken")]
pub use cdsspec_runtime::weaken;
#[cfg(feature = "weaken")]
pub use cdsspec_runtime::weaken::{advise, weaken};
pub use cdsspec_runtime::{allocator, cell, future, hint, sync, thread, thread_local};

//! What an instrumented build has in place of std's, and what checks.

pub use cdsspec_runtime::check::Verdict;
pub use cdsspec_runtime::model::{self, Builder, EngineKind, Histories, Outcome, model};
pub use cdsspec_runtime::specification::registry;
pub use cdsspec_runtime::{cell, hint, sync, thread};

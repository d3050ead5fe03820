//! What an instrumented build has in place of std's.

// The wire: until the runtime has these rooms, std's stand in for them.
// pub use cdsspec_runtime::model::{Builder, Outcome, model};
// pub use cdsspec_runtime::{cell, hint, sync, thread};
#[path = "plain.rs"]
mod plain;
pub use plain::*;

pub use cdsspec_runtime::specification::registry;

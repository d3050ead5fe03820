//! CheckFence's solver against brute force, on many random programs.

use crate::Outcome;
use crate::runner::{cargo, run};

/// With 100 of them this is a test of `cargo test`.
///
/// # Errors
/// That they do not agree.
pub(crate) fn judge(programs: &str) -> Outcome {
    let mut command = cargo("test --package cdsspec-fence --test random -- --nocapture");
    command.env("CDSSPEC_FENCE_PROGRAMS", programs);
    run(command)
}

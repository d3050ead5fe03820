//! CheckFence's solver against brute force and the twins of the engines, on many random programs.

use crate::Outcome;
use crate::runner::{cargo, run};

/// With fewer of them these are tests of `cargo test`.
///
/// # Errors
/// That they do not agree.
pub(crate) fn judge(programs: &str) -> Outcome {
    for test in
        ["--package cdsspec-fence --test checkfence random::", "--package cdsspec-litmus --test fence"]
    {
        let mut command = cargo(&format!("test {test} -- --nocapture"));
        command.env("CDSSPEC_FENCE_PROGRAMS", programs);
        run(command)?;
    }
    Ok(())
}

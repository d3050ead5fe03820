//! The minimum versions of dependencies that the manifests state: that all of them together resolve, and that a build with them compiles. A range that
//! begins too early is noticed nowhere else, since everybody's lock files have the newest versions.

use crate::Outcome;
use crate::copy::Copy;
use crate::msrv::installed;
use crate::runner::{cargo, run};
use std::process::Command;

/// Resolves and builds, on a copy, so that the lock file of the workspace stays. Only a nightly cargo can resolve so.
///
/// # Errors
/// A version that another dependency does not allow, or that lacks what is used.
pub(crate) fn check() -> Outcome {
    if !installed().lines().any(|line| line.starts_with("nightly-")) {
        println!("nightly is not installed: minimum versions were not resolved");
        return Ok(());
    }
    let copy = Copy::new("minimal/source")?;
    let mut update = Command::new("cargo");
    update
        .args(["+nightly", "update", "--quiet", "-Z", "direct-minimal-versions"])
        .current_dir(copy.folder());
    // Set by the cargo that runs this chore; it would win over `+`.
    update.env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO").env_remove("RUSTC");
    run(update)?;
    let mut build =
        cargo("check --package cdsspec --features check --locked --target-dir target/minimal/build");
    build.arg("--manifest-path").arg(copy.folder().join("Cargo.toml"));
    run(build)
}

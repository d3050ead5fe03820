//! Everything that must hold, one named and timed step after the other.

use crate::Outcome;
use crate::runner::{cargo, run as run_command};
use crate::{borders, circles, examples, fuzz, minimal, msrv, mutants, paper, sizes};
use std::time::{Duration, Instant};

struct Step {
    name: &'static str,
    run: fn() -> Outcome,
}

/// The steps after `cargo test`, the cheap ones first.
const STEPS: &[Step] = &[
    Step { name: "format", run: || run_command(cargo("fmt --all -- --check")) },
    Step {
        name: "format of the downstream fixture",
        run: || run_command(cargo("fmt --manifest-path tests/fixture/Cargo.toml --all -- --check")),
    },
    Step {
        name: "format of the contracts on real threads",
        run: || run_command(cargo("fmt --manifest-path tests/contracts/Cargo.toml -- --check")),
    },
    Step {
        name: "format of loom's API in the place of loom",
        run: || {
            let folders = ["cdsspec-loom/patch", "tests/patched_loom", "tests/patched_loom/structure"];
            folders.iter().try_for_each(|folder| {
                run_command(cargo(&format!("fmt --manifest-path {folder}/Cargo.toml -- --check")))
            })
        },
    },
    Step { name: "borders", run: borders::check },
    Step { name: "circles of files", run: circles::check },
    Step { name: "sizes", run: sizes::check },
    Step {
        name: "tests of xtask and of the papers' tables",
        // Of the whole workspace, which has the features of its default members: nothing of these is built again.
        run: || run_command(cargo("test --workspace --bin xtask --bin paper")),
    },
    Step {
        name: "clippy, as built by a user",
        run: || run_command(cargo("clippy --workspace --lib --bins -- -D warnings")),
    },
    // Alone: in the workspace others ask for its features.
    Step {
        name: "clippy, the runtime without its features",
        run: || run_command(cargo("clippy --package cdsspec-runtime --lib -- -D warnings")),
    },
    Step {
        name: "clippy, all targets and features",
        run: || run_command(cargo("clippy --workspace --all-targets --all-features -- -D warnings")),
    },
    Step { name: "docs", run: check_docs },
    Step { name: "minimum Rust version", run: msrv::check },
    Step {
        name: "loops and std, as built by a user",
        run: || test_loops("--config profile.dev.package.cdsspec-runtime.opt-level=0"),
    },
    Step { name: "loops and std, optimised", run: || test_loops("--release") },
    Step { name: "minimum versions of dependencies", run: minimal::check },
    // The same cases each time: whether a commit lands is decided by the commit, and not by the clock.
    Step { name: "macros on changed items", run: || fuzz::run(&["--seed", "1", "--cases", "40000"]) },
    Step { name: "clocks of 2,000 random programs on real threads", run: judge_clocks },
    Step {
        name: "contracts on real threads, of our structures and of published ones",
        run: || run_command(cargo("test --manifest-path tests/contracts/Cargo.toml --target-dir target")),
    },
    Step { name: "loom's API in the place of loom, for a crate and its dependency", run: test_patched_loom },
    Step { name: "mutants, the third of the day", run: || mutants::run(&["--today"]) },
    Step { name: "examples", run: examples::check },
    Step { name: "figure 7 of the docs, and its time", run: || paper::run("executions", &["--check"]) },
    Step { name: "figure 8 of the docs, and its time", run: || paper::run("injections", &["--check"]) },
    Step { name: "programs measured under GenMC", run: || paper::run("genmc", &["--check"]) },
    Step { name: "table 1 of the CSV paper", run: || paper::run("contracts", &["--check"]) },
    Step { name: "Line-Up's table of the docs, its fast form", run: || paper::run("lineup", &["--check"]) },
    Step { name: "localization of the docs, its fast form", run: || paper::run("localize", &["--check"]) },
    Step { name: "figure 10 of the CheckFence paper", run: || paper::run("fence", &["--check"]) },
    Step {
        name: "Line-Up against its naive twin, its fast form",
        run: || paper::run("lineup-twin", &["--check"]),
    },
];

/// Under the flag of loom tests, with which cdsspec is instrumented as well.
fn test_patched_loom() -> Outcome {
    let mut command =
        cargo("test --manifest-path tests/patched_loom/Cargo.toml --target-dir target/patched_loom");
    command.env("RUSTFLAGS", "--cfg loom");
    run_command(command)
}

/// With 200 of them this is a test of `cargo test`.
fn judge_clocks() -> Outcome {
    let mut command = cargo("test --release --package cdsspec-contracts --test judge -- --nocapture");
    command.env("CDSSPEC_JUDGED_PROGRAMS", "2000");
    run_command(command)
}

/// Runs the steps, all of them, also when one fails.
///
/// # Errors
/// The steps that failed.
pub(crate) fn run(with_tests: bool) -> Outcome {
    let tests = Step { name: "tests", run: || run_command(cargo("test")) };
    let steps = with_tests.then_some(&tests).into_iter().chain(STEPS);
    let results: Vec<_> = steps.map(run_step).collect();
    println!("\n── summary");
    for (name, duration, outcome) in &results {
        let word = if outcome.is_ok() { "ok" } else { "FAILED" };
        println!("{word:>6}  {:>6.1} s  {name}", duration.as_secs_f64());
    }
    let failed: Vec<_> = results
        .into_iter()
        .filter_map(|(name, _, outcome)| outcome.err().map(|message| format!("{name}: {message}")))
        .collect();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

fn run_step(step: &Step) -> (&'static str, Duration, Outcome) {
    println!("\n── {}", step.name);
    let start = Instant::now();
    let outcome = (step.run)();
    if let Err(message) = &outcome {
        println!("{message}");
    }
    (step.name, start.elapsed(), outcome)
}

/// What is decided by looking at stacks, which the compiler lays out.
fn test_loops(profile: &str) -> Outcome {
    run_command(cargo(&format!("test {profile} --workspace --test profiles")))
}

fn check_docs() -> Outcome {
    let mut command = cargo("doc --no-deps --all-features");
    command.env("RUSTDOCFLAGS", "-D warnings");
    run_command(command)
}

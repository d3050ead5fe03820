//! Random changes of all annotated items, run through the macros.

use crate::Outcome;
use crate::runner::{cargo, run as run_command};
use std::time::{SystemTime, UNIX_EPOCH};

const USAGE: &str = "usage: cargo xtask fuzz [--seconds N | --cases N] [--seed S] [--first CASE]";

/// The chore: for a minute, or as long or as many cases as is said. By hand the seed comes from the clock, and is printed, so that each run
/// tries something else and can be had again. CI gives a seed and a number of cases: what lands does not depend on when or where it runs.
///
/// # Errors
/// Arguments that mean nothing, or a case that fails: its seed and its number are printed.
pub(crate) fn run(arguments: &[&str]) -> Outcome {
    let (mut seconds, mut cases, mut seed, mut first) = (60, None, seed_of_now(), 0);
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return Err(USAGE.to_string()) };
        let value: u64 = value.parse().map_err(|_| USAGE.to_string())?;
        match *name {
            "--seconds" => seconds = value,
            "--cases" => cases = Some(value),
            "--seed" => seed = value,
            "--first" => first = value,
            _ => return Err(USAGE.to_string()),
        }
    }
    let mut command = cargo("test --package cdsspec-macros --lib fuzz:: -- --nocapture");
    match cases {
        Some(cases) => command.env("CDSSPEC_FUZZ_CASES", cases.to_string()),
        None => command.env("CDSSPEC_FUZZ_SECONDS", seconds.to_string()),
    };
    command.env("CDSSPEC_FUZZ_SEED", seed.to_string());
    command.env("CDSSPEC_FUZZ_FIRST", first.to_string());
    run_command(command)
}

fn seed_of_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

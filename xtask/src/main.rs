//! Chores of this workspace: `cargo xtask` lists them.

mod bless;
mod borders;
mod ci;
mod circles;
mod copy;
mod dependencies;
mod examples;
mod fence;
mod fuzz;
#[cfg(test)]
mod glossary;
mod minimal;
mod msrv;
mod mutants;
mod paper;
mod runner;
mod sizes;
mod source;
mod std_api;
mod test_program;
mod token_path;
#[cfg(test)]
mod width;

use std::process::ExitCode;

/// What a chore says when it fails: one line a mistake.
type Outcome = Result<(), String>;

const USAGE: &str = "\
usage: cargo xtask CHORE

  ci [--after-tests]  everything that must hold, step by step; --after-tests leaves `cargo test` out
  borders             which room of the runtime may name which
  circles             no files of a crate that name each other
  sizes               files of at most 600 lines, functions of at most 70
  dependencies        how many packages of others a user's first test builds
  msrv                the stated minimum Rust version, as far as it can be checked here
  std [--write]       the runtime has std's concurrency API; --write lists anew what std has
  minimal             the stated minimum versions of dependencies: they resolve, and a build with them
  examples            every example runs and prints what it promises
  table executions|injections …
                      figures 7 and 8 of the CDSSpec paper, computed: as `cargo run --release -p paper --`
  litmus FILE …       runs litmus tests under the engines and their twins; without FILE it says how
  fence [COUNT]       CheckFence's solver against its twins, on 2,000 random programs of each kind or so many
  mutants [NAME … | --third N | --today | --list]
                      breaks conditions of the engine and the check one at a time: some test must turn red
  fuzz [--seconds N | --cases N] [--seed S] [--first CASE]
                      changes annotated items at random: no panic, no hang, no lost item;
                      without --seed the seed comes from the clock, and is printed
  bless               writes the golden files anew from what the tests see now";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments[..] {
        ["ci"] => ci::run(true),
        ["ci", "--after-tests"] => ci::run(false),
        ["borders"] => borders::check(),
        ["circles"] => circles::check(),
        ["sizes"] => sizes::check(),
        ["dependencies"] => dependencies::check(),
        ["msrv"] => msrv::check(),
        ["std"] => std_api::check(false),
        ["std", "--write"] => std_api::check(true),
        ["minimal"] => minimal::check(),
        ["examples"] => examples::check(),
        ["table", table @ ("executions" | "injections"), ref rest @ ..] => paper::run(table, rest),
        ["fence"] => fence::judge("2000"),
        ["fence", count] => fence::judge(count),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["bless"] => bless::run(),
        ["mutants", ref rest @ ..] => mutants::run(rest),
        ["litmus", ref rest @ ..] => cdsspec_litmus::command::run(rest),
        _ => Err(USAGE.to_string()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

//! `cargo cdsspec`: what is done with the results of tests, and with histories.
//!
//! `merge FILES` puts together what several machines found that each checked a part of the tests of a search (`CDSSPEC_SHARD`), and wrote it to a file
//! (`CDSSPEC_RESULTS`). What it prints is what one machine would have printed that checked all of them.
//!
//! `linearize FILE` judges whether histories are linearizable: JSON lines, or Jepsen's EDN.
//!
//! | exit code | `merge` | `linearize` |
//! |---|---|---|
//! | 0 | every test of every search holds | every history is linearizable |
//! | 1 | a test failed, or was inconclusive | a history is not |
//! | 2 | the files are no whole: a part is missing or there twice, they are of different searches, or cannot be read; nothing is merged. Or the command line is wrong | the file cannot be read, or has no such histories; nothing is judged. Or the command line is wrong |
//! | 3 | | no history is known not to be linearizable, but a limit was reached with one |

mod group;
mod linearize;
mod merge;
mod read;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// A test failed, or was inconclusive.
const FAILED: u8 = 1;
/// The files are no whole.
const REFUSED: u8 = 2;

fn command() -> Command {
    Command::new("cargo-cdsspec")
        .bin_name("cargo cdsspec")
        .about("What is done with the results of cdsspec's tests, and with histories")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(merge_command())
        .subcommand(linearize::command())
}

fn merge_command() -> Command {
    let files = Arg::new("files")
        .value_name("FILES")
        .help("What the machines wrote to CDSSPEC_RESULTS, in any order")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf));
    let json =
        Arg::new("json").long("json").help("Prints one JSON object a search").action(ArgAction::SetTrue);
    Command::new("merge")
        .about("Puts the results together of machines that each checked a part of the tests")
        .after_help("Exit code: 0 if every test holds, 1 if one does not, 2 if the files are no whole.")
        .args([files, json])
}

/// Cargo runs `cargo-cdsspec cdsspec merge …` for `cargo cdsspec merge …`.
fn arguments() -> impl Iterator<Item = OsString> {
    std::env::args_os()
        .enumerate()
        .filter(|(index, argument)| *index != 1 || argument != "cdsspec")
        .map(|(_, argument)| argument)
}

fn main() -> ExitCode {
    let matches = command().get_matches_from(arguments());
    match matches.subcommand() {
        Some(("merge", merge)) => run_merge(merge),
        Some(("linearize", linearize)) => linearize::run(linearize),
        _ => unreachable!("clap asks for a subcommand, and there are two"),
    }
}

fn run_merge(matches: &ArgMatches) -> ExitCode {
    let files: Vec<&PathBuf> = matches.get_many("files").expect("clap asks for them").collect();
    let results = match read::read(&files) {
        Ok(results) => results,
        Err(error) => return refuse(&[error]),
    };
    let groups = group::groups(&results);
    let (mut merged, mut errors) = (Vec::new(), Vec::new());
    for group in &groups {
        match merge::merge(&group.parts) {
            Ok(summary) => merged.push((group.name(), summary)),
            Err(error) => errors.push(format!("{}: {error}{}", group.name(), group.relatives(&groups))),
        }
    }
    if !errors.is_empty() {
        return refuse(&errors);
    }
    for (name, summary) in &merged {
        if matches.get_flag("json") {
            println!("{}", serde_json::to_string(summary).expect("it has texts and numbers alone"));
        } else {
            println!("{name}\n\n{summary}");
        }
    }
    let holds = merged.iter().all(|(_, summary)| summary.holds());
    if holds { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
}

fn refuse(errors: &[String]) -> ExitCode {
    for error in errors {
        eprintln!("error: {error}");
    }
    ExitCode::from(REFUSED)
}

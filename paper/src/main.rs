//! The tables and figures of the papers, computed: `cargo run --release -p paper -- TABLE`.
//!
//! Each table is a module, which says what the fields of its rows are called. Each can be had as JSON (one object a row, `--json`),
//! can write its page of `docs/` (`--markdown`), and can say whether that page is what is computed and the limits are kept (`--check`).

mod command;
mod contracts;
mod examples;
mod executions;
mod fence;
mod genmc;
mod grid;
mod injections;
mod lineup;
mod localize;
mod loom;
mod page;
mod published;
// The same few lines as the chores have.
#[path = "../../xtask/src/runner.rs"]
mod runner;
mod source;
mod table;

use std::process::ExitCode;

/// What a table says when it fails: one line a mistake.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let command = match command::parse(std::env::args()) {
        Ok(command) => command,
        Err(error) => error.exit(),
    };
    match command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

//! The lock of Mellor-Crummey and Scott, checked: the lock with its specification is in [`mcs_lock`], the programs in [`program`].
//!
//! `cargo run --release --example mcs_lock` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.

mod mcs_lock;
mod program;

use cdsspec::Verdict::Violated;
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("mcs_lock").holds("twice", program::twice).preemptions_on_loom(2).finds(
        "enters_out_of_turn",
        "twice",
        Violated,
    )
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn twice() {
        program::twice();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        assert_eq!(example().counts(), [("twice", [78, 0, 0, 6, 6])]);
    }
}

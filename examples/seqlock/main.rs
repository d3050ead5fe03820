//! A sequence lock, checked: the lock with its specification is in [`seqlock`], the programs in [`program`].
//!
//! `cargo run --release --example seqlock` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod program;
mod seqlock;

use cdsspec::Verdict::Unjustified;
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("seqlock")
        .holds("write__read", program::write__read)
        .holds("two_writers", program::two_writers)
        .preemptions_on_loom(1)
        .finds("does_not_look_again", "write__read", Unjustified)
        .finds("returns_old_numbers", "write__read", Unjustified)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn write__read() {
        program::write__read();
    }

    #[cdsspec::test]
    fn two_writers() {
        program::two_writers();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [("write__read", [2, 0, 0, 2, 3]), ("two_writers", [6, 0, 0, 6, 12])];
        assert_eq!(example().counts(), counts);
    }
}

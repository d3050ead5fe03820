//! A relaxed counter, checked: the counter with its specification is in [`relaxed_counter`], the programs in [`program`].
//!
//! `cargo run --release --example relaxed_counter` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod program;
mod relaxed_counter;

use cdsspec::Verdict::Unjustified;
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("relaxed_counter")
        .holds("increment__increment_increment", program::increment__increment_increment)
        .preemptions_on_loom(2)
        .holds("increment_read__read_read", program::increment_read__read_read)
        .preemptions_on_loom(2)
        .holds("three", program::three)
        .preemptions_on_loom(2)
        .finds("loses_additions", "increment__increment_increment", Unjustified)
        .finds("counts_twice", "increment__increment_increment", Unjustified)
        .finds("reads_too_little", "increment_read__read_read", Unjustified)
        .finds("reads_too_much", "increment_read__read_read", Unjustified)
        .finds("reads_nothing", "increment_read__read_read", Unjustified)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn increment__increment_increment() {
        program::increment__increment_increment();
    }

    #[cdsspec::test]
    fn increment_read__read_read() {
        program::increment_read__read_read();
    }

    #[cdsspec::test]
    fn three() {
        program::three();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [
            ("increment__increment_increment", [3, 0, 0, 3, 9]),
            ("increment_read__read_read", [3, 0, 0, 3, 18]),
            ("three", [12, 0, 0, 12, 144]),
        ];
        assert_eq!(example().counts(), counts);
    }
}

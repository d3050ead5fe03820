//! A relaxed register, checked: the register with its specification is in [`atomic_register`], the programs in [`program`].
//!
//! `cargo run --release --example atomic_register` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod atomic_register;
mod coherent;
mod program;

use cdsspec::Verdict::Unjustified;
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("atomic_register")
        .holds("write_write__read_read", program::write_write__read_read)
        .preemptions_on_loom(2)
        .holds("write_read__write_read", program::write_read__write_read)
        .preemptions_on_loom(2)
        .holds("coherent", program::coherent)
        .preemptions_on_loom(2)
        .finds("returns_what_was_overwritten", "write_read__write_read", Unjustified)
        .finds("writes_another_number", "write_read__write_read", Unjustified)
        .finds("goes_back", "coherent", Unjustified)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn write_write__read_read() {
        program::write_write__read_read();
    }

    #[cdsspec::test]
    fn write_read__write_read() {
        program::write_read__write_read();
    }

    #[cdsspec::test]
    fn coherent() {
        program::coherent();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [
            ("write_write__read_read", [6, 0, 0, 6, 36]),
            ("write_read__write_read", [4, 0, 0, 4, 24]),
            ("coherent", [12, 0, 0, 12, 144]),
        ];
        assert_eq!(example().counts(), counts);
    }
}

//! Read, copy, update, checked: the structure with its specification is in [`rcu`], the programs in [`program`].
//!
//! `cargo run --release --example rcu` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.

mod program;
mod rcu;

use cdsspec::Verdict::Unjustified;
use cdsspec::example::Example;
use std::process::ExitCode;

cdsspec::allocator!();

fn example() -> Example {
    Example::new("rcu")
        .holds("three", program::three)
        .preemptions_on_loom(2)
        .finds("returns_old_numbers", "three", Unjustified)
        .finds("reads_the_first_numbers", "three", Unjustified)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn three() {
        program::three();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        assert_eq!(example().counts(), [("three", [12, 0, 0, 6, 12])]);
    }
}

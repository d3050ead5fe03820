//! A bounded queue of many producers and many consumers, checked: the queue with its specification is in [`mpmc_queue`], the programs in [`program`].
//!
//! `cargo run --release --example mpmc_queue` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.

mod mpmc_queue;
mod program;

use cdsspec::Verdict::{Race, Unjustified, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

cdsspec::allocator!();

fn example() -> Example {
    Example::new("mpmc_queue")
        .holds("one_slot", program::one_slot)
        .preemptions_on_loom(2)
        .holds("full", program::full)
        .preemptions_on_loom(2)
        .holds("both", program::both)
        .preemptions_on_loom(2)
        .holds("last_slot", program::last_slot)
        .preemptions_on_loom(2)
        .holds("around", program::around)
        .preemptions_on_loom(2)
        // Half a million executions.
        .holds("wide", program::wide)
        .when_named()
        .finds("is_always_empty", "both", Unjustified)
        .finds("overlooks_the_last_item", "both", Unjustified)
        .finds("is_always_full", "one_slot", Unjustified)
        .finds("takes_empty_for_full", "one_slot", Unjustified)
        .finds("wastes_a_slot", "full", Unjustified)
        .finds("names_a_wrong_capacity", "full", Unjustified)
        .finds("does_not_wait", "one_slot", Race)
        .finds("hands_out_a_wrong_slot", "full", Violated)
        .finds("fetches_the_newest", "full", Violated)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn one_slot() {
        program::one_slot();
    }

    #[cdsspec::test]
    fn full() {
        program::full();
    }

    #[cdsspec::test]
    fn both() {
        program::both();
    }

    #[cdsspec::test]
    fn last_slot() {
        program::last_slot();
    }

    #[cdsspec::test]
    fn around() {
        program::around();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [
            ("one_slot", [2, 0, 0, 2, 4]),
            ("full", [2, 0, 0, 2, 4]),
            ("both", [70, 0, 0, 14, 168]),
            ("last_slot", [4, 0, 0, 2, 4]),
            ("around", [18, 0, 0, 6, 34]),
        ];
        assert_eq!(example().counts(), counts);
    }
}

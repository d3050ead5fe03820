//! The work-stealing deque of Chase and Lev, checked: the deque with its specification is in [`chase_lev_deque`], the programs in [`program`].
//!
//! `cargo run --release --example chase_lev_deque` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.

mod chase_lev_deque;
mod program;

use cdsspec::Verdict::{Uninitialised, Unjustified, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

cdsspec::allocator!();

fn example() -> Example {
    Example::new("chase_lev_deque")
        .holds("main", program::main)
        .preemptions_on_loom(2)
        .holds("steal_steal", program::steal_steal)
        .preemptions_on_loom(2)
        .holds("last_element", program::last_element)
        .preemptions_on_loom(2)
        .holds("two_thieves", program::two_thieves)
        .preemptions_on_loom(2)
        .holds("lone_thief", program::lone_thief)
        .holds("beside_a_push", program::beside_a_push)
        .finds("relaxed_array_load", "steal_steal", Uninitialised)
        // With the new array taken for initialised, a thief gets a wrong item, which the specification finds.
        .finds_again("relaxed_array_load_alone", Violated, |builder| builder.uninitialised(false))
        .finds("take_says_empty", "main", Unjustified)
        .finds("steal_says_empty", "last_element", Unjustified)
        .finds("steal_always_aborts", "lone_thief", Unjustified)
        .finds("aborts_beside_a_push", "beside_a_push", Unjustified)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn main() {
        program::main();
    }

    #[cdsspec::test]
    fn steal_steal() {
        program::steal_steal();
    }

    #[cdsspec::test]
    fn last_element() {
        program::last_element();
    }

    #[cdsspec::test]
    fn lone_thief() {
        program::lone_thief();
    }

    #[cdsspec::test]
    fn beside_a_push() {
        program::beside_a_push();
    }

    #[cdsspec::test]
    fn two_thieves() {
        program::two_thieves();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [
            ("main", [26, 0, 0, 10, 31]),
            ("steal_steal", [268, 0, 0, 84, 535]),
            ("last_element", [30, 0, 0, 17, 51]),
            ("two_thieves", [142, 0, 0, 48, 192]),
            ("lone_thief", [1, 0, 0, 1, 1]),
            ("beside_a_push", [3, 0, 0, 3, 4]),
        ];
        assert_eq!(example().counts(), counts);
    }
}

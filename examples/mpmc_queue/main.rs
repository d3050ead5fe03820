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
        .comes_to([2, 0, 0, 2, 4])
        .preemptions_on_loom(2)
        .holds("full", program::full)
        .comes_to([2, 0, 0, 2, 4])
        .preemptions_on_loom(2)
        .holds("both", program::both)
        .comes_to([70, 0, 0, 14, 168])
        .preemptions_on_loom(2)
        .holds("last_slot", program::last_slot)
        .comes_to([4, 0, 0, 2, 4])
        .preemptions_on_loom(2)
        .holds("around", program::around)
        .comes_to([18, 0, 0, 6, 34])
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
        .explores(program::scenario, [2, 2])
        .samples(program::scenario, [3, 2], 20)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_comes_to_what_it_says() {
        example().test();
    }
}

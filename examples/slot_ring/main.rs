//! The turns of a bounded queue, checked: they are in [`slot_ring`] with their specification, the programs in [`program`].
//!
//! `cargo run --release --example slot_ring` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON. With
//! `-- --weaken` every memory order is found by the rules of admissibility.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod program;
mod slot_ring;

use cdsspec::Verdict::{Inadmissible, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("slot_ring")
        .holds("write__read", program::write__read)
        .comes_to([2, 0, 0, 2, 4])
        .preemptions_on_loom(2)
        .holds("full", program::full)
        .comes_to([2, 0, 0, 2, 4])
        .preemptions_on_loom(2)
        .holds("write__write", program::write__write)
        .comes_to([4, 0, 0, 2, 6])
        .preemptions_on_loom(2)
        .holds("write__write__read", program::write__write__read)
        .comes_to([10, 0, 0, 6, 74])
        .preemptions_on_loom(1)
        .finds("overlooks_that_it_is_full", "write__write", Inadmissible)
        .finds("names_the_next_slot", "write__read", Violated)
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

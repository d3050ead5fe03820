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
        .comes_to([3, 0, 0, 3, 9])
        .preemptions_on_loom(2)
        .holds("increment_read__read_read", program::increment_read__read_read)
        .comes_to([3, 0, 0, 3, 18])
        .preemptions_on_loom(2)
        .holds("three", program::three)
        .comes_to([12, 0, 0, 12, 144])
        .preemptions_on_loom(2)
        .finds("loses_additions", "increment__increment_increment", Unjustified)
        .finds("counts_twice", "increment__increment_increment", Unjustified)
        .finds("reads_too_little", "increment_read__read_read", Unjustified)
        .finds("reads_too_much", "increment_read__read_read", Unjustified)
        .finds("reads_nothing", "increment_read__read_read", Unjustified)
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

//! A cell that is written once, checked: the cell with its specification is in [`once_cell`], the programs in [`program`].
//!
//! `cargo run --release --example once_cell` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod once_cell;
mod program;

use cdsspec::Verdict::{Race, Unjustified, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("once_cell")
        .holds("set__get_get", program::set__get_get)
        .comes_to([6, 0, 0, 3, 6])
        .preemptions_on_loom(1)
        .holds("set__set", program::set__set)
        .comes_to([2, 0, 0, 2, 2])
        .preemptions_on_loom(1)
        .holds("set__init", program::set__init)
        .comes_to([2, 0, 0, 2, 3])
        .preemptions_on_loom(1)
        .holds("init__init__init", program::init__init__init)
        .comes_to([3, 0, 0, 3, 6])
        .preemptions_on_loom(1)
        .finds("get_is_relaxed", "set__get_get", Race)
        .finds("waits_relaxed", "set__init", Race)
        .finds("publishes_relaxed", "set__get_get", Race)
        .finds("does_not_claim", "set__set", Race)
        .finds("set_says_it_was_first", "set__set", Violated)
        .finds("set_always_fails", "set__set", Violated)
        .finds("get_sees_nothing", "set__get_get", Unjustified)
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

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
        .comes_to([12, 0, 0, 6, 12])
        .preemptions_on_loom(2)
        .finds("returns_old_numbers", "three", Unjustified)
        .finds("reads_the_first_numbers", "three", Unjustified)
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

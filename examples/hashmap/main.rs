//! A hash map that is read without locks, checked: the map with its specification is in [`hashmap`], the programs in [`program`].
//!
//! `cargo run --release --example hashmap` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod hashmap;
mod program;

use cdsspec::Verdict::Violated;
use cdsspec::example::Example;
use std::process::ExitCode;

cdsspec::allocator!();

fn example() -> Example {
    Example::new("hashmap")
        .holds("empty", program::empty)
        .comes_to([6, 0, 0, 3, 6])
        .preemptions_on_loom(2)
        .holds("filled", program::filled)
        .comes_to([3, 0, 0, 3, 6])
        .preemptions_on_loom(2)
        .finds("does_not_look_again", "empty", Violated)
        .finds("gets_nothing", "filled", Violated)
        .finds("puts_as_if_it_was_new", "filled", Violated)
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

    /// A load that may read the value before a concurrent store is ordered before that store, whichever ran first.
    #[test]
    fn both_programs_hold_on_loom_too() {
        let arguments = ["--engine", "loom", "empty", "filled"].map(str::to_owned);
        let mut output = Vec::new();
        let is_expected = example().run(arguments, &mut output).unwrap();
        assert!(is_expected, "{}", String::from_utf8_lossy(&output));
    }
}

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
        .comes_to([6, 0, 0, 6, 36])
        .preemptions_on_loom(2)
        .holds("write_read__write_read", program::write_read__write_read)
        .comes_to([4, 0, 0, 4, 24])
        .preemptions_on_loom(2)
        .holds("coherent", program::coherent)
        .comes_to([12, 0, 0, 12, 144])
        .preemptions_on_loom(2)
        .finds("returns_what_was_overwritten", "write_read__write_read", Unjustified)
        .finds("writes_another_number", "write_read__write_read", Unjustified)
        .finds("goes_back", "coherent", Unjustified)
        .explores(program::scenario, [2, 2])
        .samples(program::scenario, [3, 2], 20)
        .explores(program::coherent_scenario, [2, 2])
        .samples(program::coherent_scenario, [3, 2], 20)
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

//! A sequence lock, checked: the lock with its specification is in [`seqlock`], the programs in [`program`].
//!
//! `cargo run --release --example seqlock` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod program;
mod seqlock;

use cdsspec::Verdict::Unjustified;
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("seqlock")
        .holds("write__read", program::write__read)
        .comes_to([2, 0, 0, 2, 3])
        .holds("two_writers", program::two_writers)
        .comes_to([6, 0, 0, 6, 12])
        .preemptions_on_loom(1)
        .finds("does_not_look_again", "write__read", Unjustified)
        .finds("returns_old_numbers", "write__read", Unjustified)
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

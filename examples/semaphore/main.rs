//! A semaphore, checked: the semaphore with its specification is in [`semaphore`], the programs in [`program`].
//!
//! `cargo run --release --example semaphore` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod program;
mod semaphore;

use cdsspec::Verdict::{Unjustified, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("semaphore")
        .holds("three", program::three)
        .comes_to([3496, 0, 0, 9, 44])
        .preemptions_on_loom(2)
        .holds("acquire__try", program::acquire__try)
        .comes_to([78, 0, 0, 3, 5])
        .preemptions_on_loom(2)
        .holds("guards", program::guards)
        .comes_to([40, 0, 0, 2, 2])
        .preemptions_on_loom(2)
        .finds("acquires_relaxed", "three", Violated)
        .finds("releases_relaxed", "three", Violated)
        .finds("takes_what_is_not_there", "three", Violated)
        .finds("try_acquire_always_fails", "acquire__try", Unjustified)
        .explores(program::scenario, [2, 2])
        .explores(program::scenario, [3, 1])
        .samples_up_to(program::scenario, [3, 2], (20, 2_000))
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

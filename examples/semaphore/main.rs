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
        .preemptions_on_loom(2)
        .holds("acquire__try", program::acquire__try)
        .preemptions_on_loom(2)
        .holds("guards", program::guards)
        .preemptions_on_loom(2)
        .finds("acquires_relaxed", "three", Violated)
        .finds("releases_relaxed", "three", Violated)
        .finds("takes_what_is_not_there", "three", Violated)
        .finds("try_acquire_always_fails", "acquire__try", Unjustified)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn three() {
        program::three();
    }

    #[cdsspec::test]
    fn acquire__try() {
        program::acquire__try();
    }

    #[cdsspec::test]
    fn guards() {
        program::guards();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [
            ("three", [3496, 0, 0, 9, 44]),
            ("acquire__try", [78, 0, 0, 3, 5]),
            ("guards", [40, 0, 0, 2, 2]),
        ];
        assert_eq!(example().counts(), counts);
    }
}

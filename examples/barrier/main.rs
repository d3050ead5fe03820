//! A barrier, checked: the barrier with its specification is in [`barrier`], the programs in [`program`].
//!
//! `cargo run --release --example barrier` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.

mod barrier;
mod program;

use cdsspec::Verdict::{Livelock, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("barrier")
        .holds("once", program::once)
        .preemptions_on_loom(2)
        .holds("twice", program::twice)
        .preemptions_on_loom(2)
        .holds("exchange", program::exchange)
        .preemptions_on_loom(2)
        .finds("arrives_relaxed", "once", Violated)
        .finds("only_releases", "once", Violated)
        .finds("departs_relaxed", "once", Violated)
        .finds("does_not_wait_for_the_last", "once", Violated)
        .finds("waits_for_too_many", "once", Livelock)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn once() {
        program::once();
    }

    #[cdsspec::test]
    fn twice() {
        program::twice();
    }

    #[cdsspec::test]
    fn exchange() {
        program::exchange();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [("once", [2, 0, 0, 2, 4]), ("twice", [8, 0, 0, 8, 32]), ("exchange", [2, 0, 0, 2, 4])];
        assert_eq!(example().counts(), counts);
    }
}

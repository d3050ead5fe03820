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
        .comes_to([2, 0, 0, 2, 4])
        .preemptions_on_loom(2)
        .holds("twice", program::twice)
        .comes_to([8, 0, 0, 8, 32])
        .preemptions_on_loom(2)
        .holds("exchange", program::exchange)
        .comes_to([2, 0, 0, 2, 4])
        .preemptions_on_loom(2)
        .finds("arrives_relaxed", "once", Violated)
        .finds("only_releases", "once", Violated)
        .finds("departs_relaxed", "once", Violated)
        .finds("does_not_wait_for_the_last", "once", Violated)
        .finds("waits_for_too_many", "once", Livelock)
        .explores(program::scenario, [2, 2])
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

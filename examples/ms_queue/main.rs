//! The queue of Michael and Scott, checked: the queue with its specification is in [`ms_queue`], the programs in [`program`].
//!
//! `cargo run --release --example ms_queue` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod ms_queue;
mod node;
mod program;

use cdsspec::Verdict::{Race, Unjustified, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

cdsspec::allocator!();

fn example() -> Example {
    Example::new("ms_queue")
        .holds("enq__deq", program::enq__deq)
        .comes_to([3, 0, 0, 2, 3])
        .preemptions_on_loom(2)
        .holds("two_enq__deq", program::two_enq__deq)
        .comes_to([66, 0, 0, 6, 12])
        .preemptions_on_loom(2)
        .holds("enq_deq__enq_deq", program::enq_deq__enq_deq)
        .comes_to([86, 0, 0, 6, 8])
        .preemptions_on_loom(2)
        .holds("recycle", program::recycle)
        .comes_to([397, 0, 0, 12, 20])
        .preemptions_on_loom(2)
        .program("reuse_race", Race, |builder| builder.check(program::reuse_race))
        // Which of the two shows first is up to the engine.
        .finds("relaxed_null_store", "recycle", [Violated, Unjustified])
        .finds("relaxed_tail_load", "two_enq__deq", Violated)
        .finds("says_empty", "enq_deq__enq_deq", Unjustified)
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

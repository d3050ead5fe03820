//! A queue of one producer and one consumer, checked: the queue with its specification is in [`spsc_queue`], the programs in [`program`].
//!
//! `cargo run --release --example spsc_queue` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod event_count;
mod program;
mod spsc_queue;

use cdsspec::Verdict::{Deadlock, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

cdsspec::allocator!();

fn example() -> Example {
    Example::new("spsc_queue")
        .holds("enq__deq", program::enq__deq)
        .preemptions_on_loom(3)
        .holds("enq_enq__deq_deq", program::enq_enq__deq_deq)
        .preemptions_on_loom(2)
        .finds("does_not_notify", "enq__deq", Deadlock)
        .finds("swaps_two_items", "enq_enq__deq_deq", Violated)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn enq__deq() {
        program::enq__deq();
    }

    #[cdsspec::test]
    fn enq_enq__deq_deq() {
        program::enq_enq__deq_deq();
    }

    /// Executions that ran to their end, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [("enq__deq", [47, 0, 0, 1, 1]), ("enq_enq__deq_deq", [4366, 0, 0, 3, 4])];
        assert_eq!(example().counts(), counts);
    }
}

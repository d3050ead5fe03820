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
        .preemptions_on_loom(2)
        .holds("two_enq__deq", program::two_enq__deq)
        .preemptions_on_loom(2)
        .holds("enq_deq__enq_deq", program::enq_deq__enq_deq)
        .preemptions_on_loom(2)
        .holds("recycle", program::recycle)
        .preemptions_on_loom(2)
        .program("reuse_race", Race, |builder| builder.check(program::reuse_race))
        // Which of the two shows first is up to the engine.
        .finds("relaxed_null_store", "recycle", [Violated, Unjustified])
        .finds("relaxed_tail_load", "two_enq__deq", Violated)
        .finds("says_empty", "enq_deq__enq_deq", Unjustified)
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
    fn two_enq__deq() {
        program::two_enq__deq();
    }

    #[cdsspec::test]
    fn enq_deq__enq_deq() {
        program::enq_deq__enq_deq();
    }

    #[cdsspec::test]
    fn recycle() {
        program::recycle();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [
            ("enq__deq", [3, 0, 0, 2, 3]),
            ("two_enq__deq", [66, 0, 0, 6, 12]),
            ("enq_deq__enq_deq", [86, 0, 0, 6, 8]),
            ("recycle", [397, 0, 0, 12, 20]),
        ];
        assert_eq!(example().counts(), counts);
    }
}

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
        .comes_to([47, 0, 0, 1, 1])
        .preemptions_on_loom(3)
        .holds("enq_enq__deq_deq", program::enq_enq__deq_deq)
        .comes_to([4366, 0, 0, 3, 4])
        .preemptions_on_loom(2)
        .finds("does_not_notify", "enq__deq", Deadlock)
        .finds("swaps_two_items", "enq_enq__deq_deq", Violated)
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

//! A channel for one item, checked: the channel with its specification is in [`oneshot`], the programs in [`program`].
//!
//! `cargo run --release --example oneshot` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod oneshot;
mod program;

use cdsspec::Verdict::{Deadlock, Race, Unjustified, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("oneshot")
        .holds("send__recv", program::send__recv)
        .comes_to([8, 0, 0, 1, 1])
        .preemptions_on_loom(2)
        .holds("send__try_recv", program::send__try_recv)
        .comes_to([3, 0, 0, 3, 6])
        .preemptions_on_loom(2)
        .holds("drop__recv", program::drop__recv)
        .comes_to([8, 0, 0, 1, 1])
        .preemptions_on_loom(2)
        .holds("send__try_recv_drop", program::send__try_recv_drop)
        .comes_to([6, 0, 0, 3, 4])
        .preemptions_on_loom(2)
        .finds("send_is_relaxed", "send__try_recv", Race)
        .finds("recv_is_relaxed", "send__try_recv", Race)
        .finds("leaves_relaxed", "send__try_recv_drop", Violated)
        .finds("does_not_wake", "send__recv", Deadlock)
        .finds("does_not_wait", "send__recv", Violated)
        .finds("send_always_fails", "send__try_recv", Violated)
        .finds("send_never_fails", "send__try_recv_drop", Violated)
        .finds("says_nothing_was_sent", "send__try_recv", Unjustified)
        .finds("says_nothing_comes", "send__try_recv", Violated)
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

//! Treiber's stack, checked: the stack with its specification is in [`treiber_stack`], the programs in [`program`].
//!
//! `cargo run --release --example treiber_stack` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod program;
mod treiber_stack;

use cdsspec::Builder;
use cdsspec::Verdict::{Freed, Leak, Race, Unjustified, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

cdsspec::allocator!();

/// No program leaves memory behind.
fn leaves_nothing(builder: Builder) -> Builder {
    builder.leaks(true)
}

fn example() -> Example {
    Example::new("treiber_stack")
        .holds("push_pop__pop", program::push_pop__pop)
        .comes_to([138, 0, 0, 4, 7])
        .set_up(leaves_nothing)
        .preemptions_on_loom(2)
        .holds("push_push__pop_pop", program::push_push__pop_pop)
        .comes_to([30, 0, 0, 6, 15])
        .set_up(leaves_nothing)
        .preemptions_on_loom(2)
        .holds("push__push", program::push__push)
        .comes_to([20, 0, 0, 2, 2])
        .set_up(leaves_nothing)
        .preemptions_on_loom(2)
        .holds("pop_push__pop", program::pop_push__pop)
        .comes_to([204, 0, 0, 4, 5])
        .set_up(leaves_nothing)
        .preemptions_on_loom(2)
        .holds("pop__push_pop", program::pop__push_pop)
        .comes_to([630, 0, 0, 3, 3])
        .set_up(leaves_nothing)
        .preemptions_on_loom(2)
        .finds("push_is_relaxed", "push_pop__pop", Race)
        .finds("push_only_releases", "push__push", Violated)
        .finds("pop_loads_relaxed", "push_pop__pop", Race)
        .finds("pop_does_not_release", "pop_push__pop", Unjustified)
        .finds("pop_acquires_with_its_load", "pop__push_pop", Violated)
        .finds("enters_relaxed", "pop_push__pop", Freed)
        .finds("leaves_relaxed", "pop_push__pop", Freed)
        .finds("frees_at_once", "pop_push__pop", Freed)
        .finds("forgets_nodes", "push_pop__pop", Leak)
        .finds("says_empty", "push_pop__pop", Unjustified)
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

//! Treiber's stack, checked: the stack with its specification is in [`treiber_stack`], the programs in [`program`].
//!
//! `cargo run --release --example treiber_stack` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod program;
mod treiber_stack;

use cdsspec::Verdict::{Freed, Leak, Race, Unjustified, Violated};
use cdsspec::example::{Example, Expected};
use std::process::ExitCode;

cdsspec::allocator!();

fn example() -> Example {
    let programs: [(_, fn()); 4] = [
        ("push_pop__pop", program::push_pop__pop),
        ("push_push__pop_pop", program::push_push__pop_pop),
        ("push__push", program::push__push),
        ("pop_push__pop", program::pop_push__pop),
    ];
    // No program leaves memory behind.
    let example = programs.into_iter().fold(Example::new("treiber_stack"), |example, (name, program)| {
        example
            .program(name, Expected::Holds, move |builder| builder.leaks(true).check(program))
            .preemptions_on_loom(2)
    });
    example
        .finds("push_is_relaxed", "push_pop__pop", Race)
        .finds("push_only_releases", "push__push", Violated)
        .finds("pop_loads_relaxed", "push_pop__pop", Race)
        .finds("pop_does_not_release", "pop_push__pop", Unjustified)
        .finds("enters_relaxed", "pop_push__pop", Freed)
        .finds("leaves_relaxed", "pop_push__pop", Freed)
        .finds("frees_at_once", "pop_push__pop", Freed)
        .finds("forgets_nodes", "push_pop__pop", Leak)
        .finds("says_empty", "push_pop__pop", Unjustified)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn push_pop__pop() {
        program::push_pop__pop();
    }

    #[cdsspec::test]
    fn push_push__pop_pop() {
        program::push_push__pop_pop();
    }

    #[cdsspec::test]
    fn push__push() {
        program::push__push();
    }

    #[cdsspec::test]
    fn pop_push__pop() {
        program::pop_push__pop();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [
            ("push_pop__pop", [138, 0, 0, 4, 7]),
            ("push_push__pop_pop", [30, 0, 0, 6, 15]),
            ("push__push", [20, 0, 0, 2, 2]),
            ("pop_push__pop", [204, 0, 0, 4, 5]),
        ];
        assert_eq!(example().counts(), counts);
    }
}

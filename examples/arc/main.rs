//! A reference count, checked: the pointer with its specification is in [`arc`], the programs in [`program`].
//!
//! `cargo run --release --example arc` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod arc;
mod program;

use cdsspec::Verdict::{Freed, Leak, Unjustified, Violated};
use cdsspec::example::{Example, Expected};
use std::process::ExitCode;

cdsspec::allocator!();

fn example() -> Example {
    let programs: [(_, fn()); 4] = [
        ("drop__drop", program::drop__drop),
        ("clone_drop__drop", program::clone_drop__drop),
        ("drop__get_mut", program::drop__get_mut),
        ("try_unwrap__try_unwrap", program::try_unwrap__try_unwrap),
    ];
    // No program leaves memory behind.
    let example = programs.into_iter().fold(Example::new("arc"), |example, (name, program)| {
        example.program(name, Expected::Holds, move |builder| builder.leaks(true).check(program))
    });
    example
        .finds("drop_is_relaxed", "drop__drop", Freed)
        .finds("last_drop_does_not_acquire", "drop__drop", Freed)
        .finds("is_never_freed", "drop__drop", Leak)
        .finds("clone_is_not_counted", "clone_drop__drop", Freed)
        .finds("get_mut_is_relaxed", "drop__get_mut", Violated)
        .finds("get_mut_always_fails", "drop__get_mut", Unjustified)
        .finds("try_unwrap_is_relaxed", "try_unwrap__try_unwrap", Freed)
        .finds("try_unwrap_always_fails", "try_unwrap__try_unwrap", Unjustified)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cdsspec::test]
    fn drop__drop() {
        program::drop__drop();
    }

    #[cdsspec::test]
    fn clone_drop__drop() {
        program::clone_drop__drop();
    }

    #[cdsspec::test]
    fn drop__get_mut() {
        program::drop__get_mut();
    }

    #[cdsspec::test]
    fn try_unwrap__try_unwrap() {
        program::try_unwrap__try_unwrap();
    }

    /// Executions that ran to their end without rounds of loops that wait, blocked ones, inadmissible ones, shapes, sequential histories.
    #[test]
    fn the_programs_hold_with_these_counts_and_the_bugs_are_found() {
        let counts = [
            ("drop__drop", [4, 0, 0, 1, 2]),
            ("clone_drop__drop", [6, 0, 0, 1, 4]),
            ("drop__get_mut", [2, 0, 0, 2, 3]),
            ("try_unwrap__try_unwrap", [8, 0, 0, 3, 8]),
        ];
        assert_eq!(example().counts(), counts);
    }
}

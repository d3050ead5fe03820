//! A reference count, checked: the pointer with its specification is in [`arc`], the programs in [`program`].
//!
//! `cargo run --release --example arc` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod arc;
mod program;

use cdsspec::Builder;
use cdsspec::Verdict::{Freed, Leak, Unjustified, Violated};
use cdsspec::example::Example;
use std::process::ExitCode;

cdsspec::allocator!();

/// No program leaves memory behind.
fn leaves_nothing(builder: Builder) -> Builder {
    builder.leaks(true)
}

fn example() -> Example {
    Example::new("arc")
        .holds("drop__drop", program::drop__drop)
        .comes_to([4, 0, 0, 1, 2])
        .set_up(leaves_nothing)
        .holds("clone_drop__drop", program::clone_drop__drop)
        .comes_to([6, 0, 0, 1, 4])
        .set_up(leaves_nothing)
        .holds("drop__get_mut", program::drop__get_mut)
        .comes_to([2, 0, 0, 2, 3])
        .set_up(leaves_nothing)
        .holds("try_unwrap__try_unwrap", program::try_unwrap__try_unwrap)
        .comes_to([8, 0, 0, 3, 8])
        .set_up(leaves_nothing)
        .finds("drop_is_relaxed", "drop__drop", Freed)
        .finds("last_drop_does_not_acquire", "drop__drop", Freed)
        .finds("is_never_freed", "drop__drop", Leak)
        .finds("clone_is_not_counted", "clone_drop__drop", Freed)
        .finds("get_mut_is_relaxed", "drop__get_mut", Violated)
        .finds("get_mut_always_fails", "drop__get_mut", Unjustified)
        .finds("try_unwrap_is_relaxed", "try_unwrap__try_unwrap", Freed)
        .finds("try_unwrap_always_fails", "try_unwrap__try_unwrap", Unjustified)
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

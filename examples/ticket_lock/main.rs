//! A ticket lock, checked: the lock with its specification is in [`ticket_lock`], the programs in [`program`].
//!
//! `cargo run --release --example ticket_lock` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.

mod program;
mod ticket_lock;

use cdsspec::Verdict::Violated;
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("ticket_lock")
        .holds("twice", program::twice)
        .comes_to([6, 0, 0, 6, 6])
        .preemptions_on_loom(2)
        .finds("enters_out_of_turn", "twice", Violated)
        .explores(program::scenario, [2, 2])
        .samples(program::scenario, [3, 2], 20)
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

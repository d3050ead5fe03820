//! The reader-writer lock of the Linux kernel, checked: the lock with its specification is in [`linux_rwlock`], the programs in [`program`].
//!
//! `cargo run --release --example linux_rwlock` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod linux_rwlock;
mod program;
mod strict;

use cdsspec::Verdict::Violated;
use cdsspec::example::Example;
use std::process::ExitCode;

fn example() -> Example {
    Example::new("linux_rwlock")
        .holds("both", program::both)
        .comes_to([222, 0, 0, 8, 18])
        .preemptions_on_loom(2)
        .holds("write__read", program::write__read)
        .comes_to([6, 0, 0, 2, 2])
        .preemptions_on_loom(2)
        .holds("try_try", program::try_try)
        .comes_to([15, 0, 0, 9, 27])
        .preemptions_on_loom(2)
        .holds("mixed", program::mixed)
        .comes_to([250, 0, 0, 15, 76])
        .preemptions_on_loom(2)
        .program("strict_try_try", Violated, |builder| builder.check(program::strict_try_try))
        .finds("read_trylock_always_fails", "mixed", Violated)
        .finds("write_trylock_always_fails", "mixed", Violated)
        .finds("does_not_put_back", "try_try", Violated)
        .finds("readers_keep_readers_out", "mixed", Violated)
        .explores(program::locks, [2, 2])
        .explores(program::locks, [3, 1])
        .samples_up_to(program::locks, [3, 2], (20, 2_000))
        .explores(program::trylocks, [2, 2])
        .explores(program::trylocks, [3, 1])
        .samples_up_to(program::trylocks, [3, 2], (20, 2_000))
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So what `strict_try_try` shows is no failure beside one that has the lock.
    #[cdsspec::test]
    fn the_strict_specification_holds_if_nobody_tries_again() {
        let lock = strict::StrictRwLock::new();
        let try_to_write = || {
            if lock.write_trylock() {
                lock.write_unlock();
            }
        };
        cdsspec::thread::scope(|scope| {
            scope.spawn(try_to_write);
            scope.spawn(try_to_write);
        });
    }

    #[test]
    fn the_example_comes_to_what_it_says() {
        example().test();
    }
}

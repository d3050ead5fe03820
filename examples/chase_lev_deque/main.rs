//! The work-stealing deque of Chase and Lev, checked: the deque with its specification is in [`chase_lev_deque`], the programs in [`program`].
//!
//! `cargo run --release --example chase_lev_deque` runs all; `-- NAME` one, `-- --engine loom` on loom, `-- --json` as JSON.

mod chase_lev_deque;
mod program;

use cdsspec::Builder;
use cdsspec::Verdict::{Uninitialised, Unjustified, Violated};
use cdsspec::example::Example;
use cdsspec::weaken::{Orders, Overrides, PlaceLog, ReachedPlace};
use std::process::ExitCode;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

cdsspec::allocator!();

/// The orders as Lê and others published them: the compare-exchange in `take` is `SeqCst`, too. `-- --advise --from published` finds that it need not be
/// (CDSSpec, section 6.4.3).
fn published() -> Overrides {
    let log = PlaceLog::new();
    Builder::new().place_log(&log).check(program::last_element).assert_holds();
    let is_in_take = |reached: &ReachedPlace| reached.place.orders == Orders::Two(Relaxed, Relaxed);
    let take = log.places().into_iter().find(is_in_take).expect("`take` exchanges without an order");
    Overrides::new().with_orders(take.place, Orders::Two(SeqCst, Relaxed))
}

fn example() -> Example {
    Example::new("chase_lev_deque")
        .holds("main", program::main)
        .comes_to([26, 0, 0, 10, 31])
        .preemptions_on_loom(2)
        .holds("steal_steal", program::steal_steal)
        .comes_to([268, 0, 0, 84, 535])
        .preemptions_on_loom(2)
        .holds("last_element", program::last_element)
        .comes_to([30, 0, 0, 17, 51])
        .preemptions_on_loom(2)
        .holds("two_thieves", program::two_thieves)
        .comes_to([142, 0, 0, 48, 192])
        .preemptions_on_loom(2)
        .holds("lone_thief", program::lone_thief)
        .comes_to([1, 0, 0, 1, 1])
        .holds("beside_a_push", program::beside_a_push)
        .comes_to([3, 0, 0, 3, 4])
        .finds("relaxed_array_load", "steal_steal", Uninitialised)
        // With the new array taken for initialised, a thief gets a wrong item, which the specification finds.
        .finds_again("relaxed_array_load_alone", Violated, |builder| builder.uninitialised(false))
        .finds("take_says_empty", "main", Unjustified)
        .finds("steal_says_empty", "last_element", Unjustified)
        .finds("steal_always_aborts", "lone_thief", Unjustified)
        .finds("aborts_beside_a_push", "beside_a_push", Unjustified)
        .orders("published", published)
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

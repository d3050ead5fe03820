//! What is known of the orders of two structures, found again: which ones are stronger than needed (CDSSpec, section 6.4.3), and which are missing
//! where none is written (CheckFence, section 4.2).

#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

#[path = "../../examples/chase_lev_deque/chase_lev_deque.rs"]
mod chase_lev_deque;
#[path = "../../examples/chase_lev_deque/program.rs"]
#[allow(dead_code, reason = "of the example the programs are used")]
mod deque_program;
mod justified;
mod latch;
#[path = "../../examples/linux_rwlock/linux_rwlock.rs"]
mod linux_rwlock;
#[path = "../../examples/ms_queue/ms_queue.rs"]
mod ms_queue;
#[path = "../../examples/ms_queue/node.rs"]
mod node;
mod patch;
#[expect(dead_code, reason = "one program of the example is for something else")]
#[path = "../../examples/ms_queue/program.rs"]
mod queue_program;
#[expect(dead_code, reason = "one program of the example is for something else")]
#[path = "../../examples/linux_rwlock/program.rs"]
mod rwlock_program;
#[path = "../../examples/linux_rwlock/strict.rs"]
mod strict;

use cdsspec::Verdict;
use cdsspec::model::Builder;
use cdsspec::weaken::{Advice, Goal, OperationForm, Orders, Overrides, PlaceLog, Programs, ReachedPlace};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};

fn deque() -> Programs {
    Programs::new("chase_lev_deque")
        .program("main", deque_program::main)
        .program("steal_steal", deque_program::steal_steal)
        .program("last_element", deque_program::last_element)
        .program("two_thieves", deque_program::two_thieves)
        .program("lone_thief", deque_program::lone_thief)
        .program("beside_a_push", deque_program::beside_a_push)
        .progress(false)
}

fn queue() -> Programs {
    Programs::new("ms_queue")
        .program("enq__deq", queue_program::enq__deq)
        .program("two_enq__deq", queue_program::two_enq__deq)
        .program("enq_deq__enq_deq", queue_program::enq_deq__enq_deq)
        .program("recycle", queue_program::recycle)
        .progress(false)
}

fn rwlock() -> Programs {
    Programs::new("linux_rwlock")
        .program("both", rwlock_program::both)
        .program("write__read", rwlock_program::write__read)
        .program("try_try", rwlock_program::try_try)
        .program("mixed", rwlock_program::mixed)
        .progress(false)
}

fn needed(advice: &Advice) -> Vec<String> {
    let line = |recommendation: &cdsspec::weaken::Recommendation| {
        format!("{}: {} -> {}", recommendation.operation, recommendation.site.base, recommendation.needed)
    };
    advice.changes().map(line).collect()
}

/// The deque as it was published: the compare-exchange of `take` is `SeqCst`.
fn published() -> Overrides {
    let log = PlaceLog::new();
    Builder::new().place_log(&log).check(deque_program::last_element).assert_holds();
    let is_exchange = |reached: &ReachedPlace| reached.place.name.form() == OperationForm::CompareExchange;
    let mut exchanges = log.places().into_iter().filter(is_exchange);
    let in_take = exchanges.next().expect("`take` is the first of the two").place;
    assert_eq!(in_take.orders, Orders::Two(Relaxed, Relaxed));
    Overrides::new().with_orders(in_take, Orders::Two(SeqCst, Relaxed))
}

/// CDSSpec, section 6.4.3. That Release is enough in `steal` is RC11's: its fences forbid that a thief and the owner take the same item, whatever
/// the order of the exchange (the litmus test `two_fences_keep_a_thief_and_the_owner_apart…`). Some order is needed all the same: with none,
/// two steals are not ordered, and nothing says which of them came first.
#[test]
fn the_exchange_of_take_needs_no_order_and_that_of_steal_needs_release_as_two_thieves_show() {
    let advice = cdsspec::advise(deque().orders(published()));
    assert!(matches!(advice.goal, Goal::Weaken));
    assert!(advice.is_confirmed);
    let expected = [
        "push: top.load: Acquire -> Relaxed",
        "take: top.compare_exchange (success): SeqCst -> Relaxed",
        "steal: top.compare_exchange (success): SeqCst -> Release",
    ];
    assert_eq!(needed(&advice), expected);
    let of_steal = advice.changes().last().expect("there are three");
    let [(level, proof)] = of_steal.proofs.as_slice() else {
        panic!("less than Release is refuted: {of_steal:?}")
    };
    assert_eq!(level.to_string(), "Relaxed");
    assert_eq!((proof.program.as_str(), proof.verdict), ("two_thieves", Verdict::Violated));
}

#[test]
fn a_queue_without_orders_gets_a_set_of_which_each_is_necessary() {
    let advice = cdsspec::advise(queue().orders(Overrides::relaxed()));
    assert!(matches!(advice.goal, Goal::Strengthen), "{advice}");
    assert!(advice.is_confirmed && advice.fences.is_empty());
    let expected = [
        "enq: own_next.store: Relaxed -> Release",
        "enq: tail.load: Relaxed -> Acquire",
        "enq: tail_next.load: Relaxed -> Acquire",
        "enq: tail_next.compare_exchange (success): Relaxed -> Release",
        "enq: tail_next.load #2: Relaxed -> Acquire",
        "enq: tail.compare_exchange (success): Relaxed -> Release",
        "enq: tail.compare_exchange (success) #2: Relaxed -> Release",
        "deq: head.load: Relaxed -> Acquire",
        "deq: tail.load: Relaxed -> Acquire",
        "deq: next.load: Relaxed -> Acquire",
        "deq: tail.compare_exchange (success): Relaxed -> Release",
        "deq: head.compare_exchange (success): Relaxed -> Release",
    ];
    assert_eq!(needed(&advice), expected);
    for recommendation in advice.changes() {
        let [(_, proof)] = recommendation.proofs.as_slice() else {
            panic!("{recommendation:?} is necessary")
        };
        assert!(proof.verdict <= Verdict::Unjustified, "{proof:?}");
    }
}

/// The specification of the lock wants that a trylock that fails does not order what comes after it. So the strongest orders break it, and the
/// search begins from those that are written.
#[test]
fn orders_are_found_where_the_strongest_are_too_strong() {
    let log = PlaceLog::new();
    Builder::new().place_log(&log).check(rwlock_program::try_try).assert_holds();
    let one = log.places().into_iter().filter(|reached| matches!(reached.place.orders, Orders::One(_)));
    let strongest = one.fold(Overrides::new(), |all, at| all.with_orders(at.place, Orders::One(SeqCst)));
    let outcome = Builder::new().order_overrides(strongest).check(rwlock_program::try_try);
    assert_eq!(outcome.verdict, Verdict::Violated, "{outcome}");

    let advice = cdsspec::advise(rwlock().orders(Overrides::relaxed()));
    assert!(advice.is_complete() && matches!(advice.goal, Goal::Strengthen), "{advice}");
    let expected = [
        "read_lock: free.fetch_sub: Relaxed -> Acquire",
        "read_lock: free.fetch_sub #2: Relaxed -> Acquire",
        "write_lock: free.fetch_sub: Relaxed -> Acquire",
        "write_lock: free.fetch_sub #2: Relaxed -> Acquire",
        "read_trylock: free.fetch_sub: Relaxed -> Acquire",
        "write_trylock: free.fetch_sub: Relaxed -> Acquire",
        "read_unlock: free.fetch_add: Relaxed -> Release",
        "write_unlock: free.fetch_add: Relaxed -> Release",
    ];
    assert_eq!(needed(&advice), expected);
}

//! Listing 3 and requirement 4: what the listing misses.

use crate::contract::queue::{Spsc, Verbatim};
use cdsspec::Verdict::{Holds, Misused};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::{Builder, MemoryModel, Outcome, Verdict, hint, thread};

/// `first` begins before `second`, by operations that synchronise nothing.
fn in_order<T: Send + Sync + 'static>(new: fn() -> T, first: fn(&T), second: fn(&T)) -> Verdict {
    let program = move || {
        let (queue, turn) = (Arc::new(new()), Arc::new(AtomicU32::new(0)));
        let (other, signal) = (queue.clone(), turn.clone());
        let child = thread::spawn(move || {
            first(&other);
            signal.store(1, Relaxed);
        });
        while turn.load(Relaxed) == 0 {
            hint::spin_loop();
        }
        second(&queue);
        child.join().expect("it does not panic");
    };
    Builder::new().check(program).verdict
}

pub(crate) fn beside<T: Send + Sync + 'static>(new: fn() -> T, first: fn(&T), second: fn(&T)) -> Outcome {
    Builder::new().contract_continue(true).check(move || {
        let queue = Arc::new(new());
        let other = queue.clone();
        let child = thread::spawn(move || first(&other));
        second(&queue);
        child.join().expect("it does not panic");
    })
}

#[test]
fn listing_3_misses_a_push_that_begins_after_a_reset_and_requirement_4_does_not() {
    assert_eq!(in_order(Verbatim::new, Verbatim::reset, Verbatim::push), Holds);
    assert_eq!(in_order(Verbatim::new, Verbatim::push, Verbatim::reset), Misused);
    assert_eq!(in_order(Verbatim::new, Verbatim::reset, Verbatim::pop), Holds);
    assert_eq!(in_order(Spsc::new, Spsc::reset, Spsc::push), Misused);
    assert_eq!(in_order(Spsc::new, Spsc::push, Spsc::reset), Misused);
    // Where either can come first, it is found whichever did in the execution that is looked at.
    assert_eq!(beside(Verbatim::new, Verbatim::reset, Verbatim::push).verdict, Misused);
    assert_eq!(beside(Spsc::new, Spsc::reset, Spsc::push).verdict, Misused);
}

/// Which store is the last decides nothing under RC11; under Sc, what comes before the first one came before what is behind the second.
fn reset_store__store_push() {
    let (queue, word) = (Arc::new(Verbatim::new()), Arc::new(AtomicU32::new(0)));
    let (other, shared) = (queue.clone(), word.clone());
    let child = thread::spawn(move || {
        other.reset();
        shared.store(1, Relaxed);
    });
    word.store(2, Relaxed);
    queue.push();
    child.join().expect("it does not panic");
}

#[test]
fn under_sc_the_order_of_stores_orders_calls() {
    let check = |model: MemoryModel| {
        let builder = Builder::new().memory_model(model).stop_at_first(false);
        let outcome = builder.check(reset_store__store_push);
        [Misused, Holds].map(|verdict| outcome.counts.get(&verdict).copied().unwrap_or(0))
    };
    assert_eq!(check(MemoryModel::Rc11), [3, 0]);
    // The one in which `reset` has the lock first, and its store is overwritten.
    assert_eq!(check(MemoryModel::Sc), [2, 1]);
}

//! Listing 3 and requirement 4: what the listing misses.

use crate::queue::{Spsc, Verbatim};
use cdsspec::Verdict::{Holds, Misused};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::Relaxed;
use cdsspec::{Builder, Outcome, hint, thread};

/// `first` begins before `second`, by operations that synchronise nothing.
fn in_order<T: Send + Sync + 'static>(new: fn() -> T, first: fn(&T), second: fn(&T)) -> Outcome {
    Builder::new().check(move || {
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
        child.join().unwrap();
    })
}

fn beside<T: Send + Sync + 'static>(new: fn() -> T, first: fn(&T), second: fn(&T)) -> Outcome {
    Builder::new().check(move || {
        let queue = Arc::new(new());
        let other = queue.clone();
        let child = thread::spawn(move || first(&other));
        second(&queue);
        child.join().unwrap();
    })
}

#[test]
fn listing_3_misses_a_push_that_begins_after_a_reset_and_requirement_4_does_not() {
    let (push, reset): (fn(&Verbatim), fn(&Verbatim)) = (|queue| drop(queue.push(1)), Verbatim::reset);
    assert_eq!(in_order(Verbatim::new, reset, push).verdict, Holds);
    assert_eq!(in_order(Verbatim::new, push, reset).verdict, Misused);
    // Where either can come first, every execution has an order in which the push does.
    assert_eq!(beside(Verbatim::new, reset, push).verdict, Misused);
    let (push, reset): (fn(&Spsc), fn(&Spsc)) = (|queue| drop(queue.push(1)), Spsc::reset);
    assert_eq!(in_order(Spsc::new, reset, push).verdict, Misused);
    assert_eq!(in_order(Spsc::new, push, reset).verdict, Misused);
    assert_eq!(beside(Spsc::new, reset, push).verdict, Misused);
}

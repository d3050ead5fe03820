//! Loops that keep in the heap how often they have gone round, and nothing on the stack.

use super::explore;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{Acquire, Release};
use cdsspec::{Builder, Verdict, hint, thread};

/// Counts up to so many, in a frame of its own.
#[inline(never)]
fn is_over(count: &mut usize, max: usize) -> bool {
    *count += 1;
    *count == max
}

#[test]
fn a_loop_that_counts_in_the_heap_and_gives_up_is_explored_to_its_end() {
    let (outcome, found) = explore(Builder::new(), || {
        let flag = Arc::new(AtomicUsize::new(0));
        let other = flag.clone();
        let setter = thread::spawn(move || other.store(1, Release));
        let mut count = Box::new(0);
        let mut is_up = true;
        while flag.load(Acquire) == 0 {
            if is_over(&mut count, 5) {
                is_up = false;
                break;
            }
            hint::spin_loop();
        }
        setter.join().expect("it does not panic");
        is_up
    });
    // It sees the flag in one of its five rounds, or in none.
    let expected = (Verdict::Holds, 6, [false, true].into());
    assert_eq!((outcome.verdict, outcome.complete_executions, found), expected, "{outcome}");
}

#[test]
fn a_loop_that_yields_and_counts_in_the_heap_comes_to_its_end() {
    let (outcome, _) = explore(Builder::new(), || {
        let mut count = Box::new(0);
        while !is_over(&mut count, 5) {
            thread::yield_now();
        }
    });
    assert_eq!((outcome.verdict, outcome.executions), (Verdict::Holds, 1), "{outcome}");
}

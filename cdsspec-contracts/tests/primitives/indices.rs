use crate::{assert_ordered, assert_unordered, elsewhere, now};
use cdsspec_contracts::thread;

/// Threads whose events are kept, and that nobody is after, are not taken for each other.
#[test]
fn threads_of_which_events_are_kept_are_unordered() {
    let moments: Vec<_> = (0..20).map(|_| elsewhere(now)).collect();
    for (index, first) in moments.iter().enumerate() {
        moments[index + 1..].iter().for_each(|second| assert_unordered(first, second));
    }
}

/// One that comes after another one has its index, and comes after all of it.
#[test]
fn threads_one_after_the_other_are_ordered() {
    let moments: Vec<_> = (0..20).map(|_| thread::spawn(now).join().unwrap()).collect();
    for (index, first) in moments.iter().enumerate() {
        moments[index + 1..].iter().for_each(|second| assert_ordered(first, second));
    }
}

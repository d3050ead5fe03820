//! Weak handles: their clones and drops are explored where somebody looks at both counts.

use super::{assert_outcome, check};
use cdsspec::cell::UnsafeCell;
use cdsspec::sync::Arc;
use cdsspec::{Verdict, thread};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// What `look` says of a handle beside a thread that does `other` with a weak one.
fn seen(look: fn(&mut Arc<usize>) -> usize, other: fn(cdsspec::sync::Weak<usize>)) -> BTreeSet<usize> {
    let seen = std::sync::Arc::new(Mutex::new(BTreeSet::new()));
    let noted = seen.clone();
    let outcome = check(move || {
        let mut strong = Arc::new(0);
        let weak = Arc::downgrade(&strong);
        let child = thread::spawn(move || other(weak));
        let said = look(&mut strong);
        child.join().expect("it does not panic");
        noted.lock().unwrap_or_else(PoisonError::into_inner).insert(said);
    });
    assert_eq!(outcome.verdict, Verdict::Holds, "{outcome}");
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    seen.clone()
}

#[test]
fn a_look_comes_before_or_after_what_is_done_to_a_weak_handle() {
    let is_sole = |strong: &mut Arc<usize>| usize::from(Arc::get_mut(strong).is_some());
    assert_eq!(seen(|strong| Arc::weak_count(strong), drop), [0, 1].into());
    assert_eq!(seen(|strong| Arc::weak_count(strong), |weak| drop(weak.clone())), [0, 1, 2].into());
    assert_eq!(seen(is_sole, drop), [0, 1].into());
    assert_eq!(seen(is_sole, |weak| drop(weak.upgrade())), [0, 1].into());
    assert_eq!(seen(is_sole, std::mem::forget), [0].into());
    assert_eq!(seen(|strong| Arc::strong_count(strong), |weak| drop(weak.upgrade())), [1, 2].into());
}

#[test]
fn loops_that_wait_for_weak_handles_to_go_are_no_livelocks() {
    let polls: [fn(Arc<usize>); 2] = [
        |strong| {
            while Arc::weak_count(&strong) > 0 {
                thread::yield_now();
            }
        },
        |mut strong| {
            while Arc::get_mut(&mut strong).is_none() {
                thread::yield_now();
            }
        },
    ];
    for poll in polls {
        let program = move |keeps: bool| {
            let strong = Arc::new(0);
            let weak = Arc::downgrade(&strong);
            let child = thread::spawn(move || if keeps { std::mem::forget(weak) } else { drop(weak) });
            poll(strong);
            child.join().expect("it does not panic");
        };
        assert_outcome(move || program(false), Verdict::Holds, 1);
        assert_outcome(move || program(true), Verdict::Livelock, 0);
    }
}

#[test]
fn a_unique_borrow_comes_after_the_weak_handles_and_a_count_of_none_does_not() {
    struct Cell(UnsafeCell<usize>);
    // SAFETY: the engine looks for races.
    unsafe impl Sync for Cell {}
    fn program(is_sole: fn(&mut Arc<()>) -> bool) -> impl Fn() {
        move || {
            let shared = std::sync::Arc::new(Cell(UnsafeCell::new(0)));
            let mut strong = Arc::new(());
            let (weak, inner) = (Arc::downgrade(&strong), shared.clone());
            let child = thread::spawn(move || {
                // SAFETY: whether it is one is what is tested.
                inner.0.with_mut(|value| unsafe { *value = 1 });
                drop(weak);
            });
            if is_sole(&mut strong) {
                // SAFETY: as above.
                assert_eq!(shared.0.with(|value| unsafe { *value }), 1);
            }
            child.join().expect("it does not panic");
        }
    }
    assert_outcome(program(|strong| Arc::get_mut(strong).is_some()), Verdict::Holds, 2);
    assert_outcome(program(|strong| Arc::weak_count(strong) == 0), Verdict::Race, 1);
}

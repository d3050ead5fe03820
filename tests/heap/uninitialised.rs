//! Objects that are used before their memory is initialised for the user.

use super::common::{ENGINES, Node, check};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use cdsspec::weaken::{Class, Programs};
use cdsspec::{Builder, Verdict, thread, weaken};
use std::ptr::null_mut;

/// One thread hands a node to the other, which reads it.
fn hand_over(store: Ordering, load: Ordering) {
    let shared = Arc::new(AtomicPtr::new(null_mut::<Node>()));
    let shared2 = shared.clone();
    let reader = thread::spawn(move || {
        // SAFETY: nodes are freed only when both threads are done.
        if let Some(node) = unsafe { shared2.load(load).as_ref() } {
            node.value.load(Relaxed);
        }
    });
    let node = Node::alloc(1);
    shared.store(node, store);
    reader.join().expect("no thread panics");
    // SAFETY: nobody else is left.
    unsafe { Node::free(node) };
}

#[test]
fn a_node_published_by_a_relaxed_store_is_uninitialised_for_its_reader() {
    for engine in ENGINES {
        for program in [|| hand_over(Relaxed, Acquire), || hand_over(Release, Relaxed)] {
            let outcome = check(engine, program);
            assert_eq!(outcome.verdict, Verdict::Uninitialised, "{outcome}");
            assert!(!outcome.not_modelled.iter().any(|phrase| phrase.contains("memory")), "{outcome}");
        }
        let outcome = check(engine, || hand_over(Release, Acquire));
        assert!(outcome.holds(), "{outcome}");
    }
}

#[test]
fn uninitialised_is_not_looked_for_when_it_is_switched_off() {
    for engine in ENGINES {
        let outcome =
            Builder::new().engine(engine).uninitialised(false).check(|| hand_over(Relaxed, Acquire));
        assert!(outcome.holds(), "{outcome}");
        let phrase = "uninitialised memory (switched off)";
        assert!(outcome.not_modelled.iter().any(|known| known == phrase), "{outcome}");
    }
}

#[cdsspec::test(uninitialised = false)]
fn a_test_may_switch_a_class_off() {
    hand_over(Relaxed, Acquire);
}

/// A node that was there before the other thread is initialised anew, and then published.
fn hand_over_again(is_told: bool, store: Ordering) {
    let shared = Arc::new(AtomicPtr::new(null_mut::<Node>()));
    let shared2 = shared.clone();
    let node = Node::alloc(1);
    let reader = thread::spawn(move || {
        // SAFETY: nodes are freed only when both threads are done.
        if let Some(node) = unsafe { shared2.load(Acquire).as_ref() } {
            node.value.load(Relaxed);
        }
    });
    // SAFETY: nobody else has it.
    unsafe { node.write(Node { value: 2.into() }) };
    if is_told {
        cdsspec::alloc::initialized(node);
    }
    shared.store(node, store);
    reader.join().expect("no thread panics");
    // SAFETY: nobody else is left.
    unsafe { Node::free(node) };
}

#[test]
fn what_the_program_says_that_it_has_initialised_comes_before_its_uses() {
    for engine in ENGINES {
        let outcome = check(engine, || hand_over_again(true, Relaxed));
        assert_eq!(outcome.verdict, Verdict::Uninitialised, "{outcome}");
        assert!(outcome.report().contains("whose initialisation at"), "{outcome}");
        for program in [|| hand_over_again(true, Release), || hand_over_again(false, Relaxed)] {
            let outcome = check(engine, program);
            assert!(outcome.holds(), "{outcome}");
        }
    }
}

#[test]
fn it_finds_weaker_orders_unless_it_is_switched_off() {
    let hand_over: fn() = || hand_over(Release, Acquire);
    let programs = || Programs::from([("hand_over", hand_over)]).progress(false);
    let injections = weaken(programs());
    assert_eq!((injections.class_count(Class::BuiltIn), injections.injections.len()), (2, 2), "{injections}");
    assert_eq!(weaken(programs().uninitialised(false)).found_count(), 0);
}

//! Memory that is never freed.

use super::common::{ENGINES, Node, check};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicPtr;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::{Builder, Verdict, thread};
use std::ptr::null_mut;

/// One thread publishes a node, which nobody frees.
fn forget() {
    let shared = Arc::new(AtomicPtr::new(null_mut::<Node>()));
    let shared2 = shared.clone();
    let other = thread::spawn(move || shared2.store(Node::alloc(1), Release));
    shared.load(Acquire);
    other.join().expect("no thread panics");
}

#[test]
fn a_node_that_nobody_frees_is_a_leak_where_that_is_looked_for() {
    for engine in ENGINES {
        let outcome = Builder::new().engine(engine).leaks(true).check(forget);
        assert_eq!(outcome.verdict, Verdict::Leak, "{outcome}");
        assert!(outcome.report().starts_with("leak: 1 block of memory ("), "{outcome}");
        let outcome = check(engine, forget);
        assert!(outcome.holds(), "{outcome}");
        assert_eq!(outcome.left_blocks, outcome.executions, "{outcome}");
        let words: Vec<_> = outcome.report().split_whitespace().collect();
        assert!(words.join(" ").contains("over all executions, stay allocated"), "{outcome}");
    }
}

static KEPT: AtomicPtr<Node> = AtomicPtr::new(null_mut());

#[test]
fn what_a_static_or_another_block_holds_is_no_leak() {
    let by_static = || {
        KEPT.store(Node::alloc(1), Relaxed);
    };
    let by_a_block = || {
        let node = Node::alloc(1);
        // SAFETY: it is never freed.
        unsafe { &*node }.value.load(Relaxed);
        std::mem::forget(vec![node]);
    };
    for engine in ENGINES {
        for program in [by_static as fn(), by_a_block] {
            let outcome = Builder::new().engine(engine).leaks(true).check(program);
            assert!(outcome.holds(), "{outcome}");
        }
    }
}

#[test]
fn a_node_that_was_replaced_is_a_leak_and_one_that_is_freed_is_none() {
    for engine in ENGINES {
        let outcome = Builder::new().engine(engine).leaks(true).check(|| {
            KEPT.store(Node::alloc(1), Relaxed);
            KEPT.store(Node::alloc(2), Relaxed);
        });
        assert_eq!(outcome.verdict, Verdict::Leak, "{outcome}");
        let outcome = Builder::new().engine(engine).leaks(true).check(|| {
            KEPT.store(Node::alloc(1), Relaxed);
            let node = KEPT.swap(null_mut(), Relaxed);
            // SAFETY: nobody else has it.
            unsafe { Node::free(node) };
        });
        assert!(outcome.holds(), "{outcome}");
        assert_eq!(outcome.left_blocks, 0, "{outcome}");
    }
}

#[test]
fn leaks_are_freed_at_the_end_of_each_execution_on_demand() {
    for engine in ENGINES {
        // SAFETY: nothing that the program allocates is used after an execution.
        let builder = unsafe { Builder::new().reclaim_leaks() };
        let outcome = builder.engine(engine).check(forget);
        assert!(outcome.holds(), "{outcome}");
        assert_eq!(outcome.left_blocks, 0, "{outcome}");
    }
}

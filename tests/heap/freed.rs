//! Objects that are used when their memory may have been freed.

use super::common::{ENGINES, Node, check};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicPtr, AtomicUsize};
use cdsspec::{Builder, EngineKind, Verdict, hint, thread};

/// A pointer that may go to another thread.
struct Sent(*mut Node);
// SAFETY: the checker is there to say whether that is right.
unsafe impl Send for Sent {}

impl Sent {
    fn node(&self) -> &Node {
        // SAFETY: as above.
        unsafe { &*self.0 }
    }
}

/// The other thread uses the node and says so; this one frees it if it has heard.
fn free_after_flag(store: Ordering, load: Ordering) {
    let node = Node::alloc(1);
    let sent = Sent(node);
    let flag = Arc::new(AtomicUsize::new(0));
    let flag2 = flag.clone();
    let other = thread::spawn(move || {
        sent.node().value.load(Relaxed);
        flag2.store(1, store);
    });
    if flag.load(load) == 1 {
        // SAFETY: the checker is there to say whether that is right.
        unsafe { Node::free(node) };
        other.join().expect("no thread panics");
    } else {
        other.join().expect("no thread panics");
        // SAFETY: nobody else is left.
        unsafe { Node::free(node) };
    }
}

#[test]
fn a_free_that_the_use_does_not_happen_before_is_freed_in_whichever_order_they_ran() {
    for engine in ENGINES {
        for program in [|| free_after_flag(Relaxed, Acquire), || free_after_flag(Release, Relaxed)] {
            let outcome = check(engine, program);
            assert_eq!(outcome.verdict, Verdict::Freed, "{outcome}");
        }
        let outcome = check(engine, || free_after_flag(Release, Acquire));
        assert!(outcome.holds(), "{outcome}");
    }
}

#[test]
fn a_use_after_the_free_in_the_same_thread_is_freed() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let node = Sent(Node::alloc(1));
            // SAFETY: the checker is there to say whether that is right.
            unsafe { Node::free(node.0) };
            node.node().value.load(Relaxed);
        });
        assert_eq!(outcome.verdict, Verdict::Freed, "{outcome}");
    }
}

#[test]
fn a_second_free_is_freed_and_does_not_happen() {
    for engine in ENGINES {
        let outcome = check(engine, || {
            let node = Node::alloc(1);
            for _ in 0..2 {
                // SAFETY: the checker is there to say whether that is right.
                unsafe { Node::free(node) };
            }
        });
        assert_eq!(outcome.verdict, Verdict::Freed, "{outcome}");
        assert!(outcome.report().contains("frees memory that was freed already"), "{outcome}");
    }
}

/// The other thread takes over what is there, which it looks at first, and says when it looks no more. This one puts something else there
/// meanwhile, and frees what it took out when the other one has done.
fn free_what_was_pinned(unpin: Ordering) {
    let shared = Arc::new((AtomicPtr::new(Node::alloc(1)), AtomicUsize::new(1)));
    let other = {
        let shared = shared.clone();
        thread::spawn(move || {
            let (head, pinned) = &*shared;
            loop {
                let node = head.load(Acquire);
                Sent(node).node().value.load(Relaxed);
                if head.compare_exchange(node, std::ptr::null_mut(), AcqRel, Relaxed).is_ok() {
                    pinned.store(0, unpin);
                    return Sent(node);
                }
                hint::spin_loop();
            }
        })
    };
    let (head, pinned) = &*shared;
    let taken = head.swap(Node::alloc(2), AcqRel);
    if !taken.is_null() {
        while pinned.load(Acquire) == 1 {
            hint::spin_loop();
        }
        // SAFETY: the checker is there to say whether that is right.
        unsafe { Node::free(taken) };
    }
    let left = other.join().expect("no thread panics").0;
    for node in [left, head.load(Acquire)] {
        if !node.is_null() {
            // SAFETY: nobody else is left.
            unsafe { Node::free(node) };
        }
    }
}

/// Only a round that failed has used the node that is freed: who leaves such rounds out does not find this.
#[test]
fn what_only_a_failed_round_has_used_is_freed_too_early() {
    let check = |program: fn(), assumes| {
        let builder = Builder::new().name("program").engine(EngineKind::Rc11).spin_assume(assumes);
        builder.check(program).verdict
    };
    let early: fn() = || free_what_was_pinned(Relaxed);
    let in_time: fn() = || free_what_was_pinned(Release);
    assert_eq!(
        [check(early, false), check(in_time, false), check(early, true)],
        [Verdict::Freed, Verdict::Holds, Verdict::HoldsWithin]
    );
}

//! Objects that are used when their memory may have been freed.

use super::common::{ENGINES, Node, check};
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use cdsspec::{Verdict, thread};

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

//! A Michael-Scott queue and a program on it, the same text twice: on plain loom, and here with a specification.
#![allow(dead_code, unused_imports, unused_macros, reason = "each benchmark uses some of it")]

use cdsspec::{Builder, EngineKind, Outcome, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Keeps the attributes of an impl.
macro_rules! annotated {
    ({ $($outer:tt)* } impl Queue { $({ $($inner:tt)* } fn $name:ident $arguments:tt -> $returns:tt $body:tt)* }) => {
        $($outer)*
        impl Queue {
            $($($inner)* pub(crate) fn $name $arguments -> $returns $body)*
        }
    };
}

/// Leaves the attributes of an impl out.
macro_rules! bare {
    ({ $($outer:tt)* } impl Queue { $({ $($inner:tt)* } fn $name:ident $arguments:tt -> $returns:tt $body:tt)* }) => {
        impl Queue {
            $(pub(crate) fn $name $arguments -> $returns $body)*
        }
    };
}

/// Markers that mark nothing.
mod no_marker {
    macro_rules! op_define {
        ($condition:expr) => {
            let _ = $condition;
        };
    }
    macro_rules! op_clear_define {
        () => {};
    }
    pub(crate) use {op_clear_define, op_define};
}

/// The queue with the atomics and threads of one crate, and the program: two threads that each put a value in and take one out.
macro_rules! michael_scott {
    ($name:ident, $library:ident, $markers:path, $attributes:ident) => {
        mod $name {
            use std::ptr::null_mut;
            use std::sync::Arc;
            use $library::sync::atomic::AtomicPtr;
            use $library::sync::atomic::Ordering::{Acquire, Relaxed, Release};
            use $library::thread::{spawn, yield_now};
            use $markers::{op_clear_define, op_define};

            type Taken = Option<i32>;

            struct Node {
                value: i32,
                next: AtomicPtr<Node>,
            }

            /// Nodes are leaked: who frees them is not the point here.
            fn node(value: i32) -> *mut Node {
                Box::into_raw(Box::new(Node { value, next: AtomicPtr::new(null_mut()) }))
            }

            fn next(node: *mut Node) -> &'static AtomicPtr<Node> {
                // SAFETY: nodes are never freed.
                &unsafe { &*node }.next
            }

            pub(crate) struct Queue {
                head: AtomicPtr<Node>,
                tail: AtomicPtr<Node>,
            }

            fn queue() -> Queue {
                let dummy = node(0);
                Queue { head: AtomicPtr::new(dummy), tail: AtomicPtr::new(dummy) }
            }

            $attributes! {
                {
                    #[cdsspec::spec]
                    #[declare_state(q: std::collections::VecDeque<i32>)]
                }
                impl Queue {
                    { #[side_effect(q.push_back(value))] }
                    fn enq(&self, value: i32) -> () {
                        let node = node(value);
                        next(node).load(Relaxed);
                        next(node).store(null_mut(), Release);
                        let last = loop {
                            let tail = self.tail.load(Acquire);
                            let after = next(tail).load(Acquire);
                            if tail != self.tail.load(Relaxed) {
                                continue;
                            }
                            if after.is_null() {
                                let linked = next(tail).compare_exchange(after, node, Release, Relaxed).is_ok();
                                op_define!(linked);
                                if linked {
                                    break tail;
                                }
                            }
                            let after = next(tail).load(Acquire);
                            let _helped = self.tail.compare_exchange(tail, after, Release, Relaxed);
                            yield_now();
                        };
                        let _moved = self.tail.compare_exchange(last, node, Release, Relaxed);
                    }

                    {
                        #[side_effect(if c_ret.is_some() { q.pop_front() } else { q.front().copied() })]
                        #[post_condition(c_ret.is_none() || c_ret == s_ret)]
                        #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
                    }
                    fn deq(&self) -> Taken {
                        loop {
                            let head = self.head.load(Acquire);
                            let tail = self.tail.load(Acquire);
                            let after = next(head).load(Acquire);
                            op_clear_define!();
                            if head != self.head.load(Relaxed) {
                                continue;
                            }
                            if head == tail {
                                if after.is_null() {
                                    return None;
                                }
                                let _helped = self.tail.compare_exchange(tail, after, Release, Relaxed);
                                yield_now();
                                continue;
                            }
                            // SAFETY: nodes are never freed.
                            let value = unsafe { &*after }.value;
                            if self.head.compare_exchange(head, after, Release, Relaxed).is_ok() {
                                return Some(value);
                            }
                            yield_now();
                        }
                    }
                }
            }

            // SAFETY: nodes are shared by atomics and never freed.
            unsafe impl Send for Queue {}
            // SAFETY: as above.
            unsafe impl Sync for Queue {}

            pub(crate) fn program() {
                let queue = Arc::new(queue());
                let queue2 = queue.clone();
                let other = spawn(move || {
                    queue2.enq(1);
                    queue2.deq();
                });
                queue.enq(2);
                queue.deq();
                other.join().expect("no thread panics");
            }
        }
    };
}

michael_scott!(here, cdsspec, cdsspec, annotated);
michael_scott!(on_loom, loom, super::no_marker, bare);

/// The program, annotated.
pub(crate) fn program() {
    here::program();
}

/// Explores the program on plain loom. How many executions it takes.
pub(crate) fn explore_on_loom() -> u64 {
    let count = Arc::new(AtomicU64::new(0));
    let count2 = count.clone();
    loom::model::Builder::new().check(move || {
        count2.fetch_add(1, Ordering::Relaxed);
        on_loom::program();
    });
    count.load(Ordering::Relaxed)
}

/// Explores and checks the program here, under loom. How many executions it takes.
pub(crate) fn explore_here(has_call_clock: bool) -> u64 {
    let builder = Builder::new().name("michael_scott").engine(EngineKind::Loom);
    let outcome: Outcome = builder.call_clock(has_call_clock).check(here::program);
    assert_eq!(outcome.verdict, Verdict::HoldsWithin, "{outcome}");
    outcome.executions
}

/// Explores and checks the program here, under rc11. How many executions it takes.
pub(crate) fn explore_on_rc11() -> u64 {
    let builder = Builder::new().name("michael_scott").engine(EngineKind::Rc11);
    let outcome: Outcome = builder.check(here::program);
    assert_eq!(outcome.verdict, Verdict::Holds, "{outcome}");
    outcome.executions
}

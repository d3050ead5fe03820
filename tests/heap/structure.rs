//! Data structures with seeded mistakes: each shows in its class, and the right versions hold.

use super::blocking_queue::program::{enq__deq, enq_deq__enq_deq, enq_enq__deq_deq};
use super::blocking_queue::queue::Queue;
use super::blocking_queue::seed::Seed;
use super::common::ENGINES;
use cdsspec::cell::UnsafeCell;
use cdsspec::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicPtr, AtomicUsize, fence};
use cdsspec::{Builder, EngineKind, Outcome, Verdict, hint, thread};
use std::ptr::{NonNull, null_mut};

fn check(engine: EngineKind, program: impl Fn() + Send + Sync + 'static) -> Outcome {
    Builder::new().name("program").engine(engine).leaks(true).stop_at_first(false).check(program)
}

fn assert_verdicts(right: fn(), wrong: impl IntoIterator<Item = (Verdict, fn())>) {
    let outcome = check(EngineKind::Rc11, right);
    assert_eq!(outcome.verdict, Verdict::Holds, "{outcome}");
    let outcome = check(EngineKind::Loom, right);
    assert_eq!(outcome.verdict, Verdict::HoldsWithin, "{outcome}");
    for (index, (verdict, program)) in wrong.into_iter().enumerate() {
        for engine in ENGINES {
            let outcome = check(engine, program);
            assert_eq!(outcome.verdict, verdict, "mistake {index}: {outcome}");
        }
    }
}

/// A counted pointer, as std's.
struct Counted(NonNull<Inner>);

struct Inner {
    count: AtomicUsize,
    value: AtomicUsize,
}

// SAFETY: the count is atomic; whether it is enough is what is checked.
unsafe impl Send for Counted {}

/// The orders of a drop: of the decrement, and of the fence before the free.
#[derive(Clone, Copy)]
struct DropOrders(Ordering, Option<Ordering>);

impl Counted {
    fn new() -> Self {
        let inner = Box::new(Inner { count: AtomicUsize::new(1), value: AtomicUsize::new(0) });
        Self(NonNull::from(Box::leak(inner)))
    }

    fn inner(&self) -> &Inner {
        // SAFETY: the count says that it is there.
        unsafe { self.0.as_ref() }
    }

    fn share(&self) -> Self {
        self.inner().count.fetch_add(1, Relaxed);
        Self(self.0)
    }

    fn end(self, DropOrders(decrement, before_free): DropOrders) {
        if self.inner().count.fetch_sub(1, decrement) == 1 {
            if let Some(order) = before_free {
                fence(order);
            }
            // SAFETY: it was the last one.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        }
    }
}

fn use_counted(orders: DropOrders) {
    let first = Counted::new();
    let second = first.share();
    let other = thread::spawn(move || {
        second.inner().value.load(Relaxed);
        second.end(orders);
    });
    first.inner().value.store(1, Relaxed);
    first.end(orders);
    other.join().expect("no thread panics");
}

#[test]
fn a_counted_pointer_that_drops_relaxed_is_freed() {
    assert_verdicts(
        || use_counted(DropOrders(Release, Some(Acquire))),
        [
            (Verdict::Freed, (|| use_counted(DropOrders(Relaxed, Some(Acquire)))) as fn()),
            (Verdict::Freed, || use_counted(DropOrders(Release, None))),
        ],
    );
}

/// A stack of nodes, which a pop frees at once, never, or when the stack is dropped.
struct Stack {
    head: AtomicPtr<Node>,
    retired: AtomicPtr<Node>,
    disposal: Disposal,
    push: Ordering,
}

struct Node {
    value: usize,
    next: UnsafeCell<*mut Node>,
}

#[derive(Clone, Copy, PartialEq)]
enum Disposal {
    AtOnce,
    Never,
    WithStack,
}

// SAFETY: whether nodes are shared rightly is what is checked.
unsafe impl Send for Stack {}
// SAFETY: as above.
unsafe impl Sync for Stack {}

/// Annotated, so that loom's call clock brings back the executions that loom would miss.
#[cdsspec::spec]
#[declare_state(s: Vec<usize>)]
impl Stack {
    fn new(disposal: Disposal, push: Ordering) -> Self {
        let (head, retired) = (AtomicPtr::new(null_mut()), AtomicPtr::new(null_mut()));
        Self { head, retired, disposal, push }
    }

    /// Puts a node that is this thread's on a list.
    fn link(list: &AtomicPtr<Node>, node: *mut Node, order: Ordering, is_retired: bool) {
        loop {
            let head = list.load(Relaxed);
            // SAFETY: the node is there.
            unsafe { &*node }.next.with_mut(|next| {
                // SAFETY: nobody else has it.
                unsafe { *next = head };
            });
            let linked = list.compare_exchange(head, node, order, Relaxed).is_ok();
            if !is_retired {
                cdsspec::op_clear_define!(linked);
            }
            if linked {
                return;
            }
            hint::spin_loop();
        }
    }

    #[side_effect(s.push(value))]
    fn push(&self, value: usize) {
        let node = Box::into_raw(Box::new(Node { value, next: UnsafeCell::new(null_mut()) }));
        Self::link(&self.head, node, self.push, false);
    }

    #[side_effect(if c_ret.is_some() { s.pop() } else { s.last().copied() })]
    #[post_condition(c_ret.is_none() || c_ret == s_ret)]
    #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
    fn pop(&self) -> Option<usize> {
        loop {
            #[op_clear_define]
            let head = self.head.load(Acquire);
            if head.is_null() {
                return None;
            }
            // SAFETY: the checker is there to say whether that is right.
            let node = unsafe { &*head };
            // SAFETY: as above.
            let next = node.next.with(|next| unsafe { *next });
            #[op_clear_define]
            let unlinked = self.head.compare_exchange(head, next, AcqRel, Relaxed);
            if unlinked.is_ok() {
                let value = node.value;
                match self.disposal {
                    // SAFETY: the checker is there to say whether that is right.
                    Disposal::AtOnce => drop(unsafe { Box::from_raw(head) }),
                    Disposal::Never => {}
                    Disposal::WithStack => self.retire(head),
                }
                return Some(value);
            }
            hint::spin_loop();
        }
    }

    /// Keeps a node until the stack is dropped. Others may still read its `next`, so that is left.
    fn retire(&self, node: *mut Node) {
        let retired = Box::new(Node { value: node.expose_provenance(), next: UnsafeCell::new(null_mut()) });
        Self::link(&self.retired, Box::into_raw(retired), AcqRel, true);
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        let take = |list: &mut AtomicPtr<Node>, also: &dyn Fn(usize)| {
            let mut next = *list.get_mut();
            while !next.is_null() {
                // SAFETY: nobody else is left.
                let node = unsafe { Box::from_raw(next) };
                also(node.value);
                next = node.next.into_inner();
            }
        };
        take(&mut self.head, &|_| {});
        take(&mut self.retired, &|address| {
            // SAFETY: it was retired, once, and nobody else is left.
            drop(unsafe { Box::from_raw(std::ptr::with_exposed_provenance_mut::<Node>(address)) });
        });
    }
}

fn push_pop__pop(disposal: Disposal, push: Ordering) {
    let stack = cdsspec::sync::Arc::new(Stack::new(disposal, push));
    let stack2 = stack.clone();
    let other = thread::spawn(move || {
        stack2.push(1);
        stack2.pop();
    });
    stack.pop();
    other.join().expect("no thread panics");
}

#[test]
fn a_stack_that_frees_at_once_is_freed_and_one_that_forgets_leaks() {
    assert_verdicts(
        || push_pop__pop(Disposal::WithStack, AcqRel),
        [
            (Verdict::Freed, (|| push_pop__pop(Disposal::AtOnce, AcqRel)) as fn()),
            (Verdict::Leak, || push_pop__pop(Disposal::Never, AcqRel)),
        ],
    );
}

const CORRECT: Seed = Seed::CORRECT;

#[test]
fn a_queue_that_publishes_its_nodes_relaxed_is_uninitialised() {
    assert_verdicts(
        || enq_deq__enq_deq::<Queue>(CORRECT),
        [
            (
                Verdict::Uninitialised,
                (|| enq_enq__deq_deq::<Queue>(Seed { enq_link_exchange: Relaxed, ..CORRECT })) as fn(),
            ),
            (Verdict::Uninitialised, || {
                enq_deq__enq_deq::<Queue>(Seed { enq_tail_store: Relaxed, ..CORRECT });
            }),
            (Verdict::Uninitialised, || {
                enq_deq__enq_deq::<Queue>(Seed { enq_tail_load: Relaxed, ..CORRECT });
            }),
            (Verdict::Uninitialised, || {
                enq_enq__deq_deq::<Queue>(Seed { deq_next_load: Relaxed, ..CORRECT });
            }),
        ],
    );
}

#[test]
fn what_the_specification_finds_alone_is_seen_with_uninitialised_off() {
    let seed = Seed { enq_link_exchange: Relaxed, ..CORRECT };
    let outcome = Builder::new().uninitialised(false).check(move || enq__deq::<Queue>(seed));
    assert_eq!(outcome.verdict, Verdict::Violated, "{outcome}");
}

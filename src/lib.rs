//! Specifications of concurrent data structures beside their code, checked on every behaviour of the C11 memory model.
//!
//! A method says what it does to a plain sequential state, and which atomic operation orders it:
//!
//! ```
//! use cdsspec::sync::atomic::AtomicPtr;
//! use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
//! use std::collections::VecDeque;
//! use std::ptr::null_mut;
//!
//! struct Node {
//!     value: i32,
//!     next: AtomicPtr<Node>,
//! }
//!
//! struct Queue {
//!     head: AtomicPtr<Node>,
//!     tail: AtomicPtr<Node>,
//! }
//!
//! #[cdsspec::spec]
//! #[declare_state(q: VecDeque<i32>)]
//! impl Queue {
//!     fn new() -> Self {
//!         let first = Self::node(0);
//!         Self { head: AtomicPtr::new(first), tail: AtomicPtr::new(first) }
//!     }
//!
//!     // Nodes are never freed, which keeps the example short.
//!     fn node(value: i32) -> *mut Node {
//!         Box::into_raw(Box::new(Node { value, next: AtomicPtr::new(null_mut()) }))
//!     }
//!
//!     #[side_effect(q.push_back(val))]
//!     fn enq(&self, val: i32) {
//!         let node = Self::node(val);
//!         loop {
//!             let tail = self.tail.load(Acquire);
//!             // SAFETY: a node that was published is never freed.
//!             let next = unsafe { &(*tail).next };
//!             #[op_define(linked)]
//!             let linked = next.compare_exchange(null_mut(), node, Release, Relaxed).is_ok();
//!             if linked {
//!                 self.tail.store(node, Release);
//!                 return;
//!             }
//!             cdsspec::thread::yield_now();
//!         }
//!     }
//!
//!     #[side_effect({
//!         let front = q.front().copied();
//!         if front.is_some() && c_ret.is_some() {
//!             q.pop_front();
//!         }
//!         front
//!     })]
//!     #[post_condition(c_ret.is_none() || c_ret == s_ret)]
//!     #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
//!     fn deq(&self) -> Option<i32> {
//!         loop {
//!             let head = self.head.load(Acquire);
//!             // SAFETY: as above.
//!             let next = unsafe { &(*head).next };
//!             #[op_clear_define]
//!             let next = next.load(Acquire);
//!             if next.is_null() {
//!                 return None;
//!             }
//!             if self.head.compare_exchange(head, next, Release, Relaxed).is_ok() {
//!                 // SAFETY: as above.
//!                 return Some(unsafe { (*next).value });
//!             }
//!             cdsspec::thread::yield_now();
//!         }
//!     }
//! }
//!
//! # fn main() {
//! cdsspec::model(|| {
//!     let queue = cdsspec::sync::Arc::new(Queue::new());
//!     let other = queue.clone();
//!     let child = cdsspec::thread::spawn(move || other.enq(1));
//!     queue.deq();
//!     child.join().expect("it does not panic");
//! });
//! # }
//! ```
//!
//! [`model`](fn@model) runs the program once for every execution that the memory model allows, maps each to sequential histories of
//! the calls, and panics with a report if one breaks the specification. [`test`](macro@test) makes a `#[test]` of that.
//! [`model::Builder`] sets limits, and hands over a [`model::Outcome`]. Its verdict says how far it looked: `holds` only if every
//! execution was explored, `holds_within` some bounds, `inconclusive` at a limit.
//!
//! A program must do the same whenever it sees the same values. A loop that waits must call [`hint::spin_loop`] or
//! [`thread::yield_now`].
//!
//! # Switching it on
//! Without the feature `check` the attributes leave the item as it is written, `cdsspec::sync` is `std::sync`, and there is no
//! run-time dependency. Put the crate under `[dependencies]`, and again under `[dev-dependencies]` with
//! `features = ["check"]`: then `cargo test` and `cargo run --example` check, and `cargo build` does not.
//! `cargo test --release`, `cargo bench` and `cargo build --all-targets` are instrumented too; assert on [`INSTRUMENTED`] where
//! that matters. `RUSTFLAGS="--cfg loom"` switches it on as well.
//!
//! # The heap
//! With [`allocator!`] once in a test crate, engines see what programs allocate and free: a use that is not ordered after the allocation is
//! the verdict `uninitialised`, one that is not ordered before the free is `freed`, and a `leak` is found on demand.
//! [`alloc::initialized`] tells of memory that is initialised again. An allocator of one's own goes into [`Allocator`].
//!
//! # What differs from std
//! In an instrumented build atomics are larger than their values: there is no `as_ptr` and no `from_ptr`. An `Arc<T>` does not turn into
//! an `Arc<dyn Trait>` by itself. An operation must not be passed as a function pointer: write a closure. What is std's own cannot be
//! seen; a lock of std's that is held while another thread runs stops the exploration. Outside a program under test the types behave
//! as std's.
//!
//! # The language
//! [`language`] has a page with an example of each annotation, and what goes wrong. In short:
//!
//! On the impl, below [`spec`]:
//!
//! | attribute | meaning (CDSSpec, section 4) |
//! |---|---|
//! | [`declare_state`]`(name: Type, …)` | the sequential state; in clauses each name is a `&mut Type`. A type of your own: `spec(state = Type)`, called `state` in clauses |
//! | [`initial`]`(expression)` | a state in which nothing has happened: of one part its value, of several their tuple; without it, `Default` |
//! | [`copy`](macro@copy)`(expression)`, [`clear`]`(expression)` | a copy, and the end of a state; without them, `Clone` and drop |
//! | [`admit`]`(first <-> second, condition)` | two such calls must be ordered whenever the condition holds on their records `m1` and `m2`; without a condition, always |
//!
//! On a method:
//!
//! | attribute | meaning |
//! |---|---|
//! | [`pre_condition`], [`post_condition`] | hold in every sequential history |
//! | [`justifying_pre_condition`], [`justifying_post_condition`] | hold in some justifying subhistory |
//! | [`side_effect`] | what the call does to the state; its value is `s_ret`. Without a post_condition the call must return it, unless it is `()` |
//! | [`returns`]`(\|value\| -> Type { … })` | what to keep of a return value that is not `Clone` |
//!
//! Clauses see the parameters by name, as at the call (a `&mut` one as at the return), `c_ret`, after the side effect `s_ret`, and
//! `concurrent`, the calls concurrent with this one: `concurrent.is_empty()`, `concurrent.steal()` for those of one method.
//!
//! On a statement in a body, or as a macro in any function that a call reaches:
//!
//! | attribute | macro | meaning |
//! |---|---|---|
//! | `#[op_define(condition)]` | [`op_define!`] | the last operation of the statement's value is an ordering point |
//! | `#[op_clear]` | [`op_clear!`] | forgets the ordering points so far |
//! | `#[op_clear_define(condition)]` | [`op_clear_define!`] | the one, then the other |
//! | `#[potential_op(label)]` | [`potential_op!`] | the operation may turn out to be an ordering point |
//! | `#[op_check(label)]` | [`op_check!`] | it has |
//!
//! On `if`, `while` and `match` the attribute means the operation of the head; with `return` and `?` it runs before leaving.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
#[cfg(any(feature = "check", loom))]
mod instrumented;
pub mod language;
mod marker;
#[cfg(not(any(feature = "check", loom)))]
mod plain;

pub use cdsspec_macros::{
    admit, clear, copy, declare_state, initial, justifying_post_condition, justifying_pre_condition,
    post_condition, pre_condition, returns, side_effect, spec, specification, test,
};
#[cfg(any(feature = "check", loom))]
pub use instrumented::*;
#[cfg(not(any(feature = "check", loom)))]
pub use plain::*;

/// Whether this build is instrumented: whether the feature `check` is on, or `--cfg loom`.
pub const INSTRUMENTED: bool = cfg!(any(feature = "check", loom));

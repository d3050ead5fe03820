//! The specification language: each annotation, what it means, an example, and what goes wrong.
//!
//! Sections are those of CDSSpec (Ou and Demsky, PPoPP 2017). All errors of an item show at once, at the tokens that they are
//! about, and the item stays usable beside them.
//!
//! # `spec`: the outer attribute (section 4)
//! [`spec`](macro@crate::spec) stands on an `impl`, inherent or of a trait; the other attributes stand below it or inside. A method with a
//! clause is specified: its calls are recorded. Methods without one run as they are.
//!
//! ```
//! struct Register(cdsspec::sync::atomic::AtomicI32);
//!
//! #[cdsspec::spec]
//! #[declare_state(value: i32)]
//! impl Register {
//!     #[side_effect(*value)]
//!     fn get(&self) -> i32 {
//!         #[op_define]
//!         self.0.load(cdsspec::sync::atomic::Ordering::Acquire)
//!     }
//! }
//! # cdsspec::model(|| assert_eq!(Register(Default::default()).get(), 0));
//! ```
//! *What goes wrong.* A helper above the outer attribute: `` `…` stands above `#[cdsspec::spec]`: put it on the impl, below
//! `#[cdsspec::spec]` ``; or without it: `` `…` has no meaning here ``. A word misspelt: ``there is no attribute `…`: did you mean `…`?``
//! An `async fn`: ``an async fn has no one moment in which it runs: specify the functions that it calls and that do not wait``. A function
//! without `self`: `` `…` has no receiver, so that it is not known which object it is about: say it, `#[cdsspec::spec(object = expression)]` ``.
//!
//! In a build that checks the body of a specified method is a closure: `Location::caller()` in it is not the caller of a method that is
//! `#[track_caller]`. What the body owns is dropped inside the call.
//!
//! A method, a parameter that the specification does not mention, a statement, or the whole impl may stand under `#[cfg(…)]`: all that is
//! made of it does too. In `cfg_attr` an annotation is refused: `` `…` cannot stand in a `cfg_attr` ``.
//!
//! # `declare_state`, `state = Type`, `initial`, `copy`, `clear`: the sequential state (section 4.1)
//! In the side effect each declared name is a `&mut` to its part, in the other clauses a `&`. The first state is `Default`, a copy is `Clone`, the end is a drop, unless
//! said otherwise: `initial` and `copy` give the value of one part, or the tuple of several.
//!
//! ```
//! struct Counter;
//!
//! #[cdsspec::spec]
//! #[declare_state(sum: i32, count: usize)]
//! #[initial((100, 0))]
//! #[copy((*sum, *count))]
//! #[clear(*count = 0)]
//! impl Counter {
//!     #[side_effect({ *sum += by; *count += 1; })]
//!     fn add(&self, by: i32) {
//! #       let _ = by;
//!     }
//! }
//!
//! /// A type of one's own is called `state`.
//! #[derive(Clone, Default)]
//! struct Own { sum: i32 }
//! struct Other;
//!
//! #[cdsspec::spec(state = Own)]
//! impl Other {
//!     #[side_effect(state.sum)]
//!     fn get(&self) -> i32 { 0 }
//! }
//! # Counter.add(1);
//! # Other.get();
//! ```
//! *What goes wrong.* Both kinds of state: ``the state is given by `state = …` and by `declare_state`: keep one of them``. A part that
//! is called as a parameter: `` `…` is a part of the state and a parameter of `…`: rename one of the two ``. A type that cannot be made or
//! copied: ``the trait bound `…: std::default::Default` is not satisfied``, or `Clone`, at the type: say how, by `initial` or `copy`.
//!
//! # `side_effect`: what a call does (section 4.3)
//! An expression on the state and the parameters; its value is `s_ret`. Without a `post_condition` the call must return exactly that;
//! `()` says nothing, and then nothing of the return value is kept: its type need not be `Clone`. End it with `;` to say nothing.
//!
//! ```
//! # struct Stack;
//! #[cdsspec::spec]
//! #[declare_state(items: Vec<i32>)]
//! impl Stack {
//!     #[side_effect(items.push(value))]
//!     fn push(&self, value: i32) {
//! #       let _ = value;
//!     }
//!     #[side_effect(items.pop())]
//!     fn pop(&self) -> Option<i32> { None }
//! }
//! # Stack.push(1);
//! # Stack.pop();
//! ```
//! *What goes wrong.* A value of another type than the return value: ``the value of this side effect has type `bool`, which is not
//! compared with the return value: end it with `;`, write a post_condition, or say with `#[returns(…)]` what to compare``.
//!
//! # `pre_condition`, `post_condition`: in every sequential history (section 4.3)
//! Conditions before and after the side effect. They cannot change the state, which is a `&` there. They see the parameters by name (a `&mut` one as at the return), `c_ret`, the value
//! that the call returned, and after the side effect `s_ret`. `&T`, `&[T]` and `&str` are kept as owned copies. What is mentioned is
//! recorded, and must be `Clone`; what is not mentioned is not.
//!
//! ```
//! # struct Stack;
//! #[cdsspec::spec]
//! #[declare_state(items: Vec<i32>)]
//! impl Stack {
//!     #[pre_condition(value > 0)]
//!     #[side_effect(items.push(value))]
//!     fn push(&self, value: i32) {
//! #       let _ = value;
//!     }
//!     #[side_effect(if c_ret.is_some() { items.pop() } else { None })]
//!     #[post_condition(c_ret == s_ret)]
//!     fn try_pop(&self) -> Option<i32> { None }
//! }
//! # Stack.push(1);
//! # Stack.try_pop();
//! ```
//! *What goes wrong.* `` `s_ret` is the value of the side effect, which has not run yet: move this into a post_condition ``. `self`, which
//! is not recorded: `` `self` is gone when clauses run, which is after the execution: use the state, the parameters by name and `c_ret` ``. A parameter
//! taken apart: `` `…` is a part of a pattern, which is not recorded: give the parameter a name, and take it apart in the body ``. A clause
//! that does not type-check is the compiler's own error, inside the clause. One that panics when it is checked is a `spec_error` that names it.
//!
//! # `justifying_pre_condition`, `justifying_post_condition`: in some justifying subhistory (sections 3.1, 4.3)
//! Some order of the calls that must come before this one, followed by it, fulfils them. This is how a weak result, such as an empty
//! answer, is justified.
//!
//! ```
//! # struct Queue;
//! #[cdsspec::spec]
//! #[declare_state(q: std::collections::VecDeque<i32>)]
//! impl Queue {
//!     #[side_effect({
//!         let front = q.front().copied();
//!         if c_ret.is_some() { q.pop_front(); }
//!         front
//!     })]
//!     #[post_condition(c_ret.is_none() || c_ret == s_ret)]
//!     #[justifying_post_condition(c_ret.is_some() || s_ret.is_none())]
//!     fn deq(&self) -> Option<i32> { None }
//! }
//! # Queue.deq();
//! ```
//! *What goes wrong.* A call that no subhistory justifies is `unjustified`, and the report shows the orders that were tried. An empty
//! clause: `` `…` is empty: write an expression``.
//!
//! # `concurrent`: the calls beside this one (section 3.1)
//! In every clause: `is_empty()`, `len()`, `all()`, and for each method of the specification an iterator of its calls, with their
//! values. The calls of a method that is itself called `len` are `of_len()`, and so of the two others.
//!
//! ```
//! # struct Deque;
//! #[cdsspec::spec]
//! #[declare_state(items: Vec<i32>)]
//! impl Deque {
//!     #[side_effect(items.pop())]
//!     #[post_condition(c_ret == s_ret || concurrent.steal().any(|steal| steal.c_ret == s_ret))]
//!     fn take(&self) -> Option<i32> { None }
//!     #[side_effect(())]
//!     fn steal(&self) -> Option<i32> { None }
//! }
//! # Deque.take();
//! # Deque.steal();
//! ```
//! *What goes wrong.* A method that is not there, or has no clause: `` `…` is not a specified method of this impl: `concurrent` has those
//! by name, and `is_empty`, `len` and `all` ``. A call that has not returned is counted by `len` and `all`, and has no values: the iterators of
//! methods leave it out. A call without an ordering point is concurrent with all others.
//!
//! # `admit`: which calls must be ordered (sections 3, 4.1)
//! `#[admit(first <-> second, condition)]`: a call of the one and a call of the other must be ordered whenever the condition holds; without
//! one, always. `m1` and `m2` are records of the two: the parameters by name, and `c_ret`. A method may be ruled with itself.
//!
//! ```
//! # struct Queue;
//! #[cdsspec::spec]
//! #[declare_state(q: Vec<i32>)]
//! #[admit(deq <-> enq, m1.c_ret.is_none() && m2.value > 0)]
//! #[admit(deq <-> deq)]
//! impl Queue {
//!     #[side_effect(q.push(value))]
//!     fn enq(&self, value: i32) {
//! #       let _ = value;
//!     }
//!     #[side_effect(if q.is_empty() { None } else { Some(q.remove(0)) })]
//!     fn deq(&self) -> Option<i32> { None }
//! }
//! # Queue.enq(1);
//! # Queue.deq();
//! ```
//! *What goes wrong.* `` `…` is not a method of this impl: a rule names two of its annotated methods``. A value that there is not: `` `…` is
//! not a value of `…`: a rule sees the parameters by name, and `c_ret` ``. An execution in which two calls that a rule wants ordered are not is
//! `inadmissible`: the specification says nothing of it, and the outcome counts it. `SeqCst` operations are totally ordered (section 5.2): where
//! the memory model leaves open how, the execution is inadmissible if it is so under every total order, and checked under the others.
//!
//! # `returns`: a return value that cannot be cloned
//! What to keep of it. A guard, an iterator, a reference into the object.
//!
//! ```
//! # struct Lock(std::sync::Mutex<i32>);
//! #[cdsspec::spec]
//! #[declare_state(value: i32)]
//! impl Lock {
//!     #[returns(|guard| -> i32 { **guard })]
//!     #[side_effect(*value)]
//!     fn lock(&self) -> std::sync::MutexGuard<'_, i32> {
//!         self.0.lock().expect("nobody panicked")
//!     }
//! }
//! # drop(Lock(std::sync::Mutex::new(0)).lock());
//! ```
//! *What goes wrong.* Without it: ``the return value cannot be kept after the call: say what to keep of it``. Without the type: ``this does
//! not say what to keep of the return value: write `#[returns(|value| -> Type { … })]` ``.
//!
//! # Ordering points: `op_define`, `op_clear`, `op_clear_define`, `potential_op`, `op_check` (section 4.2)
//! An attribute on a statement means the last operation of its value: of `if`, `while` and `match` that of the head; with `return e`
//! and `e?` before leaving. Operations of functions that the statement calls count, of calls of other objects too; those of threads that it
//! starts do not. The macro form, such as [`op_define!`](crate::op_define), is a statement in any function that a call reaches, and means
//! the last operation of the call so far.
//!
//! `op_define` makes the operation an ordering point; `op_clear` forgets those so far, and what `potential_op` remembered; `op_clear_define` does the one, then the other;
//! `potential_op(label)` remembers an operation, and `op_check(label)` says that it is an ordering point. Each takes a condition, behind
//! the label if there is one, and does nothing where that is false. A condition runs only in a build that checks, so it must run no operation.
//! It cannot leave the function, or change a variable: that is an error of the compiler.
//!
//! The drop of a temporary is a part of the statement where Rust drops it. A `let`, or a statement that ends in `;`, is marked when it has
//! ended: `#[op_define] let x = self.0.lock().unwrap().value;` marks the unlock, since the guard goes there. A head, `return e` and the end of a
//! block are marked as soon as the value is there, while temporaries live on: without the `let` the same marks the lock.
//!
//! A statement that ran no operation has none to mark: that is a `spec_error`, also where the operation is behind a `&&`, in a branch or in
//! the rounds of a loop, and did not run. The point would be lost in silence, and a call without a point is concurrent with all others. So
//! say when there is one: `#[op_define(is_open)] let won = is_open && self.0.swap(1, AcqRel) == 0;`.
//!
//! ```
//! # use cdsspec::sync::atomic::{AtomicI32, Ordering::{AcqRel, Acquire}};
//! # struct Lock(AtomicI32);
//! #[cdsspec::spec]
//! impl Lock {
//!     #[side_effect(())]
//!     fn lock(&self) {
//!         loop {
//!             #[op_clear_define(taken == 0)]
//!             let taken = self.0.swap(1, AcqRel);
//!             if taken == 0 { return; }
//!         }
//!     }
//!     #[side_effect(())]
//!     fn is_locked(&self) -> bool {
//!         let first = self.0.load(Acquire);
//!         cdsspec::potential_op!(seen);
//!         cdsspec::op_check!(seen, first == 1);
//!         if first == 1 { return true; }
//!         #[op_define]
//!         return self.0.load(Acquire) == 1;
//!     }
//! }
//! # cdsspec::model(|| Lock(AtomicI32::new(0)).lock());
//! # Lock(AtomicI32::new(0)).is_locked();
//! ```
//! Where the attribute can stand:
//!
//! | statement | operation, or message |
//! |---|---|
//! | `let x = e;`, `e;`, `x = e;`, `{ … }`, `unsafe { … }`, `m!(…);` | the last one of the statement |
//! | `if e`, `while e`, `match e`, also with `let` | the last one of the head, each time |
//! | `return e`, `e` at the end of a block | the last one of `e` |
//! | `e?`, `let x = e?`, `return e?` | the last one of `e`, also when `?` leaves |
//! | `let x = loop { … break e; … };`, `'label: { … break 'label; … }` | the last one that ran |
//! | with `return`, `?` or a `break` out of it elsewhere | ``this statement may leave before `…` runs: put the macro form`` |
//! | `let … else` | `` `…` would not run when this `let` takes its `else`: put the macro form`` |
//! | `let x = e?`, `if let`, `while let`, `match`, with a condition that names what they bind | `` `…` is not there yet when `?` leaves``, `` `…` is not there yet when the operation of this head is marked`` |
//! | `if a && let …` | `` `…` cannot tell which part of this condition is meant: put the macro form`` |
//! | `loop`, `for` | `` `…` cannot tell which operation of a loop is meant: put it on a statement inside the loop`` |
//! | a closure, an `async` block | ``a closure runs later: put `…` on a statement inside it``, ``an async block runs later`` |
//! | a match arm | `` `…` cannot stand on a match arm: put the macro form`` |
//! | an argument, an operand | `` `…` marks the operation of a statement, and this is only a part of one: put it on the whole statement`` |
//! | a name, a literal | `` `…` has nothing to mark, since no operation runs here`` |
//! | `let x;`, `return;` | `` `…` has nothing to mark in a statement without a value: put the macro form`` |
//! | an item | `` `…` has nothing to mark, since this does not run`` |
//!
//! *What goes wrong.* Beside these, at run time: a label that nothing in the program marks is a `spec_error` where it is checked, which names the
//! label that it may mean. It is no error of the compiler, since the mark may stand in any function, macro or `drop` that a method runs. A
//! `spec_error`, too, is an annotation
//! whose condition runs an operation, or that runs outside of any call, on a statement that ran no operation, or, in the macro form, before any operation of its call.
//! What is no condition: ``this is not a condition (…): write `#[…]` or `#[…(…)]` ``. Futures that one call polls in turns run as one: what
//! the others do between is a part of the statement that waits.
//!
//! # Nested calls (section 4.2)
//! A call on the same object inside a call is internal: it is not recorded, and its ordering points are those of the outer call. A
//! call on another specified object is a call of its own; `#[op_define]` on the statement that makes it offers its last operation to
//! the outer call.
//!
//! ```
//! use cdsspec::sync::atomic::{AtomicI32, Ordering::AcqRel};
//!
//! #[derive(Default)]
//! struct Counter(AtomicI32);
//!
//! #[cdsspec::spec]
//! #[declare_state(count: i32)]
//! impl Counter {
//!     #[side_effect({ *count += 1; *count - 1 })]
//!     fn add(&self) -> i32 {
//!         #[op_define]
//!         self.0.fetch_add(1, AcqRel)
//!     }
//!     /// The calls inside are a part of this one: of the two ordering points the first is forgotten.
//!     #[side_effect({ *count += 2; *count - 1 })]
//!     fn add_two(&self) -> i32 {
//!         self.add();
//!         cdsspec::op_clear!();
//!         self.add()
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Tickets { next: Counter }
//!
//! #[cdsspec::spec]
//! #[declare_state(taken: i32)]
//! impl Tickets {
//!     /// `add` is a call on the counter; this one is ordered by the same operation.
//!     #[side_effect({ *taken += 1; *taken - 1 })]
//!     fn take(&self) -> i32 {
//!         #[op_define]
//!         self.next.add()
//!     }
//! }
//!
//! cdsspec::model(|| {
//!     let tickets = cdsspec::sync::Arc::new(Tickets::default());
//!     let other = tickets.clone();
//!     let other = cdsspec::thread::spawn(move || other.take());
//!     tickets.take();
//!     other.join().expect("it does not panic");
//!     assert_eq!(Counter::default().add_two(), 1);
//! });
//! ```
//! *What goes wrong.* Without `#[op_define]` in `take` its calls have no ordering point, are concurrent with all others, and the run is
//! `violated`; the report and the outcome count such calls.
//!
//! # `check_only`: items that only clauses use
//! A build that does not check has no clauses: a function, an import or an impl that nothing else uses would be unused there, and the
//! compiler would say so. [`check_only`](macro@crate::check_only) leaves it out. (`#[cfg(test)]` is another thing: integration tests and
//! examples check, too, and are no tests of the crate.)
//!
//! ```
//! #[cdsspec::check_only]
//! use std::cmp::Reverse;
//!
//! #[cdsspec::check_only]
//! fn is_sorted(items: &[i32]) -> bool {
//!     items.is_sorted_by_key(|item| Reverse(*item))
//! }
//! # struct Ranks;
//! #[cdsspec::spec]
//! #[declare_state(items: Vec<i32>)]
//! impl Ranks {
//!     #[side_effect(items.push(value))]
//!     #[post_condition(is_sorted(items))]
//!     fn put(&self, value: i32) {
//! #       let _ = value;
//!     }
//! }
//! # Ranks.put(1);
//! ```
//! *What goes wrong.* Code that stays uses what is left out: the compiler's own error, in builds that do not check. Another argument than
//! where cdsspec is: ``this is not an argument of `…`: it takes `crate = path` ``.
//!
//! # `instance(…)`: generic impls
//! Names the one instance that is specified; clauses are typed for it. Other instances run unspecified: nothing of them is recorded,
//! and their ordering points mean nothing. No bound is added. What stands for a parameter has no lifetimes, not even behind an alias.
//!
//! ```
//! struct Slots<T, const N: usize>([T; N]);
//!
//! #[cdsspec::spec(instance(T = i32, N = 4))]
//! #[declare_state(slots: [T; N])]
//! impl<T: Copy, const N: usize> Slots<T, N> {
//!     #[pre_condition(index < N)]
//!     #[side_effect(slots[index])]
//!     fn get(&self, index: usize) -> T { self.0[index] }
//! }
//! # Slots([0; 4]).get(1);
//! # Slots(["a"]).get(0);
//! ```
//! *What goes wrong.* `` `T` is generic, and no instance of it is named: write `#[cdsspec::spec(instance(T = …))]` ``. What is no type:
//! ``this is not a type: write `instance(… = Type)` ``. A type with a lifetime: ``an instance cannot hold a reference, which does not live as long as what is recorded``.
//!
//! # `specification`, `for = …`, `object = …`: one specification for several types
//! The struct is the state, called `state` in clauses; rules, `initial`, `copy` and `clear` stand on it. Impls of any type of the crate, and
//! functions, are `for` it. `object = expression` says which object a call is about: what the expression, a reference, an owner such as
//! `Arc`, or a pointer, leads to. Through a pointer nothing is read. An object is told by the instrumented fields in its own memory, which move
//! with it, and only without any by its address: so name what holds them. Rules and `concurrent` see the values that the method's own block
//! mentions. Where several types have a method of one name, as `drop`, a rule says which, `Sender::drop` or `<Sender as Drop>::drop`, and
//! reports do too; `concurrent` has only those whose name is their own.
//!
//! ```
//! use cdsspec::sync::{Arc, Mutex};
//!
//! #[cdsspec::specification]
//! #[derive(Clone, Default)]
//! #[admit(send <-> send)]
//! struct ChannelSpec { sent: Vec<i32> }
//!
//! struct Sender { shared: Arc<Mutex<Vec<i32>>> }
//! struct Receiver { shared: Arc<Mutex<Vec<i32>>> }
//!
//! #[cdsspec::spec(for = ChannelSpec, object = self.shared)]
//! impl Sender {
//!     #[side_effect(state.sent.push(value))]
//!     fn send(&self, value: i32) {
//!         #[op_define]
//!         self.shared.lock().expect("nobody panicked").push(value);
//!     }
//! }
//!
//! #[cdsspec::spec(for = ChannelSpec, object = self.shared)]
//! impl Receiver {
//!     #[side_effect(state.sent.pop())]
//!     fn recv(&self) -> Option<i32> {
//!         #[op_define]
//!         self.shared.lock().expect("nobody panicked").pop()
//!     }
//! }
//!
//! #[cdsspec::spec(for = ChannelSpec, object = receiver.shared)]
//! #[side_effect(state.sent.len())]
//! fn len(receiver: &Receiver) -> usize {
//!     #[op_define]
//!     return receiver.shared.lock().expect("nobody panicked").len();
//! }
//!
//! cdsspec::model(|| {
//!     let shared = Arc::new(Mutex::new(Vec::new()));
//!     Sender { shared: shared.clone() }.send(1);
//!     let receiver = Receiver { shared };
//!     assert_eq!((len(&receiver), receiver.recv()), (1, Some(1)));
//! });
//! ```
//! *What goes wrong.* A rule or `concurrent` names a method of no block: ``no method of this name is specified for `…` ``; or of several:
//! ``type annotations needed``, with their places. An object that is none: `` `…` does not say where the object is: write `&` before it, if it
//! is the object itself``. A state on an
//! impl that is `for` another: ``the state and the rules are those of the specification that this impl is for: say this there, on its
//! struct``. A function by itself: ``a function outside of an impl is a part of a specification: say of which and of what object``.

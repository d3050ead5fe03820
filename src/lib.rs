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
//! With the feature `weaken`, [`weaken`](fn@weaken) says which weaker memory orders the programs find, and [`advise`] which orders are needed.
//!
//! # Tests that write themselves
//! A structure without any annotation: say what can be called, and [Line-Up](lineup) makes the tests. What the calls do one after the other is the
//! specification; a test fails if threads side by side see what no order of the calls explains, or wait where none would. It is then made as small as possible,
//! and printed as a table, with what was seen, and as a test to paste.
//!
//! ```
//! # #[derive(Default)]
//! # struct Counter(cdsspec::sync::atomic::AtomicU32);
//! # impl Counter {
//! #     fn inc(&self) { self.0.store(self.0.load(SeqCst) + 1, SeqCst) }
//! #     fn get(&self) -> u32 { self.0.load(SeqCst) }
//! # }
//! # use cdsspec::sync::atomic::Ordering::SeqCst;
//! use cdsspec::{Explore, Scenario};
//!
//! let counter = Scenario::new(Counter::default)
//!     .op("inc()", |counter| counter.inc().into())
//!     .op("get()", |counter| counter.get().into());
//! let checks = Explore::of(counter).threads(2).calls(2).run();
//! assert!(checks.to_string().contains("\
//! | thread 1 | thread 2 |
//! | -------- | -------- |
//! | inc()    | inc()    |
//! | get()    | get()    |
//! "));
//! ```
//!
//! [`scenarios`](macro@scenarios) on an impl says the same in an attribute, and `cdsspec::explore(Counter::new)` is all of it in a line of a test. A type with a
//! specification is checked against that. [`Scenario`] has constraints, sequences, and what is exempt; [`lineup::LineUp`] samples, real time under
//! `Sc`, and observation sets (as files, with the feature `xml`).
//!
//! Tests are independent, so cores and machines share them; the same tests come to the same bytes:
//!
//! | method of [`lineup::LineUp`] | variable | |
//! |---|---|---|
//! | `jobs` | `CDSSPEC_JOBS` | how many tests are checked at a time |
//! | `shard` | `CDSSPEC_SHARD` | which part of them this machine checks, `2/3` |
//! | `shards` (a variable alone) | `CDSSPEC_SHARDS` | how many parts, where a cluster only numbers them |
//! | `results` | `CDSSPEC_RESULTS` | a file for what each test came to, which `cargo cdsspec merge` reads; with the feature `json` |
//!
//! With the feature `localize`, [`localize`](fn@localize) runs long histories of a structure, judges them by the sequential side of its specification, which needs no ordering points for that, and comes from one that is not linearizable to
//! the few calls at once that trigger the fault:
//!
//! ```
//! use cdsspec::localize::Localize;
//! use cdsspec::sync::atomic::{AtomicU32, Ordering::SeqCst};
//!
//! struct Counter(AtomicU32);
//!
//! #[cdsspec::scenarios]
//! #[cdsspec::spec]
//! #[declare_state(count: u32)]
//! impl Counter {
//!     #[side_effect({ *count += 1; })]
//!     fn increment(&self) {
//!         self.0.store(self.0.load(SeqCst) + 1, SeqCst);
//!     }
//!
//!     #[side_effect(*count)]
//!     fn get(&self) -> u32 {
//!         self.0.load(SeqCst)
//!     }
//! }
//!
//! # fn main() {
//! let localization = Localize::new(|| Counter(AtomicU32::new(0))).run();
//! let fault = localization.fault.expect("an increment is lost");
//! assert_eq!(fault.smallest.to_string(), "\
//! | thread 1    | thread 2    |
//! | ----------- | ----------- |
//! | increment() | increment() |
//! finally: get()
//! ");
//! # }
//! ```
//!
//! A program must do the same whenever it sees the same values. A loop that waits should call [`hint::spin_loop`] or
//! [`thread::yield_now`]: the engine knows it sooner.
//!
//! # Too large to explore
//! The engine `random` draws executions of the same memory models: for faults that take many calls. What it finds is there; what it does not find may be, so its
//! best verdict is `holds_within`. A `seed` gives the same runs each time, [`Strategy`] says how they are drawn.
//!
//! ```
//! use cdsspec::sync::atomic::{AtomicU8, Ordering::Relaxed};
//! use cdsspec::{Builder, Strategy, Verdict};
//!
//! // A ticket of 8 bits: the 257th customer has that of the first one.
//! let sell = |count| {
//!     move || {
//!         let next = AtomicU8::new(0);
//!         let mut sold = std::collections::BTreeSet::new();
//!         for _ in 0..count {
//!             assert!(sold.insert(next.fetch_add(1, Relaxed)), "sold twice");
//!         }
//!     }
//! };
//! let random = || Builder::new().engine("random").runs(10).strategy(Strategy::Pos);
//! assert_eq!(random().check(sell(256)).verdict, Verdict::HoldsWithin);
//! assert_eq!(random().check(sell(257)).verdict, Verdict::Panic);
//! ```
//!
//! # Switching it on
//! Without the feature `check` the attributes add nothing that runs, `cdsspec::sync` is `std::sync`, and there is no
//! run-time dependency. Put the crate under `[dependencies]`, and again under `[dev-dependencies]` with
//! `features = ["check"]`: then `cargo test` and `cargo run --example` check, and `cargo build` does not. This needs Cargo's resolver 2
//! or 3, which a workspace without a root package must ask for.
//! `cargo test --release`, `cargo bench` and `cargo build --all-targets` are instrumented too; assert on [`INSTRUMENTED`] where
//! that matters. `RUSTFLAGS="--cfg loom"` switches it on as well; where the feature `loom` is on, it makes loom the engine.
//!
//! Further features, each for who needs it: `json` (an [`Outcome`] can be serialised), `progress` (a bar for long searches),
//! `weaken` (which memory orders are needed), `example` (programs with a command line; it brings the three before), `localize` (long histories, and what of them is at fault), `xml` (observation sets of Line-Up as
//! files), `fence` (every execution by a SAT solver, on weaker hardware, too: [`fence`](macro@fence)), `loom` (the second engine).
//!
//! # The heap
//! With [`allocator!`] once in a test crate, engines see what programs allocate and free: a use that is not ordered after the allocation is
//! the verdict `uninitialised`, one that is not ordered before the free is `freed`, and a `leak` is found on demand.
//! [`alloc::initialized`] tells of memory that is initialised again. An allocator of one's own goes into [`Allocator`].
//!
//! # What differs from std
//! [`cell::UnsafeCell`] has `with` and `with_mut`, in every build, and no `get`.
//! In an instrumented build atomics are larger than their values: there is no `as_ptr` and no `from_ptr`. An `Arc<T>` does not turn into
//! an `Arc<dyn Trait>` by itself: [`dyn_arc!`] does it, and so does `Arc::from` of a box. It cannot be the type of `self`, which a stable compiler
//! allows to std's pointers alone (`Receiver` is unstable): write `fn f(this: Arc<Self>)`, call `Type::f(arc)`, and say
//! `spec(object = &this.field)` where it is specified. There is no `AtomicU128`, which std has on no stable
//! compiler: the engines keep values of 64 bits. An operation must not be passed as a function pointer: write a closure. What is std's own cannot be
//! seen; what a thread that std's `spawn` made does to an instrumented object is lost, with a [`Note`]; a lock of std's that is held while another thread runs stops the exploration. Outside a program under test the types behave
//! as std's.
//!
//! # The language
//! [`language`] has a page with an example of each annotation, and what goes wrong. In short:
//!
//! On the impl, below [`spec`]:
//!
//! | attribute | meaning (CDSSpec, section 4) |
//! |---|---|
//! | [`declare_state`]`(name: Type, …)` | the sequential state; in `side_effect` each name is a `&mut Type`, in the other clauses a `&Type`. A type of your own: `spec(state = Type)`, called `state` in clauses |
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
//! | `#[op_clear(condition)]` | [`op_clear!`] | forgets the ordering points so far |
//! | `#[op_clear_define(condition)]` | [`op_clear_define!`] | the one, then the other |
//! | `#[potential_op(label, condition)]` | [`potential_op!`] | the operation may turn out to be an ordering point |
//! | `#[op_check(label, condition)]` | [`op_check!`] | it has |
//!
//! On `if`, `while` and `match` the attribute means the operation of the head; with `return` and `?` it runs before leaving. The macro means
//! the last operation of the call so far. Conditions may be left out.

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
/// What expansions stand in, by the version of the macros: those of another version, behind a facade say, do not find it, and are told so.
#[doc(hidden)]
pub mod __private_0_1_0 {
    // `#[select { recorded }] plain`: of the two forms of an item, the one that this build wants; `#[recorded] item`: the item, or nothing.
    #[cfg(any(feature = "check", loom))]
    pub use cdsspec_macros::{__attributed as recorded, __between as select};
    #[cfg(not(any(feature = "check", loom)))]
    pub use cdsspec_macros::{__attributed as select, __between as recorded};
    // `#[contracted { with events }] plain`: with `check` or `contracts` the calls of an impl under a contract are events.
    #[cfg(not(any(feature = "check", feature = "contracts", loom)))]
    pub use cdsspec_macros::__attributed as contracted;
    #[cfg(any(feature = "check", feature = "contracts", loom))]
    pub use cdsspec_macros::__between as contracted;
}
pub mod contract;
mod dyn_arc;
#[cfg(feature = "fence")]
pub mod fence;
#[cfg(any(feature = "check", loom))]
mod instrumented;
pub mod language;
mod marker;
#[cfg(not(any(feature = "check", loom)))]
mod plain;

/// Says how the objects of a type may be used: which calls must be ordered.
///
/// It stands on an impl, above or below [`spec`] if that is there. An *event* is a call; a contract has *sets* of them, and conditions on who happens
/// before whom. The object carries its sets as the field `contract`, a [`contract::Sets`].
///
/// ```
/// use cdsspec::contract::Sets;
/// use cdsspec::sync::Mutex;
///
/// struct Log {
///     lines: Mutex<Vec<u32>>,
///     contract: Sets,
/// }
///
/// #[cdsspec::contract(event_sets(init, prod))]
/// impl Log {
///     #[add_current(init)]
///     fn new() -> Self {
///         Self { lines: Mutex::new(Vec::new()), contract: Sets::new() }
///     }
///
///     #[expects(!init.is_empty() && init.happens_before(now))]
///     #[expects(!prod.concurrent(now), says = "two producers at once")]
///     #[add_current(prod)]
///     fn push(&self, line: u32) {
///         self.lines.lock().unwrap().push(line);
///     }
/// }
/// ```
///
/// # What it means
/// One event happens before another if its return happens before the other's invocation; the events of a thread are ordered by the program. A call that another
/// call of the object makes is an event of its own: it is later than that one in its thread, and returns before it. A function without a receiver makes the object,
/// and its event is about what it returns: `Self`, what leads to it, as `Arc<Self>` or `Box<Self>`, or a `Result` or an `Option` of these. If it makes none, it
/// is looked at as if nothing had happened before. What a constructor calls of what it makes is a part of it and not looked at, but for another constructor, which
/// is looked at by itself; `drop` is a method like others. No events happen before everything and are concurrent with nothing.
///
/// | on a method | |
/// |---|---|
/// | `expects(condition)` | looked at when a call begins |
/// | `ensures(condition)` | looked at when it returns; it may mention `c_ret`, what is returned |
/// | `add_current(set, …)` | the call is an event of these sets from then on, whether its conditions hold or not; inside a condition `add_current(set)` does it there, and is true |
/// | `role(name)` | what the method is in a predefined contract: the conditions and the set of that role |
///
/// `cdsspec::expects!(condition)` is a statement in the body of such a method, also in a closure there. It is about the innermost call of the method that runs in the
/// thread. Where none does, in another thread or after the return, that is told: as the verdict `spec_error`, on real threads by a panic, or what `CDSSPEC_CONTRACTS` says.
///
/// Conditions are Rust expressions over the sets by name, `now`, which is the current event, the parameters and variables by name, and `self`. Sets have `len`,
/// `is_empty`, `happens_before` and `concurrent` (with an event, or with a set: each pair of the two), `union` and
/// `intersection`; for several sets there are the functions `union([a, b])` and `intersection([a, b])`. `level = default`, `audit` or `axiom` and `says =
/// "what is wrong"` may follow a condition.
///
/// # When a condition is evaluated
/// At the call: `expects` when it begins, `ensures` when it returns, `expects!` where it stands. Which events are in a set then depends on the order of the
/// calls, of which there are many in one execution. So a condition is taken apart. The largest parts that mention neither a set nor `now`, `union`, `intersection` or
/// `add_current` are evaluated once, in the order in which they are written; then the sets are looked at. In
/// `self.count.load(Relaxed) < limit || !prod.concurrent(now)` the part before `||` is a `bool`, and nothing else is kept of it.
///
/// - A part behind `&&`, `||` or in a branch is evaluated unless parts before it say otherwise: where sets may say so, it is, since they are known later. If it
///   panics, that counts where it is asked for, and not else. It may not be `unsafe` there.
/// - What a part does to shared state the program does: a load in it is explored as others are, with all values that it can read. What it calls is no event, and no call of
///   a [`spec`]. A condition should not order calls, as an `Acquire` load or a lock does: a plain build has no conditions, and so not this order. Use `Relaxed`.
/// - What is kept beside sets is `Copy`, a `&str` or a slice: `prod.len() < limit`, `limits[..].contains(&prod.len())`. An `Arc`, which shares what may change until the
///   sets are known, is not kept: write `limit.load(Relaxed) > prod.len()`, in which it is a part. Nothing else is copied; a condition must not
///   take a value away from the call: write `name.as_ref()`.
/// - `ensures` may mention parameters: one by value is as it was when the call began, since the call may consume it; what is behind `&` or `&mut` is as it is when it
///   returns (of `&mut`, if what is returned holds no reference). `self` is there if the method takes `&self`, `c_ret` is not cloned.
/// - `matches!` is looked into; another macro may have sets or variables, and not both. A method of the object cannot be given sets.
///
/// On real threads it is the same. Conditions above the level that is chosen are not evaluated.
///
/// # A loop that calls
/// A loop that waits and does nothing else is explored with few rounds. If it calls a method under a contract, each round is an event, which conditions can count: no
/// round is left out, and if nothing else ends the loop the best verdict is `holds_within` a bound on rounds. Poll a method without a contract, and call the one that has
/// one when that succeeds.
///
/// # Arguments
/// `event_sets(name, …)`; a predefined contract: `spsc` (roles `producer`, `consumer`, `init`, `exclusive`), `mpsc`, `mpmc`, `single_owner` (`init`,
/// `exclusive`), `init_once` (`init`, `user`); `sets = self.inner.contract`, where the object carries its sets; `checked`: the accesses of cells in its
/// methods are no data races, since the contract stands for them, which every report says; `crate = path`. What a predefined contract
/// stands for, [`contract::Contract::explain`] says.
///
/// `checked` is about all cells that a thread accesses while it is in such a method, whosever they are: those behind pointers of the object, which nothing
/// tells from others, and those that a closure accesses which the method runs. Run no code of the caller's in it whose races are to be found. (In the paper it is all accesses in the functions
/// themselves: CSV, section V.2.1.)
///
/// # Where it is looked at
/// With the feature `check`, in every execution of a program, under every order in which its calls can begin: a violation is the verdict `misused`. With
/// `contracts`, while the program runs, on real threads: [`sync`] and [`thread`] are std's then, with vector clocks beside them, and a violation is a report on
/// standard error and a panic, or what the variable `CDSSPEC_CONTRACTS` says (`log`, `abort`, `off`). In a plain build the attribute leaves the impl as it is written.
///
/// # Paper
/// CSV, section IV: López-Gómez and others, *Detecting semantic violations of lock-free data structures through C++ contracts*, The Journal of
/// Supercomputing, 2019.
#[doc(inline)]
pub use cdsspec_macros::contract;
/// Translates a module, for [CheckFence](https://doi.org/10.1145/1250734.1250737) to look at every execution of a test, also on hardware that is weaker than C11 as the engines have it.
///
/// It stands on a module with its body, which it leaves as it is written; with the feature `fence` it adds the constant `FENCE`, a `cdsspec::fence::Source`,
/// which `cdsspec::fence::check` tests. The documentation of the module `cdsspec::fence` has an example, and what of Rust is translated. What is not is an error at its
/// tokens; without the feature nothing is looked at.
///
/// Arguments: `instance(N = 2)`, values for generic constants, where no [`spec`] in the module gives them; `crate = path`.
pub use cdsspec_macros::fence;
/// Says what can be invoked on a type, and makes a test of all that comes of it.
///
/// It stands on an impl, above [`spec`] if that is there, and implements [`lineup::Invoked`]: so [`explore`] knows the type.
///
/// ```
/// use cdsspec::sync::Mutex;
///
/// #[derive(Default)]
/// struct Stack(Mutex<Vec<i32>>);
///
/// #[cdsspec::scenarios(threads = 2, calls = 2, new = Stack::default)]
/// impl Stack {
///     #[scenario(args(1, 2))]
///     fn push(&self, value: i32) {
///         self.0.lock().unwrap().push(value);
///     }
///
///     #[scenario]
///     fn pop(&self) -> Option<i32> {
///         self.0.lock().unwrap().pop()
///     }
/// }
/// # fn main() {
/// cdsspec::explore(Stack::default);
/// # }
/// ```
///
/// # Arguments
/// `threads` and `calls` are the size of the tests, `sample` and `seed` draw some instead of all; with one of the first three there is a test
/// `scenarios_of_stack`. `jobs` is how many tests are checked at a time ([`lineup::LineUp::jobs`]). `new` is how an object is made, `Type::new` if it is not said; `crate = path`.
///
/// # `scenario`
/// Stands on a method that takes `&self`. Where none is marked, all that take nothing else are invoked.
///
/// | | |
/// |---|---|
/// | `args(1, 2)` | the values of the parameter; of several parameters, tuples. Tests that differ in their names alone are tried once |
/// | `range = 1..=3` | the same |
/// | `shown` | the result is compared by its `Debug`: for types that have no [`scenario::Value`] |
/// | `once`, `one_thread` | the method is called at most once; one thread at most makes these calls |
/// | `exempt`, `not_linearizable` | what it returns is not compared; tests with it are not judged |
/// | `nonblocking` | it ends wherever the other threads stand still ([`Scenario::nonblocking`](scenario::Scenario::nonblocking)) |
/// | `wait_free(steps = 3)` | and within so many operations, whatever the others do |
pub use cdsspec_macros::scenarios;
/// The function is a program, and runs once for every execution. In a plain build the test is ignored, and says why.
///
/// ```
/// # mod tests {
/// use cdsspec::sync::atomic::{AtomicI32, Ordering::SeqCst};
/// use cdsspec::{Builder, Outcome, thread};
///
/// static COUNT: AtomicI32 = AtomicI32::new(0);
///
/// #[cdsspec::test]
/// fn add__add() {
///     let other = thread::spawn(|| COUNT.fetch_add(1, SeqCst));
///     COUNT.fetch_add(1, SeqCst);
///     other.join().unwrap();
///     assert_eq!(COUNT.load(SeqCst), 2);
/// }
///
/// // A seeded bug is found, within a limit.
/// #[cdsspec::test(verdict = Panic, executions_max = 1_000)]
/// fn load_store__load_store() {
///     let add = || COUNT.store(COUNT.load(SeqCst) + 1, SeqCst);
///     let other = thread::spawn(add);
///     add();
///     other.join().unwrap();
///     assert_eq!(COUNT.load(SeqCst), 2);
/// }
///
/// // A test that returns an outcome runs once, and checks programs itself.
/// #[cdsspec::test]
/// fn every_number_of_threads() -> Outcome {
///     for count in [0, 1] {
///         let outcome =
///             Builder::new().check(move || (0..count).for_each(|_| drop(thread::spawn(|| ()))));
///         outcome.assert_holds();
///     }
///     Builder::new().check(|| drop(thread::spawn(|| ())))
/// }
/// # }
/// ```
///
/// # What it returns
///
/// | | |
/// |---|---|
/// | nothing, `Result<(), E>` | the body is the program; an error is a panic of it |
/// | [`Outcome`], `Result<Outcome, E>` | the body runs once, outside of any model; limits are set on its [`Builder`] |
///
/// The test fails with the report, unless the verdict is `holds`, or `holds_within` bounds that the user set or the engine has.
///
/// # Arguments
///
/// | argument | value | meaning |
/// |---|---|---|
/// | `verdict` | `Violated`, `Race \| Panic` | the [`Verdict`] that is expected instead |
/// | `name` | a text | what reports call the program |
/// | `engine` | `EngineKind::Loom`, `"random"` | who runs it |
/// | `memory_model` | `MemoryModel::Sc`, `"tso"` | which executions there are |
/// | `executions_max`, `duration_max` | a number, a `Duration` | how far to explore |
/// | `watchdog`, `watchdog_exit` | a `Duration` | after how long a run that stands still says so, and ends the process |
/// | `preemptions_max` | a number | preemptions of one execution, under loom |
/// | `branches_max`, `recording_max` | a number | operations of one execution |
/// | `histories_max`, `histories` | a number, `Histories::Random(10)` | how many sequential histories are looked at, and which |
/// | `runs` | `10_000` | how many executions the engine `random` draws |
/// | `strategy` | `Strategy::Pos` | how it draws them: `Uniform`, `Pct { depth: 3 }`, `Dpct { depth: 3 }`, `Pos` |
/// | `sc_order` | `SeqCstOrder::Partial` | under which orders of the `SeqCst` operations executions are checked |
/// | `seed` | a number | of what is random |
/// | `call_clock`, `spurious_failures`, `spurious_wakeups` | `true`, `false` | what else is explored |
/// | `spin_assume` | `true`, `false` | loops that wait are taken to keep nothing: a bound |
/// | `loop_rounds_max` | a number | rounds of a loop that are explored where they cannot be left out |
/// | `strict` | `true`, `false` | whether a pass that checked less than it seems fails: one with a [`Note`] |
/// | `shrink` | `true`, `false` | whether a test that fails is made smaller, as long as it fails alike |
/// | `verbose` | `true`, `false` | whether a test that passes says so past the harness, and what it came to |
/// | `replay` | what a report says | the one execution to run again |
/// | `stop_at_first` | `true`, `false` | whether the first fault ends the run |
/// | `contract_continue`, `contract_invocations` | `true`, `false` | whether all violations of contracts are found; by which moment events are ordered |
/// | `contract_level` | `ContractLevel::Audit` | which conditions of contracts are looked at |
/// | `stack_bytes` | a number | of each thread of the program |
/// | `uninitialised`, `freed`, `leaks` | `true`, `false` | what to look for in the heap, with [`allocator!`] |
/// | `crate` | a path | where cdsspec is, behind a facade or renamed |
///
/// All but `verdict` and `crate` are methods of [`Builder`], and say more there. None is given twice.
///
/// # Beside other attributes
/// `#[ignore]` and `#[should_panic]` stand above or below. An attribute of another crate that makes tests, such as `test_log::test` or
/// `wasm_bindgen_test`, stands below: then it makes the test, and sees an ordinary function. One that stands above has made a test of
/// the function before this attribute sees it, and it runs twice.
///
/// # What goes wrong
/// An `async fn`, parameters, generics: make what they would bring in the body. Another argument: ``is not an argument of `test`: it
/// takes …``. Limits where the test returns an outcome: ``this test checks programs itself, and limits of its own mean nothing``.
#[doc(inline)]
pub use cdsspec_macros::test;
pub use cdsspec_macros::{
    add_current, admit, check_only, clear, copy, declare_state, ensures, initial, justifying_post_condition,
    justifying_pre_condition, post_condition, pre_condition, returns, role, scenario, side_effect, spec,
    specification,
};
#[cfg(any(feature = "check", loom))]
pub use instrumented::*;
#[cfg(not(any(feature = "check", loom)))]
pub use plain::*;

/// Whether this build is instrumented: whether the feature `check` is on, or `--cfg loom`.
pub const INSTRUMENTED: bool = cfg!(any(feature = "check", loom));

//! CheckFence: every execution of a bounded test, by a SAT solver, under memory models that reorder more than the engines do.
//!
//! The attribute [`fence`](macro@crate::fence) translates a module; [`check`] tests it:
//!
//! ```
//! #[cdsspec::fence]
//! mod mailbox {
//!     use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
//!     use cdsspec::sync::atomic::{AtomicBool, AtomicU32};
//!
//!     /// One letter, for one reader.
//!     #[derive(Default)]
//!     pub struct Mailbox {
//!         letter: AtomicU32,
//!         is_full: AtomicBool,
//!     }
//!
//!     impl Mailbox {
//!         pub fn put(&self, letter: u32) {
//!             self.letter.store(letter, Relaxed);
//!             self.is_full.store(true, Release);
//!         }
//!
//!         pub fn get(&self) -> Option<u32> {
//!             self.is_full.load(Acquire).then(|| self.letter.load(Relaxed))
//!         }
//!     }
//! }
//!
//! use cdsspec::fence::{MemoryModel, check};
//!
//! # fn main() {
//! let mailbox = check(mailbox::FENCE)
//!     .object("mailbox", "Mailbox::default()")
//!     .operation("p", "mailbox.put(_)")
//!     .operation("g", "mailbox.get()");
//! // In Rust, and on Armv8 as rustc compiles it.
//! mailbox.assert_holds("( p | gg )");
//! mailbox.clone().memory_model(MemoryModel::Armv8).assert_holds("( p | gg )");
//! // Hardware that keeps nothing in order without a fence, and does not know Rust's orders.
//! let outcome = mailbox.memory_model(MemoryModel::Relaxed).test("( p | gg )");
//! assert_eq!(outcome.verdict.name(), "violated");
//! # }
//! ```
//!
//! A test is in the notation of the paper: what stands before the parentheses is done first, `|` separates threads, letters are operations, a prime (`p'`) restricts an operation
//! to runs in which no loop is repeated. Arguments that are `_` are left open: all their values are looked at in one question. An execution is right if some order of the
//! operations, one after the other, gives the same results; an execution with a panic, a data race (under RC11) or a use of what was not initialised is wrong.
//!
//! # Memory models
//! [`MemoryModel::Rc11`] and [`MemoryModel::Armv8`] know Rust's orders. `Sc`, `Tso`, `Pso` and `Relaxed`, the paper's, are of hardware: there an access has no order, but a `fence(…)`
//! orders what it says; a read-modify-write orders nothing on `Relaxed`.
//!
//! # The subset of Rust
//! - Structs of the module, generic over elements of one word; integers, `bool`, references, raw pointers, tuples, arrays, `Option`, `Result`, atomics,
//!   [`cell::UnsafeCell`](crate::cell::UnsafeCell). `usize` has 64 bits.
//! - Functions and methods, inherent ones and `Default`'s; those that take closures are written out where they are called. No recursion.
//! - `if`, `if let`, `let … else`, `match` on integers, `bool`, `Option`, `Result` and tuples, `&&`, `||`, `?`, `loop`, `while`, `for` over `a..b`, `break` with label and
//!   value, `continue`, `return`, `assert!`, `panic!`.
//! - Integers are as wide as their types say, an overflow is a panic, `wrapping_`, `checked_`, `saturating_` and `overflowing_` are what they are. Products and quotients of 64 bits
//!   beyond 2^31 and 2^63 are errors at run time rather than wrong.
//! - Atomics: `load`, `store`, `swap`, `compare_exchange`, `compare_exchange_weak`, which fails for no reason, too, `fetch_add` and its like, `fetch_update`; `fence`. An order may be an `if` over constants.
//! - `UnsafeCell::with` and `with_mut`; `Box::new`, `into_raw`, `from_raw`; `ptr::null_mut`, `from_ref`, `is_null`, `as_ref`; methods of `Option`, `Result` and `bool`.
//! - Markers of [`spec`](macro@crate::spec), `spin_loop` and `example::seeded`, which is false.
//!
//! The types are known by their names: those of std and of `cdsspec::sync`. A value whose type has a `Drop` may be made and passed on, not dropped. Other traits are not looked at: their methods cannot be called.
//! All else is an error at its tokens that names the way out.
//!
//! # What is left out
//! Memory that is freed is never used again, and nothing is said of its use after that. A loop is unrolled until no execution needs more rounds, or `rounds` of them; then the verdict is `holds_within`.
//! A loop that only waits needs one round. A thread that never ends is not looked at.

pub use cdsspec_fence::explore::Verdict;
pub use cdsspec_fence::memory_model::MemoryModel;
pub use cdsspec_fence::solver::Limits;
pub use cdsspec_fence::structure::{Check, Outcome, Source, check};

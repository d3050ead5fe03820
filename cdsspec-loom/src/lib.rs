//! [loom](https://docs.rs/loom/0.7)'s API on the engines of cdsspec: the programs that loom runs, under every execution of RC11, each once.
//!
//! ```toml
//! [target.'cfg(loom)'.dependencies]
//! loom = { package = "cdsspec-loom", version = "0.1" }     # in place of loom = "0.7"
//! ```
//!
//! That line is the whole move: names, flags (`RUSTFLAGS="--cfg loom"`) and tests stay. Where dependencies use loom as well, a package that is called
//! `loom` takes its place for all of them:
//!
//! ```toml
//! [patch.crates-io]
//! loom = { path = "…/cdsspec/cdsspec-loom/patch" }         # or git = …
//! ```
//!
//! (`cargo update -p loom`, where a lock file names loom's own. `cdsspec` may be there as well, but not with its feature `loom`: that engine needs loom's
//! own.) A fault is a report in place of a panic's message: which operations, in which order, and what they read.
//! `CDSSPEC_…` variables set what `LOOM_…` ones do not; all that cdsspec offers can be mixed in, since these types *are* its types.
//!
//! # What differs
//!
//! | name | loom | here | why |
//! |---|---|---|---|
//! | [`model()`] | explores most executions of a model between C11 and RC11 | explores every execution of RC11, each once | loom leaves some out: it branches by the last access of each atomic |
//! | `SeqCst` loads and stores | as `AcqRel` | sequentially consistent | RC11 |
//! | a load | sees the last 7 stores at most | any store that coherence allows | RC11 |
//! | `compare_exchange_weak` | never fails without a reason | fails so once, at each place in a thread | std says that it may; `CDSSPEC_SPURIOUS_FAILURES=0` |
//! | `compare_exchange` that fails | has read the newest store | has read any that may be read | RC11 |
//! | [`thread::park`], [`sync::Condvar::wait`] | wake up when they are told | wake up without a reason once, too, at each place in a thread | std says that they may; `CDSSPEC_SPURIOUS_WAKEUPS=0` |
//! | [`sync::Notify::wait`], [`future::block_on`] | wake up without a reason once, and then let others run first | wake up without a reason once, at each place in a thread | the scheduler decides what is explored under loom, and nothing here |
//! | `wait_timeout`, `park_timeout` | wait without end, or are not there | end at any moment | there is no time |
//! | [`thread::spawn`] | 5 threads at most | any number | [`MAX_THREADS`] and `max_threads` say 5, and are not looked at |
//! | [`thread::current`] in the main thread | has no name | is called `main` | std |
//! | a thread that panics | ends the test | is an `Err` of `join`; a fault, if it is not joined | std |
//! | a lock whose holder panicked | ends the test | is poisoned | std |
//! | [`sync::Barrier`], `mpsc::Receiver::recv_timeout` | are not implemented | are std's | |
//! | [`sync::Arc`] | has no `Weak` | has all that std's has | |
//! | types outside of a model | panic | do what std's do; only [`thread::spawn`] and [`lazy_static!`] panic | |
//! | [`stop_exploring`], [`skip_branch`], `expect_explicit_explore` | leave executions out | explore them as well | more than was asked for, and never less |
//! | `preemption_bound`, `LOOM_MAX_PREEMPTIONS` | leave executions out | explore them as well | as above |
//! | `max_permutations`, `max_duration`, and their variables | are looked at every 20,000 executions | are honoured at once; what was explored until then passes, as under loom, and a note on stderr says so | |
//! | `max_branches` | counts switches | counts operations: 10,000 at least, or what is given, if it is below 1,000 | |
//! | `checkpoint_file`, `LOOM_CHECKPOINT_FILE` | writes checkpoints | is refused | a run comes to the same execution each time, and its report shows it |
//! | `LOOM_LOG` | prints each step | prints a line for each model: its verdict and its number of executions | reports have the steps |
//! | `LOOM_LOCATION` | switches locations on | they are always there | |
//! | atomics' `with_mut`, `unsync_load` | are checked for races | are checked for races | a `with_mut` that changes the value is a store behind that |
//! | [`sync::Arc::from_std`] | keeps the value where it is | moves it | the count is beside it |
//! | what is left: an `Arc`, a waker of `block_on`, a [`alloc::Track`], a block of [`alloc::alloc`] | panics at the end of the execution | is the verdict `leak` | |
//!
//! An assertion's message stands in the report, so that `#[should_panic(expected = "…")]` finds it. Words of loom's own ("Causality violation",
//! "deadlock; threads = …") do not: there a report begins with its verdict, such as `race:`, `deadlock:` or `leak:`.

pub mod alloc;
pub mod cell;
pub mod future;
pub mod hint;
pub mod lazy_static;
pub mod model;
mod region;
pub mod sync;
pub mod thread;

pub use cdsspec_runtime::thread_local;
#[doc(inline)]
pub use model::model;
pub use region::{MAX_THREADS, explore, skip_branch, stop_exploring};

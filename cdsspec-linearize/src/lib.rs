//! Whether a history of concurrent calls is linearizable (Herlihy and Wing, 1990).
//!
//! A history says of each call what it was asked and what it returned, and when it began and ended. It is linearizable if each call can be thought to take effect at one moment in between, such that a
//! *sequential specification* does in this order what the calls did. A pending call may have taken effect or not.
//!
//! ```
//! use cdsspec_linearize::{Call, History, Limits, Verdict, judge};
//! use cdsspec_linearize::model::{Register, RegisterOperation::{Read, Write}, RegisterResult::{Value, Written}};
//!
//! let call = |thread, operation, result, invoked, returned| Call {
//!     thread,
//!     operation,
//!     result: Some(result),
//!     invoked,
//!     returned: Some(returned),
//! };
//! let history = History::new(vec![
//!     call(0, Write(1), Written, 1, 4),
//!     call(1, Read, Value(1), 2, 3),
//!     call(1, Read, Value(0), 5, 6),
//! ])?;
//! let Verdict::NotLinearizable(refusal) = judge(&Register { initial: 0 }, &history, Limits::default()) else {
//!     panic!("the second read returns what was there before the write")
//! };
//! assert_eq!(refusal.call.index(), 2);
//! assert_eq!(refusal.event_count, 5);
//! # Ok::<(), cdsspec_linearize::HistoryError>(())
//! ```
//!
//! What calls do is said by a [`SequentialSpecification`]; [`model`] has those of common objects. Precedence is real time, or any partial order ([`History::with_order`]), such as happens-before. With the feature `files`, histories
//! come from files: JSON lines, and Jepsen's EDN.
//!
//! This crate names nothing of the checker: so the command `cargo cdsspec linearize` and tests on real threads need none of it.
//!
//! # Paper
//! Wing and Gong, *Testing and verifying concurrent objects*, 1993; Lowe, *Testing for linearizability*, 2017: the search, and its cache. Horn and Kroening, *Faster linearizability checking via P-compositionality*,
//! 2015: parts. Zhang, Wu and Zhang, *Localization of linearizability faults on the coarse-grained level* (CGVT), III.A: prefixes.

#![forbid(unsafe_code)]

#[cfg(feature = "files")]
pub mod file;
mod history;
mod judge;
mod limit;
pub mod model;
mod order;
mod problem;
mod search;
mod specification;
mod verdict;

pub use history::{Call, CallId, History, HistoryError};
pub use judge::judge;
pub use limit::{Limit, Limits};
pub use specification::{Access, Discipline, SequentialSpecification};
pub use verdict::{Refusal, Stopped, Verdict, Witness};

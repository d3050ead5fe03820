//! Line-Up: whether a structure is linearizable with respect to *some* deterministic specification, which nobody has to write.
//!
//! A finite test is run serially first: each call alone, in every order that keeps those of each thread. What the structure does then is its
//! specification. If it is not deterministic, that is an answer already. Then every concurrent execution is explored, and each history must have a
//! *serial witness*: a serial history with the same results that keeps the order of calls of which one was over before the other began.
//! A call that is stuck must be stuck serially as well. A test that fails is no false alarm: no deterministic specification allows what was
//! seen. A test that passes says nothing of others.
//!
//! # Paper
//! Line-Up: a complete and automatic linearizability checker (Burckhardt, Dern, Musuvathi and Tan, PLDI 2010):
//!
//! Where calls start threads of their own, and these go on when the call has returned, serial executions do not cover all that such a thread may do: what
//! fails then may be a false alarm.
//!
//! | there | here |
//! |---|---|
//! | serial and stuck histories, section 2 | [`SerialHistory`], [`ConcurrentHistory`] |
//! | definitions 1 to 3 | [`Failure::NoWitness`] |
//! | `Check(X, m)`, figure 5 | [`LineUp::check`] |
//! | `AutoCheck(X)`, figure 6 | [`LineUp::auto_check`] |
//! | `RandomCheck(X, I, i, j, n)`, figure 8 | [`LineUp::random_check`] |
//! | `<_H`, section 2.1.3 | [`Precedence`] |
//! | erroneous blocking, which section 2.3 finds where a call blocks serially as well | [`Failure::Stuck`], of calls that are declared to wait for nobody |

mod auto;
mod check;
mod checks;
mod conflict;
mod explore;
mod gathered;
mod history;
mod interval;
mod literal;
mod observation;
mod paste;
mod phase;
mod progress;
mod result;
mod shrink;
mod source;
mod still;
mod summary;
#[cfg(test)]
mod tests;
mod text;
#[cfg(any(test, feature = "twin"))]
mod twin;
#[cfg(test)]
mod twin_tests;
mod walk;
#[cfg(feature = "xml")]
mod xml;

pub use check::{Check, Failure, LineUp};
pub use checks::Checks;
pub use explore::{Explore, Invoked, explore};
pub use history::{ConcurrentHistory, Made, Results, SerialHistory};
pub use interval::Boundary;
pub use observation::ObservationSet;
pub use phase::Precedence;
pub use progress::StuckCall;
pub use result::{SearchResult, TestResult};
#[cfg(feature = "localize")]
pub(crate) use shrink::shrink_by;
pub use summary::Summary;
#[cfg(any(test, feature = "twin"))]
pub use twin::TwinCheck;
#[cfg(feature = "xml")]
pub use xml::XmlError;

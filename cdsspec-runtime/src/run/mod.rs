//! Runs programs under execution graphs, one execution after the other.
//!
//! Threads are coroutines, which suspend themselves for every operation; the loop of the run serves what they ask for. What is in the
//! graph is replayed, then events are added to it.

mod assume;
mod coroutine;
mod count;
mod expectation;
mod explore;
pub(crate) mod fault;
mod following;
mod frames;
mod lent;
mod limits;
mod loops;
mod memory;
mod now;
mod options;
mod play;
mod playback;
mod port;
mod recording;
mod repeat;
#[cfg(test)]
mod repeat_tests;
mod replay;
mod request;
mod rounds;
mod sample;
mod sampling;
mod schedule;
mod serve;
mod spin;
#[cfg(test)]
mod spin_tests;
mod stack;
mod state;
mod steps;
mod thread;
mod thread_run;
mod visitor;
mod watch;

#[cfg(any(test, feature = "twin"))]
pub(crate) use coroutine::Coroutines;
pub(crate) use explore::explore;
pub use limits::{Limits, MemoryClasses};
pub use options::Options;
pub(crate) use play::play;
pub(crate) use sample::{draw_again, sample};
pub use sampling::{Sampling, Strategy};
pub(crate) use visitor::panic_message;
pub use visitor::{Program, Visitor};
pub use watch::Watch;

//! Contracts on real threads, without a model: the clocks of the threads that run, and what is to happen where a contract is violated.
//!
//! [`sync`](crate::sync) and [`thread`](crate::thread) are std's, with vector clocks beside their values: what happens before what is known while
//! the program runs. `SeqCst` counts as acquire and release.
//!
//! Where all synchronisation goes through these types, two events are said to be unordered only if they are, in this run. What else
//! synchronises is not seen, and told with a [`HandOver`].

mod clock_cell;
pub(crate) mod current;
mod facts;
mod hand_over;
mod index;
pub(crate) mod lock_order;
mod mode;
mod moment;
pub(crate) mod order;
mod real;
pub(crate) mod released;
mod stamp;
pub(crate) mod thread_clock;

pub use hand_over::HandOver;
pub use lock_order::{LockCircle, LockStep, set_lock_order_handler};
pub use mode::Action;
pub use moment::{Moment, index_count};
pub use real::{RealThreads, set_violation_handler};

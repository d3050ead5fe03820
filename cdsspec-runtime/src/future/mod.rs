//! Futures in programs: [`block_on`], and what wakes it. Names are loom's; std has none of these.
//!
//! A future that is polled by hand needs nothing of this: any executor that is built on the instrumented types is seen as any other
//! program is. What is here is what tests of futures need most, made of few operations: a future that is pending waits for its
//! waker's *signal*, one location, which a wake-up sets and the wait takes back.

mod atomic_waker;
mod block_on;
mod notify;
mod signal;
mod waker;

pub use atomic_waker::AtomicWaker;
pub use block_on::block_on;
pub use notify::Notify;

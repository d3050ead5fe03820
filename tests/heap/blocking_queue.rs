//! The queue of the example.
#![allow(dead_code, reason = "of the example's programs, some are used")]

#[path = "../../examples/blocking_queue/deterministic.rs"]
mod deterministic;
#[path = "../../examples/blocking_queue/node.rs"]
mod node;
#[path = "../../examples/blocking_queue/program.rs"]
pub(crate) mod program;
#[path = "../../examples/blocking_queue/queue.rs"]
pub(crate) mod queue;
#[path = "../../examples/blocking_queue/seed.rs"]
pub(crate) mod seed;

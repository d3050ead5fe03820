//! What the heap shows: programs with their verdicts, on both engines.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod blocking_queue;
mod common;
mod freed;
mod leak;
mod std_arc;
mod structure;
mod uninitialised;
mod validity;

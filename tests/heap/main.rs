//! What the heap shows: programs with their verdicts, on both engines.

mod common;
mod freed;
mod uninitialised;

cdsspec::allocator!();

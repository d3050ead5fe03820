//! The runtime by what others may call of it: a module for each subject, all in one test program, since each costs a link. What needs the
//! allocator is in `order_overrides`.

#[cfg(feature = "loom")]
#[macro_use]
mod common;

mod advice_table;
mod advise;
mod instrumented;
mod loom_blocking;
mod loom_endings;
mod loom_engine;
mod loom_happens_before;
mod loom_parity;
mod rc11_engine;
mod std_channel;
mod std_types;
mod terminal;
mod weaken;

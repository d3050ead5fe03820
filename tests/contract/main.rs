//! Contracts, on every execution of small programs.

mod queue;
mod listing;
mod table;

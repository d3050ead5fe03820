//! Contracts, on every execution of small programs.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod cut;
mod kept;
mod language;
mod listing;
mod moment;

mod native;
mod order;
mod queue;
mod report;
mod role;
mod rows;
mod structure;

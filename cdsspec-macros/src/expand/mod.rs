//! Meaning → tokens. Cannot fail, looks for no mistakes.

mod call;
mod check_only;
mod concurrent;
mod contract;
mod data;
mod droppable;
#[cfg(feature = "fence")]
mod fence;
mod header;
mod instance;
mod item;
mod kept;
mod marker;
mod name;
mod plain;
mod record;
mod rule;
mod scenario;
mod shared;
mod state;
mod step;
mod steps;
mod structure;
mod test;
mod token;

pub(crate) use check_only::check_only;
pub(crate) use contract::{contract, without_contract};
#[cfg(feature = "fence")]
pub(crate) use fence::fence;
pub(crate) use item::spec;
pub(crate) use plain::unspecified;
pub(crate) use scenario::scenarios;
pub(crate) use shared::{specification, struct_of_state};
pub(crate) use test::test;
pub(crate) use token::versioned;

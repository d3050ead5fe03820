//! Tokens → syntax. Knows syn, and knows no meaning.

pub(crate) mod arguments;
pub(crate) mod body;
pub(crate) mod contract;
pub(crate) mod depth;
pub(crate) mod droppable;
#[cfg(feature = "fence")]
pub(crate) mod fence;
pub(crate) mod fragment;
pub(crate) mod helper;
pub(crate) mod item;
pub(crate) mod marker;
pub(crate) mod mention;
pub(crate) mod meta;
pub(crate) mod scenario;
pub(crate) mod statement;
pub(crate) mod structure;
pub(crate) mod test;

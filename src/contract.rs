//! How a structure may be used: [`contract`](macro@crate::contract). An object under a contract carries its event sets, [`Sets`], as a field.

/// The event sets of one object under a contract: a field of it, so that they are made, moved and dropped with it.
///
/// In a plain build it has no size. With `check` it says which object a call is about; with `contracts` it has the sets.
#[cfg(not(any(feature = "check", feature = "contracts", loom)))]
#[derive(Clone, Default, Debug)]
pub struct Sets(());

#[cfg(not(any(feature = "check", feature = "contracts", loom)))]
impl Sets {
    /// Of an object that is new: nothing has happened to it.
    pub const fn new() -> Self {
        Self(())
    }
}

#[cfg(any(feature = "check", loom))]
pub use cdsspec_runtime::contract::contracts;
#[cfg(any(feature = "check", loom))]
pub use cdsspec_runtime::port::Sets;

#[cfg(all(feature = "contracts", not(any(feature = "check", loom))))]
pub use cdsspec_contracts::{Sets, compare_invocations, provide, set_level};

#[cfg(any(feature = "check", feature = "contracts", loom))]
pub use cdsspec_contracts::{
    Condition, ConditionMoment, Contract, DeclaredSet, Event, EventSet, Events, Level, Method, Set, Source,
    add_current, intersection, union,
};

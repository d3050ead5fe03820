//! How contracts are checked.

use cdsspec_contracts::Level;

/// How contracts are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContractOptions {
    /// Whether an event is before another if its invocation is, as in the paper, and not its return.
    pub by_invocation: bool,
    /// The highest level of the conditions that are looked at.
    pub level: Level,
    /// Whether all violations are found, and not one.
    pub finds_all: bool,
    /// Whether operations take effect one after the other: Sc.
    pub is_sc: bool,
}

impl Default for ContractOptions {
    fn default() -> Self {
        Self { by_invocation: false, level: Level::Axiom, finds_all: false, is_sc: false }
    }
}

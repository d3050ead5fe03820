//! What is told where a contract is broken on real threads.

use crate::{Condition, Contract, Event, Witness};
use std::fmt;

/// A condition of a contract that does not hold.
#[derive(Debug)]
#[non_exhaustive]
pub struct Violation<'a> {
    /// The contract.
    pub contract: &'static Contract,
    /// The condition.
    pub condition: &'static Condition,
    /// The event whose condition it is.
    pub event: &'a Event,
    /// What the last comparison in it has found.
    pub witness: Option<Witness>,
}

impl Violation<'_> {
    /// The event that is not ordered with this one, if it is about one.
    pub fn other(&self) -> Option<&Event> {
        match self.witness.as_ref()? {
            Witness::Unordered(first, second) if second.is(self.event) => Some(first),
            Witness::Unordered(first, second) if first.is(self.event) => Some(second),
            _ => None,
        }
    }

    fn call(&self, event: &Event) -> String {
        let method = &self.contract.methods[event.method];
        format!("{}::{} (thread {}, {})", self.contract.name, method.name, event.thread.0, event.caller)
    }
}

impl fmt::Display for Violation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Condition { text, says, source, .. } = self.condition;
        writeln!(f, "misused: {}", says.unwrap_or(text))?;
        writeln!(f, "  call  {}", self.call(self.event))?;
        if let Some(other) = self.other() {
            let is_over = if other.end.is_some() { "has returned, and" } else { "has not returned:" };
            writeln!(f, "  and   {}, which {is_over} nothing orders it before", self.call(other))?;
        }
        write!(f, "  rule  {text}  {source}")
    }
}

/// What is told of an `expects!` that runs where no call of its method does.
pub fn stray(contract: &Contract, condition: &Condition) -> String {
    format!(
        "`expects!({})` of {} runs in a thread in which no call of its method is running, so that it has no event to be looked at with: \
         take it out of what another thread runs, or what runs after the return  {}",
        condition.text, contract.name, condition.source
    )
}

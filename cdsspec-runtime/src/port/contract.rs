//! What methods under a contract run: their boundaries, and the statements that are looked at. Outside of an execution they do nothing.

use super::{Effect, Execution, LocationHint, Notice, with};
use crate::record::{EventEntry, EventTicket, KeptConditions, SourceLocation};
use cdsspec_contracts::{Contract, View};
use std::fmt;
use std::panic::Location;
use std::rc::Rc;

/// By which an object under a contract is known: a field of it. Its event sets are not here, since those of an execution depend on the order
/// that is looked at.
#[derive(Default)]
pub struct Sets {
    hint: LocationHint,
}

impl Sets {
    /// Of an object that is new: nothing has happened to it.
    pub const fn new() -> Self {
        Self { hint: LocationHint::new() }
    }
}

/// Another object, to which nothing has happened.
impl Clone for Sets {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl fmt::Debug for Sets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sets")
    }
}

/// A call under a contract while it runs.
pub struct ContractCall {
    ticket: Option<EventTicket>,
    /// Whether its accesses of cells are no races.
    is_checked: bool,
}

impl ContractCall {
    /// It begins. `conditions` keeps what the conditions mention.
    #[track_caller]
    pub fn enter<H: Fn(usize, &View<'_>) -> bool + 'static>(
        contract: &'static Contract,
        method: usize,
        sets: &Sets,
        conditions: impl FnOnce() -> H,
    ) -> Self {
        let caller = here();
        let ticket = noted(|execution| {
            let object = Some((execution.meet(&sets.hint), kept(execution, conditions)?));
            let entry = EventEntry { contract, method, caller, object };
            let thread = execution.port().thread();
            if contract.is_checked {
                execution.exempt(true);
            }
            Some(execution.recorder().borrow_mut().begin_event(thread, entry))
        });
        Self { ticket, is_checked: contract.is_checked }
    }

    /// What it returns is there: its `ensures` are looked at.
    pub fn ensure<H: Fn(usize, &View<'_>) -> bool + 'static>(&self, conditions: impl FnOnce() -> H) {
        let Some(ticket) = self.ticket else { return };
        noted(|execution| {
            let holds = kept(execution, conditions)?;
            execution.recorder().borrow_mut().look_at_return(ticket, holds);
            Some(())
        });
    }
}

impl Drop for ContractCall {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        noted(|execution| {
            if self.is_checked {
                execution.exempt(false);
            }
            execution.recorder().borrow_mut().end_event(ticket);
            Some(())
        });
    }
}

/// A constructor under a contract while it runs: which object it makes is known when it returns.
pub struct ContractConstructor(Option<EventTicket>);

impl ContractConstructor {
    /// It begins.
    #[track_caller]
    pub fn enter(contract: &'static Contract, method: usize) -> Self {
        let caller = here();
        Self(noted(|execution| {
            let entry = EventEntry { contract, method, caller, object: None };
            let thread = execution.port().thread();
            Some(execution.recorder().borrow_mut().begin_event(thread, entry))
        }))
    }

    /// It returns an object with these sets.
    pub fn finish<H: Fn(usize, &View<'_>) -> bool + 'static>(
        self,
        sets: &Sets,
        conditions: impl FnOnce() -> H,
    ) {
        let Some(ticket) = self.0 else { return };
        noted(|execution| {
            let (object, holds) = (execution.meet(&sets.hint), kept(execution, conditions)?);
            execution.recorder().borrow_mut().finish_constructor(ticket, object, &holds);
            Some(())
        });
    }
}

/// A statement in a call under this contract: whether the condition with this index among the method's holds.
pub fn expect_here<H: Fn(usize, &View<'_>) -> bool + 'static>(
    contract: &'static Contract,
    index: usize,
    conditions: impl FnOnce() -> H,
) {
    noted(|execution| {
        let holds = kept(execution, conditions)?;
        let thread = execution.port().thread();
        execution.recorder().borrow_mut().look_here(thread, contract, index, holds);
        Some(())
    });
}

#[track_caller]
fn here() -> SourceLocation {
    let caller = Location::caller();
    SourceLocation { file: caller.file(), line: caller.line(), column: caller.column() }
}

/// Notes a point of the running thread, where somebody observes it.
fn noted<R>(note: impl FnOnce(&Execution) -> Option<R>) -> Option<R> {
    let noted = with(|execution| {
        let port = execution.port();
        if port.is_unobserved() {
            return None;
        }
        port.note(Notice::Effect(Effect::Call));
        port.note(Notice::Recording);
        note(execution)
    });
    noted.flatten()
}

/// Clones of the user's types may use instrumented objects: nobody observes that.
fn kept<H: Fn(usize, &View<'_>) -> bool + 'static>(
    execution: &Execution,
    conditions: impl FnOnce() -> H,
) -> Option<KeptConditions> {
    let (mut conditions, mut holds): (_, Option<KeptConditions>) = (Some(conditions), None);
    execution.port().unobserved(&mut || {
        holds = conditions.take().map(|conditions| Rc::new(conditions()) as KeptConditions)
    });
    holds
}

//! What methods under a contract run: their boundaries, and the statements that are looked at. Outside of an execution they do nothing.

use super::{Effect, Execution, LocationHint, Notice, with};
use crate::record::{EventEntry, EventTicket, KeptConditions, SourceLocation};
use cdsspec_contracts::{ConditionMoment, Contract, Looks, View};
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

cdsspec_contracts::equal_sets!(Sets);

impl fmt::Debug for Sets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sets")
    }
}

/// A call under a contract while it runs.
///
/// What is here called `conditions` evaluates the parts that mention no set, as a part of the program, and makes a function that says whether the condition
/// with this index among the method's holds, over their values.
pub struct ContractCall {
    ticket: Option<EventTicket>,
    /// Whether its accesses of cells are no races.
    is_checked: bool,
}

impl ContractCall {
    /// It begins.
    #[track_caller]
    pub fn enter<H: Fn(usize, &View<'_>) -> bool + 'static>(
        contract: &'static Contract,
        method: usize,
        sets: &Sets,
        conditions: impl FnOnce(Looks) -> H,
    ) -> Self {
        let caller = here();
        let ticket = noted(|execution| {
            let entry = EventEntry { contract, method, caller, object: Some(execution.meet(&sets.hint)) };
            let thread = execution.port().thread();
            if contract.is_checked {
                execution.exempt(true);
            }
            Some(execution.recorder().borrow_mut().begin_event(thread, entry))
        });
        let call = Self { ticket, is_checked: contract.is_checked };
        call.look(ConditionMoment::Invocation, conditions);
        call
    }

    /// What it returns is there: its `ensures` are looked at.
    pub fn ensure<H: Fn(usize, &View<'_>) -> bool + 'static>(&self, conditions: impl FnOnce(Looks) -> H) {
        self.look(ConditionMoment::Return, conditions);
    }

    fn look<H: Fn(usize, &View<'_>) -> bool + 'static>(
        &self,
        moment: ConditionMoment,
        conditions: impl FnOnce(Looks) -> H,
    ) {
        let Some(ticket) = self.ticket else { return };
        let holds = looking(conditions);
        noted(|execution| {
            execution.recorder().borrow_mut().look(ticket, (moment, None), kept(holds));
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

/// A constructor under a contract while it runs: which object it makes is known when it returns. It has the values of what its `expects` mention.
pub struct ContractConstructor<H> {
    running: RunningConstructor,
    holds: Option<H>,
}

/// Left by a panic, it has ended.
struct RunningConstructor(Option<EventTicket>);

impl Drop for RunningConstructor {
    fn drop(&mut self) {
        let Some(ticket) = self.0 else { return };
        noted(|execution| {
            execution.recorder().borrow_mut().end_event(ticket);
            Some(())
        });
    }
}

impl<H: Fn(usize, &View<'_>) -> bool + 'static> ContractConstructor<H> {
    /// It begins.
    #[track_caller]
    pub fn enter(contract: &'static Contract, method: usize, conditions: impl FnOnce(Looks) -> H) -> Self {
        let caller = here();
        let ticket = noted(|execution| {
            let entry = EventEntry { contract, method, caller, object: None };
            let thread = execution.port().thread();
            Some(execution.recorder().borrow_mut().begin_event(thread, entry))
        });
        let running = RunningConstructor(ticket);
        Self { holds: ticket.map(|_| looking(conditions)), running }
    }

    /// It returns an object with these sets, or none.
    pub fn finish<R: Fn(usize, &View<'_>) -> bool + 'static>(
        mut self,
        sets: Option<&Sets>,
        conditions: impl FnOnce(Looks) -> R,
    ) {
        let (Some(ticket), Some(expects)) = (self.running.0, self.holds.take()) else { return };
        let ensures = looking(conditions);
        noted(|execution| {
            let object = sets.map(|sets| execution.meet(&sets.hint));
            let holds = [kept(expects), kept(ensures)];
            execution.recorder().borrow_mut().finish_constructor(ticket, object, holds);
            Some(())
        });
        self.running.0 = None;
    }
}

/// A statement in a call of this method: whether the condition with this index among its conditions holds. Where no such call runs in the thread, that
/// is a mistake.
pub fn expect_here<H: Fn(usize, &View<'_>) -> bool + 'static>(
    contract: &'static Contract,
    (method, index): (usize, usize),
    conditions: impl FnOnce(Looks) -> H,
) {
    let ticket = noted(|execution| {
        let thread = execution.port().thread();
        execution.recorder().borrow_mut().running_event(thread, contract, (method, index))
    });
    let Some(ticket) = ticket else { return };
    let holds = looking(conditions);
    noted(|execution| {
        let moment = (ConditionMoment::Statement, Some(index));
        execution.recorder().borrow_mut().look(ticket, moment, kept(holds));
        Some(())
    });
}

/// Evaluates the parts of `ensures` that are about parameters, which the call may consume.
pub fn early<R>(parts: impl FnOnce(Looks) -> R) -> R {
    match noted(|_| Some(())) {
        Some(()) => looking(parts),
        None => parts(Looks::none()),
    }
}

/// Evaluates conditions as a part of the program, whose calls are no events.
fn looking<R>(conditions: impl FnOnce(Looks) -> R) -> R {
    /// While it does.
    struct Looking;
    impl Drop for Looking {
        fn drop(&mut self) {
            with(|execution| execution.look(false));
        }
    }
    let level = with(|execution| {
        execution.look(true);
        execution.contract_level()
    });
    let _looking = Looking;
    conditions(level.map_or(Looks::none(), Looks::up_to))
}

#[track_caller]
fn here() -> SourceLocation {
    let caller = Location::caller();
    SourceLocation { file: caller.file(), line: caller.line(), column: caller.column() }
}

/// Notes a point of the running thread, where somebody observes it, and it is in no condition.
fn noted<R>(note: impl FnOnce(&Execution) -> Option<R>) -> Option<R> {
    let noted = with(|execution| {
        let port = execution.port();
        if port.is_unobserved() || execution.is_looking() {
            return None;
        }
        port.note(Notice::Effect(Effect::Call));
        port.note(Notice::Recording);
        note(execution)
    });
    noted.flatten()
}

fn kept<H: Fn(usize, &View<'_>) -> bool + 'static>(holds: H) -> KeptConditions {
    Rc::new(holds)
}

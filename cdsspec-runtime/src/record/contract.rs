//! Calls under a contract: events, and when their conditions are looked at. What comes of it, the room `contract` says.

use super::{FieldId, Moment, Recorder, SourceLocation, ThreadId};
use cdsspec_contracts::{ConditionMoment, Contract, View};
use std::fmt;
use std::rc::Rc;

/// Says whether the condition with this index among a method's holds. It has kept what the conditions mention.
pub type Holds = Rc<dyn Fn(usize, &View<'_>) -> bool>;

/// A point of a thread at which a contract is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ContractPoint {
    /// Between which operations of the thread.
    pub moment: Moment,
    /// Its place among all such points of the execution, as the engine ran them: tells those of one thread that are between the same operations.
    pub sequence: u32,
}

/// A call of a method under a contract.
#[derive(Clone)]
pub struct ContractEvent {
    /// The contract.
    pub contract: &'static Contract,
    /// The method: an index into the contract's.
    pub method: usize,
    /// The object, told by the sets that it carries; `None` of a constructor that has not returned.
    pub object: Option<FieldId>,
    /// The calling thread.
    pub thread: ThreadId,
    /// Where it is called.
    pub caller: SourceLocation,
    /// When it began.
    pub invocation: ContractPoint,
    /// When it returned, or was left by a panic; `None` while it runs.
    pub response: Option<ContractPoint>,
    /// When its conditions are looked at, in program order. The first is the invocation, unless it is a constructor that has not returned.
    pub looks: Vec<Look>,
}

/// Conditions of a call are looked at.
#[derive(Clone)]
pub struct Look {
    /// When.
    pub at: ContractPoint,
    /// Which ones.
    pub moment: ConditionMoment,
    /// Which one alone, of a statement.
    pub index: Option<usize>,
    /// Whether each of them holds.
    pub holds: Holds,
}

impl fmt::Debug for ContractEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = self.contract.methods[self.method].name;
        f.debug_struct("ContractEvent")
            .field("method", &method)
            .field("thread", &self.thread)
            .finish_non_exhaustive()
    }
}

/// A call under a contract that begins.
pub struct EventEntry {
    /// The contract.
    pub contract: &'static Contract,
    /// The method: an index into the contract's.
    pub method: usize,
    /// Where it is called.
    pub caller: SourceLocation,
    /// The object and its conditions, where it is there already.
    pub object: Option<(FieldId, Holds)>,
}

/// What the end of such a call is told by.
#[derive(Clone, Copy, Debug)]
pub struct EventTicket {
    index: usize,
    thread: ThreadId,
}

impl Recorder {
    /// A call under a contract begins.
    pub fn begin_event(&mut self, thread: ThreadId, entry: EventEntry) -> EventTicket {
        let invocation = self.contract_point(thread);
        let (object, holds) = entry.object.unzip();
        let look = |holds| Look { at: invocation, moment: ConditionMoment::Invocation, index: None, holds };
        let index = self.recording.events.len();
        self.recording.events.push(ContractEvent {
            contract: entry.contract,
            method: entry.method,
            object,
            thread,
            caller: entry.caller,
            invocation,
            response: None,
            looks: holds.into_iter().map(look).collect(),
        });
        EventTicket { index, thread }
    }

    /// Its `ensures` are looked at.
    pub fn look_at_return(&mut self, ticket: EventTicket, holds: Holds) {
        let at = self.contract_point(ticket.thread);
        if let Some(event) = self.recording.events.get_mut(ticket.index) {
            event.looks.push(Look { at, moment: ConditionMoment::Return, index: None, holds });
        }
    }

    /// A constructor has made this object.
    pub fn finish_constructor(&mut self, ticket: EventTicket, object: FieldId, holds: &Holds) {
        let at = self.contract_point(ticket.thread);
        if let Some(event) = self.recording.events.get_mut(ticket.index) {
            event.object = Some(object);
            let look = |at, moment| Look { at, moment, index: None, holds: Rc::clone(holds) };
            // What it called of the object is a part of it: nothing is looked at in between.
            event.looks.insert(0, look(event.invocation, ConditionMoment::Invocation));
            event.looks.push(look(at, ConditionMoment::Return));
        }
        self.end_event(ticket);
    }

    /// The call returns.
    pub fn end_event(&mut self, ticket: EventTicket) {
        let response = self.contract_point(ticket.thread);
        if let Some(event) = self.recording.events.get_mut(ticket.index) {
            event.response = Some(response);
        }
    }

    /// A statement in the innermost call of this contract that the thread is in: nothing, if there is none.
    pub fn look_here(&mut self, thread: ThreadId, contract: &'static Contract, index: usize, holds: Holds) {
        let at = self.contract_point(thread);
        let is_open = |event: &&mut ContractEvent| {
            event.thread == thread && event.response.is_none() && std::ptr::eq(event.contract, contract)
        };
        if let Some(event) = self.recording.events.iter_mut().rev().find(is_open) {
            event.looks.push(Look { at, moment: ConditionMoment::Statement, index: Some(index), holds });
        }
    }

    fn contract_point(&mut self, thread: ThreadId) -> ContractPoint {
        let sequence = self.recording.contract_point_count;
        self.recording.contract_point_count += 1;
        ContractPoint { moment: self.moment(thread, None), sequence }
    }
}

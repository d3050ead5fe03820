//! Records calls under contracts.

use super::contract::{ContractEvent, ContractPoint, EventEntry, KeptConditions, Look};
use super::{FieldId, Recorder, ThreadId};
use cdsspec_contracts::{ConditionMoment, Contract};
use std::rc::Rc;

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
    pub fn look_at_return(&mut self, ticket: EventTicket, holds: KeptConditions) {
        let at = self.contract_point(ticket.thread);
        if let Some(event) = self.recording.events.get_mut(ticket.index) {
            event.looks.push(Look { at, moment: ConditionMoment::Return, index: None, holds });
        }
    }

    /// A constructor has made this object.
    pub fn finish_constructor(&mut self, ticket: EventTicket, object: FieldId, holds: &KeptConditions) {
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
    pub fn look_here(
        &mut self,
        thread: ThreadId,
        contract: &'static Contract,
        index: usize,
        holds: KeptConditions,
    ) {
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

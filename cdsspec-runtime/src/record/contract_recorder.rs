//! Records calls under contracts.

use super::contract::{ContractEvent, ContractPoint, EventEntry, KeptConditions, Look};
use super::{FieldId, Recorder, SourceLocation, SpecificationError, SpecificationErrorKind, ThreadId};
use cdsspec_contracts::{ConditionMoment, Contract, Source};

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
        let index = self.recording.events.len();
        self.recording.events.push(ContractEvent {
            contract: entry.contract,
            method: entry.method,
            object: entry.object,
            is_constructor: entry.object.is_none(),
            thread,
            caller: entry.caller,
            invocation,
            response: None,
            looks: Vec::new(),
        });
        EventTicket { index, thread }
    }

    /// Its conditions of this moment are looked at, or the one with this index.
    pub fn look(
        &mut self,
        ticket: EventTicket,
        (moment, index): (ConditionMoment, Option<usize>),
        holds: KeptConditions,
    ) {
        let at = self.contract_point(ticket.thread);
        if let Some(event) = self.recording.events.get_mut(ticket.index) {
            event.looks.push(Look { at, moment, index, holds });
        }
    }

    /// A constructor has made this object, or none.
    pub fn finish_constructor(
        &mut self,
        ticket: EventTicket,
        object: Option<FieldId>,
        [expects, ensures]: [KeptConditions; 2],
    ) {
        let at = self.contract_point(ticket.thread);
        if let Some(event) = self.recording.events.get_mut(ticket.index) {
            event.object = object;
            let look = |at, moment, holds| Look { at, moment, index: None, holds };
            // What it called of the object is a part of it: nothing is looked at in between.
            event.looks.insert(0, look(event.invocation, ConditionMoment::Invocation, expects));
            event.looks.push(look(at, ConditionMoment::Return, ensures));
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

    /// The innermost call of this method that the thread is in, whose condition with this index stands at a statement. If there is none, that is noted as a
    /// mistake.
    pub fn running_event(
        &mut self,
        thread: ThreadId,
        contract: &'static Contract,
        (method, index): (usize, usize),
    ) -> Option<EventTicket> {
        let is_open = |event: &ContractEvent| {
            event.thread == thread
                && event.response.is_none()
                && (std::ptr::eq(event.contract, contract) && event.method == method)
        };
        let found = self.recording.events.iter().rposition(is_open);
        if found.is_none() {
            let condition = &contract.methods[method].conditions[index];
            let kind = SpecificationErrorKind::StrayCondition { condition: condition.text };
            let Source { file, line, column } = condition.source;
            let marker = SourceLocation { file, line, column };
            self.note_error(SpecificationError { kind, marker, thread });
        }
        found.map(|index| EventTicket { index, thread })
    }

    fn contract_point(&mut self, thread: ThreadId) -> ContractPoint {
        let sequence = self.recording.contract_point_count;
        self.recording.contract_point_count += 1;
        ContractPoint { moment: self.moment(thread, None), sequence }
    }
}

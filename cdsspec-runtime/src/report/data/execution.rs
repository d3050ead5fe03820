//! One execution: its calls, its operations, and what is wrong with it.

use super::namer::Namer;
use super::{Hint, OrderedCalls, ReportedFinding, ReportedOperation};
use super::{explain, hint, operation, relation};
use crate::check::Finding;
use crate::contract::method_name;
use crate::record::{
    CallId, ContractEvent, MethodCall, ObjectId, OperationId, Recording, SourceLocation, ThreadId,
};
use std::collections::BTreeMap;

/// One execution of the program, and what is wrong with it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedExecution {
    /// Which execution of the run it is, from 1.
    #[cfg_attr(feature = "json", serde(rename = "execution"))]
    pub number: u64,
    /// The worst that is wrong with it.
    pub finding: ReportedFinding,
    /// What else is wrong with it, the worst first.
    pub also: Vec<ReportedFinding>,
    /// The threads, in order of creation; the first is the main thread.
    pub threads: Vec<ReportedThread>,
    /// The calls, in order of invocation: the id of a call is its index.
    pub calls: Vec<ReportedCall>,
    /// The calls under contracts, in order of invocation: the number of one is its index.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub events: Vec<ReportedEvent>,
    /// The order r of the calls of the object that the finding is about, with the total order of the SeqCst points that it names: every pair,
    /// sorted. Calls of the object that are in no pair are concurrent. Empty for a finding that is about no order of calls.
    pub relation: Vec<OrderedCalls>,
    /// What may have been forgotten.
    pub hints: Vec<Hint>,
    /// The operations, in an order that extends sb ∪ rf: the id of an operation is its index.
    pub interleaving: Vec<ReportedOperation>,
}

/// A thread of the program.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedThread {
    /// Its number.
    pub id: ThreadId,
    /// Its name, if it was given one.
    pub name: Option<String>,
}

/// One invocation of an annotated method.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedCall {
    /// Its number.
    pub id: CallId,
    /// The object, in order of first calls.
    pub object: ObjectId,
    /// The name of the specified type.
    pub specification: String,
    /// The method's name.
    pub method: String,
    /// The arguments, `_` for one that is not recorded or cannot be shown.
    pub arguments: Vec<String>,
    /// What it returned, unless that is `()`, is not recorded, or cannot be shown.
    pub returned: Option<String>,
    /// Whether it has not returned.
    #[cfg_attr(feature = "json", serde(rename = "pending"))]
    pub is_pending: bool,
    /// The calling thread.
    pub thread: ThreadId,
    /// Where the method is.
    pub place: SourceLocation,
    /// How many operations there were, of all threads, when it began.
    pub begin: usize,
    /// How many there were when it returned.
    pub end: Option<usize>,
    /// The operations that are its ordering points, in program order.
    pub ordering_points: Vec<OperationId>,
}

/// A call of a method under a contract.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedEvent {
    /// Its number.
    pub id: usize,
    /// The object, in order of first calls under contracts; a constructor that has made none counts as one.
    pub object: usize,
    /// The type whose contract it is.
    pub contract: String,
    /// The method's name.
    pub method: String,
    /// The calling thread.
    pub thread: ThreadId,
    /// Where it is called.
    pub place: SourceLocation,
    /// How many operations there were, of all threads, when it began.
    pub begin: usize,
    /// How many there were when it returned.
    pub end: Option<usize>,
}

impl ReportedExecution {
    /// What these findings say of an execution; `None` if there are none. Runs the `Debug` of the user's values.
    ///
    /// Cost: O(operations · calls + calls³), and O(points²) for each pair of calls of the object.
    pub(crate) fn new(recording: &Recording, findings: &[Finding], number: u64) -> Option<Self> {
        let (worst, others) = findings.split_first()?;
        let namer = Namer::new(recording);
        let calls: Vec<_> = recording.calls.iter().map(|call| reported_call(&namer, call)).collect();
        let finding = explain::finding(&namer, worst);
        // Addresses are numbered as they come up: those of the SeqCst operations that are shown first, first.
        for &operation in worst.sc() {
            operation::number_addresses(&namer, operation);
        }
        let order = relation::Order::of(recording, worst);
        let hints = hint::hints(recording, order.as_ref(), worst);
        let interleaving = operation::interleaving(&namer);
        let also = others.iter().map(|finding| explain::finding(&namer, finding)).collect();
        let relation = order.map_or_else(Vec::new, |order| order.pairs(recording));
        let threads = recording.threads.iter().zip(recording.thread_ids());
        let threads = threads.map(|(thread, id)| ReportedThread { id, name: thread.name.clone() }).collect();
        let objects = event_objects(&recording.events);
        let events = recording.events.iter().zip(objects).enumerate().map(reported_event).collect();
        Some(Self { number, finding, also, threads, calls, events, relation, hints, interleaving })
    }

    /// The operation with this id.
    pub fn operation(&self, id: OperationId) -> &ReportedOperation {
        &self.interleaving[id.index()]
    }

    /// The call with this id.
    pub fn call(&self, id: CallId) -> &ReportedCall {
        &self.calls[id.index()]
    }

    /// Why `first` is before `second` in the order r of the calls; `None` if it is not.
    pub fn ordered(&self, first: CallId, second: CallId) -> Option<&OrderedCalls> {
        let place = self.relation.binary_search_by_key(&(first, second), |pair| (pair.first, pair.second));
        place.ok().map(|place| &self.relation[place])
    }
}

impl ReportedFinding {
    /// A finding by itself.
    pub(crate) fn new(recording: &Recording, finding: &Finding) -> Self {
        explain::finding(&Namer::new(recording), finding)
    }
}

/// The number of the object of each event.
fn event_objects(events: &[ContractEvent]) -> Vec<usize> {
    let mut count = 0;
    let mut next = || {
        count += 1;
        count - 1
    };
    let mut known = BTreeMap::new();
    let number = |event: &ContractEvent| match event.object {
        Some(object) => *known.entry(object).or_insert_with(&mut next),
        None => next(),
    };
    events.iter().map(number).collect()
}

fn reported_event((id, (event, object)): (usize, (&ContractEvent, usize))) -> ReportedEvent {
    ReportedEvent {
        id,
        object,
        contract: event.contract.name.to_owned(),
        method: method_name(event).to_owned(),
        thread: event.thread,
        place: event.caller,
        begin: event.invocation.moment.operation_count,
        end: event.response.map(|response| response.moment.operation_count),
    }
}

fn reported_call(namer: &Namer<'_>, call: &MethodCall) -> ReportedCall {
    let specification = namer.recording.specification(call.object);
    let method = specification.method(call.method);
    let is_pending = call.is_pending();
    ReportedCall {
        id: call.id,
        object: call.object,
        specification: specification.name.to_owned(),
        method: method.name.to_owned(),
        arguments: namer.arguments(call),
        returned: if is_pending { None } else { namer.returned(call) },
        is_pending,
        thread: call.thread,
        place: method.source,
        begin: call.invocation.operation_count,
        end: call.response.map(|moment| moment.operation_count),
        ordering_points: call.points.iter().map(|point| point.operation).collect(),
    }
}

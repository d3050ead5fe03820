//! The interleaving.

use super::namer::Namer;
use crate::record::{
    CallId, LocationId, MethodCall, Operation, OperationForm, OperationId, OperationKind, Place, Recording,
    ThreadId,
};
use std::sync::atomic::Ordering;

/// One operation of the interleaving.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ReportedOperation {
    /// Its number.
    #[cfg_attr(feature = "json", serde(rename = "number"))]
    pub id: OperationId,
    /// Who did it.
    pub thread: ThreadId,
    /// The outermost call that it belongs to, if it is in one.
    pub call: Option<CallId>,
    /// Where it stands, with its name and its orders as written; in the JSON that stands in this object itself.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub place: Place,
    /// What it does; in the JSON it stands in this object itself.
    #[cfg_attr(feature = "json", serde(flatten))]
    pub kind: OperationKind,
    /// The order in force: of a failed compare-exchange the failure order.
    #[cfg_attr(feature = "json", serde(serialize_with = "serialize_order"))]
    pub order: Option<Ordering>,
    /// Whether that is not what is written: the run changed it.
    #[cfg_attr(feature = "json", serde(rename = "overridden"))]
    pub is_overridden: bool,
    /// The letter of the location, for an access of memory: letters are given in order of appearance.
    pub location: Option<String>,
    /// The value that it read, where that is one of the program's.
    pub read: Option<String>,
    /// The value that it wrote, where that is one of the program's.
    pub written: Option<String>,
    /// Who wrote what it read.
    pub reads_from: Option<ReadsFrom>,
    /// Whether it is a compare-exchange that failed.
    #[cfg_attr(feature = "json", serde(rename = "failed"))]
    pub is_failed: bool,
    /// The calls that it is an ordering point of.
    pub ordering_point_of: Vec<CallId>,
}

/// Who wrote what an operation read.
///
/// Serialised, with the feature `json`: `initial`, or `operation` with the number of the operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum ReadsFrom {
    /// Nobody: it is the initial value.
    Initial,
    /// This operation.
    Operation(OperationId),
}

#[cfg(feature = "json")]
#[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn serialize_order<S: serde::Serializer>(order: &Option<Ordering>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&order.map(crate::record::order_name), serializer)
}

/// All operations, oldest first.
pub(super) fn interleaving(namer: &Namer<'_>) -> Vec<ReportedOperation> {
    let points = points(namer.recording);
    let mut letters = Letters::default();
    namer
        .recording
        .operations
        .iter()
        .map(|operation| ReportedOperation {
            id: operation.id,
            thread: operation.thread,
            call: call_of(namer.recording, operation),
            place: operation.place,
            kind: operation.kind,
            order: operation.order,
            is_overridden: operation.overridden_order().is_some(),
            location: location(operation).map(|location| letters.letter(location)),
            read: operation.read.and_then(|store| namer.value(store)),
            written: operation.written.and_then(|store| namer.value(store)),
            reads_from: reads_from(namer.recording, operation),
            is_failed: operation.kind == OperationKind::Load
                && operation.place.name.form() == OperationForm::CompareExchange,
            ordering_point_of: points[operation.id.index()].clone(),
        })
        .collect()
}

/// Numbers the addresses that an operation reads and writes.
pub(super) fn number_addresses(namer: &Namer<'_>, operation: OperationId) {
    let operation = namer.recording.operation(operation);
    for store in [operation.read, operation.written].into_iter().flatten() {
        namer.value(store);
    }
}

/// The calls that each operation is an ordering point of.
fn points(recording: &Recording) -> Vec<Vec<CallId>> {
    let mut points = vec![Vec::new(); recording.operations.len()];
    for call in &recording.calls {
        for point in &call.points {
            let calls: &mut Vec<CallId> = &mut points[point.operation.index()];
            if calls.last() != Some(&call.id) {
                calls.push(call.id);
            }
        }
    }
    points
}

/// The location that an operation accesses.
fn location(operation: &Operation) -> Option<LocationId> {
    let is_access = !matches!(operation.kind, OperationKind::Create(_) | OperationKind::Join(_));
    operation.location.filter(|_| is_access)
}

/// The outermost call that an operation belongs to.
fn call_of(recording: &Recording, operation: &Operation) -> Option<CallId> {
    let is_inside = |call: &&MethodCall| {
        let end = call.response.map_or(u32::MAX, |moment| moment.position);
        call.thread == operation.thread && (call.invocation.position + 1..=end).contains(&operation.position)
    };
    recording.calls.iter().find(is_inside).map(|call| call.id)
}

fn reads_from(recording: &Recording, operation: &Operation) -> Option<ReadsFrom> {
    let store = recording.store(operation.read?);
    Some(store.operation.map_or(ReadsFrom::Initial, ReadsFrom::Operation))
}

/// Letters for the locations, in order of appearance.
#[derive(Default)]
struct Letters(Vec<LocationId>);

impl Letters {
    fn letter(&mut self, location: LocationId) -> String {
        let index = self.0.iter().position(|&known| known == location).unwrap_or_else(|| {
            self.0.push(location);
            self.0.len() - 1
        });
        let letter = char::from(b'a' + u8::try_from(index % 26).unwrap_or(0));
        match index / 26 {
            0 => letter.to_string(),
            round => format!("{letter}{round}"),
        }
    }
}

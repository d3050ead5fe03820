//! Executions that an engine handed over, put before the axioms once more; and whether it handed one over twice.

use crate::naive::axiom::{Axiom, Event, Kind, Shape, has_race};
use crate::naive::{EVENTS_MAX, Matrix};
use cdsspec_runtime::record::{
    Ending, LocationId, Operation, OperationId, OperationKind, Recording, StoreId, ThreadId,
};
use std::collections::BTreeMap;
use std::fmt;

/// What is wrong with a recording.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It breaks an axiom of RC11.
    Inconsistent(Axiom),
    /// The modification order of a location is not an order of its stores, the initial one first.
    NotAnOrder(LocationId),
    /// It says that the first happens before the second, or that it does not, and the axioms say otherwise.
    HappensBefore(OperationId, OperationId),
    /// It says that the first is before the second in psc⁺, or that it is not, and the axioms say otherwise.
    ScOrder(OperationId, OperationId),
    /// It says that there is a race, or that there is none, and the axioms say otherwise.
    Race,
    /// It is too long.
    TooLong,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// The modification order of each location: its stores, the initial one first.
pub type ModificationOrder = [Vec<StoreId>];

/// Looks whether a recording is consistent, and whether its clocks, its order of SeqCst operations and its races are those that the
/// axioms give.
///
/// # Errors
/// What is wrong.
pub fn check(recording: &Recording, mo: &ModificationOrder) -> Result<(), Fault> {
    if recording.locations.len() + recording.operations.len() > EVENTS_MAX {
        return Err(Fault::TooLong);
    }
    for location in recording.location_ids() {
        check_order(recording, location, &mo[location.index()])?;
    }
    let graph = Graph::new(recording, mo);
    let orders: Vec<&[usize]> = graph.orders.iter().map(Vec::as_slice).collect();
    graph.shape.check(&graph.sources, &orders).map_err(Fault::Inconsistent)?;
    graph.compare(recording, &orders)
}

/// Whether the order of a location has each of its stores once, the initial one first.
fn check_order(recording: &Recording, location: LocationId, order: &[StoreId]) -> Result<(), Fault> {
    let mut known: Vec<StoreId> =
        recording.stores.iter().filter(|store| store.location == location).map(|store| store.id).collect();
    let mut listed = order.to_vec();
    known.sort_unstable();
    listed.sort_unstable();
    let begins_well =
        order.first().is_none_or(|&first| first == recording.locations[location.index()].initial);
    if known == listed && begins_well { Ok(()) } else { Err(Fault::NotAnOrder(location)) }
}

/// A recording as events: the initial stores, then the operations.
struct Graph {
    events: Vec<Event>,
    writes: Vec<bool>,
    shape: Shape,
    sources: Vec<Option<usize>>,
    orders: Vec<Vec<usize>>,
}

impl Graph {
    fn new(recording: &Recording, mo: &ModificationOrder) -> Self {
        let first = recording.locations.len();
        let of_store = |id: StoreId| {
            let store = recording.store(id);
            store.operation.map_or(store.location.index(), |operation| first + operation.index())
        };
        let initial =
            |location| Event { kind: Kind::Write, location: Some(location), order: None, thread: None };
        let events: Vec<Event> =
            (0..first).map(initial).chain(recording.operations.iter().map(event)).collect();
        let mut asw = Matrix::new(events.len());
        for operation in &recording.operations {
            let at = first + operation.id.index();
            match operation.kind {
                OperationKind::Create(child) => {
                    of_thread(recording, child).for_each(|later| asw.add(at, first + later.index()));
                }
                OperationKind::Join(child) => {
                    of_thread(recording, child).for_each(|earlier| asw.add(first + earlier.index(), at));
                }
                _ => {}
            }
        }
        let is_write = |operation: &Operation| {
            matches!(operation.kind, OperationKind::Store | OperationKind::Update | OperationKind::CellWrite)
        };
        let sources = recording.operations.iter().map(|operation| operation.read.map(of_store));
        Self {
            writes: std::iter::repeat_n(true, first)
                .chain(recording.operations.iter().map(is_write))
                .collect(),
            shape: Shape::new(&events, asw),
            sources: std::iter::repeat_n(None, first).chain(sources).collect(),
            orders: mo.iter().map(|order| order.iter().map(|&store| of_store(store)).collect()).collect(),
            events,
        }
    }

    /// Compares what the recording says of happens-before, psc and races.
    fn compare(&self, recording: &Recording, orders: &[&[usize]]) -> Result<(), Fault> {
        let rf = self.shape.reads_from(&self.sources);
        let mo = self.shape.modification_order(orders);
        let hb = self.shape.happens_before(&rf).ok_or(Fault::Inconsistent(Axiom::NoThinAir))?;
        let psc = self.shape.psc(&hb, &rf, &mo).closure();
        let first = recording.locations.len();
        for one in &recording.operations {
            for other in &recording.operations {
                let (from, to) = (first + one.id.index(), first + other.id.index());
                if hb.has(from, to) != recording.happens_before(one.id, other.id) {
                    return Err(Fault::HappensBefore(one.id, other.id));
                }
                let is_sc = one.is_sc() && other.is_sc();
                if is_sc && psc.has(from, to) != recording.sc_before(one.id, other.id) {
                    return Err(Fault::ScOrder(one.id, other.id));
                }
            }
        }
        let is_racy = has_race(&self.events, |event| self.writes[event], &hb);
        if is_racy == matches!(recording.ending, Ending::Race(_)) { Ok(()) } else { Err(Fault::Race) }
    }
}

fn event(operation: &Operation) -> Event {
    let kind = match operation.kind {
        OperationKind::Load => Kind::Read,
        OperationKind::Store => Kind::Write,
        OperationKind::Update => Kind::Update,
        OperationKind::Fence => Kind::Fence,
        _ => Kind::Other,
    };
    Event {
        kind,
        location: operation.location.map(LocationId::index),
        order: operation.order,
        thread: Some(operation.thread.index()),
    }
}

fn of_thread(recording: &Recording, thread: ThreadId) -> impl Iterator<Item = OperationId> {
    let is_its = move |operation: &&Operation| operation.thread == thread;
    recording.operations.iter().filter(is_its).map(|operation| operation.id)
}

/// Which operation: its thread, and which of the thread it is.
type Position = (usize, u32);

/// An execution graph in a form that does not depend on how it was found: two executions are one iff their forms are equal.
///
/// The locations are numbered by thread and position of their first access.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CanonicalForm {
    /// For each thread and each of its operations: its kind, its order, its location, what it reads from.
    threads: Vec<Vec<CanonicalOperation>>,
    /// For each location: its stores in modification order, without the initial one.
    orders: Vec<Vec<Option<Position>>>,
}

/// What an operation is, its location, and what it reads from.
type CanonicalOperation = (String, Option<usize>, Option<Source>);

/// What a read reads from: `None` is the initial store.
type Source = Option<Position>;

impl CanonicalForm {
    /// The form of a recording.
    pub fn new(recording: &Recording, mo: &ModificationOrder) -> Self {
        let mut sorted: Vec<&Operation> = recording.operations.iter().collect();
        sorted.sort_by_key(|operation| (operation.thread, operation.position));
        let mut numbers: BTreeMap<LocationId, usize> = BTreeMap::new();
        for location in sorted.iter().filter_map(|operation| operation.location) {
            let next = numbers.len();
            numbers.entry(location).or_insert(next);
        }
        let position = |id: StoreId| {
            let operation = recording.operation(recording.store(id).operation?);
            Some((operation.thread.index(), operation.position))
        };
        let mut threads = vec![Vec::new(); recording.threads.len()];
        for operation in sorted {
            let what = format!("{:?} {:?}", operation.kind, operation.order);
            let location = operation.location.map(|location| numbers[&location]);
            threads[operation.thread.index()].push((what, location, operation.read.map(position)));
        }
        let mut orders = vec![Vec::new(); numbers.len()];
        for (location, &number) in &numbers {
            orders[number] = mo[location.index()].iter().skip(1).map(|&store| position(store)).collect();
        }
        Self { threads, orders }
    }
}

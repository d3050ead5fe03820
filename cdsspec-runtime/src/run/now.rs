//! What one run knows beside the graph: one value, which the next run replaces.

use super::following::Following;
use super::lent::Lent;
use super::thread_run::{ThreadRun, Waiters};
use crate::graph::{EventId, LocationIndex, ThreadIndex};
use crate::record::{Ending, LocationId, OperationId, Race, SourceLocation, StoreId, ThreadId, ValueKind};
use fixedbitset::FixedBitSet;
use std::collections::HashMap;

/// How far an event of the graph is in this run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventProgress {
    /// It has not run, and some threads wait for it.
    Pending(Waiters),
    /// It has run.
    Run,
}

/// A location of this run.
#[derive(Clone, Copy)]
pub(crate) struct LocationRun {
    pub(crate) kind: ValueKind,
    pub(crate) initial: u64,
    /// Its number in the graph, once an event of the graph was seen to use it.
    pub(crate) bound: Option<LocationIndex>,
}

/// What one run knows beside the graph.
#[derive(Default)]
pub(crate) struct Run {
    /// The internal words that rounds which are left out changed and changed back.
    pub(crate) left_out: Vec<LocationIndex>,
    /// By number in the graph.
    pub(crate) threads: Vec<ThreadRun>,
    /// By number in the recording.
    pub(crate) thread_indices: Vec<ThreadIndex>,
    pub(crate) locations: Vec<LocationRun>,
    /// The location of this run that each of the graph's is.
    pub(crate) location_ids: Vec<Option<LocationId>>,
    /// The threads that can go on now: those with the status `Ready`.
    pub(crate) ready: FixedBitSet,
    /// How far each event of the graph is.
    pub(crate) progress: Vec<EventProgress>,
    /// The events in the order in which they ran.
    pub(crate) ran: Vec<EventId>,
    /// Whether the recorder is told of events as they run.
    pub(crate) is_recording: bool,
    /// The operation that each event was in this run; events from its length on were not recorded.
    pub(crate) operations: Vec<Option<OperationId>>,
    /// The store that each writing event made in this run; as above.
    pub(crate) stores: Vec<Option<StoreId>>,
    /// How many events of the graph have not run yet.
    pub(crate) replay_left: usize,
    pub(crate) current: ThreadIndex,
    pub(crate) panic_count: usize,
    pub(crate) yield_count: usize,
    /// How many events of a sample there were since the last one that changed a value, or began a thread.
    pub(crate) quiet_count: usize,
    /// Whether a thread of a sample may wait for what others do: has yielded, spins, or is held.
    pub(crate) has_waiting: bool,
    /// Whether the program must run again under the same graph: what it did is made up.
    pub(crate) must_run_again: bool,
    /// Why the execution was cut, if it was.
    pub(crate) cut: Option<Ending>,
    /// The first race, where an execution goes on after one.
    pub(crate) race: Option<Race>,
    /// Values that unobserved operations have changed.
    pub(crate) overlay: HashMap<LocationId, u64>,
    /// What threads have used on the stacks of others.
    pub(crate) lent: Lent,
    /// The order of steps that they keep to, if they do.
    pub(crate) following: Option<Following>,
    /// The threads that have begun, in that order, each with how many events had run.
    pub(crate) begun: Vec<(ThreadIndex, u32)>,
    /// Where values were made whose counts have operations, with the first change of such a count: its thread, and its number among that one's.
    pub(crate) counted: Vec<(ThreadId, u32, SourceLocation)>,
}

/// A table without entries, with the memory of this one.
fn emptied<T>(mut table: Vec<T>) -> Vec<T> {
    table.clear();
    table
}

/// A table of so many equal entries, in the memory of this one.
fn filled<T: Clone>(table: Vec<T>, count: usize, entry: T) -> Vec<T> {
    let mut table = emptied(table);
    table.resize(count, entry);
    table
}

impl Run {
    /// A run that begins under a graph with so many events and locations. Of the run before it has nothing but the memory of its tables.
    pub(crate) fn after(mut old: Self, event_count: usize, location_count: usize) -> Self {
        old.ready.clear();
        old.threads.iter_mut().for_each(ThreadRun::restart);
        old.overlay.clear();
        Self {
            left_out: emptied(old.left_out),
            threads: old.threads,
            thread_indices: emptied(old.thread_indices),
            locations: emptied(old.locations),
            location_ids: filled(old.location_ids, location_count, None),
            ready: old.ready,
            progress: filled(old.progress, event_count, EventProgress::Pending(Waiters::None)),
            ran: emptied(old.ran),
            is_recording: false,
            operations: emptied(old.operations),
            stores: emptied(old.stores),
            replay_left: event_count,
            current: 0,
            panic_count: 0,
            yield_count: 0,
            quiet_count: 0,
            has_waiting: false,
            must_run_again: false,
            cut: None,
            race: None,
            overlay: old.overlay,
            lent: old.lent.emptied(),
            following: None,
            begun: emptied(old.begun),
            counted: emptied(old.counted),
        }
    }
}

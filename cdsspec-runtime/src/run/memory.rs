//! What the heap shows, by the clocks of the graph.

use super::fault::{self, Numbered};
use super::port::RunPort;
use super::state::RunState;
use crate::graph::{EventId, Label, ThreadIndex};
use crate::heap::{Happened, Heap, Use};
use crate::record::{Ending, MemoryFault, OperationId, ThreadId};

/// What is wrong with the memory of the execution that has ended. If anything is, the execution is recorded.
pub(crate) fn faults(port: &RunPort, heap: &Heap, ending: &Ending) -> Vec<MemoryFault> {
    let classes = port.limits.memory;
    let looks_for_leaks = heap.is_used() && (classes.leaks || classes.reclaims_leaks);
    let looks_at_stacks = classes.freed && fault::is_result(ending) && !port.run.borrow().now.lent.is_empty();
    let left = fault::left(heap, ending, classes);
    if !heap.can_show_a_fault() && !looks_for_leaks && !looks_at_stacks && left.is_none() {
        return Vec::new();
    }
    let faults: Vec<_> = {
        port.run.borrow_mut().explorer.graph_mut().compute_clocks();
        let run = port.run.borrow();
        let mut faults = fault::faults(heap, ending, classes, uses(&run), &Graphed::new(&run));
        if looks_at_stacks {
            faults.extend(run.stack_faults(&Graphed::new(&run)));
        }
        let newest = |location| run.newest_value(location);
        faults.extend(fault::leak(heap, ending, classes, &newest, &mut stored(&run)));
        faults.extend(left);
        faults
    };
    if faults.is_empty() {
        return Vec::new();
    }
    super::recording::start(&mut port.run.borrow_mut(), &mut port.recorder.borrow_mut());
    let run = port.run.borrow();
    fault::record(&faults, &Graphed::new(&run))
}

/// The events that have run and use an object.
fn uses(run: &RunState) -> impl Iterator<Item = Use> + '_ {
    let graph = run.explorer.graph();
    run.now.ran.iter().zip(0..).filter_map(|(&id, sequence)| {
        let event = graph.event(id);
        let location = run.now.location_ids[event.location? as usize]?;
        let (thread, position) = (run.thread(event.thread).id, event.index + 1);
        Some(Use { sequence, thread, position, location })
    })
}

/// The values of all stores.
fn stored(run: &RunState) -> impl Iterator<Item = u64> + '_ {
    let written = run.now.ran.iter().map(|&id| run.explorer.graph().event(id)).filter(|event| event.is_write);
    run.now.locations.iter().map(|location| location.initial).chain(written.map(|event| event.value))
}

/// The run, with the joins that have run in it.
struct Graphed<'a> {
    run: &'a RunState,
    joins: Vec<(ThreadIndex, EventId)>,
}

impl<'a> Graphed<'a> {
    fn new(run: &'a RunState) -> Self {
        let graph = run.explorer.graph();
        let joins = run.now.ran.iter().filter_map(|&id| match graph.event(id).label {
            Label::Join { child } => Some((child, id)),
            _ => None,
        });
        Self { run, joins: joins.collect() }
    }

    fn index(&self, thread: ThreadId) -> ThreadIndex {
        self.run.now.thread_indices[thread.index()]
    }

    fn event(&self, thread: ThreadId, position: u32) -> Option<EventId> {
        let events = &self.run.explorer.graph().threads[self.index(thread)];
        events.get(position.checked_sub(1)? as usize).copied()
    }
}

impl Happened for Graphed<'_> {
    fn before_operation(&self, sequence: u32, thread: ThreadId) -> u32 {
        let graph = self.run.explorer.graph();
        let clock = graph.hb(self.run.now.ran[sequence as usize]);
        let index = self.index(thread);
        let mut joins = self.joins.iter().filter(|(child, _)| *child == index);
        let is_joined = joins.any(|&(_, join)| graph.event(join).is_in(clock));
        clock.get(index) + u32::from(is_joined)
    }

    fn before_moment(&self, thread: ThreadId, position: u32, other: ThreadId) -> u32 {
        let graph = self.run.explorer.graph();
        let last = self.event(thread, position).or(graph.creators[self.index(thread)]);
        last.map_or(0, |last| graph.hb(last).get(self.index(other)))
    }
}

impl Numbered for Graphed<'_> {
    fn by_sequence(&self, sequence: u32) -> Option<OperationId> {
        self.run.operation(self.run.now.ran[sequence as usize])
    }

    fn count(&self, thread: ThreadId) -> u32 {
        self.run.thread(self.index(thread)).next as u32
    }

    fn by_position(&self, thread: ThreadId, position: u32) -> Option<OperationId> {
        self.run.operation(self.event(thread, position)?)
    }
}

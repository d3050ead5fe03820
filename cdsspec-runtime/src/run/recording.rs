//! Tells the recorder what ran.
//!
//! Most executions of a program without annotated calls are looked at by nobody, so recording is put off until something needs it; then
//! the events that have run are recorded in the order in which they ran, and further ones as they run.

use super::state::RunState;
use crate::graph::{Action, EventId, Label, LocationIndex, ReadsFrom};
use crate::record::{Clock, Done, LocationId, OperationKind, Recorder, Standing, StoreId, ThreadId};

/// From here on events are recorded as they run; those that have run are recorded now.
pub(crate) fn start(run: &mut RunState, recorder: &mut Recorder) {
    if run.now.is_recording {
        return;
    }
    run.now.is_recording = true;
    recorder.begin();
    for location in &run.now.locations {
        recorder.new_location(location.kind, location.initial);
    }
    for index in 0..run.now.ran.len() {
        let id = run.now.ran[index];
        record(run, recorder, id);
    }
}

/// Records an event that has run, with what happens before it as the graph has it.
///
/// That is what the operations themselves make, by the rules of [`Recorder::load`] and its like: the graph computes the clocks of an event from its
/// predecessor in its thread, from the creation of that or the end of a thread that is joined, and from the store that it reads. All of these
/// have run, and are recorded: none of them changes any more in this run, so neither do the clocks. An event with index k has position k + 1, so
/// a count of events of a thread is a position; choices are events and no operations, so positions may leave numbers out.
/// `record::assert_computed` is the twin.
pub(crate) fn record(run: &mut RunState, recorder: &mut Recorder, id: EventId) {
    run.explorer.graph_mut().compute_clocks();
    let Some(done) = done(run, recorder, id) else { return };
    let operation = recorder.record(done, known(run, id));
    let store = recorder.recording().operation(operation).written;
    if let Label::Create { child } = run.explorer.graph().event(id).label {
        let child = run.thread(child);
        recorder.recording_mut().threads[child.id.index()].name.clone_from(&child.name);
    }
    run.note_recorded(id, Some(operation), store);
}

/// What an event was in this run; a choice is no operation.
fn done(run: &RunState, recorder: &Recorder, id: EventId) -> Option<Done> {
    let event = run.explorer.graph().event(id);
    let kind = match event.label {
        Label::Fence { .. } => OperationKind::Fence,
        Label::Join { child } => OperationKind::Join(run.thread(child).id),
        Label::Create { child } => OperationKind::Create(run.thread(child).id),
        Label::Choice { .. } => return None,
        // Whether it races, the graph says; how long it lasts does not matter to it.
        Label::Access(Action::BeginCell { is_write }) => OperationKind::of_cell(is_write),
        Label::Access(Action::Store { .. }) => OperationKind::Store,
        Label::Access(_) if event.is_write => OperationKind::Update,
        Label::Access(_) => OperationKind::Load,
    };
    let read = matches!(kind, OperationKind::Load | OperationKind::Update)
        .then(|| read_store(run, recorder, event.location, event.reads_from));
    Some(Done {
        order: event.label.order(event.is_write),
        location: event.location.map(|_| location_id(run, event.location)),
        read,
        written: event.is_write.then_some(event.value),
        ..Done::new(run.thread(event.thread).id, event.place, kind)
    })
}

/// What happens before an event, by the numbers that threads have in this run.
fn known(run: &RunState, id: EventId) -> Standing {
    let graph = run.explorer.graph();
    let hb = graph.hb(id);
    let mut clock = Clock::new();
    for (thread, &index) in run.now.thread_indices.iter().enumerate() {
        clock.include(ThreadId::new(thread), hb.get(index));
    }
    Standing { position: graph.event(id).index + 1, clock }
}

fn location_id(run: &RunState, location: Option<LocationIndex>) -> LocationId {
    let known = location.and_then(|location| run.now.location_ids[location as usize]);
    known.expect("cdsspec bug: a location of an event that runs is bound")
}

/// The store of this run that an event reads.
fn read_store(
    run: &RunState,
    recorder: &Recorder,
    location: Option<LocationIndex>,
    reads_from: ReadsFrom,
) -> StoreId {
    match reads_from {
        ReadsFrom::Event(event) => run.store(event).expect("cdsspec bug: a store runs before its readers"),
        _ => {
            let location = location_id(run, location);
            recorder.recording().locations[location.index()].initial
        }
    }
}

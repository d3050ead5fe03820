//! Tells the recorder what ran.
//!
//! Most executions of a program without annotated calls are looked at by nobody, so recording is put off until something needs it; then
//! the events that have run are recorded in the order in which they ran, and further ones as they run.

use super::state::RunState;
use crate::graph::{Action, EventId, Label, LocationIndex, ReadsFrom};
use crate::record::{LocationId, Recorder, StoreId};
use std::sync::atomic::Ordering;

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

/// Records an event.
pub(crate) fn record(run: &mut RunState, recorder: &mut Recorder, id: EventId) {
    let event = run.explorer.graph().event(id);
    let (thread, place) = (run.thread(event.thread).id, event.place);
    let order = event.label.order(event.is_write).unwrap_or(Ordering::Relaxed);
    let mut store = None;
    match event.label {
        Label::Fence { .. } => {
            recorder.fence(thread, place, order);
        }
        Label::Access(Action::BeginCell { is_write }) => {
            // Whether it races, the graph says; how long it lasts does not matter to it.
            let result = recorder.begin_cell(thread, place, location_id(run, event.location), is_write);
            let operation = result.unwrap_or_else(|race| race.second);
            recorder.end_cell(operation);
        }
        Label::Join { child } => {
            recorder.join(thread, place, run.thread(child).id);
        }
        Label::Create { child } => {
            let name = run.thread(child).name.clone();
            recorder.create(thread, place, name);
        }
        Label::Access(Action::Store { .. }) => {
            store = Some(recorder.store(thread, place, order, location_id(run, event.location), event.value));
        }
        Label::Choice { .. } => return,
        _ => {
            let from = read_store(run, recorder, event.location, event.reads_from);
            if event.is_write {
                store = Some(recorder.update(thread, place, order, from, event.value));
            } else {
                recorder.load(thread, place, order, from);
            }
        }
    }
    run.note_recorded(id, recorder.last_operation(thread), store);
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

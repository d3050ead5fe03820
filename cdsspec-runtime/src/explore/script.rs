//! One execution again: each event takes the choice that it took before.
//!
//! Events are added in an order that extends sb ∪ rf, with the places that stores have among those that are there. All graphs on the way are consistent, as
//! models are closed under prefixes; if one is not, or there is no such store, the program is not the one of then.

use super::Choices;
use crate::graph::{Action, EventId, Graph, Label, LocationIndex, ReadsFrom};

/// What an event is to choose.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prescribed {
    /// What is newest; of the program's choices, the first.
    Newest,
    /// It reads this store, or stands right after it; whether a read fails spuriously.
    Store { store: ReadsFrom, is_spurious: bool },
    /// This one of the program's choices.
    Choice(u32),
}

/// What the events of an execution are to choose, in the order in which they are added.
#[derive(Debug)]
pub(super) struct ScriptedChoices {
    prescribed: Vec<Prescribed>,
    is_departed: bool,
}

impl ScriptedChoices {
    pub(super) fn new(prescribed: Vec<Prescribed>) -> Self {
        Self { prescribed, is_departed: false }
    }

    /// Whether some event could not choose what was prescribed.
    pub(super) fn is_departed(&self) -> bool {
        self.is_departed
    }

    /// The event, which was just added, takes its choice.
    pub(super) fn choose(&mut self, graph: &mut Graph, choices: Choices, id: EventId) {
        let prescribed = self.prescribed.get(id as usize).copied().unwrap_or(Prescribed::Newest);
        if !take(graph, choices, id, prescribed) {
            self.is_departed = true;
            take(graph, choices, id, Prescribed::Newest);
        }
    }
}

/// Takes a choice; `false` if there is no such choice.
fn take(graph: &mut Graph, choices: Choices, id: EventId, prescribed: Prescribed) -> bool {
    let event = graph.event(id);
    match (event.label, event.location) {
        (Label::Access(Action::BeginCell { .. }), _) => matches!(prescribed, Prescribed::Newest),
        (Label::Access(Action::Store { .. }), Some(location)) => {
            let Some((after, false)) = store(graph, location, prescribed) else { return false };
            take_place(graph, choices, id, after)
        }
        (label, Some(location)) if label.is_read() => {
            let Some((read, is_spurious)) = store(graph, location, prescribed) else { return false };
            take_store(graph, choices, id, location, read, is_spurious)
        }
        (Label::Choice { count }, _) => match prescribed {
            Prescribed::Newest => true,
            Prescribed::Choice(choice) if choice < count => {
                graph.event_mut(id).choice = choice;
                true
            }
            _ => false,
        },
        _ => matches!(prescribed, Prescribed::Newest),
    }
}

/// A write stands right after this store, if it may.
fn take_place(graph: &mut Graph, choices: Choices, id: EventId, after: ReadsFrom) -> bool {
    if !graph.writable(id).contains(&after) {
        return false;
    }
    graph.insert_write(id, after);
    let is_consistent = choices.axioms.is_consistent(graph);
    if !is_consistent {
        graph.remove_write(id);
    }
    is_consistent
}

/// A read reads this store, if it may; a wait also one that does not end it.
fn take_store(
    graph: &mut Graph,
    choices: Choices,
    id: EventId,
    location: LocationIndex,
    read: ReadsFrom,
    is_spurious: bool,
) -> bool {
    let event = graph.event(id);
    let may_fail = choices.may_fail(event) && event.label.writes(graph.value_of(location, read));
    let is_overwritten = graph.position(location, read) < graph.last_known(location, graph.hb_before(id));
    if is_overwritten || is_spurious && !may_fail {
        return false;
    }
    graph.set_read(id, read, is_spurious);
    graph.place_rmw(id);
    let is_rival = graph.event(id).is_rmw() && graph.has_rival(id);
    !is_rival && choices.axioms.is_consistent(graph)
}

/// The store of a location that is meant, and whether a read of it fails spuriously; `None` if there is none.
fn store(graph: &Graph, location: LocationIndex, prescribed: Prescribed) -> Option<(ReadsFrom, bool)> {
    match prescribed {
        Prescribed::Newest => Some((graph.newest(location), false)),
        Prescribed::Store { store: ReadsFrom::Event(store), is_spurious } => {
            let is_there = graph.location(location).writes.contains(&store);
            is_there.then_some((ReadsFrom::Event(store), is_spurious))
        }
        Prescribed::Store { store, is_spurious } => Some((store, is_spurious)),
        Prescribed::Choice(_) => None,
    }
}

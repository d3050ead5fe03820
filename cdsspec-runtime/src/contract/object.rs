//! The events of one object, and the points at which something is done.

use super::option::ContractOptions;
use super::order::PointOrder;
use crate::record::{ContractEvent, ContractPoint, Look, Recording, ThreadId};
use cdsspec_contracts::{Clock, Epoch, Event, Mark, Source, ThreadIndex};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The calls of an object under contracts.
pub(super) struct ContractObject<'a> {
    /// The names of its event sets, of all contracts that speak of it.
    pub(super) sets: Vec<&'static str>,
    /// Its events, in order of invocation as the engine ran them.
    pub(super) events: Vec<ObjectEvent<'a>>,
    /// The points at which something is done, those of each thread in program order.
    pub(super) threads: Vec<Vec<PointAction<'a>>>,
}

/// An event of an object.
pub(super) struct ObjectEvent<'a> {
    /// Its index in the recording.
    pub(super) index: usize,
    pub(super) recorded: &'a ContractEvent,
    /// With what happens before it.
    pub(super) event: Event,
    /// Which of the object's sets each set of its contract is.
    pub(super) sets: Vec<usize>,
}

/// Something is done at a point.
pub(super) struct PointAction<'a> {
    /// Which event it is of: an index into the object's.
    pub(super) event: usize,
    /// What is looked at.
    pub(super) look: &'a Look,
    /// How many actions of each thread must have come before.
    pub(super) needs: Vec<usize>,
}

/// The objects of an execution, in the order of their first events.
pub(super) fn objects<'a>(
    recording: &'a Recording,
    order: &PointOrder<'_>,
    options: &ContractOptions,
) -> Vec<ContractObject<'a>> {
    let mut by_object: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, event) in recording.events.iter().enumerate() {
        match event.object {
            Some(object) => by_object.entry(object).or_default().push(index),
            // A constructor that has made nothing: nothing can have happened to that.
            None => groups.push(vec![index]),
        }
    }
    for events in by_object.into_values() {
        let (own, parts) = apart(recording, &events);
        groups.push(own);
        // A constructor that another one calls has nothing before it, as if it made another object.
        let made = parts.into_iter().filter(|&part| recording.events[part].is_constructor);
        groups.extend(made.map(|part| vec![part]));
    }
    groups.retain(|events| !events.is_empty());
    groups.sort_by_key(|events| events[0]);
    groups.iter().map(|events| object(recording, events, order, options)).collect()
}

/// Those of these events that are in none of their constructors, and those that are: what a constructor calls of what it makes is a part of it. One that
/// has made nothing, or is still running, may have been about to make this.
fn apart(recording: &Recording, events: &[usize]) -> (Vec<usize>, Vec<usize>) {
    let is_part = |inner: &ContractEvent, outer: &ContractEvent| {
        let may_be_its = outer
            .object
            .map_or(inner.contract.name == outer.contract.name, |object| Some(object) == inner.object);
        let end = outer.response.map_or(u32::MAX, |response| response.sequence);
        let inside = outer.invocation.sequence + 1..end;
        may_be_its && inner.thread == outer.thread && inside.contains(&inner.invocation.sequence)
    };
    let constructors: Vec<&ContractEvent> =
        recording.events.iter().filter(|event| event.is_constructor).collect();
    let is_outside = |&index: &usize| {
        let inner = &recording.events[index];
        !constructors.iter().any(|outer| is_part(inner, outer))
    };
    events.iter().copied().partition(is_outside)
}

fn object<'a>(
    recording: &'a Recording,
    events: &[usize],
    order: &PointOrder<'_>,
    options: &ContractOptions,
) -> ContractObject<'a> {
    let mut sets: Vec<&'static str> = Vec::new();
    let clocks = EventClocks::of(recording, events, order);
    let events: Vec<ObjectEvent<'a>> = (0..)
        .zip(events)
        .map(|(number, &index)| {
            let recorded = &recording.events[index];
            let set = |name| {
                sets.iter().position(|known| *known == name).unwrap_or_else(|| {
                    sets.push(name);
                    sets.len() - 1
                })
            };
            let own = recorded.contract.sets.iter().map(|declared| declared.name).map(set).collect();
            ObjectEvent { index, recorded, event: clocks.event(recorded, number, options), sets: own }
        })
        .collect();
    let threads = actions(recording, &events, order);
    ContractObject { sets, events, threads }
}

/// The points of the events of an object, by which its clocks count.
struct EventClocks<'a, 'b> {
    order: &'a PointOrder<'b>,
    /// Of each thread, its invocations and returns, in program order.
    points: Vec<Vec<ContractPoint>>,
}

impl<'a, 'b> EventClocks<'a, 'b> {
    fn of(recording: &Recording, events: &[usize], order: &'a PointOrder<'b>) -> Self {
        let mut points = vec![Vec::new(); recording.threads.len()];
        for event in events.iter().map(|&index| &recording.events[index]) {
            points[event.thread.index()]
                .extend([Some(event.invocation), event.response].into_iter().flatten());
        }
        points.iter_mut().for_each(|points| points.sort_by_key(|point| point.sequence));
        Self { order, points }
    }

    /// The step that a point of a thread is, from 1.
    fn epoch(&self, thread: ThreadId, point: ContractPoint) -> Epoch {
        let step = self.points[thread.index()].partition_point(|known| known.sequence <= point.sequence);
        Epoch { thread: thread_index(thread), step: step as u64 }
    }

    fn event(&self, recorded: &ContractEvent, number: u64, options: &ContractOptions) -> Event {
        let (thread, invocation) = (recorded.thread, recorded.invocation);
        let mut clock = Clock::new();
        for (index, points) in self.points.iter().enumerate() {
            let other = ThreadId::new(index);
            // A point of a thread happens before whatever a later one of it does.
            let known =
                |point: &ContractPoint| self.order.happens_before((other, *point), (thread, invocation));
            let step = match other == thread {
                true => self.epoch(thread, invocation).step,
                false => points.partition_point(known) as u64,
            };
            clock.include(Epoch { thread: thread_index(other), step });
        }
        let end = if options.by_invocation { Some(invocation) } else { recorded.response };
        Event {
            thread: thread_index(thread),
            number,
            clock: Arc::new(clock),
            end: end.map(|end| self.epoch(thread, end)),
            method: recorded.method,
            caller: Source {
                file: recorded.caller.file,
                line: recorded.caller.line,
                column: recorded.caller.column,
            },
            mark: Mark::default(),
        }
    }
}

fn thread_index(thread: ThreadId) -> ThreadIndex {
    ThreadIndex(u32::try_from(thread.index()).expect("ids of threads have 32 bits"))
}

/// The points at which something is done, by thread, and what each must come behind.
fn actions<'a>(
    recording: &Recording,
    events: &[ObjectEvent<'a>],
    order: &PointOrder<'_>,
) -> Vec<Vec<PointAction<'a>>> {
    let mut threads: Vec<Vec<PointAction<'a>>> = recording.threads.iter().map(|_| Vec::new()).collect();
    for (event, ObjectEvent { recorded, .. }) in events.iter().enumerate() {
        let looks = recorded.looks.iter().map(|look| PointAction { event, look, needs: Vec::new() });
        threads[recorded.thread.index()].extend(looks);
    }
    threads.iter_mut().for_each(|actions| actions.sort_by_key(|action| action.look.at.sequence));
    let points: Vec<Vec<ContractPoint>> =
        threads.iter().map(|actions| actions.iter().map(|action| action.look.at).collect()).collect();
    for (thread, actions) in threads.iter_mut().enumerate() {
        let thread = ThreadId::new(thread);
        for (number, action) in actions.iter_mut().enumerate() {
            let at = (thread, action.look.at);
            action.needs = points
                .iter()
                .enumerate()
                .map(|(other, points)| {
                    let other = ThreadId::new(other);
                    let is_before = |point: &ContractPoint| order.is_before((other, *point), at);
                    if other == thread { number } else { points.partition_point(is_before) }
                })
                .collect();
        }
    }
    threads
}

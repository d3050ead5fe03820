//! Walks the orders in which the points of an object can come.
//!
//! What follows on a point depends on which points have come, and on what is in the event sets then: so the walk goes over sets of points that are closed
//! downwards, with the contents of the event sets, and visits each pair once. (Where nothing is added under a condition, the contents are those of
//! the events that have come.) `naive` is its twin, over all linear extensions.

use super::misuse::{ContractCheck, Misuse, Reason};
use super::object::{ContractObject, PointAction};
use super::option::ContractOptions;
use crate::record::{SourceLocation, SpecificationError, SpecificationErrorKind, ThreadId};
use cdsspec_contracts::{Condition, ConditionMoment, Epoch, Event, EventSet, View, Witness, take_witness};
use std::cell::RefCell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Which points have come, how many of each thread; and which events are in each set.
#[derive(Clone, PartialEq, Eq, Hash)]
struct WalkState {
    come: Vec<usize>,
    contents: Vec<Vec<u64>>,
}

/// A state from which the walk is to go on.
#[derive(Clone)]
struct OpenState {
    /// How many points of each thread have come.
    come: Vec<usize>,
    sets: Vec<RefCell<EventSet>>,
    /// The thread to go on with: those before it have had their turn.
    next: usize,
    /// How many events were invoked up to here.
    order_length: usize,
}

/// A walk of one object.
struct ContractWalk<'a> {
    object: &'a ContractObject<'a>,
    options: &'a ContractOptions,
    visited: HashSet<WalkState>,
    left: &'a mut u64,
    check: &'a mut ContractCheck,
}

/// Walks all orders; whether that ended before `left` states were visited.
pub(super) fn walk(
    object: &ContractObject<'_>,
    options: &ContractOptions,
    left: &mut u64,
    check: &mut ContractCheck,
) -> bool {
    ContractWalk { object, options, visited: HashSet::new(), left, check }.run()
}

impl ContractWalk<'_> {
    /// Depth first, threads ascending. The states that are open are a stack of ours: the walk is as deep as there are points.
    fn run(&mut self) -> bool {
        let sets = self.object.sets.iter().map(|_| RefCell::new(EventSet::new())).collect();
        let first = OpenState { come: vec![0; self.object.threads.len()], sets, next: 0, order_length: 0 };
        let (mut open, mut order) = (Vec::new(), Vec::new());
        if !self.visit(first, &mut open) {
            return false;
        }
        while let Some(mut state) = open.pop() {
            let thread = state.next;
            // It is kept only for what other threads can do in it.
            if let Some(next) = self.ready(&state.come, thread + 1) {
                open.push(OpenState { next, ..state.clone() });
            }
            order.truncate(state.order_length);
            let action = &self.object.threads[thread][state.come[thread]];
            state.come[thread] += 1;
            if action.look.moment == ConditionMoment::Invocation {
                order.push(self.object.events[action.event].index);
            }
            state.order_length = order.len();
            let broken = act(self.object, action, &state.sets, self.options);
            self.note(action, broken, &order);
            if self.has_enough() {
                return true;
            }
            if !self.visit(state, &mut open) {
                return false;
            }
        }
        true
    }

    /// Opens a state, if it is new and something can be done in it; `false` if it is one too many.
    fn visit(&mut self, mut state: OpenState, open: &mut Vec<OpenState>) -> bool {
        if !self.visited.insert(WalkState { come: state.come.clone(), contents: contents(&state.sets) }) {
            return true;
        }
        if *self.left == 0 {
            return false;
        }
        *self.left -= 1;
        if let Some(next) = self.ready(&state.come, 0) {
            state.next = next;
            open.push(state);
        }
        true
    }

    /// The first thread from this one on whose next point can come.
    fn ready(&self, come: &[usize], from: usize) -> Option<usize> {
        (from..come.len()).find(|&thread| {
            let action = self.object.threads[thread].get(come[thread]);
            action.is_some_and(|action| action.needs.iter().zip(come).all(|(need, come)| need <= come))
        })
    }

    fn has_enough(&self) -> bool {
        !self.options.finds_all && !self.check.misuses.is_empty()
    }

    fn note(&mut self, action: &PointAction<'_>, broken: Vec<Breach>, order: &[usize]) {
        let event = &self.object.events[action.event];
        for broken in broken {
            match broken {
                Breach::Not(condition, reason) => {
                    let is_known = |known: &Misuse| {
                        known.event == event.index && std::ptr::eq(known.condition, condition)
                    };
                    if !self.check.misuses.iter().any(is_known) {
                        self.check.misuses.push(Misuse {
                            contract: event.recorded.contract,
                            condition,
                            event: event.index,
                            reason,
                            order: order.to_vec(),
                        });
                    }
                }
                Breach::Panicked(condition, message) => {
                    let error = panicked(condition, message, event.recorded.thread);
                    if !self.check.errors.contains(&error) {
                        self.check.errors.push(error);
                    }
                }
            }
        }
    }
}

/// Which events are in each set, sorted.
fn contents(sets: &[RefCell<EventSet>]) -> Vec<Vec<u64>> {
    let numbers = |set: &RefCell<EventSet>| {
        let mut numbers: Vec<u64> = set.borrow().iter().map(|event| event.number).collect();
        numbers.sort_unstable();
        numbers
    };
    sets.iter().map(numbers).collect()
}

/// A condition that does not hold, or cannot be told to.
pub(super) enum Breach {
    Not(&'static Condition, Reason),
    Panicked(&'static Condition, String),
}

/// What is done at a point: its conditions are looked at; at an invocation the event is added.
pub(super) fn act(
    object: &ContractObject<'_>,
    action: &PointAction<'_>,
    sets: &[RefCell<EventSet>],
    options: &ContractOptions,
) -> Vec<Breach> {
    let event = &object.events[action.event];
    let method = &event.recorded.contract.methods[event.recorded.method];
    let view = View::of(event.recorded.contract, (sets, &event.sets), &event.event);
    let mut broken = Vec::new();
    for (index, condition) in method.conditions.iter().enumerate() {
        let is_looked_at = condition.moment == action.look.moment
            && condition.level <= options.level
            && action.look.index.is_none_or(|only| only == index);
        if !is_looked_at {
            continue;
        }
        take_witness();
        match catch_unwind(AssertUnwindSafe(|| (action.look.holds)(index, &view))) {
            Ok(true) => {}
            Ok(false) => broken.push(Breach::Not(condition, reason(object))),
            Err(payload) => {
                let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
                broken.push(Breach::Panicked(condition, text.unwrap_or_default()));
            }
        }
    }
    if action.look.moment == ConditionMoment::Invocation {
        method.adds.iter().for_each(|&set| view.set(set).add(&event.event));
    }
    broken
}

/// The moment at which an event begins.
fn invocation(event: &Event) -> Epoch {
    Epoch { thread: event.thread, step: event.clock.get(event.thread) }
}

/// Why a condition of this event does not hold: the last comparison in it.
fn reason(object: &ContractObject<'_>) -> Reason {
    let index = |number: u64| {
        object.events.iter().find(|known| known.event.number == number).map(|known| known.index)
    };
    match take_witness() {
        None => Reason::Unknown,
        Some(Witness::Empty(set)) => Reason::Empty(set),
        Some(Witness::Unordered(first, second)) => match (index(first.number), index(second.number)) {
            (Some(one), Some(other)) if first.is_beside(&second) => {
                let is_seen = |first: &Event, second: &Event| second.clock.includes(invocation(first));
                match is_seen(&second, &first) {
                    true => Reason::Concurrent(other, one, true),
                    false => Reason::Concurrent(one, other, is_seen(&first, &second)),
                }
            }
            (Some(one), Some(other)) => Reason::NotBefore(one, other),
            _ => Reason::Unknown,
        },
    }
}

fn panicked(condition: &'static Condition, message: String, thread: ThreadId) -> SpecificationError {
    let marker = SourceLocation {
        file: condition.source.file,
        line: condition.source.line,
        column: condition.source.column,
    };
    SpecificationError {
        kind: SpecificationErrorKind::ClausePanicked { clause: condition.text, message },
        marker,
        thread,
    }
}

//! All consistent graphs of a test.

use super::axiom::{Event, Kind, Shape, has_race};
use super::matrix::{Matrix, members};
use super::order::orders;
use super::trace::{Domains, Trace, TraceEvent, domains, traces};
use crate::syntax::{BLOCKED, Litmus, LocationIndex, RACE, Registers};
use std::collections::BTreeMap;

/// Counts the consistent execution graphs of a test, by their outcomes.
///
/// Takes time exponential in the number of events: ten take milliseconds, twenty may take minutes.
///
/// # Panics
/// If a graph has more than [`EVENTS_MAX`](super::EVENTS_MAX) events.
pub fn enumerate(test: &Litmus) -> BTreeMap<String, u64> {
    let domains = domains(test);
    let threads: Vec<Vec<Candidate>> = test
        .threads
        .iter()
        .map(|code| {
            let traces = traces(test, code, &domains).into_iter();
            traces.map(|trace| Candidate::new(trace, &domains)).collect()
        })
        .collect();
    let initial = test
        .locations
        .iter()
        .enumerate()
        .fold(0, |set, (location, first)| set | value_bit(&domains, location, first.initial));
    let mut offers = vec![0; threads.len() + 1];
    for thread in (0..threads.len()).rev() {
        offers[thread] = threads[thread].iter().fold(offers[thread + 1], |all, one| all | one.offers);
    }
    let mut enumeration = Enumeration { test, threads, offers, counts: BTreeMap::new() };
    enumeration.choose_traces(&mut Vec::new(), 0, initial);
    enumeration.counts
}

/// A set of pairs of location and value.
type Values = u128;

fn value_bit(domains: &Domains, location: usize, value: i64) -> Values {
    let before: usize = domains[..location].iter().map(std::collections::BTreeSet::len).sum();
    // What an await waits for need not be a value that the location can hold: it has a bit that nobody offers.
    let known = domains[location].iter().position(|&known| known == value);
    let bit = known.map_or(127, |at| before + at);
    assert!(known.is_none() || bit < 127, "the naive twin looks at programs of at most 127 values");
    1 << bit
}

/// A trace, with the values that it reads and writes.
struct Candidate {
    trace: Trace,
    needs: Values,
    offers: Values,
}

impl Candidate {
    fn new(trace: Trace, domains: &Domains) -> Self {
        let set = |value: fn(&TraceEvent) -> Option<i64>| {
            trace.events.iter().fold(0, |set, event| match (event.location, value(event)) {
                (Some(location), Some(value)) => set | value_bit(domains, location.0, value),
                _ => set,
            })
        };
        let (needs, offers) = (set(|event| event.read), set(|event| event.written));
        Self { trace, needs, offers }
    }
}

struct Enumeration<'a> {
    test: &'a Litmus,
    threads: Vec<Vec<Candidate>>,
    /// What the threads from this one on can write.
    offers: Vec<Values>,
    counts: BTreeMap<String, u64>,
}

impl Enumeration<'_> {
    /// Chooses a trace for each thread; what is read must be written by somebody.
    fn choose_traces(&mut self, chosen: &mut Vec<usize>, needs: Values, offers: Values) {
        let thread = chosen.len();
        if needs & !(offers | self.offers[thread]) != 0 {
            return;
        }
        if thread == self.threads.len() {
            self.complete(chosen);
            return;
        }
        for index in 0..self.threads[thread].len() {
            let candidate = &self.threads[thread][index];
            let (needs, offers) = (needs | candidate.needs, offers | candidate.offers);
            chosen.push(index);
            self.choose_traces(chosen, needs, offers);
            chosen.pop();
        }
    }

    fn complete(&mut self, chosen: &[usize]) {
        let traces: Vec<&Trace> =
            chosen.iter().zip(&self.threads).map(|(&index, candidates)| &candidates[index].trace).collect();
        let graphs = Graphs::new(self.test, &traces);
        let counts = &mut self.counts;
        graphs.choose_sources(&mut vec![None; graphs.events.len()], 0, &mut |outcome| {
            *counts.entry(outcome).or_default() += 1;
        });
    }
}

/// The graphs of one choice of traces.
struct Graphs<'a> {
    test: &'a Litmus,
    events: Vec<Event>,
    /// What each event reads and writes.
    values: Vec<(Option<i64>, Option<i64>)>,
    registers: Vec<Registers>,
    /// What the threads that are blocked wait for.
    waits: Vec<(LocationIndex, i64)>,
    /// The writes of each location, the initial one first.
    writes: Vec<u64>,
    updates: u64,
    shape: Shape,
}

impl<'a> Graphs<'a> {
    fn new(test: &'a Litmus, traces: &[&Trace]) -> Self {
        let mut events = Vec::new();
        let mut values = Vec::new();
        for (index, location) in test.locations.iter().enumerate() {
            events.push(Event { kind: Kind::Write, location: Some(index), order: None, thread: None });
            values.push((None, Some(location.initial)));
        }
        for (thread, trace) in traces.iter().enumerate() {
            for event in &trace.events {
                let location = event.location.map(|location| location.0);
                events.push(Event { kind: event.kind, location, order: event.order, thread: Some(thread) });
                values.push((event.read, event.written));
            }
        }
        let set = |holds: &dyn Fn(usize) -> bool| {
            (0..events.len()).filter(|&event| holds(event)).fold(0, |set, event| set | 1 << event)
        };
        let is_write_of =
            |location, event: usize| events[event].location == Some(location) && values[event].1.is_some();
        let writes =
            (0..test.locations.len()).map(|location| set(&|event| is_write_of(location, event))).collect();
        Self {
            test,
            writes,
            updates: set(&|event| events[event].kind == Kind::Update),
            waits: traces.iter().filter_map(|trace| trace.waits).collect(),
            registers: traces.iter().map(|trace| trace.registers.clone()).collect(),
            shape: Shape::new(&events, Matrix::new(events.len())),
            events,
            values,
        }
    }

    /// Chooses, for each read from `event` on, a store of the value that it reads.
    fn choose_sources(&self, sources: &mut Vec<Option<usize>>, event: usize, count: &mut impl FnMut(String)) {
        let Some(&(read, _)) = self.values.get(event) else {
            self.choose_orders(sources, count);
            return;
        };
        let (Some(value), Some(location)) = (read, self.events[event].location) else {
            return self.choose_sources(sources, event + 1, count);
        };
        let is_update = |event: usize| self.updates >> event & 1 != 0;
        for source in members(self.writes[location]) {
            let is_held = is_update(event)
                && (0..event).any(|other| is_update(other) && sources[other] == Some(source));
            let is_later = self.events[source].thread == self.events[event].thread && source >= event;
            if self.values[source].1 == Some(value) && !is_held && !is_later {
                sources[event] = Some(source);
                self.choose_sources(sources, event + 1, count);
            }
        }
        sources[event] = None;
    }

    /// Chooses the modification orders. Coherence is looked at for each location by itself: eco relates accesses of one location.
    fn choose_orders(&self, sources: &[Option<usize>], count: &mut impl FnMut(String)) {
        let rf = self.shape.reads_from(sources);
        let Some(hb) = self.shape.happens_before(&rf) else { return };
        let mut choices = Vec::new();
        for &writes in &self.writes {
            let mut orders = orders(writes, self.updates, sources, &hb);
            let accesses = self.accesses(writes);
            let rf = rf.within(accesses, accesses);
            orders.retain(|order| {
                let mo = self.shape.modification_order(&[order]);
                self.shape.is_coherent(&hb, &self.shape.extended_coherence(&rf, &mo))
            });
            if orders.is_empty() {
                return;
            }
            choices.push(orders);
        }
        let is_write = |event: usize| self.values[event].1.is_some();
        let is_racy = has_race(&self.events, is_write, &hb);
        self.count_orders(&choices, &mut Vec::new(), &mut |orders| {
            if self.shape.needs_psc() {
                let mo = self.shape.modification_order(orders);
                if !self.shape.psc(&hb, &rf, &mo).is_acyclic() {
                    return;
                }
            }
            let is_newest =
                |&(location, value): &(LocationIndex, i64)| self.last(orders[location.0]) == value;
            if self.waits.iter().any(is_newest) {
                return;
            }
            count(match (is_racy, self.waits.is_empty()) {
                (true, _) => RACE.to_string(),
                (false, false) => BLOCKED.to_string(),
                (false, true) => self.outcome(orders),
            });
        });
    }

    /// All events of the location of these writes.
    fn accesses(&self, writes: u64) -> u64 {
        let location = self.events[writes.trailing_zeros() as usize].location;
        let is_there = |&event: &usize| self.events[event].location == location;
        (0..self.events.len()).filter(is_there).fold(0, |set, event| set | 1 << event)
    }

    fn count_orders<'o>(
        &self,
        choices: &'o [Vec<Vec<usize>>],
        chosen: &mut Vec<&'o [usize]>,
        count: &mut impl FnMut(&[&[usize]]),
    ) {
        let Some(orders) = choices.get(chosen.len()) else { return count(chosen) };
        for order in orders {
            chosen.push(order);
            self.count_orders(choices, chosen, count);
            chosen.pop();
        }
    }

    fn outcome(&self, orders: &[&[usize]]) -> String {
        let last: Vec<i64> = orders.iter().map(|order| self.last(order)).collect();
        self.test.outcome(&self.registers, &last)
    }

    fn last(&self, order: &[usize]) -> i64 {
        let newest = order.last().expect("the initial store is there");
        self.values[*newest].1.expect("a store has a value")
    }
}

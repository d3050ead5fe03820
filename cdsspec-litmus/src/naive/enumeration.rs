//! All consistent graphs of a test.

use super::axiom::{Event, Kind, Shape, has_race};
use super::matrix::{Matrix, members};
use super::order::orders;
use super::trace::{Domains, Rounds, Scope, TooLarge, Trace, TraceEvent, domains, traces};
use crate::syntax::{Litmus, LocationIndex, Registers};
use std::cell::Cell;
use std::ops::ControlFlow;

/// What bounds an enumeration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) rounds: Rounds,
    /// How many traces a thread may have.
    pub(super) traces_max: usize,
    /// How many choices are looked at.
    pub(super) steps_max: u64,
}

impl Bounds {
    /// Those of a test without a loop: none.
    pub(super) fn none() -> Self {
        let rounds = Rounds { max: 0, stops_early: false };
        Self { rounds, traces_max: usize::MAX, steps_max: u64::MAX }
    }
}

/// The traces of a test, from which its graphs are made.
pub(super) struct Enumeration<'a> {
    test: &'a Litmus,
    threads: Vec<Vec<Candidate<'a>>>,
    /// What the threads from this one on can write.
    offers: Vec<Values>,
    initial: Values,
    steps_left: Cell<u64>,
}

/// Why an enumeration ends early.
enum End {
    /// Who looks has seen enough.
    Enough,
    TooLarge,
}

/// A consistent graph.
pub(super) struct Found<'f, 'a> {
    pub(super) graphs: &'f Graphs<'a>,
    pub(super) traces: &'f [&'f Trace<'a>],
    pub(super) rf: &'f Matrix,
    pub(super) hb: &'f Matrix,
    pub(super) orders: &'f [&'f [usize]],
    pub(super) is_racy: bool,
}

impl Found<'_, '_> {
    /// What each location holds at last.
    pub(super) fn last(&self) -> Vec<i64> {
        self.orders.iter().map(|order| self.graphs.last(order)).collect()
    }

    /// Its outcome, if all threads have ended.
    pub(super) fn outcome(&self) -> String {
        self.graphs.test.outcome(&self.graphs.registers, &self.last())
    }
}

/// Looks at a consistent graph; `Break`: it has seen enough.
pub(super) type Visit<'v> = dyn FnMut(&Found<'_, '_>) -> ControlFlow<()> + 'v;

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
struct Candidate<'a> {
    trace: Trace<'a>,
    needs: Values,
    offers: Values,
}

impl<'a> Candidate<'a> {
    fn new(trace: Trace<'a>, domains: &Domains) -> Self {
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

impl<'a> Enumeration<'a> {
    /// The traces of a test.
    ///
    /// # Errors
    /// If a thread has too many.
    pub(super) fn new(test: &'a Litmus, bounds: Bounds) -> Result<Self, TooLarge> {
        let Bounds { rounds, traces_max, steps_max } = bounds;
        let domains = domains(test, rounds, traces_max)?;
        let scope = Scope { domains: &domains, rounds, traces_max };
        let mut threads = Vec::new();
        for code in &test.threads {
            let traces = traces(test, code, scope)?.into_iter();
            threads.push(traces.map(|trace| Candidate::new(trace, &domains)).collect::<Vec<_>>());
        }
        let mut offers = vec![0; threads.len() + 1];
        for thread in (0..threads.len()).rev() {
            offers[thread] = threads[thread].iter().fold(offers[thread + 1], |all, one| all | one.offers);
        }
        let initial = (test.locations.iter().enumerate())
            .fold(0, |set, (location, first)| set | value_bit(&domains, location, first.initial));
        Ok(Self { test, threads, offers, initial, steps_left: Cell::new(steps_max) })
    }

    /// Looks at each consistent graph of the choices of traces that are `wanted`. Whether it looked at all.
    ///
    /// # Errors
    /// If there are too many choices.
    pub(super) fn visit(
        &self,
        wanted: &dyn Fn(&[&Trace<'a>]) -> bool,
        visit: &mut Visit<'_>,
    ) -> Result<bool, TooLarge> {
        match self.choose_traces(&mut Vec::new(), (0, self.initial), wanted, visit) {
            ControlFlow::Continue(()) => Ok(true),
            ControlFlow::Break(End::Enough) => Ok(false),
            ControlFlow::Break(End::TooLarge) => Err(TooLarge),
        }
    }

    /// Chooses a trace for each thread; what is read must be written by somebody.
    fn choose_traces<'s>(
        &'s self,
        chosen: &mut Vec<&'s Trace<'a>>,
        (needs, offers): (Values, Values),
        wanted: &dyn Fn(&[&Trace<'a>]) -> bool,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<End> {
        let thread = chosen.len();
        if needs & !(offers | self.offers[thread]) != 0 {
            return ControlFlow::Continue(());
        }
        self.count_step()?;
        if thread == self.threads.len() {
            if !wanted(chosen) {
                return ControlFlow::Continue(());
            }
            let graphs = Graphs::new(self.test, chosen, &self.steps_left);
            return graphs.choose_sources(&mut vec![None; graphs.events.len()], 0, chosen, visit);
        }
        for candidate in &self.threads[thread] {
            let values = (needs | candidate.needs, offers | candidate.offers);
            chosen.push(&candidate.trace);
            let flow = self.choose_traces(chosen, values, wanted, visit);
            chosen.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn count_step(&self) -> ControlFlow<End> {
        count_step(&self.steps_left)
    }
}

fn count_step(left: &Cell<u64>) -> ControlFlow<End> {
    match left.get().checked_sub(1) {
        Some(fewer) => {
            left.set(fewer);
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(End::TooLarge),
    }
}

/// The graphs of one choice of traces.
pub(super) struct Graphs<'a> {
    test: &'a Litmus,
    pub(super) events: Vec<Event>,
    /// What each event reads and writes.
    values: Vec<(Option<i64>, Option<i64>)>,
    registers: Vec<Registers>,
    /// What the threads that are blocked wait for.
    waits: Vec<(LocationIndex, i64)>,
    /// The writes of each location, the initial one first.
    writes: Vec<u64>,
    updates: u64,
    pub(super) shape: Shape,
    steps_left: &'a Cell<u64>,
}

impl<'a> Graphs<'a> {
    fn new(test: &'a Litmus, traces: &[&Trace<'_>], steps_left: &'a Cell<u64>) -> Self {
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
            steps_left,
        }
    }

    /// Chooses, for each read from `event` on, a store of the value that it reads.
    fn choose_sources(
        &self,
        sources: &mut Vec<Option<usize>>,
        event: usize,
        traces: &[&Trace<'_>],
        visit: &mut Visit<'_>,
    ) -> ControlFlow<End> {
        let Some(&(read, _)) = self.values.get(event) else {
            count_step(self.steps_left)?;
            return self.choose_orders(sources, traces, visit);
        };
        let (Some(value), Some(location)) = (read, self.events[event].location) else {
            return self.choose_sources(sources, event + 1, traces, visit);
        };
        let is_update = |event: usize| self.updates >> event & 1 != 0;
        for source in members(self.writes[location]) {
            let is_held = is_update(event)
                && (0..event).any(|other| is_update(other) && sources[other] == Some(source));
            let is_later = self.events[source].thread == self.events[event].thread && source >= event;
            if self.values[source].1 == Some(value) && !is_held && !is_later {
                sources[event] = Some(source);
                self.choose_sources(sources, event + 1, traces, visit)?;
            }
        }
        sources[event] = None;
        ControlFlow::Continue(())
    }

    /// Chooses the modification orders. Coherence is looked at for each location by itself: eco relates accesses of one location.
    fn choose_orders(
        &self,
        sources: &[Option<usize>],
        traces: &[&Trace<'_>],
        visit: &mut Visit<'_>,
    ) -> ControlFlow<End> {
        let rf = self.shape.reads_from(sources);
        let Some(hb) = self.shape.happens_before(&rf) else { return ControlFlow::Continue(()) };
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
                return ControlFlow::Continue(());
            }
            choices.push(orders);
        }
        let is_write = |event: usize| self.values[event].1.is_some();
        let is_racy = has_race(&self.events, is_write, &hb);
        self.combine_orders(&choices, &mut Vec::new(), &mut |orders| {
            count_step(self.steps_left)?;
            if self.is_consistent(&hb, &rf, orders) {
                let found = Found { graphs: self, traces, rf: &rf, hb: &hb, orders, is_racy };
                return visit(&found).map_break(|()| End::Enough);
            }
            ControlFlow::Continue(())
        })
    }

    /// Whether psc allows it, and nobody waits for what is there.
    fn is_consistent(&self, hb: &Matrix, rf: &Matrix, orders: &[&[usize]]) -> bool {
        let is_newest = |&(location, value): &(LocationIndex, i64)| self.last(orders[location.0]) == value;
        let is_sc = || {
            !self.shape.needs_psc()
                || self.shape.psc(hb, rf, &self.shape.modification_order(orders)).is_acyclic()
        };
        is_sc() && !self.waits.iter().any(is_newest)
    }

    /// All events of the location of these writes.
    fn accesses(&self, writes: u64) -> u64 {
        let location = self.events[writes.trailing_zeros() as usize].location;
        let is_there = |&event: &usize| self.events[event].location == location;
        (0..self.events.len()).filter(is_there).fold(0, |set, event| set | 1 << event)
    }

    fn combine_orders<'o>(
        &self,
        choices: &'o [Vec<Vec<usize>>],
        chosen: &mut Vec<&'o [usize]>,
        visit: &mut dyn FnMut(&[&[usize]]) -> ControlFlow<End>,
    ) -> ControlFlow<End> {
        let Some(orders) = choices.get(chosen.len()) else { return visit(chosen) };
        for order in orders {
            chosen.push(order);
            let flow = self.combine_orders(choices, chosen, visit);
            chosen.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn last(&self, order: &[usize]) -> i64 {
        let newest = order.last().expect("the initial store is there");
        self.values[*newest].1.expect("a store has a value")
    }
}

//! The exploration: a stack of graphs, each with the alternatives that are still to be taken.
//!
//! The program runs under the topmost graph: what is there is replayed, then events are added one at a time, each taking its maximal
//! choice; other choices go on the graph's list. Backward revisits put smaller graphs on top.
//!
//! # Waits
//! A read that waits, as that of a lock, is one that stops its thread where it reads a store that does not end the wait. So an execution that is blocked
//! has a graph for each such store, and one of them is a result: that in which the wait reads the newest store. The others are by-products, and few are
//! explored:
//!
//! - The run adds a wait where the newest store ends it, and otherwise when no other thread can go on (`run/schedule.rs`). In which order threads go on
//!   is free in TruSt, as long as it follows from the graph alone; what is newest does.
//! - A wait is not made to read an older store that does not end it: there is a newer one that stays, so the graph never becomes a result, and
//!   the wait is not maximal, so it is never revisited. That holds for alternatives, and for revisits by a store that is not the newest.
//! - A revisit by the newest store that does not end the wait is needed: it is how a thread that took a lock comes to wait for another one.
//!
//! The naive twin enumerates what is blocked from the axioms.
//!
//! # Paper
//! TruSt: truly stateless, optimal dynamic partial order reduction (POPL 2022). The memory is polynomial in the length of an execution:
//! the stack holds the graphs on one path of the search.

#![forbid(unsafe_code)]

mod choices;
mod draw;
mod revisit;
mod script;
mod seen;

pub(crate) use choices::Choices;
use draw::Draws;
pub(crate) use draw::Reading;
pub(crate) use script::Prescribed;
use script::ScriptedChoices;

use crate::graph::{
    Action, Event, EventId, Graph, Label, LocationEvents, LocationIndex, ReadsFrom, is_same_place,
};
use crate::memory_model::Axioms;
use crate::random::Random;

/// Another choice for an event; what was added after it is dropped when it is taken.
#[derive(Clone, Copy, Debug)]
enum Alternative {
    /// A read reads from this store, or fails spuriously although it could write.
    /// What was added after `last` is dropped: after a revisit the graph keeps more than what is up to the read.
    Read { event: EventId, store: ReadsFrom, is_spurious: bool, last: EventId },
    /// A plain write stands after this store.
    Write { event: EventId, after: ReadsFrom },
    /// A choice of the program's.
    Choice { event: EventId, choice: u32 },
}

#[derive(Default)]
struct Frame {
    graph: Graph,
    alternatives: Vec<Alternative>,
    /// Whether the program is still to run under this graph.
    is_new: bool,
}

/// Who makes the choices of the one execution there is.
enum Chooser {
    /// They are drawn.
    Draws(Draws),
    /// They are known.
    Script(ScriptedChoices),
}

impl Chooser {
    /// The event, which was just added, takes a choice.
    #[inline(never)]
    fn choose(&mut self, graph: &mut Graph, choices: Choices, id: EventId) {
        match self {
            Self::Draws(draws) => draws.draw(graph, choices, id),
            Self::Script(script) => script.choose(graph, choices, id),
        }
    }
}

/// The stack of graphs.
pub(crate) struct Explorer {
    /// The stack, and behind it frames that are no longer needed, for their memory: no frame moves when it grows or shrinks.
    frames: Vec<Frame>,
    /// How many frames the stack has.
    depth: usize,
    /// The frame under which the program runs, or ran last. It is out of the stack meanwhile, so that it is found at once.
    running: Frame,
    /// Its place in the stack, if it is out of it.
    place: Option<usize>,
    choices: Choices,
    /// Who chooses, where not everything is explored: then there is one graph, and no alternatives.
    chooser: Option<Box<Chooser>>,
}

impl Explorer {
    /// An exploration that has not begun.
    pub(crate) fn new(choices: Choices) -> Self {
        let first = Frame { graph: Graph::new(), alternatives: Vec::new(), is_new: true };
        Self { frames: vec![first], depth: 1, running: Frame::default(), place: None, choices, chooser: None }
    }

    /// Samples of executions: nothing is explored, and each graph begins without events.
    pub(crate) fn sampling(choices: Choices) -> Self {
        Self { chooser: Some(Box::new(Chooser::Draws(Draws::default()))), ..Self::new(choices) }
    }

    /// One execution, whose events choose what is prescribed, in the order in which they are added; those behind them, what they would choose first.
    pub(crate) fn scripted(choices: Choices, prescribed: Vec<Prescribed>) -> Self {
        let script = ScriptedChoices::new(prescribed);
        Self { chooser: Some(Box::new(Chooser::Script(script))), ..Self::new(choices) }
    }

    /// The memory model.
    #[inline]
    pub(crate) fn axioms(&self) -> &'static dyn Axioms {
        self.choices.axioms
    }

    /// Begins again.
    pub(crate) fn restart(&mut self) {
        let chooser = self.chooser.take();
        *self = Self { chooser, ..Self::new(self.choices) };
    }

    /// Whether executions are sampled.
    #[inline]
    pub(crate) fn is_sampling(&self) -> bool {
        matches!(self.chooser.as_deref(), Some(Chooser::Draws(_)))
    }

    /// Whether an event could not choose what was prescribed.
    pub(crate) fn is_departed(&self) -> bool {
        matches!(self.chooser.as_deref(), Some(Chooser::Script(script)) if script.is_departed())
    }

    /// Whether all executions are explored: neither samples, nor threads one after the other.
    pub(crate) fn is_exhaustive(&self) -> bool {
        !self.is_sampling() && !self.choices.is_serial
    }

    /// The program is about to run from its start, with choices that are drawn by this.
    pub(crate) fn begin_sample(&mut self, random: Random, reading: Reading) {
        if let Some(Chooser::Draws(draws)) = self.chooser.as_deref_mut() {
            draws.begin(&mut self.running.graph, random, reading);
        }
    }

    /// How many choices between stores the sample has had.
    pub(crate) fn choice_count(&self) -> u64 {
        match self.chooser.as_deref() {
            Some(Chooser::Draws(draws)) => draws.choice_count(),
            _ => 0,
        }
    }

    /// Makes the topmost graph one under which the program has not run. `false` if there is none left.
    pub(crate) fn next(&mut self) -> bool {
        if let Some(place) = self.place.take() {
            std::mem::swap(&mut self.frames[place], &mut self.running);
        }
        while let Some(top) = self.depth.checked_sub(1) {
            let frame = &mut self.frames[top];
            if frame.is_new {
                return true;
            }
            match frame.alternatives.pop() {
                Some(alternative) => self.take(alternative),
                None => self.depth = top,
            }
        }
        false
    }

    /// The program begins to run under the topmost graph.
    pub(crate) fn begin(&mut self) {
        let place = self.depth - 1;
        std::mem::swap(&mut self.frames[place], &mut self.running);
        self.place = Some(place);
        self.running.is_new = false;
    }

    /// The program must run again under the same graph, with what was added to it.
    pub(crate) fn run_again(&mut self) {
        self.running.is_new = true;
    }

    /// The graph under which the program runs. Revisits that were found since it began stand above it.
    #[inline]
    pub(crate) fn graph(&self) -> &Graph {
        &self.running.graph
    }

    #[inline]
    pub(crate) fn graph_mut(&mut self) -> &mut Graph {
        &mut self.running.graph
    }

    /// The graph with this place in the stack; `None`: that under which the program runs.
    #[inline]
    fn graph_at(&self, place: Option<usize>) -> &Graph {
        match place {
            Some(place) => &self.frames[place].graph,
            None => &self.running.graph,
        }
    }

    /// A number for a location that the graph does not know. `is_taken` says which unused numbers are spoken for.
    pub(crate) fn new_location(
        &mut self,
        initial: u64,
        is_taken: impl Fn(LocationIndex) -> bool,
    ) -> LocationIndex {
        if let Some(Chooser::Draws(draws)) = self.chooser.as_deref_mut() {
            return draws.new_location(&mut self.running.graph, initial);
        }
        let locations = &mut self.graph_mut().locations;
        let unused = (0..locations.len())
            .find(|&index| locations[index].is_unused() && !is_taken(index as LocationIndex))
            .unwrap_or_else(|| {
                locations.push(LocationEvents::default());
                locations.len() - 1
            });
        locations[unused].initial = initial;
        unused as LocationIndex
    }

    /// Adds an event, taking its maximal choice; of a sample one that is drawn, of an execution that is run again one that is known.
    #[inline(always)]
    pub(crate) fn add(&mut self, event: Event) -> EventId {
        let label = event.label;
        let id = self.graph_mut().push(event);
        if let Some(chooser) = self.chooser.as_deref_mut() {
            chooser.choose(&mut self.running.graph, self.choices, id);
            return id;
        }
        match label {
            Label::Access(Action::Store { .. }) => self.add_write(id),
            Label::Choice { count } => {
                let others = (1..count).map(|choice| Alternative::Choice { event: id, choice });
                self.running.alternatives.extend(others);
            }
            _ if label.is_read() => self.add_read(id),
            _ => {}
        }
        id
    }

    fn add_read(&mut self, id: EventId) {
        let has_spurious = Self::may_fail_spuriously(self.choices, &self.running.graph, id);
        let graph = &mut self.running.graph;
        let mut readable = graph.readable(id);
        // The newest store, which nobody holds. If a read that waits does not wait for it, it is where the wait stops.
        let chosen = graph.newest(graph.event(id).location.expect("a read has a location"));
        graph.set_read(id, chosen, false);
        graph.place_rmw(id);
        readable.retain(|store| store.is_free || has_spurious);
        let alternatives = readable.iter().flat_map(|store| {
            let read =
                |is_spurious| Alternative::Read { event: id, store: store.store, is_spurious, last: id };
            let spurious = (store.is_write && has_spurious).then(|| read(true));
            let other = (store.store != chosen && store.is_free).then(|| read(false));
            spurious.into_iter().chain(other)
        });
        let is_write = graph.event(id).is_rmw();
        self.running.alternatives.extend(alternatives);
        if is_write {
            self.push_revisits(id, None);
        }
    }

    fn add_write(&mut self, id: EventId) {
        let graph = self.graph_mut();
        let mut places = graph.writable(id);
        let newest = places.pop().expect("cdsspec bug: a write may always stand last");
        graph.insert_write(id, newest);
        let others = places.into_iter().map(|after| Alternative::Write { event: id, after });
        self.running.alternatives.extend(others);
        self.push_revisits(id, None);
    }

    /// At most one spurious failure per place and thread, so that retry loops end.
    #[inline]
    fn may_fail_spuriously(choices: Choices, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let has_failed = |&other: &EventId| {
            let known = graph.event(other);
            other != id && known.is_spurious && is_same_place(&known.place, &event.place)
        };
        choices.may_fail(event) && !graph.threads[event.thread].iter().any(has_failed)
    }

    /// Takes an alternative of the topmost graph; the graph is new then, unless it is inconsistent.
    fn take(&mut self, alternative: Alternative) {
        let top = self.depth - 1;
        let graph = &mut self.frames[top].graph;
        let is_consistent = match alternative {
            Alternative::Choice { event, choice } => {
                graph.cut_after(event);
                graph.event_mut(event).choice = choice;
                true
            }
            Alternative::Write { event, after } => {
                graph.cut_after(event);
                graph.remove_write(event);
                graph.insert_write(event, after);
                let is_consistent = self.choices.axioms.is_consistent(graph);
                if is_consistent {
                    self.push_revisits(event, Some(top));
                }
                is_consistent
            }
            Alternative::Read { event, store, is_spurious, last } => {
                graph.cut_after(last);
                graph.set_read(event, store, is_spurious);
                self.settle(event, top)
            }
        };
        self.frames[top].is_new = is_consistent;
    }

    /// A read of the graph in frame `index` was made to read from another store: looks at consistency, puts its write in place, looks for
    /// revisits by it, and says whether the graph is consistent.
    ///
    /// The revisits come before the test for rivals, and before consistency with the write in place: they take the rival, or a cycle with it,
    /// away.
    fn settle(&mut self, read: EventId, index: usize) -> bool {
        let graph = &mut self.frames[index].graph;
        if !self.choices.axioms.is_consistent(graph) {
            return false;
        }
        if !graph.place_rmw(read) {
            return true;
        }
        self.push_revisits(read, Some(index));
        let graph = &self.frames[index].graph;
        !graph.has_rival(read) && self.choices.axioms.is_consistent(graph)
    }

    /// Puts the graphs on top in which a read of the graph with this place reads from `write`.
    fn push_revisits(&mut self, write: EventId, place: Option<usize>) {
        for read in self.graph_at(place).revisitable(write) {
            let pushed = self.depth;
            if pushed == self.frames.len() {
                self.frames.push(Frame::default());
            }
            let (stack, above) = self.frames.split_at_mut(pushed);
            let graph = place.map_or(&self.running.graph, |place| &stack[place].graph);
            let read = graph.revisit_into(&mut above[0].graph, write, read);
            self.depth += 1;
            self.add_spurious(read, pushed);
            let is_consistent = self.settle(read, pushed);
            self.frames[pushed].is_new = is_consistent;
        }
    }

    /// A read that was made to read from another store, of the graph in frame `index`, may fail spuriously where it would write.
    fn add_spurious(&mut self, read: EventId, index: usize) {
        let graph = &self.frames[index].graph;
        if !graph.event(read).is_rmw() || !Self::may_fail_spuriously(self.choices, graph, read) {
            return;
        }
        let (store, last) = (graph.event(read).reads_from, graph.events.len() as EventId - 1);
        let alternative = Alternative::Read { event: read, store, is_spurious: true, last };
        self.frames[index].alternatives.push(alternative);
    }
}

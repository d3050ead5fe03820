//! Which interleavings are one execution under sequential consistency.
//!
//! Two operations of different threads depend on each other iff they access the same location and one of them writes it. Interleavings
//! that swaps of independent neighbours turn into each other are one Mazurkiewicz trace. A failed compare-exchange is a read. Fences and
//! what only concerns registers depend on nothing, and are no part of a trace.
//!
//! A trace is told by its [`Form`]: from which write each read reads, and in which order the writes of each location are. Swaps of
//! independent neighbours change neither. And two interleavings of one form differ by such swaps alone: the form says of any two
//! dependent operations which comes first. Two writes of a location: their order. A read and a write: the read is behind the write
//! that it reads from, and so behind those before that, and before all others. Both are linear extensions of that one order, and
//! linear extensions of an order differ by swaps of unordered neighbours.
//!
//! # Paper
//! Mazurkiewicz, *Trace theory*, 1987.

use super::state::{End, Program, State};
use super::step::{Access, Step};
use super::{Bounds, OperationalModel, Refusal, check_accesses, search};
use crate::syntax::Litmus;
use std::collections::{BTreeMap, BTreeSet};

/// The traces of a test under sequential consistency.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traces {
    /// How many of those in which all threads end have each outcome.
    pub counts: BTreeMap<String, u64>,
    /// How many end with a thread that waits for ever.
    pub blocked: u64,
}

/// An operation: its thread, and how many operations of the thread at the memory are before it.
type OperationName = (usize, usize);

/// What an operation does, and to which location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct TracedOperation {
    location: usize,
    /// Where it reads from, if it reads: the write, or `None` for the first value.
    source: Option<Option<OperationName>>,
    is_write: bool,
}

/// A trace: what each operation reads from, and the order of the writes of each location.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Form {
    threads: Vec<Vec<TracedOperation>>,
    writes: Vec<Vec<OperationName>>,
}

/// Counts the traces of a test without loops under sequential consistency, by their outcomes.
///
/// With [spurious failures](Bounds::has_spurious_failures), one is a read of its own. A thread that waits at an `AWAIT` does not
/// read.
///
/// Takes time and memory in the number of prefixes of the traces.
///
/// # Errors
/// If a location has `na` accesses, a thread has a loop, or there are more prefixes than the bound on states.
pub fn count_traces(test: &Litmus, bounds: Bounds) -> Result<Traces, Refusal> {
    check_accesses(test)?;
    if test.has_loop() {
        return Err(Refusal::Loop);
    }
    let program = Program::new(test, OperationalModel::Sc, bounds);
    let mut forms: BTreeSet<(Form, Option<String>)> = BTreeSet::new();
    let first = (program.first_state(), Form::new(test));
    let next = |(state, form): &(State, Form)| {
        let after = |Step { state, access }| (state, form.after(access));
        program.steps(state).into_iter().map(after).collect()
    };
    search::visit_ends(first, bounds.states_max, next, |(state, form)| {
        let outcome = match program.end(state) {
            End::Complete(outcome) => Some(outcome),
            End::Blocked | End::Cut => None,
        };
        forms.insert((form.clone(), outcome));
    })?;
    let mut traces = Traces { counts: BTreeMap::new(), blocked: 0 };
    for (_, outcome) in forms {
        match outcome {
            Some(outcome) => *traces.counts.entry(outcome).or_default() += 1,
            None => traces.blocked += 1,
        }
    }
    Ok(traces)
}

impl Form {
    /// The trace of nothing.
    fn new(test: &Litmus) -> Self {
        Self { threads: vec![Vec::new(); test.threads.len()], writes: vec![Vec::new(); test.locations.len()] }
    }

    /// The trace with one more operation.
    fn after(&self, access: Option<Access>) -> Self {
        let mut form = self.clone();
        let Some(Access { thread, location, is_read, is_write }) = access else { return form };
        let name = (thread, form.threads[thread].len());
        let writes = &mut form.writes[location.0];
        let source = is_read.then(|| writes.last().copied());
        if is_write {
            writes.push(name);
        }
        form.threads[thread].push(TracedOperation { location: location.0, source, is_write });
        form
    }
}

//! The two phases: who looks at the executions.

use super::conflict::is_serializable;
use super::history::{ConcurrentHistory, Made, Results, SerialHistory};
use super::interval::{Boundaries, real_time_clocks};
use super::observation::{ObservationSet, is_full};
use super::walk::{Orders, precedes_in, refute};
use crate::engine::Visitor;
use crate::record::{Ending, ReachedBound, Recording};
use crate::scenario::{ConcurrentLog, LoggedCall, SerialLog, Slot};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What an execution has beside its history.
pub(super) enum Judged {
    /// Every thread ran to its end, or waits for ever.
    Ended,
    /// It is no result of its own.
    ByProduct(Option<ReachedBound>),
    /// Something is wrong with the program, or a limit was reached.
    Cut,
}

pub(super) fn judge(recording: &Recording) -> Judged {
    if !recording.memory_faults.is_empty() || !recording.errors.is_empty() {
        return Judged::Cut;
    }
    match &recording.ending {
        Ending::Complete | Ending::Blocked(_) => Judged::Ended,
        Ending::ByProduct { reached } => Judged::ByProduct(*reached),
        _ => Judged::Cut,
    }
}

/// Phase 1: collects the serial histories of a matrix.
///
/// # Paper
/// Line-Up, figure 5, lines 2 and 3.
pub(super) struct SerialPhase {
    pub(super) log: Arc<SerialLog>,
    pub(super) histories: BTreeSet<SerialHistory>,
    pub(super) executions: u64,
    /// The bounds on rounds of loops that were reached: there are more histories.
    pub(super) reached: Vec<ReachedBound>,
    /// The ending of an execution that is no history.
    pub(super) cut: Option<Ending>,
}

impl SerialPhase {
    pub(super) fn new(log: Arc<SerialLog>) -> Self {
        Self { log, histories: BTreeSet::new(), executions: 0, reached: Vec::new(), cut: None }
    }
}

impl Visitor for SerialPhase {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        self.executions += 1;
        match judge(recording) {
            Judged::ByProduct(reached) => {
                self.reached.extend(reached.filter(|reached| !self.reached.contains(reached)));
                return ControlFlow::Continue(());
            }
            Judged::Ended => {
                let history = SerialHistory { calls: self.log.calls() };
                let is_blocked = matches!(recording.ending, Ending::Blocked(_));
                if is_blocked == history.is_stuck() {
                    self.histories.insert(history);
                    return ControlFlow::Continue(());
                }
                // All calls have returned, and what comes after them blocks.
            }
            Judged::Cut => {}
        }
        self.cut = Some(recording.ending.clone());
        ControlFlow::Break(())
    }

    fn needs_operations(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        self.histories.clear();
        self.executions = 0;
        self.reached.clear();
        self.cut = None;
    }
}

/// Which calls had returned before which others began.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Precedence {
    /// A call precedes another one if its return happens before the invocation of the other: if its thread does a later operation that
    /// happens before what the other's thread does next. That is all that the program itself can tell on weak memory, where there is no time.
    ///
    /// The default, under every memory model.
    #[default]
    HappensBefore,
    /// A call precedes another one if it returned earlier, in the order of time that an execution under
    /// [`MemoryModel::Sc`](crate::model::MemoryModel::Sc) has. A graph that is explored stands for many; it is refuted if one of them has no
    /// witness.
    ///
    /// # Paper
    /// `<_H` of Line-Up, section 2.1.3.
    RealTime,
}

/// Phase 2: looks for a serial witness of each concurrent history.
///
/// # Paper
/// Line-Up, figure 5, lines 7 to 16.
pub(super) struct ConcurrentPhase {
    pub(super) log: Arc<ConcurrentLog>,
    pub(super) precedence: Precedence,
    pub(super) observations: ObservationSet,
    /// Whether histories are not judged.
    pub(super) is_exempt: bool,
    pub(super) executions: u64,
    pub(super) full: u64,
    pub(super) stuck: u64,
    /// Whether some execution was not conflict-serializable; in real time.
    pub(super) is_unserializable: bool,
    pub(super) reached: Vec<ReachedBound>,
    pub(super) cut: Option<Ending>,
    /// A history without a witness, and of which pending call, if it is stuck.
    pub(super) failure: Option<(ConcurrentHistory, Option<Slot>)>,
    /// Histories that were seen, with the order of their boundaries.
    known: HashSet<(Results, Vec<u64>)>,
    orders: HashMap<Results, Orders>,
}

impl ConcurrentPhase {
    pub(super) fn new(
        log: Arc<ConcurrentLog>,
        precedence: Precedence,
        observations: ObservationSet,
        is_exempt: bool,
    ) -> Self {
        Self {
            log,
            precedence,
            observations,
            is_exempt,
            executions: 0,
            full: 0,
            stuck: 0,
            is_unserializable: false,
            reached: Vec::new(),
            cut: None,
            failure: None,
            known: HashSet::new(),
            orders: HashMap::new(),
        }
    }

    fn look_at(&mut self, recording: &Recording) {
        let calls = self.log.calls();
        let results = self.observations.in_form(results_of(&calls));
        let clocks = match self.precedence {
            Precedence::HappensBefore => None,
            Precedence::RealTime => Some(real_time_clocks(recording)),
        };
        self.is_unserializable = self.is_unserializable
            || clocks.as_ref().is_some_and(|clocks| !is_serializable(recording, &calls, clocks));
        let boundaries = Boundaries::of(recording, &calls, |operation| match &clocks {
            Some(clocks) => &clocks[operation.index()],
            None => &recording.operation(operation).clock,
        });
        let precedes = boundaries.precedes(calls.len());
        let shape = match self.precedence {
            Precedence::HappensBefore => bits(calls.len(), |first, second| precedes[first][second]),
            Precedence::RealTime => {
                bits(boundaries.len(), |first, second| boundaries.is_before(first, second))
            }
        };
        if !self.known.insert((results.clone(), shape)) {
            return;
        }
        let history = ConcurrentHistory { results, precedes, boundaries: Vec::new() };
        *(if history.is_stuck() { &mut self.stuck } else { &mut self.full }) += 1;
        if !self.is_exempt {
            self.failure = self.without_witness(history, &boundaries);
        }
    }

    /// The history, if it has no witness: of one of its pending calls, if it is stuck.
    ///
    /// # Paper
    /// Line-Up, definitions 1 and 2.
    fn without_witness(
        &mut self,
        mut history: ConcurrentHistory,
        boundaries: &Boundaries,
    ) -> Option<(ConcurrentHistory, Option<Slot>)> {
        let pending: Vec<Option<Slot>> = match history.is_stuck() {
            true => history.pending().map(Some).collect(),
            false => vec![None],
        };
        let list = boundaries.list();
        for pending in pending {
            let results = history.results_with(pending);
            debug_assert!(pending.is_some() || is_full(&results));
            match self.precedence {
                Precedence::HappensBefore => {
                    if self.observations.witness(&results, &history.precedes).is_none() {
                        return Some((history, pending));
                    }
                }
                Precedence::RealTime => {
                    // Most often, as where a lock orders the calls, one serial order does for all orders of time.
                    let may_precede = boundaries.may_precede(results.len());
                    if self.observations.witness(&results, &may_precede).is_some() {
                        continue;
                    }
                    let is_counted = |slot: Slot| results[slot.index()] != Made::Not;
                    let orders = self
                        .orders
                        .entry(results.clone())
                        .or_insert_with(|| Orders::new(self.observations.orders(&results)));
                    if let Some(order) =
                        refute(&list, |first, second| boundaries.is_before(first, second), orders, is_counted)
                    {
                        history.precedes = precedes_in(&order, history.results.len());
                        history.boundaries = order;
                        return Some((history, pending));
                    }
                }
            }
        }
        None
    }
}

/// What became of each call.
pub(super) fn results_of(calls: &[Option<LoggedCall>]) -> Results {
    let made = |call: &Option<LoggedCall>| match call {
        None => Made::Not,
        Some(LoggedCall { response: None, .. }) => Made::Pending,
        Some(LoggedCall { response: Some((_, value)), .. }) => Made::Returned(value.clone()),
    };
    calls.iter().map(made).collect()
}

/// A relation over so many things, as words.
fn bits(count: usize, is_related: impl Fn(usize, usize) -> bool) -> Vec<u64> {
    let mut words = vec![0; (count * count).div_ceil(64)];
    for first in 0..count {
        for second in 0..count {
            let index = first * count + second;
            words[index / 64] |= u64::from(is_related(first, second)) << (index % 64);
        }
    }
    words
}

impl Visitor for ConcurrentPhase {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        self.executions += 1;
        match judge(recording) {
            Judged::ByProduct(reached) => {
                self.reached.extend(reached.filter(|reached| !self.reached.contains(reached)));
                return ControlFlow::Continue(());
            }
            Judged::Ended => {
                self.look_at(recording);
                let is_blocked = matches!(recording.ending, Ending::Blocked(_));
                let has_pending = self.log.calls().iter().flatten().any(|call| call.response.is_none());
                // All calls have returned, and what comes after them blocks.
                if is_blocked && !has_pending {
                    self.cut = Some(recording.ending.clone());
                }
            }
            Judged::Cut => self.cut = Some(recording.ending.clone()),
        }
        let is_over = self.cut.is_some() || self.failure.is_some();
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn restart(&mut self) {
        let fresh = Self::new(
            self.log.clone(),
            self.precedence,
            std::mem::take(&mut self.observations),
            self.is_exempt,
        );
        *self = fresh;
    }
}

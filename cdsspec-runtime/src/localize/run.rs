//! Runs of matrices: under the engine that draws executions, with the memory model `Sc`, and on real threads.

use super::judge::{Judge, MadeCall, RefusedPrefix, Ruling, TimedCall, label};
use super::moment::{Span, moments};
use super::real;
use crate::engine::Visitor;
use crate::model::{Builder, EngineKind, MemoryModel};
use crate::record::{Ending, Recording};
use crate::scenario::{Caller, ConcurrentLog, Entry, GuidedRun, LoggedCall, Matrix, NextRun, Scenario, Slot};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where histories come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum HistorySource {
    /// The engine `random`, which draws executions under `Sc`. The same seed gives the same histories.
    #[default]
    Drawn,
    /// Real threads, outside of any execution, with a monotonic clock. No two runs need be alike.
    ///
    /// # Paper
    /// Version B of CGVT.
    RealThreads,
}

/// How matrices are run, and judged.
#[derive(Clone)]
pub(super) struct Runner<T> {
    pub(super) scenario: Scenario<T>,
    pub(super) builder: Builder,
    pub(super) source: HistorySource,
    pub(super) judge: Rc<dyn Judge>,
}

/// So many runs, at least, are to show what an exploration without the specification says.
const RUNS_OF_A_PROOF: u64 = 1_000;

/// Some runs.
#[derive(Clone, Copy)]
pub(super) struct Runs {
    pub(super) count: u64,
    pub(super) seed: u64,
    /// Whether the first history without linearization is the last one.
    pub(super) stops: bool,
}

/// A history without linearization.
pub(super) struct Refused {
    /// Which run it is of.
    pub(super) number: u64,
    pub(super) matrix: Arc<Matrix>,
    pub(super) calls: Vec<TimedCall>,
    pub(super) prefix: RefusedPrefix,
    /// The slots of the operations of its threads in the order in which they were done; empty of real threads, of which nobody knows.
    pub(super) steps: Vec<Slot>,
}

/// What some runs come to.
#[derive(Default)]
pub(super) struct Judgements {
    pub(super) histories: u64,
    /// How many have no linearization.
    pub(super) refused: u64,
    /// How many were not judged, since a limit was reached.
    pub(super) unknown: u64,
    /// How many runs had none: a call did not return, or the program failed.
    pub(super) unended: u64,
    /// Of those without linearization one with the shortest prefix that has none; of several the first. Which of them is localized, the paper leaves open.
    pub(super) shortest: Option<Refused>,
    /// Why no further runs were made, if that is so.
    pub(super) limit: Option<String>,
    /// What is wrong with the specification.
    pub(super) failed: Option<String>,
    /// A call that the specification does not know: of real threads, where no run was recorded in which one came to the same.
    pub(super) unspecified: Option<String>,
}

impl Judgements {
    /// Counts a history; `Break` if no further one is wanted.
    fn add(
        &mut self,
        judged: Ruling,
        stops: bool,
        refused: impl FnOnce(u64, RefusedPrefix) -> Refused,
    ) -> ControlFlow<()> {
        let number = self.histories;
        self.histories += 1;
        match judged {
            Ruling::Linearizable => {}
            Ruling::Unknown => self.unknown += 1,
            Ruling::Failed(error) => {
                self.failed.get_or_insert(error.to_string());
                return ControlFlow::Break(());
            }
            Ruling::Unspecified(call) => {
                self.unknown += 1;
                self.unspecified.get_or_insert(call);
            }
            Ruling::Refused(prefix) => {
                self.refused += 1;
                // Moments are numbered without gaps.
                if self.shortest.as_ref().is_none_or(|known| prefix.moment < known.prefix.moment) {
                    self.shortest = Some(refused(number, prefix));
                }
                if stops {
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// A run had no history: a call did not return, or the program has a fault that has nothing to do with histories.
    fn note_unended(&mut self) {
        self.histories += 1;
        self.unended += 1;
    }

    fn give_up(&mut self, why: String) -> ControlFlow<()> {
        self.limit.get_or_insert(why);
        ControlFlow::Break(())
    }
}

impl<T: Send + Sync + 'static> Runner<T> {
    /// Whether the scenario has such tests: its constraints allow it, and it begins with the initial calls of all.
    pub(super) fn may_run(&self, matrix: &Matrix) -> bool {
        self.scenario.allows(matrix) && matrix.initial.starts_with(&self.scenario.initial_entries())
    }

    /// A history of a matrix that has no linearization, if runs of it under the engine come to one.
    pub(super) fn refuted(&self, matrix: &Matrix, runs: (u64, u64)) -> Option<Refused> {
        let count = if matrix.columns.len() < 2 { 1 } else { runs.0.max(RUNS_OF_A_PROOF) };
        let matrix = Arc::new(matrix.clone());
        let next = move |_| GuidedRun { matrix: matrix.clone(), guide: None };
        self.run_drawn(Runs { count, seed: runs.1, stops: true }, next).shortest
    }

    /// Runs what `next` says of each number, and judges the histories.
    pub(super) fn run(
        &self,
        runs: Runs,
        next: impl Fn(u64) -> GuidedRun + Send + Sync + 'static,
    ) -> Judgements {
        match self.source {
            HistorySource::Drawn => self.run_drawn(runs, next),
            HistorySource::RealThreads => {
                let mut judgements = Judgements::default();
                for number in 0..runs.count {
                    let matrix = next(number).matrix;
                    let Some(calls) = real::run(&self.scenario, &matrix) else {
                        judgements.note_unended();
                        // The threads are still there.
                        judgements.limit = Some(real::UNENDED.to_owned());
                        break;
                    };
                    let judged = self.judge.judge(&calls, &[]);
                    let refused =
                        |number, prefix| Refused { number, matrix, calls, prefix, steps: Vec::new() };
                    if judgements.add(judged, runs.stops, refused).is_break() {
                        break;
                    }
                }
                judgements
            }
        }
    }

    /// The same under the engine, wherever histories are from.
    pub(super) fn run_drawn(
        &self,
        runs: Runs,
        next: impl Fn(u64) -> GuidedRun + Send + Sync + 'static,
    ) -> Judgements {
        let (number, log) = (Arc::new(AtomicU64::new(0)), Arc::new(ConcurrentLog::default()));
        let of_run = number.clone();
        let next: NextRun = Arc::new(move || next(of_run.load(Ordering::Relaxed)));
        let program = self.scenario.guided_program(next.clone(), &log);
        let builder = self.builder.clone().without_spurious().engine(EngineKind::Random);
        let builder = builder.memory_model(MemoryModel::Sc).runs(runs.count).seed(runs.seed);
        let looking = Looking {
            log,
            number,
            next,
            judge: self.judge.clone(),
            stops: runs.stops,
            judgements: Judgements::default(),
        };
        let looking = Rc::new(RefCell::new(looking));
        let explored = builder.visit(program, looking.clone());
        let mut judgements = std::mem::take(&mut looking.borrow_mut().judgements);
        match explored {
            Err(error) => judgements.limit = Some(error),
            Ok((crate::engine::Exploration::Limit(limit), _)) => {
                judgements.limit.get_or_insert(limit.to_string());
            }
            Ok((crate::engine::Exploration::Failed(why), _)) => {
                judgements.limit.get_or_insert(why);
            }
            Ok(_) => {}
        }
        judgements
    }
}

/// Judges the executions of the engine.
struct Looking {
    log: Arc<ConcurrentLog>,
    number: Arc<AtomicU64>,
    next: NextRun,
    judge: Rc<dyn Judge>,
    stops: bool,
    judgements: Judgements,
}

impl Visitor for Looking {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        // What the execution that ended ran: its number is counted only now.
        let matrix = (self.next)().matrix;
        self.number.fetch_add(1, Ordering::Relaxed);
        if !matches!(recording.ending, Ending::Complete) || recording.is_memory_broken() {
            self.judgements.note_unended();
            return ControlFlow::Continue(());
        }
        let made: Option<Vec<LoggedCall>> = self.log.calls().into_iter().collect();
        let made = made.expect("cdsspec bug: an execution that ended made all its calls");
        let entries: Vec<&Entry> = matrix.calls().map(|(_, _, entry)| entry).collect();
        let returned = |call: &LoggedCall| {
            let (_, value) = call.response.as_ref().expect("cdsspec bug: every call has returned");
            value.clone()
        };
        let learnt: Vec<_> = made
            .iter()
            .zip(&entries)
            .map(|(call, entry)| {
                let (response, _) = call.response.as_ref().expect("cdsspec bug: every call has returned");
                MadeCall {
                    thread: call.thread,
                    invocation: entry.invocation,
                    value: returned(call),
                    between: (call.invocation, *response),
                }
            })
            .collect();
        let records = match self.judge.learn(recording, &learnt) {
            Ok(records) => records,
            Err(why) => return self.judgements.give_up(why),
        };
        let calls = timed_calls(recording, &matrix, &made, &entries);
        let judged = self.judge.judge(&calls, &records);
        let steps = || steps(recording, &matrix, &made);
        self.judgements.add(judged, self.stops, |number, prefix| Refused {
            number,
            steps: steps(),
            matrix: matrix.clone(),
            calls,
            prefix,
        })
    }

    fn needs_sc_order(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        self.number.store(0, Ordering::Relaxed);
        self.judgements = Judgements::default();
    }
}

fn timed_calls(
    recording: &Recording,
    matrix: &Matrix,
    made: &[LoggedCall],
    entries: &[&Entry],
) -> Vec<TimedCall> {
    let span = |call: &LoggedCall| Span {
        thread: call.thread,
        invocation: call.invocation,
        response: call.response.as_ref().map(|(moment, _)| *moment),
    };
    let spans: Vec<Span> = made.iter().map(span).collect();
    let moments = moments(recording, &spans);
    let timed = |((slot, caller, _), (invoked, returned)): ((Slot, Caller, _), (u64, Option<u64>))| {
        let response = made[slot.index()].response.as_ref();
        let ((_, value), returned) = response.zip(returned).expect("cdsspec bug: every call has returned");
        let (value, entry) = (value.clone(), entries[slot.index()]);
        TimedCall {
            thread: label(caller),
            invocation: entry.invocation,
            name: entry.name.clone(),
            value,
            invoked,
            returned,
        }
    };
    matrix.calls().zip(moments).map(timed).collect()
}

/// The slots of the operations that the columns have done, in their order. What a thread does beside its calls has none.
fn steps(recording: &Recording, matrix: &Matrix, made: &[LoggedCall]) -> Vec<Slot> {
    let mut of_threads = vec![Vec::new(); recording.threads.len()];
    for (slot, caller, _) in matrix.calls() {
        let call = &made[slot.index()];
        if let (Caller::Column(_), Some((response, _))) = (caller, &call.response) {
            of_threads[call.thread.index()].push((call.invocation.position, response.position, slot));
        }
    }
    let slot_of = |operation: &crate::record::Operation| {
        let calls = &of_threads[operation.thread.index()];
        let next = calls.partition_point(|(_, end, _)| *end < operation.position);
        calls.get(next).filter(|(begin, ..)| *begin < operation.position).map(|(.., slot)| *slot)
    };
    recording.operations.iter().filter_map(slot_of).collect()
}

//! Histories of any program: the calls of each object with a specification, in real time.

use super::judge::{Ruling, judge_calls, judged_call};
use super::moment::{Span, moments};
use super::specified::{Agreement, Sequentially};
use crate::check::Verdict;
use crate::engine::{Exploration, Visitor};
use crate::model::{Builder, EngineKind, MemoryModel};
use crate::record::{Ending, MethodCall, ObjectId, Recording};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// Runs a program under the engine `random`, with the memory model `Sc`, and judges the history of each object that has a specification, in real time: by the sequential side of the specification, as
/// [`Localize`](super::Localize) does. So a structure whose methods say what they do, and have no ordering points, is checked in runs that are too long to be explored.
///
/// How many runs there are and how they are drawn says the builder ([`runs`](Builder::runs), [`strategy`](Builder::strategy), [`seed`](Builder::seed)). The first history that is not linearizable is the last one.
///
/// # Panics
/// If the checker itself panicked.
pub fn linearize(builder: Builder, program: impl Fn() + Send + Sync + 'static) -> Linearization {
    let judging = Rc::new(RefCell::new(Judging::default()));
    let builder = builder.without_spurious().engine(EngineKind::Random).memory_model(MemoryModel::Sc);
    let explored = builder.visit(Arc::new(program), judging.clone());
    let mut linearization = judging.borrow_mut().linearization.clone();
    let limit = match explored {
        Err(error) => Some(error),
        Ok((Exploration::Limit(limit), _)) => Some(limit.to_string()),
        Ok((Exploration::Failed(why), _)) => Some(why),
        Ok(_) => None,
    };
    linearization.limit = linearization.limit.or(limit);
    linearization.conclude();
    linearization
}

/// What histories of a program come to.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[must_use = "a history may not be linearizable: look at the verdict"]
pub struct Linearization {
    /// `violated`, if a history is not linearizable; at best `holds_within`, since there are other runs.
    pub verdict: Verdict,
    /// How many executions were run.
    pub executions: u64,
    /// How many histories were judged: one for each object of each execution.
    pub histories: u64,
    /// How many were not, since a call of theirs did not return.
    pub pending: u64,
    /// The first history that is not linearizable.
    pub failure: Option<RefusedCalls>,
    /// Why no further runs were made, or no history was judged.
    pub limit: Option<String>,
}

/// The calls of an object that are not linearizable.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RefusedCalls {
    /// The name of the specification.
    pub object: &'static str,
    /// The calls that have begun in the smallest prefix that is not linearizable, in the order in which they began.
    pub calls: Vec<RefusedCall>,
    /// The call whose return ends that prefix: its place in `calls`.
    pub last: usize,
    /// A witness of what is before that return, by places in `calls`.
    pub witness: Vec<usize>,
}

/// A call of such a history.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RefusedCall {
    /// The number of its thread.
    pub thread: usize,
    /// The method.
    pub method: &'static str,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What it returned, if that can be shown.
    pub returned: Option<String>,
    /// The moment when it began: invocations and returns of the object are numbered from 0.
    pub invocation: u64,
    /// The moment when it returned.
    pub response: u64,
}

/// Judges executions.
struct Judging {
    linearization: Linearization,
}

impl Default for Judging {
    fn default() -> Self {
        let linearization = Linearization {
            verdict: Verdict::Inconclusive,
            executions: 0,
            histories: 0,
            pending: 0,
            failure: None,
            limit: None,
        };
        Self { linearization }
    }
}

impl Judging {
    fn give_up(&mut self, why: String) -> ControlFlow<()> {
        self.linearization.limit.get_or_insert(why);
        ControlFlow::Break(())
    }

    /// Judges the calls of an object.
    fn judge(&mut self, recording: &Recording, object: ObjectId) -> ControlFlow<()> {
        let mut calls: Vec<&MethodCall> =
            recording.calls.iter().filter(|call| call.object == object).collect();
        if calls.is_empty() {
            return ControlFlow::Continue(());
        }
        if calls.iter().any(|call| call.is_pending()) {
            self.linearization.pending += 1;
            return ControlFlow::Continue(());
        }
        let sequentially = match Sequentially::new(recording.specification(object)) {
            Ok(sequentially) => sequentially,
            Err(method) => {
                return self.give_up(format!(
                    "the conditions of `{method}` look at `concurrent`, which no history in time has"
                ));
            }
        };
        calls.sort_by_key(|call| (call.thread, call.id));
        let span = |call: &&MethodCall| Span {
            thread: call.thread,
            invocation: call.invocation,
            response: call.response,
        };
        let moments = moments(recording, &calls.iter().map(span).collect::<Vec<_>>());
        let timed = |(call, moments): (&&MethodCall, &(u64, Option<u64>))| {
            let (invoked, Some(returned)) = *moments else { return None };
            let operation = (sequentially.call(call.method, &call.values), Agreement::Agrees);
            Some(judged_call(operation, call.thread.index() as u64, (invoked, returned)))
        };
        let judged = judge_calls(&sequentially, calls.iter().zip(&moments).filter_map(timed).collect());
        self.linearization.histories += 1;
        if let Some(error) = sequentially.failure() {
            self.linearization.verdict = Verdict::SpecError;
            return self.give_up(error.to_string());
        }
        match judged {
            Ruling::Refused(prefix) => {
                let refused = refused(recording, &calls, &moments, &prefix);
                self.linearization.failure = Some(refused);
                ControlFlow::Break(())
            }
            Ruling::Unknown => self.give_up("a history has too many states to be judged".to_owned()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// The smallest prefix, as it is shown.
fn refused(
    recording: &Recording,
    calls: &[&MethodCall],
    moments: &[(u64, Option<u64>)],
    prefix: &super::judge::RefusedPrefix,
) -> RefusedCalls {
    let specification = recording.specification(calls[0].object);
    let mut begun: Vec<usize> = (0..calls.len()).filter(|&call| moments[call].0 < prefix.moment).collect();
    begun.sort_by_key(|&call| moments[call].0);
    let place = |call: usize| begun.iter().position(|&other| other == call);
    let show = |&call: &usize| {
        let method = specification.method(calls[call].method);
        let values = &*calls[call].values;
        RefusedCall {
            thread: calls[call].thread.index(),
            method: method.name,
            arguments: (method.values.render_arguments)(values),
            returned: (method.values.render_return)(values),
            invocation: moments[call].0,
            response: moments[call].1.unwrap_or(u64::MAX),
        }
    };
    RefusedCalls {
        object: specification.name,
        calls: begun.iter().map(show).collect(),
        last: place(prefix.last).expect("cdsspec bug: the call that ends a prefix has begun in it"),
        witness: prefix.witness.iter().filter_map(|&call| place(call)).collect(),
    }
}

impl Visitor for Judging {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        self.linearization.executions += 1;
        let is_over = matches!(recording.ending, Ending::Complete);
        if !is_over || recording.is_memory_broken() || !recording.errors.is_empty() {
            let why = "an execution has a fault that has nothing to do with histories, or threads that wait for ever: check the program first";
            return self.give_up(why.to_owned());
        }
        (0..recording.objects.len()).try_for_each(|object| self.judge(recording, ObjectId::new(object)))
    }

    fn needs_sc_order(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        *self = Self::default();
    }
}

impl Linearization {
    fn conclude(&mut self) {
        if self.histories == 0 {
            self.limit.get_or_insert("no call of a method with a specification has returned".to_owned());
        }
        if self.pending > 0 {
            self.limit.get_or_insert("histories with a call that did not return were not judged".to_owned());
        }
        if self.verdict == Verdict::SpecError {
            return;
        }
        self.verdict = match (&self.failure, &self.limit) {
            (Some(_), _) => Verdict::Violated,
            (None, None) => Verdict::HoldsWithin,
            (None, Some(_)) => Verdict::Inconclusive,
        };
    }

    /// Whether all histories were judged, and are linearizable.
    pub fn holds(&self) -> bool {
        self.verdict.is_pass()
    }

    /// Does nothing if all histories are linearizable.
    ///
    /// # Panics
    /// With the report, if not.
    #[track_caller]
    pub fn assert_holds(&self) {
        assert!(self.holds(), "{self}");
    }
}

//! Histories of calls, and who judges them.

use super::specified::{Agreement, Sequentially, SpecifiedCall};
use crate::record::{MethodCall, MethodId, Moment, Recording, SpecificationErrorKind, ThreadId};
use crate::scenario::{Caller, InvocationId, Value};
use crate::specification::Specification;
use cdsspec_linearize::{Call, Discipline, History, Limits, SequentialSpecification, Verdict};
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A call of a history: all have returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TimedCall {
    /// Who called: a label.
    pub(super) thread: u32,
    pub(super) invocation: InvocationId,
    pub(super) name: std::sync::Arc<str>,
    pub(super) value: Value,
    pub(super) invoked: u64,
    pub(super) returned: u64,
}

/// The label of who makes a call: the main thread is 0, then the columns.
pub(super) fn label(caller: Caller) -> u32 {
    match caller {
        Caller::Initial | Caller::Last => 0,
        Caller::Column(column) => u32::from(column) + 1,
    }
}

/// What a history comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ruling {
    Linearizable,
    /// A prefix has no linearization.
    Refused(RefusedPrefix),
    /// A limit was reached.
    Unknown,
    /// A clause of the specification panicked.
    Failed(SpecificationErrorKind),
    /// A call is none of those that the specification has.
    Unspecified(String),
}

/// The smallest prefix of a history that has no linearization. Calls are those of the history, by their places there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RefusedPrefix {
    /// The call whose return ends it.
    pub(super) last: usize,
    /// The moment of that return.
    pub(super) moment: u64,
    /// A witness of what is before that return: `OpOrder` at its longest.
    pub(super) witness: Vec<usize>,
}

/// Who judges the histories of a scenario.
pub(super) trait Judge {
    /// Looks at a run that was recorded: which record each of the calls has; nothing, if no record is needed. They are given in the order of their threads.
    ///
    /// # Errors
    /// Why its calls say nothing.
    fn learn(&self, _recording: &Recording, _calls: &[MadeCall]) -> Result<Vec<CallRecord>, String> {
        Ok(Vec::new())
    }

    /// Whether it must have seen calls recorded that came to the same before it can judge them.
    fn learns(&self) -> bool {
        false
    }

    /// Judges a history. `records` are those of its calls, where the run was recorded.
    fn judge(&self, calls: &[TimedCall], records: &[CallRecord]) -> Ruling;
}

/// A call of a scenario in a run that was recorded.
pub(super) struct MadeCall {
    pub(super) thread: ThreadId,
    pub(super) invocation: InvocationId,
    pub(super) value: Value,
    /// When it began and returned.
    pub(super) between: (Moment, Moment),
}

/// What was recorded of a call: its method, its arguments, what it returned.
pub(super) type CallRecord = (MethodId, Rc<dyn Any>);

/// How far one judgement goes: long histories of stacks and queues have exponentially many states.
pub(super) const LIMITS: Limits = Limits { steps_max: 5_000_000, bytes_max: 1 << 28 };

/// Judges calls, each with what it was and what it came to, its invocation and its return.
pub(super) fn judge_calls<S: SequentialSpecification>(
    specification: &S,
    calls: Vec<Call<S::Operation, S::Result>>,
) -> Ruling {
    let history = History::new(calls).expect("cdsspec bug: calls return behind their invocations");
    match cdsspec_linearize::judge(specification, &history, LIMITS) {
        Verdict::Linearizable(_) => Ruling::Linearizable,
        Verdict::NotLinearizable(refusal) if refusal.is_smallest => Ruling::Refused(RefusedPrefix {
            last: refusal.call.index(),
            moment: refusal.moment,
            witness: refusal.prefix.iter().map(|call| call.index()).collect(),
        }),
        Verdict::NotLinearizable(_) | Verdict::Inconclusive(_) => Ruling::Unknown,
    }
}

/// A call as it is judged.
pub(super) fn judged_call<O, R>(
    (operation, result): (O, R),
    thread: u64,
    (invoked, returned): (u64, u64),
) -> Call<O, R> {
    Call { thread, operation, result: Some(result), invoked, returned: Some(returned) }
}

/// The record of a call with this name that returned this value; `None`, if calls of both have different ones.
type Records = BTreeMap<(InvocationId, Value), Option<CallRecord>>;

/// Judges by the specification that stands beside the methods.
///
/// Clauses see the record of a call, which a run under an engine makes. Histories of real threads have none: a call there is judged by the record of another one with the same name that
/// returned the same value, if all such have the same record. Where the value says less than the record does, they may not, and the call is not judged.
#[derive(Default)]
pub(super) struct BySpecification {
    sequentially: RefCell<Option<Rc<Sequentially>>>,
    records: RefCell<Records>,
}

impl BySpecification {
    fn of_recording(&self, recording: &Recording) -> Result<Rc<Sequentially>, String> {
        if let Some(known) = &*self.sequentially.borrow() {
            return Ok(known.clone());
        }
        let first = recording.calls.first().ok_or("no call is of a method with a specification")?;
        let specification = recording.specification(first.object);
        let sequentially = Sequentially::new(specification).map_err(|method| {
            format!("the conditions of `{method}` look at `concurrent`, which no history in time has")
        })?;
        let sequentially = Rc::new(sequentially);
        *self.sequentially.borrow_mut() = Some(sequentially.clone());
        Ok(sequentially)
    }

    fn call(&self, call: &TimedCall) -> Option<SpecifiedCall> {
        let records = self.records.borrow();
        let (method, values) = records.get(&(call.invocation, call.value.clone()))?.as_ref()?;
        Some(self.sequentially.borrow().as_ref()?.call(*method, values))
    }
}

/// Whether two calls have the same record. Where equality is not known, texts would say less than the values do.
fn is_same(specification: &Specification, one: &CallRecord, other: &CallRecord) -> bool {
    let key = specification.method(one.0).values.key;
    Rc::ptr_eq(&one.1, &other.1)
        || one.0 == other.0 && key.is_some_and(|key| (key.is_equal)(&*one.1, &*other.1))
}

impl Judge for BySpecification {
    fn learn(&self, recording: &Recording, calls: &[MadeCall]) -> Result<Vec<CallRecord>, String> {
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        self.of_recording(recording)?;
        let specification = recording.specification(recording.calls[0].object);
        let mut records = self.records.borrow_mut();
        let mut own: Vec<Option<CallRecord>> = vec![None; calls.len()];
        for thread in recording.thread_ids() {
            let made = calls.iter().zip(&mut own).filter(|(call, _)| call.thread == thread);
            let mut recorded = recording.calls.iter().filter(|call| call.thread == thread);
            for (call, own) in made {
                let is_it = |known: &&MethodCall| {
                    let (begin, end) = call.between;
                    let is_over = known.response.is_some_and(|response| response.position <= end.position);
                    known.object == recording.calls[0].object
                        && known.invocation.position >= begin.position
                        && is_over
                };
                let known = recorded.next().filter(is_it);
                let known = known.ok_or("a call of the scenario is not one call of one object with a specification, or the constructor or a destructor makes one")?;
                let record = (known.method, known.values.clone());
                let entry = records.entry((call.invocation, call.value.clone()));
                let first = entry.or_insert_with(|| Some(record.clone()));
                if first.as_ref().is_some_and(|first| !is_same(specification, first, &record)) {
                    *first = None;
                }
                *own = Some(record);
            }
            if recorded.next().is_some() {
                return Err("a call of the scenario makes several calls with a specification, or the constructor or a destructor makes one".to_owned());
            }
        }
        Ok(own.into_iter().flatten().collect())
    }

    fn learns(&self) -> bool {
        true
    }

    fn judge(&self, calls: &[TimedCall], records: &[CallRecord]) -> Ruling {
        let Some(sequentially) = self.sequentially.borrow().clone() else {
            // No run was recorded that ended.
            let unknown = |call: &TimedCall| Ruling::Unspecified(format!("{} -> {}", call.name, call.value));
            return calls.first().map_or(Ruling::Linearizable, unknown);
        };
        let mut all = Vec::new();
        for (place, call) in calls.iter().enumerate() {
            let own = records.get(place).map(|(method, values)| sequentially.call(*method, values));
            let Some(record) = own.or_else(|| self.call(call)) else {
                return Ruling::Unspecified(format!("{} -> {}", call.name, call.value));
            };
            let result = (record, Agreement::Agrees);
            all.push(judged_call(result, u64::from(call.thread), (call.invoked, call.returned)));
        }
        let judged = judge_calls(&*sequentially, all);
        sequentially.failure().map_or(judged, Ruling::Failed)
    }
}

/// Judges by a specification that is given by hand.
pub(super) struct ByHand<S, F> {
    pub(super) specification: S,
    /// What a call of this name that returned this value is there; `None`: it is none.
    pub(super) translate: F,
}

impl<S, F> Judge for ByHand<S, F>
where
    S: SequentialSpecification,
    F: Fn(&str, &Value) -> Option<(S::Operation, S::Result)>,
{
    fn judge(&self, calls: &[TimedCall], _: &[CallRecord]) -> Ruling {
        let mut all = Vec::new();
        for call in calls {
            let Some(translated) = (self.translate)(&call.name, &call.value) else {
                return Ruling::Unspecified(format!("{} -> {}", call.name, call.value));
            };
            all.push(judged_call(translated, u64::from(call.thread), (call.invoked, call.returned)));
        }
        judge_calls(&Whole(&self.specification), all)
    }
}

/// A specification as one of an object without parts: the witness of a prefix has the calls of all of them.
struct Whole<'s, S>(&'s S);

impl<S: SequentialSpecification> SequentialSpecification for Whole<'_, S> {
    type Operation = S::Operation;
    type Result = S::Result;
    type State = S::State;
    type Part = ();

    fn initial(&self) -> S::State {
        self.0.initial()
    }

    fn step(
        &self,
        state: &S::State,
        operation: &S::Operation,
    ) -> impl IntoIterator<Item = (S::Result, S::State)> {
        self.0.step(state, operation)
    }

    fn part(&self, _: &S::Operation) {}

    fn is_read_only(&self, operation: &S::Operation, result: Option<&S::Result>) -> bool {
        self.0.is_read_only(operation, result)
    }

    fn heap_bytes(&self, state: &S::State) -> usize {
        self.0.heap_bytes(state)
    }

    fn discipline(&self, calls: &[(&S::Operation, Option<&S::Result>)]) -> Discipline {
        self.0.discipline(calls)
    }
}

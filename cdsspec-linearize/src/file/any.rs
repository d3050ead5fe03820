//! A history of a file, of whichever model.

use super::position::Mistake;
use super::raw::{Dialect, RawCall};
use super::value::Value;
use super::word::{self, Model, collection, key_value, mutex, register, set};
use crate::history::{Call, CallId, History, HistoryError};
use crate::judge::judge;
use crate::limit::Limits;
use crate::model::{KeyValue, Mutex, Queue, Register, Set, Stack};
use crate::specification::SequentialSpecification;
use crate::verdict::Verdict;

/// A history of a file.
#[derive(Debug)]
pub struct FileHistory {
    line: usize,
    model: Model,
    calls: Vec<Described>,
    judged: Box<dyn Judged>,
}

/// What a call looks like to people.
#[derive(Clone, Debug)]
struct Described {
    thread: u64,
    text: String,
    invoked: u64,
    returned: Option<u64>,
}

/// What a call could do after others.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// A state before it, as `Debug` has it.
    pub state: String,
    /// What it would return there; nothing if it cannot take effect.
    pub results: Vec<String>,
}

/// A specification and a history of it.
trait Judged: std::fmt::Debug {
    fn judge(&self, limits: Limits) -> Verdict;
    fn attempts(&self, before: &[CallId], end: u64, call: CallId) -> Vec<Attempt>;
}

#[derive(Debug)]
struct Pair<S: SequentialSpecification> {
    specification: S,
    show: fn(&S::Result) -> String,
    history: History<S::Operation, S::Result>,
}

impl<S: SequentialSpecification + std::fmt::Debug> Judged for Pair<S> {
    fn judge(&self, limits: Limits) -> Verdict {
        judge(&self.specification, &self.history, limits)
    }

    fn attempts(&self, before: &[CallId], end: u64, call: CallId) -> Vec<Attempt> {
        let steps = |state: &S::State, call: CallId| -> Vec<_> {
            self.specification.step(state, &self.history.call(call).operation).into_iter().collect()
        };
        let mut states = vec![self.specification.initial()];
        for &call in before {
            let made = self.history.call(call);
            let expected = made.result.as_ref().filter(|_| made.returned.is_some_and(|moment| moment < end));
            let mut next: Vec<S::State> = Vec::new();
            for (result, state) in states.iter().flat_map(|state| steps(state, call)) {
                if expected.is_none_or(|expected| *expected == result) && !next.contains(&state) {
                    next.push(state);
                }
            }
            states = next;
        }
        let attempt = |state: &S::State| Attempt {
            state: format!("{state:?}"),
            results: steps(state, call).iter().map(|(result, _)| (self.show)(result)).collect(),
        };
        states.iter().map(attempt).collect()
    }
}

/// Calls of a file as those of a specification.
fn pair<S>(
    specification: S,
    show: fn(&S::Result) -> String,
    calls: &[RawCall],
    meaning: impl Fn(&RawCall) -> Result<(S::Operation, Option<S::Result>), Mistake>,
) -> Result<Box<dyn Judged>, Mistake>
where
    S: SequentialSpecification + std::fmt::Debug + 'static,
{
    let call = |raw: &RawCall| {
        let (operation, result) = meaning(raw)?;
        Ok(Call { thread: raw.thread, operation, result, invoked: raw.invoked, returned: raw.returned })
    };
    let calls_of_history: Result<Vec<_>, Mistake> = calls.iter().map(call).collect();
    let history = History::new(calls_of_history?).map_err(|error| {
        let (HistoryError::ReturnsBeforeItBegins(call)
        | HistoryError::ReturnsAtTheLastMoment(call)
        | HistoryError::ResultWithoutReturn(call)) = error
        else {
            return Mistake::new(calls[0].places.call, error.to_string());
        };
        Mistake::new(calls[call.index()].places.call, error.to_string())
    })?;
    Ok(Box::new(Pair { specification, show, history }))
}

impl FileHistory {
    pub(crate) fn new(
        line: usize,
        model: Model,
        dialect: Dialect,
        initial: &Value,
        calls: &[RawCall],
    ) -> Result<Self, Mistake> {
        let judged = match model {
            Model::Register | Model::CasRegister => {
                let specification = Register { initial: initial.clone() };
                pair(specification, word::show_register, calls, |call| register(call, model, dialect))
            }
            Model::Queue => {
                pair(Queue::new(), word::show_collection, calls, |call| collection(call, model, dialect))
            }
            Model::Stack => {
                pair(Stack::new(), word::show_collection, calls, |call| collection(call, model, dialect))
            }
            Model::Set => pair(Set::new(), bool::to_string, calls, |call| set(call, model, dialect)),
            Model::KeyValue => {
                pair(KeyValue::new(), word::show_key_value, calls, |call| key_value(call, model, dialect))
            }
            Model::Mutex => pair(Mutex, |()| "true".to_owned(), calls, |call| mutex(call, model, dialect)),
        };
        let described = |call: &RawCall| Described {
            thread: call.thread,
            text: text(call, dialect),
            invoked: call.invoked,
            returned: call.returned,
        };
        Ok(Self { line, model, calls: calls.iter().map(described).collect(), judged: judged? })
    }

    /// The line of the file where it begins, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.line
    }

    /// What it is a history of.
    #[must_use]
    pub fn model(&self) -> Model {
        self.model
    }

    /// How many calls it has.
    #[must_use]
    pub fn call_count(&self) -> usize {
        self.calls.len()
    }

    /// A call, as `pop() -> 2`.
    ///
    /// # Panics
    /// There is no such call.
    #[must_use]
    pub fn text(&self, call: CallId) -> &str {
        &self.calls[call.index()].text
    }

    /// Who made a call.
    ///
    /// # Panics
    /// There is no such call.
    #[must_use]
    pub fn thread(&self, call: CallId) -> u64 {
        self.calls[call.index()].thread
    }

    /// When a call was invoked, and when it returned.
    ///
    /// # Panics
    /// There is no such call.
    #[must_use]
    pub fn interval(&self, call: CallId) -> (u64, Option<u64>) {
        let call = &self.calls[call.index()];
        (call.invoked, call.returned)
    }

    /// Whether it is linearizable.
    pub fn judge(&self, limits: Limits) -> Verdict {
        self.judged.judge(limits)
    }

    /// What a call could do after others, which stand in an order in which they can take effect up to the moment `end`: each state that these can leave, and what the call does there.
    #[must_use]
    pub fn attempts(&self, before: &[CallId], end: u64, call: CallId) -> Vec<Attempt> {
        self.judged.attempts(before, end, call)
    }
}

fn text(call: &RawCall, dialect: Dialect) -> String {
    let argument = match &call.argument {
        Value::Null => String::new(),
        Value::List(values) => values.iter().map(Value::to_string).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    let result = match &call.result {
        None => " pending".to_owned(),
        // Jepsen repeats the argument of what returns nothing.
        Some(value) if dialect == Dialect::Jepsen && *value == call.argument && *value != Value::Null => {
            String::new()
        }
        Some(Value::Null) if !["deq", "dequeue", "pop", "read", "get"].contains(&call.name.as_str()) => {
            String::new()
        }
        Some(value) => format!(" -> {value}"),
    };
    format!("{}({argument}){result}", call.name)
}

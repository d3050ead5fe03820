//! What the words of files mean, model by model.

use super::position::Mistake;
use super::raw::{Dialect, RawCall};
use super::value::Value;
use crate::model::{
    CollectionOperation, CollectionResult, KeyValueOperation, KeyValueResult, MutexOperation,
    RegisterOperation, RegisterResult, SetOperation,
};
use std::fmt;

/// A model that files can be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Model {
    /// A register that is read and written.
    Register,
    /// A register with compare-and-set.
    CasRegister,
    /// A queue.
    Queue,
    /// A stack.
    Stack,
    /// A set.
    Set,
    /// A map: keys and values.
    KeyValue,
    /// A lock.
    Mutex,
}

impl Model {
    /// All, with their names.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Register, "register"),
        (Self::CasRegister, "cas-register"),
        (Self::Queue, "queue"),
        (Self::Stack, "stack"),
        (Self::Set, "set"),
        (Self::KeyValue, "kv"),
        (Self::Mutex, "mutex"),
    ];

    /// The model with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, other)| *other == name).map(|(model, _)| *model)
    }

    /// Refuses a value at first, where it is given, of all but registers.
    pub(crate) fn check_initial(self, initial: Option<&Value>, at: usize) -> Result<(), Mistake> {
        match initial {
            Some(_) if !matches!(self, Self::Register | Self::CasRegister) => {
                let message =
                    format!("the model {self} has no value at first that can be given: it is empty, or free");
                Err(Mistake::new(at, message))
            }
            _ => Ok(()),
        }
    }

    /// The names of all, for people.
    pub(crate) fn names() -> String {
        Self::ALL.map(|(_, name)| name).join(", ")
    }
}

impl fmt::Display for Model {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(model, _)| model == self).map_or("", |(_, name)| name);
        formatter.write_str(name)
    }
}

/// An operation, and what it returned, if it did and that is known.
type Meaning<O, R> = Result<(O, Option<R>), Mistake>;

impl RawCall {
    fn unknown<T>(&self, model: Model, names: &str) -> Result<T, Mistake> {
        let message = format!("the model {model} has no operation `{}`: it has {names}", self.name);
        Err(Mistake::new(self.places.name, message))
    }

    fn bad_argument<T>(&self, expected: &str) -> Result<T, Mistake> {
        let message = format!("the argument of `{}` is {expected}, and not {}", self.name, self.argument);
        Err(Mistake::new(self.places.argument, message))
    }

    fn bad_result<T>(&self, expected: &str, result: &Value) -> Result<T, Mistake> {
        let message = format!("the result of `{}` is {expected}, and not {result}", self.name);
        Err(Mistake::new(self.places.result, message))
    }

    fn no_argument(&self, dialect: Dialect) -> Result<(), Mistake> {
        match self.argument {
            Value::Null => Ok(()),
            _ if dialect == Dialect::Jepsen => Ok(()),
            _ => self.bad_argument("null"),
        }
    }

    /// A return that says nothing.
    fn done<R>(&self, dialect: Dialect, done: R) -> Result<Option<R>, Mistake> {
        match &self.result {
            None => Ok(None),
            Some(Value::Null) => Ok(Some(done)),
            Some(_) if dialect == Dialect::Jepsen => Ok(Some(done)),
            Some(other) => self.bad_result("null", other),
        }
    }

    /// Whether it succeeded. In Jepsen's files one that did not has failed, and is not there.
    fn success(&self, dialect: Dialect) -> Result<Option<bool>, Mistake> {
        match &self.result {
            None => Ok(None),
            Some(Value::Bool(success)) => Ok(Some(*success)),
            Some(_) if dialect == Dialect::Jepsen => Ok(Some(true)),
            Some(other) => self.bad_result("true or false", other),
        }
    }

    fn pair(&self, value: &Value, expected: &str) -> Result<(Value, Value), Mistake> {
        match value {
            Value::List(values) if values.len() == 2 => Ok((values[0].clone(), values[1].clone())),
            _ => self.bad_argument(expected),
        }
    }
}

pub(crate) fn register(
    call: &RawCall,
    model: Model,
    dialect: Dialect,
) -> Meaning<RegisterOperation<Value>, RegisterResult<Value>> {
    match call.name.as_str() {
        "read" => {
            call.no_argument(dialect)?;
            Ok((RegisterOperation::Read, call.result.clone().map(RegisterResult::Value)))
        }
        "write" => {
            let result = call.done(dialect, RegisterResult::Written)?;
            Ok((RegisterOperation::Write(call.argument.clone()), result))
        }
        "cas" if model == Model::CasRegister => {
            let (expected, new) = call.pair(&call.argument, "[expected, new]")?;
            let result = call.success(dialect)?.map(RegisterResult::Set);
            Ok((RegisterOperation::CompareAndSet(expected, new), result))
        }
        "cas" => call.unknown(model, "write and read; the model cas-register has it"),
        _ if model == Model::CasRegister => call.unknown(model, "write, read and cas"),
        _ => call.unknown(model, "write and read"),
    }
}

pub(crate) fn collection(
    call: &RawCall,
    model: Model,
    dialect: Dialect,
) -> Meaning<CollectionOperation<Value>, CollectionResult<Value>> {
    match (model, call.name.as_str()) {
        (Model::Queue, "enq" | "enqueue") | (Model::Stack, "push") => {
            if call.argument == Value::Null {
                return call.bad_argument("a value: null stands for none");
            }
            let result = call.done(dialect, CollectionResult::Inserted)?;
            Ok((CollectionOperation::Insert(call.argument.clone()), result))
        }
        (Model::Queue, "deq" | "dequeue") | (Model::Stack, "pop") => {
            call.no_argument(dialect)?;
            let value = |value| if value == Value::Null { None } else { Some(value) };
            let result = call.result.clone().map(|result| CollectionResult::Removed(value(result)));
            Ok((CollectionOperation::Remove, result))
        }
        (Model::Queue, _) => call.unknown(model, "enq and deq"),
        _ => call.unknown(model, "push and pop"),
    }
}

pub(crate) fn set(call: &RawCall, model: Model, dialect: Dialect) -> Meaning<SetOperation<Value>, bool> {
    let value = call.argument.clone();
    let operation = match call.name.as_str() {
        "add" => SetOperation::Add(value),
        "remove" => SetOperation::Remove(value),
        "contains" => SetOperation::Contains(value),
        _ => return call.unknown(model, "add, remove and contains"),
    };
    let result = match (&call.result, dialect) {
        (None, _) => None,
        (Some(Value::Bool(answer)), _) => Some(*answer),
        (Some(Value::List(values)), Dialect::Jepsen) => match values.as_slice() {
            [value, Value::Bool(answer)] if *value == call.argument => Some(*answer),
            _ => None,
        },
        (Some(_), Dialect::Jepsen) => None,
        (Some(other), Dialect::Json) => return call.bad_result("true or false", other),
    };
    Ok((operation, result))
}

pub(crate) fn mutex(call: &RawCall, model: Model, dialect: Dialect) -> Meaning<MutexOperation, ()> {
    let operation = match call.name.as_str() {
        "lock" | "acquire" => MutexOperation::Lock,
        "unlock" | "release" => MutexOperation::Unlock,
        _ => return call.unknown(model, "lock and unlock"),
    };
    call.no_argument(dialect)?;
    let result = match (&call.result, dialect) {
        (None, _) => None,
        (Some(Value::Bool(true)), _) | (Some(_), Dialect::Jepsen) => Some(()),
        (Some(other), Dialect::Json) => return call.bad_result("true", other),
    };
    Ok((operation, result))
}

/// Null is nothing: what is put there so is deleted.
fn present(value: Value) -> Option<Value> {
    if value == Value::Null { None } else { Some(value) }
}

fn put(key: Value, value: Value) -> KeyValueOperation<Value, Value> {
    match present(value) {
        Some(value) => KeyValueOperation::Put(key, value),
        None => KeyValueOperation::Delete(key),
    }
}

pub(crate) fn key_value(
    call: &RawCall,
    model: Model,
    dialect: Dialect,
) -> Meaning<KeyValueOperation<Value, Value>, KeyValueResult<Value>> {
    let (key, value) = key_and_value(call, model, dialect)?;
    match call.name.as_str() {
        "get" | "read" => {
            let result = match (&call.result, dialect) {
                (Some(Value::List(values)), Dialect::Jepsen) if values.len() == 2 && values[0] == key => {
                    Some(values[1].clone())
                }
                (Some(other), Dialect::Jepsen) => return call.bad_result("[key, value]", other),
                (result, Dialect::Json) => result.clone(),
                (None, Dialect::Jepsen) => None,
            };
            Ok((KeyValueOperation::Get(key), result.map(|value| KeyValueResult::Value(present(value)))))
        }
        "put" | "write" => {
            let operation = put(key, value);
            let done = match operation {
                KeyValueOperation::Delete(_) => KeyValueResult::Deleted,
                _ => KeyValueResult::Put,
            };
            Ok((operation, call.done(dialect, done)?))
        }
        "delete" => Ok((KeyValueOperation::Delete(key), call.done(dialect, KeyValueResult::Deleted)?)),
        _ => {
            let (expected, new) = call.pair(&value, "[key, expected, new] or [key, [expected, new]]")?;
            let operation = KeyValueOperation::CompareAndSet(key, present(expected), present(new));
            Ok((operation, call.success(dialect)?.map(KeyValueResult::Set)))
        }
    }
}

/// The key that a call is about, and the rest of its argument.
fn key_and_value(call: &RawCall, model: Model, dialect: Dialect) -> Result<(Value, Value), Mistake> {
    match (call.name.as_str(), &call.argument) {
        ("get" | "read" | "delete", key) if dialect == Dialect::Json => Ok((key.clone(), Value::Null)),
        ("get" | "read" | "delete", pair) => call.pair(pair, "[key, nil]"),
        ("put" | "write", pair) => call.pair(pair, "[key, value]"),
        ("cas", Value::List(values)) if values.len() == 3 => {
            Ok((values[0].clone(), Value::List(values[1..].to_vec())))
        }
        ("cas", pair) => call.pair(pair, "[key, expected, new] or [key, [expected, new]]"),
        _ => call.unknown(model, "get, put, delete and cas"),
    }
}

/// What a call returns, as a file has it.
pub(crate) fn show_register(result: &RegisterResult<Value>) -> String {
    match result {
        RegisterResult::Value(value) => value.to_string(),
        RegisterResult::Written => Value::Null.to_string(),
        RegisterResult::Set(success) => success.to_string(),
    }
}

/// What a call returns, as a file has it.
pub(crate) fn show_collection(result: &CollectionResult<Value>) -> String {
    match result {
        CollectionResult::Removed(Some(value)) => value.to_string(),
        CollectionResult::Removed(None) | CollectionResult::Inserted => Value::Null.to_string(),
    }
}

/// What a call returns, as a file has it.
pub(crate) fn show_key_value(result: &KeyValueResult<Value>) -> String {
    match result {
        KeyValueResult::Value(Some(value)) => value.to_string(),
        KeyValueResult::Set(success) => success.to_string(),
        KeyValueResult::Value(None) | KeyValueResult::Put | KeyValueResult::Deleted => {
            Value::Null.to_string()
        }
    }
}

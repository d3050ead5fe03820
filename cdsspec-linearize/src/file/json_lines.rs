//! Reads JSON lines.

use super::any::FileHistory;
use super::number;
use super::position::{FileError, Mistake};
use super::raw::{Dialect, Places, RawCall};
use super::value::Value;
use super::word::Model;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A line. What else it has is passed over.
#[derive(Deserialize)]
struct Line<'l> {
    #[serde(borrow, default)]
    model: Option<&'l RawValue>,
    #[serde(borrow)]
    calls: Vec<&'l RawValue>,
}

/// A call of a line. What is of no fixed type is kept as it is written, and so is where it stands.
#[derive(Deserialize)]
struct JsonCall<'l> {
    thread: u64,
    #[serde(borrow)]
    op: &'l RawValue,
    #[serde(borrow, default, deserialize_with = "written")]
    argument: Option<&'l RawValue>,
    #[serde(borrow, default, deserialize_with = "written")]
    result: Option<&'l RawValue>,
    invoked: u64,
    #[serde(default)]
    returned: Option<u64>,
}

/// A value that is there, `null` as well: it has a place.
fn written<'l, D: Deserializer<'l>>(deserializer: D) -> Result<Option<&'l RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Reads JSON lines, a history a line. Each has the model that it names, or else the one that is given, with a register's value at first: 0, if none is given.
///
/// # Errors
/// What is no such history, with line and column; or no line at all; or a value at first of what is no register.
pub fn read_json_lines(
    text: &str,
    model: Option<Model>,
    initial: Option<&Value>,
) -> Result<Vec<FileHistory>, FileError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let history = |(index, text): (usize, &str)| {
        let line = Source { text, line: index + 1 };
        line.history(model, initial).map_err(|mistake| mistake.in_text(text, index + 1))
    };
    let histories: Result<Vec<_>, FileError> = lines.map(history).collect();
    let histories = histories?;
    if histories.is_empty() {
        return Err(Mistake::new(0, "there is no history in this file").in_text(text, 1));
    }
    Ok(histories)
}

/// A value as JSON has it. Nothing is rounded.
///
/// # Errors
/// In words: it is no JSON.
pub fn parse_value(text: &str) -> Result<Value, String> {
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| error.to_string())?;
    value(raw, 0).map_err(Wrong::into_message)
}

/// What is wrong with a value, where it begins.
struct Wrong<'t> {
    part: &'t str,
    /// Of its text, in bytes.
    at: usize,
    message: String,
}

impl Wrong<'_> {
    fn into_message(self) -> String {
        self.message
    }
}

/// Values are in values as deep as this at most.
const DEPTH_MAX: usize = 64;

/// A value. Each part is read from its own text, so that numbers are there as they are written: the library has large ones as floating-point numbers, and its feature that keeps them would change all who use it
/// beside this crate.
fn value(raw: &RawValue, depth: usize) -> Result<Value, Wrong<'_>> {
    let text = raw.get();
    let wrong = |message: String| Wrong { part: text, at: 0, message };
    if depth > DEPTH_MAX {
        return Err(wrong(format!("values are in values more than {DEPTH_MAX} deep")));
    }
    match text.as_bytes() {
        [b'n', ..] => Ok(Value::Null),
        [b't' | b'f', ..] => part(text).map(Value::Bool),
        [b'"', ..] => part(text).map(Value::Text),
        [b'[', ..] => {
            let values: Vec<&RawValue> = part(text)?;
            values.into_iter().map(|of| value(of, depth + 1)).collect::<Result<_, _>>().map(Value::List)
        }
        [b'{', ..] => {
            // Of entries with one key the last one is there.
            let entries: BTreeMap<String, &RawValue> = part(text)?;
            let mut both = Vec::with_capacity(2 * entries.len());
            for (key, of) in entries {
                both.extend([Value::Text(key), value(of, depth + 1)?]);
            }
            Ok(Value::Map(both))
        }
        _ => number::of_json(text).ok_or_else(|| wrong(format!("the exponent of {text} is too large"))),
    }
}

fn part<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Wrong<'t>> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_owned();
        // The library counts bytes, from 1; a part has one line.
        Wrong { part: text, at: error.column().saturating_sub(1), message }
    })
}

/// A line of a file.
struct Source<'t> {
    text: &'t str,
    line: usize,
}

impl<'t> Source<'t> {
    fn history(&self, model: Option<Model>, initial: Option<&Value>) -> Result<FileHistory, Mistake> {
        let line: Line<'t> = self.parse(self.text)?;
        let place = line.model.map_or(0, |model| self.place(model.get()));
        let model = self.model(line.model, model)?;
        model.check_initial(initial, place)?;
        let calls: Result<Vec<_>, _> = line.calls.iter().map(|call| self.call(call)).collect();
        let initial = initial.cloned().unwrap_or(Value::Int(0));
        FileHistory::new(self.line, model, Dialect::Json, &initial, &calls?)
    }

    /// The byte of the line where a part of it begins.
    fn place(&self, part: &str) -> usize {
        part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr())
    }

    fn parse<'p, T: Deserialize<'p>>(&self, part: &'p str) -> Result<T, Mistake> {
        self::part(part).map_err(|wrong| self.mistake(wrong))
    }

    fn mistake(&self, wrong: Wrong<'_>) -> Mistake {
        Mistake::new(self.place(wrong.part) + wrong.at, wrong.message)
    }

    fn model(&self, named: Option<&RawValue>, given: Option<Model>) -> Result<Model, Mistake> {
        let Some(raw) = named else {
            let message = format!("the line names no `model`, and none is given: {}", Model::names());
            return given.ok_or_else(|| Mistake::new(0, message));
        };
        let name: Cow<'_, str> = self.parse(raw.get())?;
        let wrong = |message: String| Err(Mistake::new(self.place(raw.get()), message));
        match (Model::named(&name), given) {
            (None, _) => wrong(format!("there is no model `{name}`: there are {}", Model::names())),
            (Some(model), Some(given)) if model != given => {
                wrong(format!("the line is about the model {model}, and {given} is asked for"))
            }
            (Some(model), _) => Ok(model),
        }
    }

    fn call(&self, raw: &'t RawValue) -> Result<RawCall, Mistake> {
        let call: JsonCall<'t> = self.parse(raw.get())?;
        let place = |raw: Option<&RawValue>| raw.map(|raw| self.place(raw.get()));
        let whole = self.place(raw.get());
        let read = |raw: Option<&'t RawValue>| {
            raw.map(|raw| value(raw, 0).map_err(|wrong| self.mistake(wrong))).transpose()
        };
        let result = read(call.result)?;
        let places = Places {
            call: whole,
            name: self.place(call.op.get()),
            argument: place(call.argument).unwrap_or(whole),
            result: place(call.result).unwrap_or(whole),
        };
        if call.returned.is_none() && result.as_ref().is_some_and(|result| *result != Value::Null) {
            return Err(Mistake::new(places.result, "a pending call, which did not return, has no result"));
        }
        Ok(RawCall {
            thread: call.thread,
            name: self.parse::<Cow<'_, str>>(call.op.get())?.into_owned(),
            argument: read(call.argument)?.unwrap_or(Value::Null),
            result: call.returned.map(|_| result.unwrap_or(Value::Null)),
            invoked: call.invoked,
            returned: call.returned,
            places,
        })
    }
}

//! Calls as users write them: `queue.enqueue(_)`, `Queue::new()`, `lock.lock(&node)`.

use crate::lsl::value::Value;

/// What an argument is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Given {
    /// `_`
    Open,
    /// `1`, `true`
    Number(i64),
    /// The name of an object.
    Object(String),
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Call {
    /// `queue.enqueue`, `Queue::new`
    pub(super) path: String,
    pub(super) arguments: Vec<Given>,
}

impl Call {
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let (path, rest) = text.split_once('(').ok_or("`(` is missing: write `queue.enqueue(_)`")?;
        let inner = rest.trim_end().strip_suffix(')').ok_or("`)` is missing at the end")?;
        let arguments = inner.split(',').map(str::trim).filter(|argument| !argument.is_empty());
        let arguments = arguments.map(|argument| match argument.trim_start_matches('&') {
            "_" => Given::Open,
            "true" => Given::Number(1),
            "false" => Given::Number(0),
            word => word.parse().map_or_else(|_| Given::Object(word.to_owned()), Given::Number),
        });
        Ok(Self { path: path.trim().to_owned(), arguments: arguments.collect() })
    }
}

type Objects = [(String, String, Call)];

impl Given {
    /// The value, if it is not open.
    pub(super) fn fixed(&self, objects: &Objects) -> Value {
        match self {
            Self::Open => Value::Undefined,
            Self::Number(number) => Value::Number(*number),
            Self::Object(name) => {
                let index = objects.iter().position(|(known, ..)| known == name);
                let index = index.and_then(|index| u32::try_from(index).ok()).expect("the object is known");
                Value::pointer(&[index])
            }
        }
    }

    /// The value in LSL.
    pub(super) fn value(&self, objects: &Objects) -> String {
        match self {
            Self::Object(name) => format!("&object.{name}"),
            given => given.fixed(objects).to_string(),
        }
    }
}

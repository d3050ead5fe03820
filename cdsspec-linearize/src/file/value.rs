//! Values of files.

use std::fmt;

/// A value of a file. Equal ones have one form: numbers as [the module](crate::file) says.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Value {
    /// `null`, `nil`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A whole number of 64 bits.
    Int(i64),
    /// Another number, in the one form that its value has: nothing is rounded.
    Number(String),
    /// A text.
    Text(String),
    /// A keyword of EDN, with its colon; or a symbol.
    Word(String),
    /// An array, a vector, a list.
    List(Vec<Value>),
    /// An object, a map: keys and values in turn, in the order of the keys, each key once.
    Map(Vec<Value>),
    /// A set of EDN: what it has, ascending, each once.
    Set(Vec<Value>),
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = |values: &[Self], begin: &str, end: &str| {
            write!(formatter, "{begin}")?;
            for (index, value) in values.iter().enumerate() {
                write!(formatter, "{}{value}", if index > 0 { ", " } else { "" })?;
            }
            write!(formatter, "{end}")
        };
        match self {
            Self::Null => write!(formatter, "null"),
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Int(value) => write!(formatter, "{value}"),
            Self::Number(text) | Self::Word(text) => write!(formatter, "{text}"),
            Self::Text(text) => write!(formatter, "{text:?}"),
            Self::List(values) => between(values, "[", "]"),
            Self::Map(values) => between(values, "{", "}"),
            Self::Set(values) => between(values, "#{", "}"),
        }
    }
}

/// As people read it: states are shown so.
impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

//! What a call returned.

use std::fmt;

/// What a call returned, as a value that needs no type: two calls returned the same if their values are equal.
///
/// It is made by `into()` of what the standard library has for results, and shown as their `Debug` shows them. Of another type take
/// [`Value::shown`], or a part of it that has a value.
///
/// ```
/// # use cdsspec_runtime::scenario::Value;
/// assert_eq!(Value::from(Some(3)).to_string(), "Some(3)");
/// assert_eq!(Value::from(Err::<(), _>("full")).to_string(), "Err(\"full\")");
/// assert_eq!(Value::from(()).to_string(), "()");
/// assert_eq!(Value::shown(&('a'..='c')).to_string(), "'a'..='c'");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Number(i128),
    /// A text.
    Text(String),
    /// A value inside a variant of `Option` or `Result`, by the variant's name.
    Inside(&'static str, Box<Value>),
    /// `None`.
    Absent,
    /// Several values in order: of a vector, a slice, an array.
    List(Vec<Value>),
    /// Several values of a tuple; `()` has none.
    Tuple(Vec<Value>),
    /// Another value, by its text.
    Shown(String),
    /// What the call returned does not count: [`Scenario::exempt`](super::Scenario::exempt).
    Exempt,
    /// The call counts as not made: [`Scenario::exempt_result`](super::Scenario::exempt_result).
    Unmade,
}

impl Value {
    /// A value of any type, by the text that its `Debug` makes: two with the same text are the same.
    pub fn shown(value: &impl fmt::Debug) -> Self {
        struct Words<'a, T>(&'a T);
        impl<T: fmt::Debug> fmt::Display for Words<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", self.0)
            }
        }
        Self::Shown(Words(value).to_string())
    }

    /// Whether there is nothing to say of it.
    pub fn is_unit(&self) -> bool {
        matches!(self, Self::Tuple(parts) if parts.is_empty())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, values: &[Self]| {
            values.iter().enumerate().try_for_each(|(index, value)| {
                let comma = if index == 0 { "" } else { ", " };
                write!(f, "{comma}{value}")
            })
        };
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Inside(variant, value) => write!(f, "{variant}({value})"),
            Self::Absent => f.write_str("None"),
            Self::List(values) => {
                f.write_str("[")?;
                list(f, values)?;
                f.write_str("]")
            }
            Self::Tuple(values) => {
                f.write_str("(")?;
                list(f, values)?;
                f.write_str(if values.len() == 1 { ",)" } else { ")" })
            }
            Self::Shown(text) => f.write_str(text),
            Self::Exempt | Self::Unmade => f.write_str("_"),
        }
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for Value {
            fn from(value: $number) -> Self {
                i128::try_from(value).map_or_else(|_| Self::shown(&value), Self::Number)
            }
        }
    )*};
}

numbers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<char> for Value {
    fn from(value: char) -> Self {
        Self::shown(&value)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Absent, |value| Self::Inside("Some", Box::new(value.into())))
    }
}

impl<T: Into<Value>, E: Into<Value>> From<Result<T, E>> for Value {
    fn from(value: Result<T, E>) -> Self {
        match value {
            Ok(value) => Self::Inside("Ok", Box::new(value.into())),
            Err(error) => Self::Inside("Err", Box::new(error.into())),
        }
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Clone + Into<Value>> From<&[T]> for Value {
    fn from(values: &[T]) -> Self {
        values.to_vec().into()
    }
}

impl<T: Into<Value>, const COUNT: usize> From<[T; COUNT]> for Value {
    fn from(values: [T; COUNT]) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

macro_rules! tuples {
    ($(($($name:ident $part:ident)*))*) => {$(
        impl<$($name: Into<Value>),*> From<($($name,)*)> for Value {
            fn from(($($part,)*): ($($name,)*)) -> Self {
                Self::Tuple(vec![$($part.into()),*])
            }
        }
    )*};
}

tuples! { () (A a) (A a B b) (A a B b C c) (A a B b C c D d) }

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn values_read_as_debug_shows_them() {
        let texts = [
            (Value::from(7_u8), "7"),
            (Value::from(u128::MAX), "340282366920938463463374607431768211455"),
            (Value::from(true), "true"),
            (Value::from('x'), "'x'"),
            (Value::from("a\"b"), "\"a\\\"b\""),
            (Value::from(Some(None::<i32>)), "Some(None)"),
            (Value::from(Ok::<_, String>(vec![1, 2])), "Ok([1, 2])"),
            (Value::from([1, 2]), "[1, 2]"),
            (Value::from((1,)), "(1,)"),
            (Value::from((1, "b", false)), "(1, \"b\", false)"),
            (Value::from(()), "()"),
        ];
        for (value, text) in texts {
            assert_eq!(value.to_string(), text);
        }
    }
}

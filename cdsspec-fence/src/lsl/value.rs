//! Values: undefined, numbers and pointers (figures 4 and 5 of the paper).

use std::fmt;

/// A pointer: a base address and offsets of fields or of elements, so that no address is computed by arithmetic (figure 5).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Path(Vec<u32>);

impl Path {
    /// The first location of an object.
    pub fn of_base(base: u32) -> Self {
        Self(vec![base])
    }

    /// A field or an element of what this points to.
    #[must_use]
    pub fn offset(&self, offset: u32) -> Self {
        Self(self.0.iter().copied().chain([offset]).collect())
    }

    /// The base, then the offsets: never empty.
    pub fn components(&self) -> &[u32] {
        &self.0
    }
}

/// A value of a register or a location. The language is untyped; a value has a type at run time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Value {
    /// What was never set.
    #[default]
    Undefined,
    /// A number.
    Number(i64),
    /// A pointer.
    Pointer(Path),
}

impl Value {
    /// The pointer with these components.
    ///
    /// # Panics
    /// If there are none.
    pub fn pointer(components: &[u32]) -> Self {
        assert!(!components.is_empty(), "a pointer has a base");
        Self::Pointer(Path(components.to_vec()))
    }

    /// What a condition makes of it: numbers but 0 and all pointers are true; an undefined value is neither.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Self::Undefined => None,
            Self::Number(number) => Some(*number != 0),
            Self::Pointer(_) => Some(true),
        }
    }

    /// The path, if it is a pointer.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Pointer(path) => Some(path),
            Self::Undefined | Self::Number(_) => None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Undefined | Self::Pointer(_) => None,
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Number(truth.into())
    }
}

impl From<Path> for Value {
    fn from(path: Path) -> Self {
        Self::Pointer(path)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let components: Vec<_> = self.0.iter().map(u32::to_string).collect();
        write!(f, "[{}]", components.join(" "))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undefined => f.write_str("undefined"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Pointer(path) => write!(f, "{path}"),
        }
    }
}

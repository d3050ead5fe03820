//! Types, as far as they say how wide a number is, whether it has a sign, and where a field is.

use crate::message;
use std::collections::BTreeMap;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Integer {
    pub(crate) bits: u32,
    pub(crate) is_signed: bool,
}

/// A memory order, and its word in LSL.
pub(crate) type Order = &'static str;

/// A type. What is not known yet is `Unknown`, and has no items.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Unknown,
    /// Of what is never there: `return`.
    Never,
    Bool,
    /// Of a number whose type is not written.
    Literal,
    Integer(Integer),
    /// A generic parameter: one word of which nothing is known.
    Element(String),
    Reference(Box<Self>),
    Raw(Box<Self>),
    Box(Box<Self>),
    Tuple(Vec<Self>),
    Array(Box<Self>, usize),
    Option(Box<Self>),
    Result(Box<Self>, Box<Self>),
    Struct(String, Vec<Self>),
    Atomic(Box<Self>),
    Cell(Box<Self>),
    /// A memory order, which is known.
    Order(Order),
    /// An index into the closures of a body.
    Closure(usize),
}

pub(crate) const UNIT: Type = Type::Tuple(Vec::new());
pub(crate) const USIZE: Integer = Integer { bits: 64, is_signed: false };

impl Integer {
    /// The type of this name; `usize` has 64 bits.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (is_signed, bits) = match name.split_at_checked(1)? {
            ("i", bits) => (true, bits),
            ("u", bits) => (false, bits),
            _ => return None,
        };
        let bits = match bits {
            "8" => 8,
            "16" => 16,
            "32" => 32,
            "64" | "size" => 64,
            _ => return None,
        };
        Some(Self { bits, is_signed })
    }

    /// The least and the greatest value; an unsigned one of 64 bits is kept as the number with the same bits, and has none.
    pub(crate) fn range(self) -> Option<(i64, i64)> {
        match (self.bits, self.is_signed) {
            (64, true) => Some((i64::MIN, i64::MAX)),
            (64, false) => None,
            (bits, true) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            (bits, false) => Some((0, (1 << bits) - 1)),
        }
    }

    /// A number as values of this type are kept, if it is one.
    pub(crate) fn kept(self, number: i128) -> Option<i64> {
        match self.range() {
            Some((least, greatest)) => {
                (i128::from(least)..=i128::from(greatest)).contains(&number).then_some(number as i64)
            }
            None => u64::try_from(number).ok().map(u64::cast_signed),
        }
    }
}

pub(crate) fn boxed(ty: Type) -> Box<Type> {
    Box::new(ty)
}

impl Type {
    /// Whether it is one word: a number, a truth value, a pointer.
    pub(crate) fn is_word(&self) -> bool {
        matches!(
            self,
            Self::Bool
                | Self::Literal
                | Self::Integer(_)
                | Self::Element(_)
                | Self::Reference(_)
                | Self::Raw(_)
                | Self::Box(_)
        )
    }

    /// What it points to.
    pub(crate) fn pointee(&self) -> Option<&Self> {
        match self {
            Self::Reference(inner) | Self::Raw(inner) | Self::Box(inner) => Some(inner),
            _ => None,
        }
    }

    /// The type with its parameters replaced.
    #[must_use]
    pub(crate) fn replaced(&self, by: &BTreeMap<String, Self>) -> Self {
        let inner = |ty: &Self| boxed(ty.replaced(by));
        let all = |types: &[Self]| types.iter().map(|ty| ty.replaced(by)).collect();
        match self {
            Self::Element(name) => by.get(name).unwrap_or(self).clone(),
            Self::Reference(ty) => Self::Reference(inner(ty)),
            Self::Raw(ty) => Self::Raw(inner(ty)),
            Self::Box(ty) => Self::Box(inner(ty)),
            Self::Option(ty) => Self::Option(inner(ty)),
            Self::Result(right, wrong) => Self::Result(inner(right), inner(wrong)),
            Self::Atomic(ty) => Self::Atomic(inner(ty)),
            Self::Cell(ty) => Self::Cell(inner(ty)),
            Self::Array(ty, length) => Self::Array(inner(ty), *length),
            Self::Tuple(types) => Self::Tuple(all(types)),
            Self::Struct(name, types) => Self::Struct(name.clone(), all(types)),
            other => other.clone(),
        }
    }

    /// What both are, if one says what the other leaves open.
    pub(crate) fn joined(&self, other: &Self) -> Option<Self> {
        let pair = |left: &Self, right: &Self| left.joined(right).map(boxed);
        let all = |left: &[Self], right: &[Self]| -> Option<Vec<Self>> {
            (left.len() == right.len()).then_some(())?;
            left.iter().zip(right).map(|(left, right)| left.joined(right)).collect()
        };
        Some(match (self, other) {
            (Self::Unknown | Self::Never, known) | (known, Self::Unknown | Self::Never) => known.clone(),
            (Self::Literal, Self::Integer(integer)) | (Self::Integer(integer), Self::Literal) => {
                Self::Integer(*integer)
            }
            (Self::Order(""), Self::Order(order)) | (Self::Order(order), Self::Order("")) => {
                Self::Order(order)
            }
            (Self::Box(left), Self::Box(right)) => Self::Box(pair(left, right)?),
            (Self::Reference(left), Self::Reference(right)) => Self::Reference(pair(left, right)?),
            // A reference where a raw pointer is wanted.
            (Self::Raw(left) | Self::Reference(left), Self::Raw(right) | Self::Reference(right)) => {
                Self::Raw(pair(left, right)?)
            }
            (Self::Option(left), Self::Option(right)) => Self::Option(pair(left, right)?),
            (Self::Result(left, wrong), Self::Result(right, other)) => {
                Self::Result(pair(left, right)?, pair(wrong, other)?)
            }
            (Self::Atomic(left), Self::Atomic(right)) => Self::Atomic(pair(left, right)?),
            (Self::Cell(left), Self::Cell(right)) => Self::Cell(pair(left, right)?),
            (Self::Array(left, length), Self::Array(right, same)) if length == same => {
                Self::Array(pair(left, right)?, *length)
            }
            (Self::Tuple(left), Self::Tuple(right)) => Self::Tuple(all(left, right)?),
            (Self::Struct(name, left), Self::Struct(same, right)) if name == same => {
                Self::Struct(name.clone(), all(left, right)?)
            }
            (left, right) => return (left == right).then(|| left.clone()),
        })
    }

    /// Notes what stands for the parameters in this type, if it is that one.
    pub(crate) fn bind(&self, actual: &Self, bindings: &mut BTreeMap<String, Self>) {
        match (self, actual) {
            (Self::Element(name), actual) => {
                let known = bindings.get(name).cloned().unwrap_or(Self::Unknown);
                bindings.insert(name.clone(), known.joined(actual).unwrap_or(known));
            }
            (Self::Tuple(left), Self::Tuple(right)) | (Self::Struct(_, left), Self::Struct(_, right)) => {
                left.iter().zip(right).for_each(|(left, right)| left.bind(right, bindings));
            }
            (Self::Result(left, wrong), Self::Result(right, other)) => {
                left.bind(right, bindings);
                wrong.bind(other, bindings);
            }
            (Self::Option(left), Self::Option(right))
            | (Self::Atomic(left), Self::Atomic(right))
            | (Self::Cell(left), Self::Cell(right))
            | (Self::Array(left, _), Self::Array(right, _))
            | (
                Self::Box(left) | Self::Reference(left) | Self::Raw(left),
                Self::Box(right) | Self::Reference(right) | Self::Raw(right),
            ) => left.bind(right, bindings),
            _ => {}
        }
    }
}

/// What names mean where a type is written.
#[derive(Clone, Default)]
pub(crate) struct Names {
    /// `Self`
    pub(crate) own: Option<Type>,
    /// Generic types.
    pub(crate) elements: Vec<String>,
    /// What they stand for, where a function is written out in place.
    pub(crate) bound: BTreeMap<String, Type>,
}

/// What is said where two types do not meet.
pub(crate) fn mismatch(left: &Type, right: &Type) -> &'static str {
    let are_orders = matches!((left, right), (Type::Order(_), Type::Order(_)));
    if are_orders { message::ORDER } else { message::MISMATCH }
}

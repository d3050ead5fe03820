//! Primitive operations: functions of values without any effect.

use super::value::Value;

/// A primitive operation, `f` of figure 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Primitive {
    /// The argument; also of an undefined value.
    Copy,
    /// 1 if both are the same, else 0. A number and a pointer are never the same.
    Equal,
    /// 0 if both are the same, else 1.
    NotEqual,
    /// 1 if the first number is less.
    Less,
    /// 1 if the first number is at most the second.
    AtMost,
    /// 1 if the argument is false.
    Not,
    /// 1 if both are true.
    And,
    /// 1 if one is true.
    Or,
    /// The sum of two numbers.
    Add,
    /// The difference of two numbers.
    Subtract,
    /// The product of two numbers.
    Multiply,
    /// The quotient of two numbers, rounded towards 0.
    Divide,
    /// What a division leaves, with the sign of the dividend.
    Remainder,
    /// The bits that both numbers have.
    BitAnd,
    /// The bits that one of both has.
    BitOr,
    /// The bits in which both differ.
    BitXor,
    /// The pointer to a field or an element: a pointer, and a number from 0 on.
    Offset,
    /// The second argument if the first is true, else the third; these may be undefined. No thread branches here.
    Select,
}

/// A primitive operation was given what it does not work on: an undefined value, or one of another type (section 3.1 of the paper).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TypeMismatch;

impl Primitive {
    /// All of them.
    pub const ALL: [Self; 18] = [
        Self::Copy,
        Self::Equal,
        Self::NotEqual,
        Self::Less,
        Self::AtMost,
        Self::Not,
        Self::And,
        Self::Or,
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Remainder,
        Self::BitAnd,
        Self::BitOr,
        Self::BitXor,
        Self::Offset,
        Self::Select,
    ];

    /// Its name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Equal => "eq",
            Self::NotEqual => "ne",
            Self::Less => "lt",
            Self::AtMost => "le",
            Self::Not => "not",
            Self::And => "and",
            Self::Or => "or",
            Self::Add => "add",
            Self::Subtract => "sub",
            Self::Multiply => "mul",
            Self::Divide => "div",
            Self::Remainder => "rem",
            Self::BitAnd => "bitand",
            Self::BitOr => "bitor",
            Self::BitXor => "bitxor",
            Self::Offset => "offset",
            Self::Select => "select",
        }
    }

    /// The operation of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|primitive| primitive.name() == name)
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Self::Copy | Self::Not => 1,
            Self::Select => 3,
            _ => 2,
        }
    }

    /// Whether it may give values that are in neither argument, again and again (the paper: assignments of unbounded range).
    pub fn is_unbounded(self) -> bool {
        matches!(self, Self::Offset) || self.is_arithmetic()
    }

    /// Whether it computes a number from two.
    pub fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Self::Add
                | Self::Subtract
                | Self::Multiply
                | Self::Divide
                | Self::Remainder
                | Self::BitAnd
                | Self::BitOr
                | Self::BitXor
        )
    }

    /// What it gives. Numbers wrap around at 64 bits.
    ///
    /// # Errors
    /// If it does not work on these values; a quotient by 0 is none, nor is one beyond 64 bits.
    ///
    /// # Panics
    /// If there are not as many arguments as it takes.
    pub fn apply(self, arguments: &[Value]) -> Result<Value, TypeMismatch> {
        assert_eq!(arguments.len(), self.arity(), "{} takes {} arguments", self.name(), self.arity());
        let truth = |index: usize| arguments[index].truth().ok_or(TypeMismatch);
        let number = |index: usize| arguments[index].number().ok_or(TypeMismatch);
        let is_same = || truth(0).and(truth(1)).map(|_| arguments[0] == arguments[1]);
        Ok(match self {
            Self::Copy => arguments[0].clone(),
            Self::Equal => is_same()?.into(),
            Self::NotEqual => (!is_same()?).into(),
            Self::Less => (number(0)? < number(1)?).into(),
            Self::AtMost => (number(0)? <= number(1)?).into(),
            Self::Not => (!truth(0)?).into(),
            Self::And => (truth(0)? & truth(1)?).into(),
            Self::Or => (truth(0)? | truth(1)?).into(),
            Self::Add => number(0)?.wrapping_add(number(1)?).into(),
            Self::Subtract => number(0)?.wrapping_sub(number(1)?).into(),
            Self::Multiply => number(0)?.wrapping_mul(number(1)?).into(),
            Self::Divide => number(0)?.checked_div(number(1)?).ok_or(TypeMismatch)?.into(),
            Self::Remainder => number(0)?.checked_rem(number(1)?).ok_or(TypeMismatch)?.into(),
            Self::BitAnd => (number(0)? & number(1)?).into(),
            Self::BitOr => (number(0)? | number(1)?).into(),
            Self::BitXor => (number(0)? ^ number(1)?).into(),
            Self::Select => arguments[if truth(0)? { 1 } else { 2 }].clone(),
            Self::Offset => {
                let path = arguments[0].path().ok_or(TypeMismatch)?;
                let offset = u32::try_from(number(1)?).map_err(|_| TypeMismatch)?;
                path.offset(offset).into()
            }
        })
    }
}

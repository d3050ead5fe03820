//! Operators of integers, exactly as Rust has them: by width and sign, where an overflow is a panic.
//!
//! A number is kept as the `i64` of its value; one of 64 bits without a sign as the `i64` of the same bits. LSL computes with `i64`, wrapping.

use crate::body::{Body, Typed};
use crate::code::Operand;
use crate::message::{self, Fail, fail};
use crate::types::{Integer, Type};
use quote::ToTokens;
use syn::BinOp;

/// Beyond this a product might not fit into 64 bits.
const FACTOR_MAX: i64 = 1 << 31;

impl Body<'_, '_> {
    /// What an operation of LSL gives; computed here if both are known.
    pub(crate) fn compute(&mut self, name: &str, left: &Operand, right: &Operand) -> Operand {
        if let (Operand::Number(left), Operand::Number(right)) = (left, right)
            && let Some(number) = known(name, *left, *right)
        {
            return Operand::Number(number);
        }
        self.set(name, name, &[left, right])
    }

    /// Whether two words are the same.
    pub(crate) fn equal(&mut self, left: &Operand, right: &Operand) -> Operand {
        self.compute("eq", left, right)
    }

    /// Whether one number is less. Those of 64 bits without a sign are compared as numbers with one; if their signs differ, that turns the answer round.
    pub(crate) fn less(&mut self, left: &Operand, right: &Operand, integer: Integer) -> Operand {
        let less = self.compute("lt", left, right);
        if integer.range().is_some() {
            return less;
        }
        let zero = Operand::Number(0);
        let [left, right] = [left, right].map(|side| self.compute("lt", side, &zero));
        let differ = self.compute("ne", &left, &right);
        self.compute("ne", &less, &differ)
    }

    /// One word or the other, without a branch.
    pub(crate) fn select(&mut self, condition: &Operand, then: &Operand, otherwise: &Operand) -> Operand {
        match condition {
            Operand::Number(0) => otherwise.clone(),
            Operand::Number(_) => then.clone(),
            _ if then == otherwise => then.clone(),
            _ => self.set("selected", "select", &[condition, then, otherwise]),
        }
    }

    /// A result of LSL's operations as a value of the type: the low bits.
    pub(crate) fn wrapped(&mut self, number: &Operand, integer: Integer) -> Operand {
        if integer.bits == 64 {
            return number.clone();
        }
        let mask = Operand::Number((1 << integer.bits) - 1);
        let low = self.compute("bitand", number, &mask);
        if !integer.is_signed {
            return low;
        }
        let half = Operand::Number(1 << (integer.bits - 1));
        let turned = self.compute("bitxor", &low, &half);
        self.compute("sub", &turned, &half)
    }

    /// `as`
    pub(crate) fn converted(&mut self, number: &Operand, from: Integer, into: Integer) -> Operand {
        let fits = match (from.range(), into.range()) {
            (Some((least, greatest)), Some((low, high))) => low <= least && greatest <= high,
            // The same bits.
            (_, None) => true,
            (None, Some(_)) => false,
        };
        if fits { number.clone() } else { self.wrapped(number, into) }
    }

    /// Whether a sum or a difference is none of the type, beside the result of LSL.
    pub(crate) fn overflows(
        &mut self,
        is_sum: bool,
        [left, right]: [&Operand; 2],
        result: &Operand,
        integer: Integer,
    ) -> Operand {
        match (integer.range(), integer.bits) {
            (None, _) if is_sum => self.less(result, left, integer),
            (None, _) => self.less(left, right, integer),
            (Some(_), 64) => {
                // It grows if and only if something positive is added.
                let zero = Operand::Number(0);
                let shrinks = self.compute("lt", result, left);
                let shrinks_rightly = match is_sum {
                    true => self.compute("lt", right, &zero),
                    false => self.compute("lt", &zero, right),
                };
                self.compute("ne", &shrinks, &shrinks_rightly)
            }
            (Some(_), _) => {
                let inside = self.is_inside(result, integer);
                self.not(&inside)
            }
        }
    }

    /// Whether a number that LSL computed exactly is one of the type.
    fn is_inside(&mut self, number: &Operand, integer: Integer) -> Operand {
        let Some((least, greatest)) = integer.range() else { return Operand::Number(1) };
        let above = self.compute("le", &Operand::Number(least), number);
        let below = self.compute("le", number, &Operand::Number(greatest));
        self.both(&above, &below)
    }

    /// A sum or a difference, and whether it overflows.
    pub(crate) fn sum(
        &mut self,
        is_sum: bool,
        operands: [&Operand; 2],
        integer: Integer,
    ) -> (Operand, Operand) {
        let result = self.compute(if is_sum { "add" } else { "sub" }, operands[0], operands[1]);
        let overflows = self.overflows(is_sum, operands, &result, integer);
        (result, overflows)
    }

    fn refuse(&mut self, is_wrong: &Operand) {
        let is_right = self.not(is_wrong);
        self.assert(&is_right);
    }

    /// A binary operator of two values.
    pub(crate) fn operate(
        &mut self,
        left: &Typed,
        op: &BinOp,
        right: &Typed,
        at: &impl ToTokens,
    ) -> Result<Typed, Fail> {
        if let BinOp::Shl(_) | BinOp::Shr(_) = op {
            return self.shifted(left, matches!(op, BinOp::Shl(_)), right, at);
        }
        let Some(ty) = left.ty.joined(&right.ty).filter(Type::is_word) else {
            return fail(at, message::OPERATOR);
        };
        let left = self.coerced(left, &ty, at)?.operand();
        let right = self.coerced(right, &ty, at)?.operand();
        if let Some(truth) = self.compared(&left, op, &right, &ty, at)? {
            return Ok(Typed::word(truth, Type::Bool));
        }
        let operand = match (&ty, op) {
            (Type::Bool, BinOp::BitAnd(_)) => self.compute("and", &left, &right),
            (Type::Bool, BinOp::BitOr(_)) => self.compute("or", &left, &right),
            (Type::Bool, BinOp::BitXor(_)) => self.compute("ne", &left, &right),
            (Type::Integer(integer), op) => self.arithmetic(&left, op, &right, *integer, at)?,
            (Type::Literal, _) => return fail(at, message::NO_WIDTH),
            _ => return fail(at, message::OPERATOR),
        };
        Ok(Typed::word(operand, ty))
    }

    fn compared(
        &mut self,
        left: &Operand,
        op: &BinOp,
        right: &Operand,
        ty: &Type,
        at: &impl ToTokens,
    ) -> Result<Option<Operand>, Fail> {
        match op {
            BinOp::Eq(_) => return Ok(Some(self.equal(left, right))),
            BinOp::Ne(_) => return Ok(Some(self.compute("ne", left, right))),
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {}
            _ => return Ok(None),
        }
        let integer = match ty {
            Type::Integer(integer) => *integer,
            // Known numbers, and truth values.
            Type::Literal | Type::Bool => Integer { bits: 64, is_signed: true },
            _ => return fail(at, message::OPERATOR),
        };
        Ok(Some(match op {
            BinOp::Lt(_) => self.less(left, right, integer),
            BinOp::Gt(_) => self.less(right, left, integer),
            BinOp::Le(_) => {
                let greater = self.less(right, left, integer);
                self.not(&greater)
            }
            _ => {
                let less = self.less(left, right, integer);
                self.not(&less)
            }
        }))
    }

    fn arithmetic(
        &mut self,
        left: &Operand,
        op: &BinOp,
        right: &Operand,
        integer: Integer,
        at: &impl ToTokens,
    ) -> Result<Operand, Fail> {
        Ok(match op {
            BinOp::Add(_) | BinOp::Sub(_) => {
                let (result, overflows) = self.sum(matches!(op, BinOp::Add(_)), [left, right], integer);
                self.refuse(&overflows);
                result
            }
            BinOp::Mul(_) => {
                if integer.bits == 64 {
                    // What may not fit is an error, also where it would.
                    for side in [left, right] {
                        let above = self.compute("lt", &Operand::Number(-FACTOR_MAX), side);
                        let below = self.compute("lt", side, &Operand::Number(FACTOR_MAX));
                        let is_small = self.both(&above, &below);
                        self.assert(&is_small);
                        if !integer.is_signed {
                            let is_negative = self.compute("lt", side, &Operand::Number(0));
                            self.refuse(&is_negative);
                        }
                    }
                }
                let product = self.compute("mul", left, right);
                if integer.bits < 64 {
                    let inside = self.is_inside(&product, integer);
                    self.assert(&inside);
                }
                product
            }
            BinOp::Div(_) | BinOp::Rem(_) => {
                if integer.range().is_none() {
                    // Beyond 2^63 `i64` divides otherwise: an error, also where Rust has none.
                    for side in [left, right] {
                        let is_large = self.compute("lt", side, &Operand::Number(0));
                        self.refuse(&is_large);
                    }
                }
                // That of the least number by -1 overflows, and so does its remainder.
                let quotient = self.compute("div", left, right);
                let inside = self.is_inside(&quotient, integer);
                self.assert(&inside);
                if matches!(op, BinOp::Div(_)) { quotient } else { self.compute("rem", left, right) }
            }
            BinOp::BitAnd(_) => self.compute("bitand", left, right),
            BinOp::BitOr(_) => self.compute("bitor", left, right),
            BinOp::BitXor(_) => self.compute("bitxor", left, right),
            _ => return fail(at, message::OPERATOR),
        })
    }

    fn shifted(
        &mut self,
        left: &Typed,
        is_left: bool,
        right: &Typed,
        at: &impl ToTokens,
    ) -> Result<Typed, Fail> {
        let integer = match left.ty {
            Type::Integer(integer) => integer,
            Type::Literal => return fail(at, message::NO_WIDTH),
            _ => return fail(at, message::OPERATOR),
        };
        let Some(count) = right.constant().filter(|count| (0..i64::from(integer.bits)).contains(count))
        else {
            return fail(at, message::SHIFT);
        };
        let number = left.operand();
        if count == 0 {
            return Ok(left.clone());
        }
        let power = Operand::Number(1_i64.wrapping_shl(u32::try_from(count).unwrap_or_default()));
        let operand = if is_left {
            let product = self.compute("mul", &number, &power);
            self.wrapped(&product, integer)
        } else if count == 63 {
            // The sign alone: -1, or 1 without a sign.
            let sign = self.compute("lt", &number, &Operand::Number(0));
            if integer.is_signed { self.compute("sub", &Operand::Number(0), &sign) } else { sign }
        } else {
            let mask = Operand::Number((1 << count) - 1);
            let low = self.compute("bitand", &number, &mask);
            let high = self.compute("sub", &number, &low);
            // No rest: so it rounds neither way.
            let shifted = self.compute("div", &high, &power);
            if integer.range().is_some() {
                shifted
            } else {
                self.compute("bitand", &shifted, &Operand::Number((1_i64 << (64 - count)).wrapping_sub(1)))
            }
        };
        Ok(Typed::word(operand, left.ty.clone()))
    }
}

/// What LSL computes of two numbers that are known.
fn known(name: &str, left: i64, right: i64) -> Option<i64> {
    Some(match name {
        "eq" => i64::from(left == right),
        "ne" => i64::from(left != right),
        "lt" => i64::from(left < right),
        "le" => i64::from(left <= right),
        "and" => i64::from(left != 0 && right != 0),
        "or" => i64::from(left != 0 || right != 0),
        "add" => left.wrapping_add(right),
        "sub" => left.wrapping_sub(right),
        "mul" => left.wrapping_mul(right),
        "div" => left.checked_div(right)?,
        "rem" => left.checked_rem(right)?,
        "bitand" => left & right,
        "bitor" => left | right,
        "bitxor" => left ^ right,
        _ => return None,
    })
}

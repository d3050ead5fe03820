//! Products, quotients and bits of numbers.

use super::{WIDTH_MAX, Word, number_bit};
use crate::lsl::primitive::Primitive;
use crate::solver::{Bit, Solver};

impl Word {
    fn of_number(number: Vec<Bit>, is_defined: Bit, solver: &mut Solver) -> Self {
        let number = number.into_iter().map(|bit| solver.and(bit, is_defined)).collect();
        Self { is_number: is_defined, is_pointer: Bit::FALSE, number, components: Vec::new() }
    }

    /// And, or, exclusive or of each bit.
    pub(super) fn bitwise(
        &self,
        primitive: Primitive,
        other: &Self,
        is_defined: Bit,
        solver: &mut Solver,
    ) -> Self {
        let width = self.number.len().max(other.number.len()).max(1);
        let mut number = Vec::new();
        for index in 0..width {
            let (left, right) = (number_bit(&self.number, index), number_bit(&other.number, index));
            number.push(match primitive {
                Primitive::BitAnd => solver.and(left, right),
                Primitive::BitOr => solver.or(left, right),
                _ => solver.xor(left, right),
            });
        }
        Self::of_number(number, is_defined, solver)
    }

    /// The product, as the sum of one number shifted to each bit of the other: the low bits are right with signs, too.
    pub(super) fn product(&self, other: &Self, is_defined: Bit, solver: &mut Solver) -> Self {
        let width = (self.number.len() + other.number.len()).clamp(1, WIDTH_MAX);
        let mut sum = vec![Bit::FALSE; width];
        for shift in 0..width {
            let factor = number_bit(&self.number, shift);
            if factor == Bit::FALSE {
                continue;
            }
            let mut shifted = vec![Bit::FALSE; width];
            for (index, bit) in shifted[shift..].iter_mut().enumerate() {
                *bit = solver.and(factor, number_bit(&other.number, index));
            }
            sum = added(&sum, &shifted, Bit::FALSE, solver);
        }
        Self::of_number(sum, is_defined, solver)
    }

    /// The quotient, rounded towards 0, and what is left: a long division of the magnitudes.
    pub(super) fn divided(&self, other: &Self, are_numbers: Bit, solver: &mut Solver) -> (Self, Self) {
        // One bit more than the wider one, for the magnitude of the least number.
        let width = self.number.len().max(other.number.len()) + 1;
        let signs = [number_bit(&self.number, usize::MAX), number_bit(&other.number, usize::MAX)];
        let dividend = negated_if(signs[0], &extended(self, width), solver);
        let divisor = negated_if(signs[1], &extended(other, width), solver);
        let mut rest = vec![Bit::FALSE; width];
        let mut quotient = vec![Bit::FALSE; width];
        for index in (0..width).rev() {
            rest.rotate_right(1);
            rest[0] = dividend[index];
            // The rest less the divisor, by adding its complement: the last carry says that it fits. The rest is below twice the divisor, so that no bit is lost.
            let complement: Vec<Bit> = divisor.iter().map(|&bit| !bit).collect();
            let (less, fits) = added_with_carry(&rest, &complement, Bit::TRUE, solver);
            quotient[index] = fits;
            for (bit, less) in rest.iter_mut().zip(less) {
                *bit = solver.select(fits, less, *bit);
            }
        }
        let differ = solver.xor(signs[0], signs[1]);
        let mut quotient = negated_if(differ, &quotient, solver);
        let mut rest = negated_if(signs[0], &rest, solver);
        let is_divisible = solver.any(&other.number);
        let mut is_defined = solver.and(are_numbers, is_divisible);
        if width > WIDTH_MAX {
            // The least number by -1.
            let is_beyond = solver.xor(quotient[WIDTH_MAX], quotient[WIDTH_MAX - 1]);
            is_defined = solver.and(is_defined, !is_beyond);
        }
        quotient.truncate(WIDTH_MAX);
        rest.truncate(WIDTH_MAX);
        (Self::of_number(quotient, is_defined, solver), Self::of_number(rest, is_defined, solver))
    }
}

fn extended(word: &Word, width: usize) -> Vec<Bit> {
    (0..width).map(|index| number_bit(&word.number, index)).collect()
}

fn added(left: &[Bit], right: &[Bit], carry: Bit, solver: &mut Solver) -> Vec<Bit> {
    added_with_carry(left, right, carry, solver).0
}

/// The sum of as many bits, and what is carried out of it.
fn added_with_carry(left: &[Bit], right: &[Bit], mut carry: Bit, solver: &mut Solver) -> (Vec<Bit>, Bit) {
    let mut sum = Vec::new();
    for (&left, &right) in left.iter().zip(right) {
        let half = solver.xor(left, right);
        sum.push(solver.xor(half, carry));
        let both = solver.and(left, right);
        let passed = solver.and(half, carry);
        carry = solver.or(both, passed);
    }
    (sum, carry)
}

/// The number, or its negative: all bits turned round, and one more.
fn negated_if(condition: Bit, number: &[Bit], solver: &mut Solver) -> Vec<Bit> {
    let turned: Vec<Bit> = number.iter().map(|&bit| solver.xor(bit, condition)).collect();
    added(&turned, &vec![Bit::FALSE; number.len()], condition, solver)
}

//! Values as bits.
//!
//! A word has a bit for each type that is not undefined, a number in two's complement, and the components of a pointer, each plus one, so that 0
//! is a component that is not there. What is not of the word's type is 0, so that two words are the same value if all bits are the same.

mod arithmetic;

use crate::lsl::primitive::Primitive;
use crate::lsl::value::Value;
use crate::solver::{Bit, Solver};
use std::collections::BTreeSet;

/// Numbers have 64 bits in the language, too.
const WIDTH_MAX: usize = 64;

/// How many bits a word has of which nothing else is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    /// Of a number, its sign among them.
    pub(super) number: usize,
    /// Of each component of a pointer.
    pub(super) components: Vec<usize>,
}

/// A value as bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Word {
    is_number: Bit,
    pub(super) is_pointer: Bit,
    /// From the lowest bit to the sign, which goes on for ever.
    number: Vec<Bit>,
    /// From the lowest bit of each.
    components: Vec<Vec<Bit>>,
}

fn number_width(number: i64) -> usize {
    let magnitude = if number < 0 { !number } else { number };
    (65 - magnitude.leading_zeros()) as usize
}

fn component_width(component: u32) -> usize {
    (64 - (u64::from(component) + 1).leading_zeros()) as usize
}

impl Shape {
    /// The least one that has room for these values.
    pub(super) fn of<'v>(values: impl IntoIterator<Item = &'v Value>) -> Self {
        let mut shape = Self::default();
        for value in values {
            match value {
                Value::Undefined => {}
                Value::Number(number) => shape.number = shape.number.max(number_width(*number)),
                Value::Pointer(path) => {
                    let depth = shape.components.len().max(path.components().len());
                    shape.components.resize(depth, 0);
                    for (width, component) in shape.components.iter_mut().zip(path.components()) {
                        *width = (*width).max(component_width(*component));
                    }
                }
            }
        }
        shape
    }
}

/// This bit of a number; the sign beyond its width.
fn number_bit(number: &[Bit], index: usize) -> Bit {
    number.get(index).or(number.last()).copied().unwrap_or(Bit::FALSE)
}

fn component_bit(components: &[Vec<Bit>], component: usize, index: usize) -> Bit {
    components.get(component).and_then(|bits| bits.get(index)).copied().unwrap_or(Bit::FALSE)
}

impl Word {
    /// A value that is known.
    pub(super) fn constant(value: &Value) -> Self {
        let shape = Shape::of([value]);
        let number = value.number().unwrap_or_default();
        let bits =
            |count: usize, value: u64| (0..count).map(|bit| Bit::Constant(value >> bit & 1 == 1)).collect();
        let path = value.path().map(|path| path.components()).unwrap_or_default();
        let component = |(width, component): (&usize, &u32)| bits(*width, u64::from(*component) + 1);
        Self {
            is_number: Bit::Constant(value.number().is_some()),
            is_pointer: Bit::Constant(value.path().is_some()),
            number: (0..shape.number).map(|bit| Bit::Constant(number >> bit.min(63) & 1 == 1)).collect(),
            components: shape.components.iter().zip(path).map(component).collect(),
        }
    }

    /// A truth value as a number.
    fn truth_value(truth: Bit, is_defined: Bit, solver: &mut Solver) -> Self {
        let truth = solver.and(truth, is_defined);
        Self {
            is_number: is_defined,
            is_pointer: Bit::FALSE,
            number: vec![truth, Bit::FALSE],
            components: Vec::new(),
        }
    }

    /// A value of which nothing is known but its shape.
    pub(super) fn any(shape: &Shape, solver: &mut Solver) -> Self {
        let mut bits = |count: usize| (0..count).map(|_| solver.variable()).collect::<Vec<_>>();
        let tags = bits(2);
        let number = bits(shape.number);
        let components: Vec<_> = shape.components.iter().map(|&width| bits(width)).collect();
        let word = Self { is_number: tags[0], is_pointer: tags[1], number, components };
        solver.clause(&[!word.is_number, !word.is_pointer]);
        word.number.iter().for_each(|&bit| solver.clause(&[word.is_number, !bit]));
        let mut is_present = word.is_pointer;
        for component in &word.components {
            component.iter().for_each(|&bit| solver.clause(&[is_present, !bit]));
            is_present = solver.any(component);
        }
        if let Some(base) = word.components.first() {
            let bits: Vec<Bit> = base.iter().copied().chain([!word.is_pointer]).collect();
            solver.clause(&bits);
        } else {
            solver.clause(&[!word.is_pointer]);
        }
        word
    }

    /// One of these values, at least one.
    pub(super) fn one_of(values: &BTreeSet<Value>, solver: &mut Solver) -> Self {
        let words: Vec<Self> = values.iter().map(Self::constant).collect();
        let (first, rest) = words.split_first().expect("at least one value");
        let mut word = first.clone();
        let mut taken = Vec::new();
        for other in rest {
            let choice = solver.variable();
            taken.push(choice);
            word = Self::select(choice, other, &word, solver);
        }
        // Each value by one choice, so that no solution stands for several.
        for (index, &choice) in taken.iter().enumerate() {
            taken[index + 1..].iter().for_each(|&other| solver.clause(&[!choice, !other]));
        }
        word
    }

    /// The word with those bits fixed that all of these values have in common.
    pub(super) fn narrowed(mut self, values: &BTreeSet<Value>) -> Self {
        let words: Vec<Self> = values.iter().map(Self::constant).collect();
        let common = |bit: &dyn Fn(&Self) -> Bit| {
            let first = words.first().map(bit)?;
            words.iter().all(|word| bit(word) == first).then_some(first)
        };
        let fix = |place: &mut Bit, bit: &dyn Fn(&Self) -> Bit| {
            if let Some(fixed) = common(bit) {
                *place = fixed;
            }
        };
        let shape = Shape::of(values);
        fix(&mut self.is_number, &|word| word.is_number);
        fix(&mut self.is_pointer, &|word| word.is_pointer);
        self.number.truncate(shape.number);
        for (index, place) in self.number.iter_mut().enumerate() {
            fix(place, &|word| number_bit(&word.number, index));
        }
        self.components.truncate(shape.components.len());
        for (component, bits) in self.components.iter_mut().enumerate() {
            bits.truncate(shape.components[component]);
            for (index, place) in bits.iter_mut().enumerate() {
                fix(place, &|word| component_bit(&word.components, component, index));
            }
        }
        self
    }

    /// All pairs of bits of two words.
    fn pairs(&self, other: &Self) -> Vec<(Bit, Bit)> {
        let mut pairs = vec![(self.is_number, other.is_number), (self.is_pointer, other.is_pointer)];
        for index in 0..self.number.len().max(other.number.len()) {
            pairs.push((number_bit(&self.number, index), number_bit(&other.number, index)));
        }
        for component in 0..self.components.len().max(other.components.len()) {
            let width = |word: &Self| word.components.get(component).map_or(0, Vec::len);
            for index in 0..width(self).max(width(other)) {
                let bit = |word: &Self| component_bit(&word.components, component, index);
                pairs.push((bit(self), bit(other)));
            }
        }
        pairs
    }

    /// Whether both are the same value.
    pub(super) fn equals(&self, other: &Self, solver: &mut Solver) -> Bit {
        let pairs = self.pairs(other);
        let same: Vec<Bit> = pairs.into_iter().map(|(left, right)| !solver.xor(left, right)).collect();
        solver.all(&same)
    }

    /// If the condition holds, both are the same value.
    pub(super) fn require_equal(&self, other: &Self, condition: Bit, solver: &mut Solver) {
        for (left, right) in self.pairs(other) {
            solver.implies(&[condition, left], right);
            solver.implies(&[condition, right], left);
        }
    }

    /// The one or the other.
    pub(super) fn select(condition: Bit, then: &Self, otherwise: &Self, solver: &mut Solver) -> Self {
        let mut bit = |left, right| solver.select(condition, left, right);
        let number = (0..then.number.len().max(otherwise.number.len()))
            .map(|index| bit(number_bit(&then.number, index), number_bit(&otherwise.number, index)))
            .collect();
        let component = |component: usize, bit: &mut dyn FnMut(Bit, Bit) -> Bit| {
            let width = |word: &Self| word.components.get(component).map_or(0, Vec::len);
            let of = |word: &Self, index| component_bit(&word.components, component, index);
            (0..width(then).max(width(otherwise)))
                .map(|index| bit(of(then, index), of(otherwise, index)))
                .collect()
        };
        let depth = then.components.len().max(otherwise.components.len());
        let components = (0..depth).map(|index| component(index, &mut bit)).collect();
        let is_number = bit(then.is_number, otherwise.is_number);
        Self { is_number, is_pointer: bit(then.is_pointer, otherwise.is_pointer), number, components }
    }

    /// Whether it is defined.
    pub(super) fn is_defined(&self, solver: &mut Solver) -> Bit {
        solver.or(self.is_number, self.is_pointer)
    }

    /// Whether it is true: a number but 0, or a pointer.
    pub(super) fn truth(&self, solver: &mut Solver) -> Bit {
        let is_not_zero = solver.any(&self.number);
        solver.or(self.is_pointer, is_not_zero)
    }

    /// What an operation gives.
    pub(super) fn apply(primitive: Primitive, arguments: &[&Self], solver: &mut Solver) -> Self {
        let first = arguments[0];
        let second = arguments.get(1).copied().unwrap_or(first);
        let are_defined = [first.is_defined(solver), second.is_defined(solver)];
        let are_defined = solver.and(are_defined[0], are_defined[1]);
        let are_numbers = solver.and(first.is_number, second.is_number);
        let truths = [first.truth(solver), second.truth(solver)];
        let (truth, is_defined) = match primitive {
            Primitive::Copy => return first.clone(),
            Primitive::Add => return first.sum(second, false, are_numbers, solver),
            Primitive::Subtract => return first.sum(second, true, are_numbers, solver),
            Primitive::Multiply => return first.product(second, are_numbers, solver),
            Primitive::Divide => return first.divided(second, are_numbers, solver).0,
            Primitive::Remainder => return first.divided(second, are_numbers, solver).1,
            Primitive::BitAnd | Primitive::BitOr | Primitive::BitXor => {
                return first.bitwise(primitive, second, are_numbers, solver);
            }
            Primitive::Offset => return first.offset(second, solver),
            Primitive::Select => return Self::select(truths[0], second, arguments[2], solver),
            Primitive::Equal => (first.equals(second, solver), are_defined),
            Primitive::NotEqual => (!first.equals(second, solver), are_defined),
            Primitive::Less => (first.less(second, solver), are_numbers),
            Primitive::AtMost => (!second.less(first, solver), are_numbers),
            Primitive::Not => (!truths[0], are_defined),
            Primitive::And => (solver.and(truths[0], truths[1]), are_defined),
            Primitive::Or => (solver.or(truths[0], truths[1]), are_defined),
        };
        Self::truth_value(truth, is_defined, solver)
    }

    /// The sum, or the difference: by carries, with one bit more than the wider one.
    fn sum(&self, other: &Self, is_difference: bool, is_defined: Bit, solver: &mut Solver) -> Self {
        let width = (self.number.len().max(other.number.len()) + 1).min(WIDTH_MAX);
        let mut carry = Bit::Constant(is_difference);
        let mut number = Vec::new();
        for index in 0..width {
            let left = number_bit(&self.number, index);
            let right = number_bit(&other.number, index);
            let right = if is_difference { !right } else { right };
            let half = solver.xor(left, right);
            let bit = solver.xor(half, carry);
            number.push(solver.and(bit, is_defined));
            let both = solver.and(left, right);
            let passed = solver.and(half, carry);
            carry = solver.or(both, passed);
        }
        Self { is_number: is_defined, is_pointer: Bit::FALSE, number, components: Vec::new() }
    }

    /// Whether the number is less: from the lowest bit, the highest one that differs decides.
    fn less(&self, other: &Self, solver: &mut Solver) -> Bit {
        let width = self.number.len().max(other.number.len());
        let mut less = Bit::FALSE;
        for index in 0..width {
            let bits = [number_bit(&self.number, index), number_bit(&other.number, index)];
            // The sign counts the other way round.
            let [left, right] = if index + 1 == width { [bits[1], bits[0]] } else { bits };
            let differ = solver.xor(left, right);
            less = solver.select(differ, right, less);
        }
        less
    }

    /// A pointer with one component more.
    fn offset(&self, offset: &Self, solver: &mut Solver) -> Self {
        let sign = number_bit(&offset.number, usize::MAX);
        let is_offset = solver.and(offset.is_number, !sign);
        let is_defined = solver.and(self.is_pointer, is_offset);
        let mut carry = Bit::TRUE;
        let mut added = Vec::new();
        for index in 0..offset.number.len().max(1) {
            let bit = number_bit(&offset.number, index);
            added.push(solver.xor(bit, carry));
            carry = solver.and(bit, carry);
        }
        let mut components = Vec::new();
        let mut is_before = Bit::TRUE;
        for component in 0..=self.components.len() {
            let own: Vec<Bit> = self.components.get(component).cloned().unwrap_or_default();
            let is_present = solver.any(&own);
            let is_next = solver.and(is_before, !is_present);
            let mut bits = Vec::new();
            for index in 0..own.len().max(added.len()) {
                let new = added.get(index).copied().unwrap_or(Bit::FALSE);
                let new = solver.and(is_next, new);
                let bit = solver.or(own.get(index).copied().unwrap_or(Bit::FALSE), new);
                bits.push(solver.and(bit, is_defined));
            }
            components.push(bits);
            is_before = is_present;
        }
        Self { is_number: Bit::FALSE, is_pointer: is_defined, number: Vec::new(), components }
    }

    /// The value in the solver's last solution.
    pub(super) fn value(&self, solver: &Solver) -> Value {
        let unsigned = |bits: &[Bit]| {
            let bits = bits.iter().enumerate();
            bits.map(|(index, &bit)| u64::from(solver.is_true(bit)) << index.min(63)).sum::<u64>()
        };
        if solver.is_true(self.is_number) {
            let sign = solver.is_true(number_bit(&self.number, usize::MAX));
            let low = unsigned(&self.number[..self.number.len().min(63)]).cast_signed();
            let width = self.number.len().min(63);
            return Value::Number(if sign { low | (-1_i64 << width) } else { low });
        }
        if !solver.is_true(self.is_pointer) {
            return Value::Undefined;
        }
        let components =
            self.components.iter().map(|bits| unsigned(bits)).take_while(|&component| component > 0);
        let components: Vec<u32> = components
            .map(|component| u32::try_from(component - 1).expect("components fit into 32 bits"))
            .collect();
        Value::pointer(&components)
    }
}

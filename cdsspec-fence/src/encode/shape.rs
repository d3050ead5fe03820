//! How wide values are of which the range analysis says nothing.
//!
//! Widths are propagated instead of values: a sum has one bit more than its arguments, a pointer to a field one component more. What goes
//! through memory is as wide as the widest that is stored, which is found by repetition; each operation adds to it once at most, as in the range analysis.

use super::word::Shape;
use crate::flat::{Definition, Flat};
use crate::lsl::primitive::Primitive;
use crate::lsl::syntax::AccessKind;
use crate::lsl::value::Value;

/// The shape of every load.
pub(super) fn of_loads(flat: &Flat) -> Shape {
    let constants = flat.values.iter().flat_map(|definition| match definition {
        Definition::Constant(value) => std::slice::from_ref(value),
        Definition::Choice(values) => values.as_slice(),
        _ => &[],
    });
    let initial = flat.globals.iter().map(|global| &global.initial);
    let values: Vec<&Value> = constants.chain(initial).collect();
    let widest = Shape::of(values.iter().copied());
    let offset_width = Shape::of(values.iter().filter(|value| value.number().is_some()).copied()).number + 1;
    let count = |primitives: &[Primitive]| {
        let is_one = |definition: &&Definition| matches!(definition, Definition::Primitive(primitive, _) if primitives.contains(primitive));
        flat.values.iter().filter(is_one).count()
    };
    // A product may be as wide as a number gets.
    let is_wide = flat.values.iter().any(is_wide);
    let sums = if is_wide { 64 } else { count(&[Primitive::Add, Primitive::Subtract]) };
    let offsets = count(&[Primitive::Offset]);
    let is_start = (widest.number.max(2), widest.components.len());
    let (mut number, mut depth) = is_start;
    loop {
        let (wider, deeper) = stored(flat, number, depth);
        let grown = (wider.min(is_start.0 + sums), deeper.min(is_start.1 + offsets));
        if grown == (number, depth) {
            break;
        }
        (number, depth) = (grown.0.max(number), grown.1.max(depth));
    }
    let component = |index: usize| {
        let own = widest.components.get(index).copied().unwrap_or_default();
        if offsets > 0 && index > 0 {
            // A sum may be an offset and never be stored.
            own.max(offset_width).max(if sums > 0 { is_start.0 + sums } else { 0 })
        } else {
            own
        }
    };
    Shape { number: number.min(64), components: (0..depth).map(component).collect() }
}

/// Whether it is arithmetic of which only the widest result is known.
fn is_wide(definition: &Definition) -> bool {
    let is_sum = |primitive: &Primitive| matches!(primitive, Primitive::Add | Primitive::Subtract);
    matches!(definition, Definition::Primitive(primitive, _) if primitive.is_arithmetic() && !is_sum(primitive))
}

/// How wide and how deep what is stored is, if loads are so wide and so deep.
fn stored(flat: &Flat, number: usize, depth: usize) -> (usize, usize) {
    let mut shapes: Vec<(usize, usize)> = Vec::new();
    for definition in &flat.values {
        let of = |value: &crate::flat::ValueId| shapes.get(value.0).copied().unwrap_or((number, depth));
        let shape = match definition {
            Definition::Constant(value) => {
                let shape = Shape::of([value]);
                (shape.number, shape.components.len())
            }
            Definition::Choice(values) => {
                let shape = Shape::of(values);
                (shape.number, shape.components.len())
            }
            Definition::Load(_) => (number, depth),
            Definition::Select(_, value, other) => {
                let (value, other) = (of(value), of(other));
                (value.0.max(other.0), value.1.max(other.1))
            }
            Definition::Primitive(Primitive::Add | Primitive::Subtract, arguments) => {
                (arguments.iter().map(|argument| of(argument).0).max().unwrap_or_default() + 1, 0)
            }
            Definition::Primitive(Primitive::Offset, arguments) => (0, of(&arguments[0]).1 + 1),
            definition if is_wide(definition) => (64, 0),
            Definition::Primitive(..) => (2, 0),
        };
        shapes.push(shape);
    }
    let stores = flat.accesses.iter().filter(|access| access.kind == AccessKind::Store);
    stores.fold((number, depth), |(wide, deep), store| {
        let (number, depth) = shapes[store.value.0];
        (wide.max(number), deep.max(depth))
    })
}

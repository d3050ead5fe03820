//! Programs whose loops stand in calls.

use super::{Random, looping_program};
use crate::syntax::{Instruction, Litmus};

/// A program as [`looping_program`] draws it, with calls around some of its instructions and loops, and ordering points in them.
pub fn calling_program(random: &mut Random, name: String) -> Litmus {
    let mut test = looping_program(random, name);
    for code in &mut test.threads {
        *code = with_calls(random, std::mem::take(code));
    }
    test
}

/// Puts most instructions in calls of one or two each.
fn with_calls(random: &mut Random, code: Vec<Instruction>) -> Vec<Instruction> {
    let mut result = Vec::new();
    let mut rest = code.into_iter();
    while let Some(instruction) = rest.next() {
        if random.below(4) == 0 {
            result.push(instruction);
            continue;
        }
        let mut body = vec![instruction];
        if random.below(3) == 0 {
            body.extend(rest.next());
        }
        result.push(Instruction::Call { body: with_points(random, body) });
    }
    result
}

/// Marks some accesses as ordering points; some forget the points before them.
fn with_points(random: &mut Random, code: Vec<Instruction>) -> Vec<Instruction> {
    let mut result = Vec::new();
    for mut instruction in code {
        if let Instruction::If { body, .. } | Instruction::Loop { body, .. } = &mut instruction {
            *body = with_points(random, std::mem::take(body));
        }
        let is_operation = instruction.is_operation();
        result.push(instruction);
        match random.below(5) {
            0 | 1 if is_operation => result.push(Instruction::Point),
            2 | 3 if is_operation => result.extend([Instruction::Clear, Instruction::Point]),
            _ => {}
        }
    }
    result
}

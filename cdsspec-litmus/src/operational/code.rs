//! The code of a thread as one list of lines, with jumps in place of nested blocks.

use crate::syntax::{Instruction, Operand, RegisterIndex};

/// A line. Without a jump, the one behind it is next.
#[derive(Clone, Debug)]
pub(super) enum Line<'t> {
    /// An instruction without a body.
    Operation(&'t Instruction),
    /// The head of an `IF`: goes to the line `target` unless the register holds the value.
    Unless { register: RegisterIndex, value: Operand, target: usize },
    /// The end of a round of the loop with this number: goes back to the line `start` unless the register holds the value.
    Repeat { number: usize, register: RegisterIndex, value: Operand, start: usize },
}

/// The code of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Code<'t> {
    pub(super) lines: Vec<Line<'t>>,
    /// How many loops there are.
    pub(super) loop_count: usize,
}

impl<'t> Code<'t> {
    pub(super) fn new(instructions: &'t [Instruction]) -> Self {
        let mut code = Self::default();
        code.add_block(instructions);
        code
    }

    fn add_block(&mut self, instructions: &'t [Instruction]) {
        instructions.iter().for_each(|instruction| self.add(instruction));
    }

    fn add(&mut self, instruction: &'t Instruction) {
        let start = self.lines.len();
        match *instruction {
            Instruction::If { register, value, ref body } => {
                self.lines.push(Line::Unless { register, value, target: start });
                self.add_block(body);
                self.lines[start] = Line::Unless { register, value, target: self.lines.len() };
            }
            Instruction::Loop { register, value, ref body } => {
                let number = self.loop_count;
                self.loop_count += 1;
                self.add_block(body);
                self.lines.push(Line::Repeat { number, register, value, start });
            }
            // Which calls there are, and where their ordering points stand, changes nothing here.
            Instruction::Call { ref body } => self.add_block(body),
            Instruction::Point | Instruction::Clear => {}
            _ => self.lines.push(Line::Operation(instruction)),
        }
    }
}

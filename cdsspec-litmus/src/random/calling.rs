//! Programs with loops and calls.

use super::{Draft, FENCE_ORDERS, LOAD_ORDERS, Random, STORE_ORDERS, looping_program};
use crate::syntax::{Instruction, Litmus, LocationIndex, Operand, RegisterIndex};
use std::sync::atomic::Ordering;

/// A program with calls: one with any loops, or one whose rounds may tell the thread something.
pub fn program_with_calls(random: &mut Random, name: String) -> Litmus {
    if random.below(2) == 0 { calling_program(random, name) } else { telling_program(random, name) }
}

/// A program as [`looping_program`] draws it, with calls around some of its instructions and loops, and ordering points in them.
fn calling_program(random: &mut Random, name: String) -> Litmus {
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

/// A program in which a round that changes nothing may tell a thread something: one thread stores two or three values, the last of them
/// mostly relaxed; one waits for the last, and sees some of the others meanwhile; a third may look at what that one did. There are calls
/// before and after all of this, so that it shows who knew of what.
fn telling_program(random: &mut Random, name: String) -> Litmus {
    let mut draft = Draft::new(name);
    let last = random.pick(&[2, 2, 2, 3]);
    draft.begin_thread(0);
    let mut teller = vec![draft.call(random, 1)];
    for value in 1..=last {
        if random.below(6) == 0 {
            teller.push(Instruction::Fence { order: random.pick(FENCE_ORDERS) });
        }
        let order = if value == last { random.pick(LAST_ORDERS) } else { random.pick(STORE_ORDERS) };
        teller.push(write(0, value, order));
    }
    draft.begin_thread(1);
    let waiter = draft.waiter(random, last);
    draft.test.threads.extend([teller, waiter]);
    if random.below(2) == 0 {
        draft.begin_thread(2);
        let (_, look) = draft.load(random, 1);
        let observer = vec![look, draft.call(random, 1)];
        draft.test.threads.push(observer);
    }
    draft.finish()
}

const LAST_ORDERS: &[Ordering] = &[Ordering::Relaxed, Ordering::Relaxed, Ordering::Relaxed, Ordering::SeqCst];

fn write(location: usize, value: i64, order: Ordering) -> Instruction {
    let (location, value) = (LocationIndex(location), Operand::Number(value));
    Instruction::Write { location, value, order: Some(order) }
}

impl Draft {
    fn load(&mut self, random: &mut Random, location: usize) -> (RegisterIndex, Instruction) {
        let register = self.register();
        self.written.push(register);
        let (location, order) = (LocationIndex(location), Some(random.pick(LOAD_ORDERS)));
        (register, Instruction::Read { register, location, order })
    }

    /// A call with an ordering point: a store or load at a location.
    fn call(&mut self, random: &mut Random, location: usize) -> Instruction {
        let operation = match random.below(3) {
            0 => self.load(random, location).1,
            _ => write(location, 3 + i64::from(self.thread == 0), random.pick(STORE_ORDERS)),
        };
        Instruction::Call { body: vec![operation, Instruction::Point] }
    }

    /// Waits for the last value, and stores then.
    fn waiter(&mut self, random: &mut Random, last: i64) -> Vec<Instruction> {
        let mut code = Vec::new();
        if random.below(2) == 0 {
            code.push(self.call(random, 1));
        }
        let (a, look) = self.load(random, 0);
        let mut body = vec![look];
        if random.below(2) == 0 {
            let fence = Instruction::Fence { order: random.pick(FENCE_ORDERS) };
            let value = Operand::Number(i64::try_from(random.below(2)).unwrap_or(0));
            body.push(Instruction::If { register: a, value, body: vec![fence] });
        }
        code.push(Instruction::Loop { register: a, value: Operand::Number(last), body });
        if random.below(2) == 0 {
            code.push(Instruction::Fence { order: random.pick(FENCE_ORDERS) });
        }
        if random.below(2) == 0 {
            code.push(self.call(random, 1));
        }
        code.push(write(1, 1, random.pick(STORE_ORDERS)));
        code
    }
}

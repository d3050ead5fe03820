//! Makes a test that shows a fault smaller.

use crate::parse::parse;
use crate::syntax::{Instruction, Litmus, RegisterIndex, Shown};
use std::collections::BTreeSet;

/// A test that still `fails`, from which no thread, instruction or condition can be left out.
pub fn shrink(test: &Litmus, fails: impl Fn(&Litmus) -> bool) -> Litmus {
    let mut smallest = test.clone();
    while let Some(smaller) = smaller(&smallest).into_iter().find(|smaller| fails(smaller)) {
        smallest = smaller;
    }
    smallest
}

/// The tests with one thing less.
fn smaller(test: &Litmus) -> Vec<Litmus> {
    let with = |thread: usize, code: Option<Vec<Instruction>>| {
        let mut smaller = test.clone();
        match code {
            Some(code) => smaller.threads[thread] = code,
            None => drop(smaller.threads.remove(thread)),
        }
        smaller
    };
    let mut all = Vec::new();
    for (thread, code) in test.threads.iter().enumerate() {
        all.push(with(thread, None));
        all.extend(smaller_blocks(code).into_iter().map(|code| with(thread, Some(code))));
    }
    all.into_iter().filter_map(checked).collect()
}

fn smaller_blocks(code: &[Instruction]) -> Vec<Vec<Instruction>> {
    let mut all = Vec::new();
    for (at, instruction) in code.iter().enumerate() {
        let with = |replacement: Vec<Instruction>| [&code[..at], &replacement, &code[at + 1..]].concat();
        all.push(with(Vec::new()));
        if !instruction.body().is_empty() {
            all.push(with(instruction.body().to_vec()));
            let shorter = smaller_blocks(instruction.body()).into_iter();
            all.extend(shorter.map(|body| with(vec![with_body(instruction, body)])));
        }
    }
    all
}

/// The condition or loop with another body.
fn with_body(instruction: &Instruction, body: Vec<Instruction>) -> Instruction {
    match *instruction {
        Instruction::Loop { register, value, .. } => Instruction::Loop { register, value, body },
        Instruction::Call { .. } => Instruction::Call { body },
        Instruction::If { register, value, .. } => Instruction::If { register, value, body },
        _ => unreachable!("cdsspec bug: this instruction has no body"),
    }
}

/// The test without what it shows of registers that are gone; `None` if it uses one of them.
fn checked(mut test: Litmus) -> Option<Litmus> {
    let mut written = BTreeSet::new();
    test.threads.iter().for_each(|code| note_written(code, &mut written));
    test.shown.retain(|shown| match shown {
        Shown::Register(register) => written.contains(register),
        Shown::Location(_) => true,
    });
    let is_seen = test.threads.iter().all(|code| has_operations(code));
    is_seen.then(|| parse(&test.to_string()).ok()?.pop()).flatten()
}

/// Whether each loop has an operation in each of its rounds. No engine could stop one that has none.
fn has_operations(code: &[Instruction]) -> bool {
    code.iter().all(|instruction| {
        let body = instruction.body();
        let is_loop = matches!(instruction, Instruction::Loop { .. });
        (!is_loop || body.iter().any(is_seen)) && has_operations(body)
    })
}

/// Whether an engine certainly sees that it ran.
fn is_seen(instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Call { body } | Instruction::Loop { body, .. } => body.iter().any(is_seen),
        Instruction::Lock { .. } | Instruction::Unlock { .. } => true,
        _ => instruction.is_operation(),
    }
}

fn note_written(code: &[Instruction], written: &mut BTreeSet<RegisterIndex>) {
    for instruction in code {
        written.extend(instruction.target());
        note_written(instruction.body(), written);
    }
}

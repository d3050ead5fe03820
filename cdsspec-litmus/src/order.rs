//! Tests with other orders than those written.

use crate::syntax::{Instruction, Litmus};
use std::sync::atomic::Ordering::SeqCst;

/// The test with every order `SeqCst`, those of fences too. Non-atomic accesses stay.
pub fn with_all_seq_cst(test: &Litmus) -> Litmus {
    let mut strongest = test.clone();
    strongest.threads.iter_mut().for_each(|code| strengthen(code));
    strongest
}

fn strengthen(code: &mut [Instruction]) {
    for instruction in code {
        match instruction {
            Instruction::Write { order, .. } | Instruction::Read { order, .. } => {
                *order = order.map(|_| SeqCst);
            }
            Instruction::Fence { order }
            | Instruction::Add { order, .. }
            | Instruction::Exchange { order, .. }
            | Instruction::Await { order, .. } => *order = SeqCst,
            Instruction::CompareExchange { success, failure, .. } => (*success, *failure) = (SeqCst, SeqCst),
            Instruction::If { body, .. } | Instruction::Loop { body, .. } | Instruction::Call { body } => {
                strengthen(body);
            }
            Instruction::Lock { .. }
            | Instruction::Unlock { .. }
            | Instruction::Move { .. }
            | Instruction::Point
            | Instruction::Clear => {}
        }
    }
}

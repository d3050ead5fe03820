//! Programs on which the memory models differ.

use super::{Draft, FENCE_ORDERS, LOAD_ORDERS, Random};
use crate::syntax::{Instruction, Litmus, Location, LocationIndex, LocationKind, Operand};
use std::sync::atomic::Ordering;

/// The orders of stores: mostly those that wait in queues.
const QUEUED_ORDERS: &[Ordering] =
    &[Ordering::Relaxed, Ordering::Relaxed, Ordering::Relaxed, Ordering::Release, Ordering::SeqCst];

/// A program of 2 threads with at most 4 operations each, or of 3 with at most 3, over 2 or 3 locations: loads and stores of all orders
/// mostly; fences, read-modify-writes, compare-exchanges that may fail spuriously, conditions, stores of what was loaded.
///
/// Each thread accesses one location and then the next: the threads are a cycle, as in the tests that tell memory models apart. Other
/// operations stand before, between and behind these two. Two threads with three locations show whether a store passes one that it
/// may not: a `Release` store between two others.
pub fn queueing_program(random: &mut Random, name: String) -> Litmus {
    let mut draft = Draft::new(name);
    let thread_count = random.pick(&[2, 2, 3]);
    if thread_count == 3 || random.below(3) == 0 {
        draft.add_location("z");
    }
    for thread in 0..thread_count {
        draft.begin_thread(thread);
        let count_max = if thread_count == 2 { 3 } else { 2 };
        // How many operations stand before the first access, between the two, and behind the second.
        let mut others = [0; 3];
        for _ in 0..random.below(count_max) {
            others[random.below(3)] += 1;
        }
        let mut code = Vec::new();
        draft.add_others(random, others[0], &mut code);
        code.push(draft.queueing_access(random, LocationIndex(thread)));
        draft.add_others(random, others[1], &mut code);
        code.push(draft.queueing_access(random, LocationIndex((thread + 1) % thread_count)));
        draft.add_others(random, others[2], &mut code);
        draft.test.threads.push(code);
    }
    draft.finish()
}

impl Draft {
    fn add_location(&mut self, name: &str) {
        let kind = LocationKind::Atomic;
        self.test.locations.push(Location { name: name.to_string(), initial: 0, kind });
        self.shared += 1;
    }

    /// So many operations, some of them under a condition.
    fn add_others(&mut self, random: &mut Random, count: usize, code: &mut Vec<Instruction>) {
        for _ in 0..count {
            if self.written.is_empty() || random.below(4) != 0 {
                code.push(self.queueing_operation(random));
                continue;
            }
            let register = self.written[random.below(self.written.len())];
            let value = Operand::Number(random.pick(&[0, 0, 1, 1, 2]));
            let written = self.written.clone();
            let body = vec![self.queueing_operation(random)];
            self.written = written;
            code.push(Instruction::If { register, value, body });
        }
    }

    fn queueing_operation(&mut self, random: &mut Random) -> Instruction {
        let location = LocationIndex(random.below(self.shared));
        match random.below(6) {
            0 => Instruction::Fence { order: random.pick(FENCE_ORDERS) },
            1 => {
                let kind = random.below(6);
                self.update_of(random, location, kind)
            }
            _ => self.queueing_access(random, location),
        }
    }

    /// A load or a store; now and then a read-modify-write.
    fn queueing_access(&mut self, random: &mut Random, location: LocationIndex) -> Instruction {
        match random.below(16) {
            0 => {
                let kind = random.below(6);
                self.update_of(random, location, kind)
            }
            1..9 => {
                let value = match self.written.len() {
                    count @ 1.. if random.below(4) == 0 => {
                        Operand::Register(self.written[random.below(count)])
                    }
                    _ => Operand::Number(random.pick(&[1, 2])),
                };
                Instruction::Write { location, value, order: Some(random.pick(QUEUED_ORDERS)) }
            }
            _ => {
                let register = self.register();
                self.written.push(register);
                Instruction::Read { register, location, order: Some(random.pick(LOAD_ORDERS)) }
            }
        }
    }
}

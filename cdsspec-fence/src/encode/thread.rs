//! Which accesses of a thread keep program order in the memory order: axiom 1 of each model, and fences (sections 2.3.2 and 3.1 of the paper).

use super::Encoding;
use crate::flat::{Access, AccessId, Fence, Flat};
use crate::memory_model::{Axioms, ProgramOrder};
use crate::range::Ranges;
use crate::solver::Bit;

impl Encoding {
    /// Axiom 1 of the model, and fences: which accesses of a thread keep program order.
    pub(super) fn order_threads(&mut self, flat: &Flat, ranges: &Ranges, axioms: &dyn Axioms) {
        for before in 0..flat.accesses.len() {
            for after in before + 1..flat.accesses.len() {
                let [x, y] = [&flat.accesses[before], &flat.accesses[after]];
                let is_ordered = self.order.before(AccessId(before), AccessId(after));
                if x.sequence != y.sequence || is_ordered == Bit::TRUE {
                    continue;
                }
                let condition = self.keeps_order(flat, ranges, axioms, [x, y]);
                let (first, second) = (self.executed[before], self.executed[after]);
                self.solver.implies(&[first, second, condition], is_ordered);
            }
        }
    }

    /// When two accesses of a thread, the first one first, keep their order.
    fn keeps_order(
        &mut self,
        flat: &Flat,
        ranges: &Ranges,
        axioms: &dyn Axioms,
        [x, y]: [&Access; 2],
    ) -> Bit {
        let by_axiom = match axioms.program_order(x, y) {
            ProgramOrder::Kept => return Bit::TRUE,
            ProgramOrder::KeptAtOneLocation => self.is_same_address(ranges, x, y),
            ProgramOrder::Relaxed => Bit::FALSE,
        };
        let mut reasons = vec![by_axiom];
        let is_between = |fence: &&Fence| {
            fence.sequence == x.sequence
                && x.position < fence.position
                && fence.position < y.position
                && fence.kind.orders(x.kind, y.kind)
        };
        for fence in flat.fences.iter().filter(is_between) {
            let guard = self.guard(flat, fence.guard);
            let is_there = if fence.is_candidate { self.candidates[&fence.site] } else { Bit::TRUE };
            reasons.push(self.solver.and(guard, is_there));
        }
        for (index, access) in flat.accesses.iter().enumerate() {
            let is_between = access.sequence == x.sequence
                && x.position < access.position
                && access.position <= y.position
                && axioms.fence_before(access).is_some_and(|fence| fence.orders(x.kind, y.kind));
            if is_between {
                reasons.push(self.executed[index]);
            }
        }
        self.solver.any(&reasons)
    }

    /// Whether two accesses are of one location.
    pub(super) fn is_same_address(&mut self, ranges: &Ranges, x: &Access, y: &Access) -> Bit {
        if !ranges.may_alias(x.address, y.address) {
            return Bit::FALSE;
        }
        let (left, right) = (&self.words[x.address.0], &self.words[y.address.0]);
        left.equals(right, &mut self.solver)
    }
}

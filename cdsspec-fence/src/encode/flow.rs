//! Which store a load reads: axioms 2 and 3 (section 2.3.2), by the variables `Init` and `Flow` (section 3.2.1, auxiliary variables 4).

use super::Encoding;
use super::word::Word;
use crate::flat::{Access, AccessId, Flat};
use crate::lsl::syntax::AccessKind;
use crate::lsl::value::{Path, Value};
use crate::memory_model::Axioms;
use crate::range::Ranges;
use crate::solver::Bit;

impl Encoding {
    /// Each load that is done reads the last store that it sees, or what was there at first if it sees none.
    pub(super) fn add_flows(&mut self, flat: &Flat, ranges: &Ranges, axioms: &dyn Axioms) {
        let stores: Vec<AccessId> = of_kind(flat, AccessKind::Store).collect();
        for load in of_kind(flat, AccessKind::Load) {
            let mut seen = Vec::new();
            for &store in &stores {
                let is_visible = self.is_visible(flat, ranges, axioms, [store, load]);
                if is_visible != Bit::FALSE {
                    seen.push((store, is_visible));
                }
            }
            self.add_load(flat, load, &seen);
        }
    }

    /// Whether a store is in S(l): of the load's location, and before it in memory order or, with forwarding, in program order.
    fn is_visible(
        &mut self,
        flat: &Flat,
        ranges: &Ranges,
        axioms: &dyn Axioms,
        [store, load]: [AccessId; 2],
    ) -> Bit {
        let [s, l] = [&flat.accesses[store.0], &flat.accesses[load.0]];
        let is_before_in_thread = s.sequence == l.sequence && s.position < l.position;
        let is_before = match axioms.is_forwarding() && is_before_in_thread {
            true => Bit::TRUE,
            false => self.order.before(store, load),
        };
        if is_before == Bit::FALSE {
            return Bit::FALSE;
        }
        let is_same = self.is_same_address(ranges, s, l);
        let is_there = self.solver.and(self.executed[store.0], is_same);
        self.solver.and(is_there, is_before)
    }

    fn add_load(&mut self, flat: &Flat, load: AccessId, seen: &[(AccessId, Bit)]) {
        let word = self.words[flat.accesses[load.0].value.0].clone();
        let none_seen: Vec<Bit> = seen.iter().map(|&(_, is_visible)| !is_visible).collect();
        let is_initial = self.solver.all(&none_seen);
        self.add_initial(flat, &flat.accesses[load.0], &word, is_initial);
        let mut flows = Vec::new();
        for &(store, is_visible) in seen {
            let flow =
                if is_visible == Bit::TRUE && seen.len() == 1 { Bit::TRUE } else { self.solver.variable() };
            self.solver.implies(&[flow], is_visible);
            for &(other, is_other_visible) in seen.iter().filter(|(other, _)| *other != store) {
                let is_earlier = self.order.before(other, store);
                self.solver.implies(&[flow, is_other_visible], is_earlier);
            }
            let stored = self.words[flat.accesses[store.0].value.0].clone();
            word.require_equal(&stored, flow, &mut self.solver);
            flows.push((store, flow));
        }
        let some: Vec<Bit> =
            [!self.executed[load.0], is_initial].into_iter().chain(flows.iter().map(|flow| flow.1)).collect();
        self.solver.clause(&some);
        self.flows.insert(load, flows);
    }

    /// If a load sees no store, it reads what was there at first: undefined, but for globals.
    pub(super) fn add_initial(&mut self, flat: &Flat, load: &Access, word: &Word, is_initial: Bit) {
        if is_initial == Bit::FALSE {
            return;
        }
        let address = self.words[load.address.0].clone();
        let guard = self.guard(flat, load.guard);
        let condition = self.solver.and(guard, address.is_pointer);
        let condition = self.solver.and(condition, is_initial);
        let mut is_other = vec![condition];
        for (index, global) in flat.globals.iter().enumerate() {
            let path = Path::of_base(u32::try_from(index).expect("globals fit into 32 bits"));
            let is_it = address.equals(&Word::constant(&Value::Pointer(path)), &mut self.solver);
            let condition = self.solver.and(condition, is_it);
            word.require_equal(&Word::constant(&global.initial), condition, &mut self.solver);
            is_other.push(!is_it);
        }
        let is_other = self.solver.all(&is_other);
        word.require_equal(&Word::constant(&Value::Undefined), is_other, &mut self.solver);
    }
}

/// The accesses of one kind.
fn of_kind(flat: &Flat, kind: AccessKind) -> impl Iterator<Item = AccessId> {
    (0..flat.accesses.len()).map(AccessId).filter(move |access| flat.accesses[access.0].kind == kind)
}

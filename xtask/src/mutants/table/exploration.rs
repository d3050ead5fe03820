//! Which graphs are explored, and that each is once.

use super::super::Mutant;
use super::super::suite::Test;

const EXPLORATION: &str = "explore/mod.rs";
const REVISIT: &str = "explore/revisit.rs";
const CONSISTENCY: &str = "memory_model/coherence.rs";

const LITMUS: Test = Test::of("litmus", "every_litmus_test_has_its_outcomes");
const SMALL: Test = Test::of("naive_twin", "three_thousand_small");
const BLOCKING: Test = Test::of("naive_twin", "wait_for_each_other");
const LARGER: Test = Test::of("naive_twin", "five_hundred_larger");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "psc-before-revisits",
        text: "psc is looked at with the write in place before its revisits are looked for",
        file: EXPLORATION,
        changes: &[(
            "        self.push_revisits(read, Some(index));\n        let graph = &self.frames[index].graph;\n",
            "        if !self.choices.axioms.is_consistent(&self.frames[index].graph) {\n            return false;\n        }\n        \
             self.push_revisits(read, Some(index));\n        let graph = &self.frames[index].graph;\n",
        )],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "rivals-before-revisits",
        text: "rivals are looked at before revisits",
        file: EXPLORATION,
        changes: &[(
            "        self.push_revisits(read, Some(index));\n        let graph = &self.frames[index].graph;\n",
            "        if self.frames[index].graph.has_rival(read) {\n            return false;\n        }\n        \
             self.push_revisits(read, Some(index));\n        let graph = &self.frames[index].graph;\n",
        )],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "maximal-among-all-stores",
        text: "maximality is judged against all stores, not those before the event or the write",
        file: REVISIT,
        changes: &[(
            "        let is_there = |other: EventId| self.is_kept(other, revisitor, id);",
            "        let is_there = |_other: EventId| true;",
        )],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "plain-write-revisits-anywhere",
        text: "a plain write may revisit from any place in the modification order",
        file: REVISIT,
        changes: &[(
            "            if next.is_some_and(|&next| !self.is_kept(next, revisitor, read)) {",
            "            if next.is_some_and(|&next| !self.is_kept(next, revisitor, read)) && false {",
        )],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "incoherent-read-ends-search",
        text: "an incoherent read ends the search for older ones",
        file: REVISIT,
        changes: &[(
            "                revisitable.push(read);\n            }",
            "                revisitable.push(read);\n            } else {\n                break;\n            }",
        )],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "coherence-with-what-it-reads-now",
        text: "coherence is judged with what the read reads now",
        file: REVISIT,
        changes: &[("        let hb = self.hb_before(read);", "        let hb = self.hb(read);")],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "revisit-without-atomicity",
        text: "the atomicity of a revisiting read-modify-write is not looked at",
        file: REVISIT,
        changes: &[(
            "        !is_overwritten && !has_rival",
            "        let _ = has_rival;\n        !is_overwritten",
        )],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "own-write-not-maximal",
        text: "a read-modify-write's own write makes its read not maximal",
        file: REVISIT,
        changes: &[(
            "if later != revisitor.write && later != id && is_there(later) {",
            "if later != revisitor.write && is_there(later) {",
        )],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "revisited-once",
        text: "a read that was revisited is not revisited again",
        file: REVISIT,
        changes: &[(
            "        graph.fix_past(write);\n",
            "        graph.fix_past(write);\n        graph.event_mut(read).is_revisitable = false;\n",
        )],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "held-store-never-read",
        text: "a store that another read-modify-write holds is never an alternative",
        file: CONSISTENCY,
        changes: &[("is_holder && (!holder.is_revisitable || self.is_in_porf(next, read))", "is_holder")],
        tests: &[LITMUS, SMALL, LARGER],
    },
    Mutant {
        name: "waits-for-what-ends-them",
        text: "a wait is not revisited by a store that does not end it",
        file: REVISIT,
        changes: &[("if waits && !self.may_wait_for_ever(revisitor, read) {", "if waits {")],
        tests: &[BLOCKING],
    },
    Mutant {
        name: "wait-is-always-maximal",
        text: "a wait that waits counts as maximal, whatever it may read",
        file: REVISIT,
        changes: &[(
            "            _ if event.is_spurious => return false,\n",
            "            _ if self.is_waiting(id) => return true,\n            _ if event.is_spurious => return false,\n",
        )],
        tests: &[BLOCKING],
    },
    Mutant {
        name: "wait-reads-any-store",
        text: "an execution is blocked also where a wait reads another store than the newest",
        file: "run/state.rs",
        changes: &[(
            "if graph.newest(location) != event.reads_from || self.is_satisfied_in_round(id) {",
            "let newest = graph.value_of(location, graph.newest(location));\n                    \
             if event.label.is_satisfied(newest) || self.is_satisfied_in_round(id) {",
        )],
        tests: &[BLOCKING],
    },
    Mutant {
        name: "wait-held-for-good",
        text: "a thread whose wait the newest store does not end never looks at older ones",
        file: "run/state.rs",
        changes: &[("if !self.explorer.is_exhaustive() {", "if self.explorer.is_exhaustive() {")],
        tests: &[BLOCKING],
    },
    Mutant {
        name: "wait-added-at-once",
        text: "a wait is added although other threads can go on, and may end it",
        file: "run/port.rs",
        changes: &[("(self.limits.is_serial || run.may_others_go_on())", "self.limits.is_serial")],
        tests: &[Test::of("closed_forms", "at_one_mutex")],
    },
];

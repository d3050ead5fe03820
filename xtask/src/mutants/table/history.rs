//! The searches for histories: which calls may come next, and what is remembered.

use super::super::Mutant;
use super::super::suite::Test;

const FRONTIER: &str = "history/frontier.rs";
const CHAIN: &str = "history/chain.rs";
const MEMO: &str = "history/memo.rs";

const NEXT: Test = Test::of_runtime("history::frontier::tests");
const DOWN_SETS: Test = Test::of_runtime("history::chain::tests");
const HISTORIES: Test = Test::of_runtime("history::tests");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "ready-after-one-predecessor",
        text: "a call may come next once one of its immediate predecessors is there",
        file: FRONTIER,
        changes: &[(
            "            self.missing[later as usize] -= 1;\n",
            "            self.missing[later as usize] = 0;\n",
        )],
        tests: &[HISTORIES],
    },
    Mutant {
        name: "ready-beyond-the-members",
        text: "calls that are not asked for may come next",
        file: FRONTIER,
        changes: &[(
            "            self.missing[later as usize] -= 1;\n            if self.missing[later as usize] == 0 && \
             self.members.contains(later as usize) {\n",
            "            self.missing[later as usize] -= 1;\n            if self.missing[later as usize] == 0 {\n",
        )],
        tests: &[NEXT],
    },
    Mutant {
        name: "taken-back-stays-ready",
        text: "what may come after a call may still come when the call is taken back",
        file: FRONTIER,
        changes: &[("                self.ready.remove(self.rank(later as usize));\n", "")],
        tests: &[NEXT, HISTORIES],
    },
    Mutant {
        name: "one-chain-for-all-calls",
        text: "down-sets are told by how many calls they have",
        file: CHAIN,
        changes: &[("relation.is_slot_ordered(earlier, slot));", "earlier != slot);")],
        tests: &[DOWN_SETS],
    },
    Mutant {
        name: "count-for-a-forgotten-pair",
        text: "what was found is noted at another pair, where its own was forgotten",
        file: MEMO,
        changes: &[(
            "            1 => &mut self.older,\n            _ => return,\n",
            "            _ => &mut self.older,\n",
        )],
        tests: &[HISTORIES],
    },
    Mutant {
        name: "states-told-by-hashes-of-down-sets",
        text: "two states of one down-set are one",
        file: MEMO,
        changes: &[
            ("let hash = mix(state_hash ^ done.hash());", "let hash = mix(done.hash());"),
            (
                "            pair.state == state && self.counts",
                "            state < usize::MAX && pair.state < usize::MAX && self.counts",
            ),
        ],
        tests: &[HISTORIES],
    },
];

//! Counts of handles without events.

use super::super::Mutant;
use super::super::suite::Test;

const COUNT: &str = "run/count.rs";

const TABLE: Test = Test::of("handle_counts", "programs_have_the_outcomes");
const GENERATED: Test = Test::of("handle_counts", "counts_without_operations_show");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "take-before-others",
        text: "who takes the last handle need not come after all others",
        file: COUNT,
        changes: &[(
            "    (value == 0 && !past.is_last_known(changes))",
            "    (value == 0 && false && !past.is_last_known(changes))",
        )],
        tests: &[TABLE, GENERATED],
    },
    Mutant {
        name: "look-at-any-moment",
        text: "a look at a count may come before or after a change",
        file: COUNT,
        changes: &[(
            "            _ => (0..changes.len()).any(|other| past.is_unordered(changes, index, other)),",
            "            _ => false,",
        )],
        tests: &[TABLE, GENERATED],
    },
    Mutant {
        name: "fence-behind-change-tells-nothing",
        text: "fences behind clones and drops tell nothing",
        file: COUNT,
        changes: &[("        || (0..changes.len()).any(|index| past.is_before_fence(changes, index))\n", "")],
        tests: &[TABLE, GENERATED],
    },
    Mutant {
        name: "fence-of-take-tells-nothing",
        text: "the fence of who takes the last handle tells nothing",
        file: COUNT,
        changes: &[(
            "change.difference < 0 && past.is_fence_needed(change) {",
            "change.difference < 0 && past.is_fence_needed(change) && false {",
        )],
        tests: &[TABLE, GENERATED],
    },
    Mutant {
        name: "fence-of-others-tells-nothing",
        text: "SeqCst fences of other threads tell nothing",
        file: COUNT,
        changes: &[(
            "Label::Fence { order: Ordering::SeqCst }) && self.is_known(change, fence)",
            "Label::Fence { order: Ordering::SeqCst })\n            && self.is_known(change, fence)\n            && false",
        )],
        tests: &[TABLE, GENERATED],
    },
    Mutant {
        name: "event-before-change-is-enough",
        text: "who knows the event before a change knows the change",
        file: COUNT,
        changes: &[(
            "        (hb.get(change.thread) as usize) > change.position",
            "        (hb.get(change.thread) as usize) >= change.position",
        )],
        tests: &[TABLE, GENERATED],
    },
    Mutant {
        name: "own-fence-tells-nothing",
        text: "fences of the own thread tell nothing",
        file: COUNT,
        changes: &[(
            "            return event.index as usize >= change.position;",
            "            return false;",
        )],
        tests: &[TABLE, GENERATED],
    },
    Mutant {
        name: "look-is-last-change",
        text: "a look after the last drop is taken for the last change of a count",
        file: COUNT,
        changes: &[(
            "        let is_change = |change: &Change| change.difference != 0;",
            "        let is_change = |_: &Change| true;",
        )],
        tests: &[TABLE, GENERATED],
    },
    Mutant {
        name: "take-of-other-count-tells-nothing",
        text: "the last drop of another count is taken to tell nothing of this one",
        file: COUNT,
        changes: &[(" || past.is_before_take(&kept.changes, &takes)", "")],
        tests: &[TABLE, GENERATED],
    },
];

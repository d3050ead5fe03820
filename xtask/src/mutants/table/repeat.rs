//! When a round repeats the one before it. A program of a loop often cannot tell one part from the others: what a round learns comes to the clocks one
//! after the other. So each part has a case of its own in the units.

use super::super::Mutant;
use super::super::suite::Test;

const REPEAT: &str = "run/repeat.rs";
const SPIN: &str = "run/spin.rs";

const UNITS: Test = Test::of_runtime("run::repeat_tests");
const SPIN_UNITS: Test = Test::of_runtime("run::spin_tests");
const SEEN: Test = Test::of("seen_rounds", "");

const CLOCKS: &str = "[ClockKind::Hb, ClockKind::ReleaseFence]";
const STORES: &str = "(one.reads_from == other.reads_from || is_own(other.reads_from))";

pub(super) const MUTANTS: &[Mutant] = &[
    // What a round did.
    Mutant {
        name: "place-ignored",
        text: "a round at another place is the same",
        file: REPEAT,
        changes: &[("            && is_same_place(&event.place, self.place)\n", "")],
        tests: &[UNITS],
    },
    Mutant {
        name: "location-ignored",
        text: "a round that accesses another location is the same",
        file: REPEAT,
        changes: &[("            && event.location == self.location\n", "")],
        tests: &[UNITS],
    },
    Mutant {
        name: "kind-ignored",
        text: "a round of operations of another kind is the same",
        file: REPEAT,
        changes: &[("event.label.is_like(self.label)", "true")],
        tests: &[UNITS],
    },
    Mutant {
        name: "accesses-are-alike",
        text: "a round of accesses of another kind is the same",
        file: "graph/event.rs",
        changes: &[("discriminant(action) == discriminant(other)", "true")],
        tests: &[UNITS],
    },
    Mutant {
        name: "write-ignored",
        text: "a round that writes is the same as one that does not",
        file: REPEAT,
        changes: &[("        && one.is_write == other.is_write\n", "")],
        tests: &[UNITS],
    },
    Mutant {
        name: "choice-ignored",
        text: "a round in which something else was chosen is the same",
        file: REPEAT,
        changes: &[("        && one.choice == other.choice\n", "")],
        tests: &[UNITS],
    },
    Mutant {
        name: "length-ignored",
        text: "a round that begins as the one before it is the same",
        file: REPEAT,
        changes: &[("first.len() == second.len() && ", "")],
        tests: &[UNITS],
    },
    Mutant {
        name: "later-operations-ignored",
        text: "a round whose first operation is that of the one before it is the same",
        file: REPEAT,
        changes: &[(
            "first.iter().zip(second).all(is_same)",
            "first.iter().zip(second).take(1).all(is_same)",
        )],
        tests: &[UNITS],
    },
    // What it saw.
    Mutant {
        name: "stores-ignored",
        text: "a round that reads other stores is the same",
        file: REPEAT,
        changes: &[(STORES, "(one.reads_from == other.reads_from || is_own(other.reads_from) || true)")],
        tests: &[SEEN, UNITS],
    },
    Mutant {
        name: "own-stores-are-others",
        text: "a round that reads what its thread wrote is never the same as the one before",
        file: REPEAT,
        changes: &[(STORES, "(one.reads_from == other.reads_from || is_own(other.reads_from) && false)")],
        tests: &[SEEN, UNITS],
    },
    Mutant {
        name: "stores-of-others-are-own",
        text: "a round that reads another store of any thread is the same",
        file: REPEAT,
        changes: &[(
            "graph.event(write).thread == other.thread)",
            "graph.event(write).thread < EventId::MAX as usize)",
        )],
        tests: &[UNITS],
    },
    // What it learnt.
    Mutant {
        name: "knowledge-ignored",
        text: "a round is the same whatever it taught",
        file: REPEAT,
        changes: &[("        && knows_the_same(graph, thread, events[start - 1], events[end - 1])\n", "")],
        tests: &[UNITS],
    },
    Mutant {
        name: "new-happens-before-ignored",
        text: "what happens before the thread's next operation does not matter",
        file: REPEAT,
        changes: &[(CLOCKS, "[ClockKind::ReleaseFence]")],
        tests: &[UNITS],
    },
    Mutant {
        name: "new-release-fence-ignored",
        text: "what the last fence released does not matter",
        file: REPEAT,
        changes: &[(CLOCKS, "[ClockKind::Hb]")],
        tests: &[UNITS],
    },
    Mutant {
        name: "own-events-are-news",
        text: "the thread's own events are new to it",
        file: REPEAT,
        changes: &[("index == thread || one.get", "one.get")],
        tests: &[UNITS],
    },
    Mutant {
        name: "events-of-later-threads-ignored",
        text: "what was learnt of threads with higher numbers does not matter",
        file: REPEAT,
        changes: &[("index == thread || one.get", "index >= thread || one.get")],
        tests: &[UNITS],
    },
    // Where a round begins.
    Mutant {
        name: "loop-known-by-threads",
        text: "a loop is known by the threads that it starts",
        file: REPEAT,
        changes: &[(
            "Label::Create { .. } | Label::Join { .. } | Label::Choice { .. }) {",
            "Label::Choice { .. }) {",
        )],
        tests: &[UNITS],
    },
    Mutant {
        name: "loop-known-by-choices",
        text: "a loop is known by what it chooses",
        file: REPEAT,
        changes: &[(
            "Label::Create { .. } | Label::Join { .. } | Label::Choice { .. }) {",
            "Label::Create { .. } | Label::Join { .. }) {",
        )],
        tests: &[UNITS],
    },
    Mutant {
        name: "round-begins-at-first-like-it",
        text: "a round begins with the first of the operations that are like its next one",
        file: REPEAT,
        changes: &[(".rposition(|&id| next", ".position(|&id| next")],
        tests: &[UNITS],
    },
    Mutant {
        name: "round-one-longer",
        text: "a round may have one event more",
        file: REPEAT,
        changes: &[("saturating_sub(ROUND_EVENTS_MAX)", "saturating_sub(ROUND_EVENTS_MAX + 1)")],
        tests: &[UNITS],
    },
    Mutant {
        name: "changes-of-all-words-added-up",
        text: "a round that changes one word and changes another one back is without effect",
        file: REPEAT,
        changes: &[("|(other, _)| *other == location", "|(other, _)| *other == location || true")],
        tests: &[UNITS],
    },
    // Rounds of a thread that spins.
    Mutant {
        name: "last-round-is-news",
        text: "what another thread writes in the last round, after which it comes back, ends a loop",
        file: SPIN,
        changes: &[("    is_last || heads", "    is_last && false || heads")],
        tests: &[SPIN_UNITS],
    },
    Mutant {
        name: "last-round-of-a-changed-thread-is-none",
        text: "what another thread writes in its last round ends no loop, also if it does not come back",
        file: SPIN,
        changes: &[("spin.comes_back && index >= spin.from", "index >= spin.from")],
        tests: &[SPIN_UNITS],
    },
    Mutant {
        name: "rounds-with-an-effect-are-none",
        text: "what another thread writes in any round ends no loop",
        file: SPIN,
        changes: &[("head.is_quiet && (head.start..head.index)", "(head.start..head.index)")],
        tests: &[SPIN_UNITS],
    },
    Mutant {
        name: "cell-write-is-settled",
        text: "a loop that writes to a cell goes on for ever",
        file: SPIN,
        changes: &[(
            "(Label::Access(Action::BeginCell { is_write: false }), Some(location))",
            "(Label::Access(Action::BeginCell { .. }), Some(location))",
        )],
        tests: &[SPIN_UNITS],
    },
    Mutant {
        name: "cell-of-others-is-settled",
        text: "a loop that reads a cell goes on for ever, also if another thread has written to it since",
        file: SPIN,
        changes: &[("!writes || rival.is_in(graph.hb(id))", "!writes || rival.is_in(graph.hb(id)) || true")],
        tests: &[SPIN_UNITS],
    },
    Mutant {
        name: "earlier-cell-write-is-news",
        text: "a cell to which somebody wrote before is not what it was",
        file: SPIN,
        changes: &[("!writes || rival.is_in(graph.hb(id))", "!writes || rival.is_in(graph.hb(id)) && false")],
        tests: &[SPIN_UNITS],
    },
];

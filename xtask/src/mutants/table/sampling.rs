//! Samples: what an event may choose, what is known, who is woken, and how priorities change.

use super::super::Mutant;
use super::super::suite::Test;

const DRAW: &str = "explore/draw.rs";
const SEEN: &str = "explore/seen.rs";
const STATE: &str = "run/state.rs";
const SCHEDULE: &str = "run/schedule.rs";
const EXPECTATION_FILE: &str = "run/expectation.rs";
const STRUCTURE: &str = "specification/structure.rs";

const LITMUS: Test = Test::of("random", "what_is_drawn");
const PROGRAM: Test = Test::of("random", "program");
const PCT: Test = Test::of("random", "pct::");
const DPCT: Test = Test::of("random", "dpct::");
const STRUCTURES: Test = Test::of_runtime("specification::structure");
const EXPECTATION: Test = Test::of_runtime("run::expectation");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "a-drawn-update-shares-its-store",
        text: "two read-modify-writes of a sample may read one store",
        file: DRAW,
        changes: &[(
            "if !readable.is_write || !is_held() {",
            "if !readable.is_write || is_held() || !is_held() {",
        )],
        tests: &[LITMUS],
    },
    Mutant {
        name: "a-drawn-choice-is-not-looked-at",
        text: "what is drawn for a read need not be consistent",
        file: DRAW,
        changes: &[(
            "if store == newest || choices.axioms.is_consistent(graph) {",
            "if store == newest || choices.axioms.is_consistent(graph) || graph.events.len() > 1 {",
        )],
        tests: &[LITMUS],
    },
    Mutant {
        name: "a-drawn-place-is-not-looked-at",
        text: "where a write of a sample stands need not be consistent",
        file: DRAW,
        changes: &[(
            "if after == newest || choices.axioms.is_consistent(graph) {",
            "if after == newest || choices.axioms.is_consistent(graph) || graph.events.len() > 1 {",
        )],
        tests: &[LITMUS],
    },
    Mutant {
        name: "a-drawn-read-is-the-newest",
        text: "reads of a sample read the newest store",
        file: DRAW,
        changes: &[(
            "            Pick::Any => self.random.below(last + 1),",
            "            Pick::Any => last,",
        )],
        tests: &[PROGRAM, LITMUS],
    },
    Mutant {
        name: "who-has-read-is-forgotten",
        text: "stores of a sample are known by what happens before alone, not by reads",
        file: SEEN,
        changes: &[(
            "if readers.iter().all(|&(thread, _)| thread != reader.0) {",
            "if readers.iter().all(|&(thread, _)| thread != reader.0) && reader.0 > 1_000 {",
        )],
        tests: &[LITMUS],
    },
    Mutant {
        name: "what-spins-in-a-sample-is-not-woken",
        text: "a thread of a sample that spins stays where it is, whatever changes",
        file: STATE,
        changes: &[("Status::Spinning(_) => changes,", "Status::Spinning(_) => changes && id == 0,")],
        tests: &[PROGRAM],
    },
    Mutant {
        name: "what-is-held-in-a-sample-is-not-woken",
        text: "a thread of a sample that waits stays where it is, whatever is stored",
        file: STATE,
        changes: &[("stored == Some(*location),", "stored == Some(*location) && id == 0,")],
        tests: &[PROGRAM],
    },
    Mutant {
        name: "a-store-of-the-first-value-changes-nothing",
        text: "a store in a sample wakes who spins only if its value is not the initial one",
        file: STATE,
        changes: &[(
            "Label::Create { .. } | Label::Access(Action::Store { .. }) => true,",
            "Label::Create { .. } => true,",
        )],
        tests: &[PROGRAM],
    },
    Mutant {
        name: "a-timeout-of-a-sample-ends-no-wait",
        text: "a wait with a timeout that was not to end by it is held for good",
        file: "run/port.rs",
        changes: &[(
            "if label.action().is_some_and(Action::may_be_given_up) {",
            "if label.action().is_some_and(Action::may_be_given_up) && id == 0 {",
        )],
        tests: &[PROGRAM],
    },
    Mutant {
        name: "a-thread-of-a-sample-goes-on-for-ever",
        text: "a thread that does many steps on end is not put behind the others",
        file: SCHEDULE,
        changes: &[(
            "if count.is_multiple_of(ON_END_MAX) {",
            "if count.is_multiple_of(ON_END_MAX) && self.steps == 0 {",
        )],
        tests: &[PROGRAM],
    },
    Mutant {
        name: "priorities-do-not-change",
        text: "change points change no priority",
        file: SCHEDULE,
        changes: &[(
            "filter(|&(_, &point)| point == self.steps)",
            "filter(|&(_, &point)| point == self.steps && point == 0)",
        )],
        tests: &[PCT],
    },
    Mutant {
        name: "later-changes-have-lower-priorities",
        text: "a change point gives a priority below those of all change points before it",
        file: SCHEDULE,
        changes: &[(
            "self.of_threads[thread] = FIRST_CHANGED + number;",
            "self.of_threads[thread] = FIRST_CHANGED + 1_000 - self.steps + 0 * number;",
        )],
        tests: &[PCT],
    },
    Mutant {
        name: "calls-are-not-inlined",
        text: "a structure tree counts nothing for the functions that are called",
        file: STRUCTURE,
        changes: &[(
            "Unit::Call(name) => of_function(name),",
            "Unit::Call(name) => of_function(name).min(0),",
        )],
        tests: &[STRUCTURES],
    },
    Mutant {
        name: "what-is-planned-is-not-counted",
        text: "the calls of a scenario are not counted before it begins",
        file: EXPECTATION_FILE,
        changes: &[(
            "(self.unbegun, self.is_left) = (unbegun, true);",
            "(self.unbegun, self.is_left) = (unbegun.min(1), true);",
        )],
        tests: &[DPCT],
    },
    Mutant {
        name: "change-points-are-not-drawn-again",
        text: "a run that leaves the assumption keeps its change points",
        file: SCHEDULE,
        changes: &[("*point = (self.steps + 1).saturating_add(drawn);", "*point = (*point).max(drawn);")],
        tests: &[DPCT],
    },
    Mutant {
        name: "a-further-round-is-expected",
        text: "a call that does more than was expected leaves no assumption",
        file: EXPECTATION_FILE,
        changes: &[(
            "(running.left, self.is_left) = (running.expected, true);",
            "running.left = running.expected;",
        )],
        tests: &[EXPECTATION],
    },
];

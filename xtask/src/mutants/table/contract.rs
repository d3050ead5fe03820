//! Contracts: which orders are walked, which events there are, and which of them happen before which.

use super::super::Mutant;
use super::super::suite::Test;

const WALK: &str = "contract/walk.rs";
const ORDER: &str = "contract/order.rs";
const OBJECT: &str = "contract/object.rs";
const SHAPE: &str = "check/shape.rs";
const TALLY: &str = "model/tally.rs";

const TWIN: Test = Test::of_runtime("contract::tests");
const CONTRACT: Test = Test::of("contract", "");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "contract-walk-takes-one-order",
        text: "the walk of a contract takes the first thread that can go on, and no other",
        file: WALK,
        changes: &[(
            "self.ready(&state.come, thread + 1)",
            "self.ready(&state.come, thread + usize::MAX / 2)",
        )],
        tests: &[TWIN],
    },
    Mutant {
        name: "contract-walk-remembers-down-sets-alone",
        text: "what is in the event sets is no part of what the walk remembers",
        file: WALK,
        changes: &[("contents: contents(&state.sets) }", "contents: contents(&state.sets[..0]) }")],
        tests: &[TWIN],
    },
    Mutant {
        name: "contract-walk-ignores-the-graph",
        text: "points of contracts come in any order",
        file: WALK,
        changes: &[(
            "action.needs.iter().zip(come).all(|(need, come)| need <= come)",
            "action.needs.iter().zip(come).all(|(need, come)| need <= come || *come < usize::MAX)",
        )],
        tests: &[TWIN],
    },
    Mutant {
        name: "contract-point-is-before-its-last-operation",
        text: "a point comes before whatever is behind the operation in front of it",
        file: ORDER,
        changes: &[(
            "self.before[last.index()].get(first.0) > first.1.moment.position",
            "self.before[last.index()].get(first.0) >= first.1.moment.position",
        )],
        tests: &[TWIN],
    },
    Mutant {
        name: "contract-return-is-known-with-the-last-operation",
        text: "a return happens before whatever knows the last operation of its call",
        file: ORDER,
        changes: &[(
            "known.get(first.0) > first.1.moment.position",
            "known.get(first.0) >= first.1.moment.position",
        )],
        tests: &[TWIN],
    },
    Mutant {
        name: "contract-join-says-nothing",
        text: "a join does not order the returns of the thread that it joins",
        file: ORDER,
        changes: &[("|| self.is_joined(first.0, known)", "|| self.is_joined(first.0, known) && false")],
        tests: &[TWIN, CONTRACT],
    },
    Mutant {
        name: "contract-sc-has-no-modification-order",
        text: "under Sc, the order of stores orders no calls",
        file: ORDER,
        changes: &[("        if is_sc {", "        if is_sc && recording.threads.is_empty() {")],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "nested-calls-are-events",
        text: "a call inside another one of the same object is an event",
        file: OBJECT,
        changes: &[(
            "inner.0 == outer.0 && outer.1 < inner.1 && inner.1 < outer.2",
            "inner.0 == outer.0 && outer.1 < inner.1 && inner.1 > outer.2",
        )],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "contract-events-are-ordered-by-invocations",
        text: "an event is before another if its invocation is, whatever is asked for",
        file: OBJECT,
        changes: &[("if options.by_invocation {", "if options.by_invocation || thread == recorded.thread {")],
        tests: &[TWIN],
    },
    Mutant {
        name: "violating-events-are-not-added",
        text: "an event whose condition does not hold is in no set",
        file: WALK,
        changes: &[(
            "if action.look.moment == ConditionMoment::Invocation {\n        method",
            "if action.look.moment == ConditionMoment::Invocation && broken.is_empty() {\n        method",
        )],
        tests: &[TWIN],
    },
    Mutant {
        name: "shapes-say-that-contracts-are-kept",
        text: "an execution of a shape that was checked is not looked at for its contracts",
        file: SHAPE,
        changes: &[(
            "if !contract_findings(recording, &self.options).is_empty() {",
            "if self.shapes.len() == 0 && !contract_findings(recording, &self.options).is_empty() {",
        )],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "misuses-before-a-bound-are-none",
        text: "an execution that a bound on loops cuts is not looked at for its contracts",
        file: TALLY,
        changes: &[(
            "reached.is_some() && !recording.events.is_empty()",
            "reached.is_some() && recording.events.len() == usize::MAX",
        )],
        tests: &[CONTRACT],
    },
];

//! Contracts: which orders are walked, which events there are, and which of them happen before which.

use super::super::Mutant;
use super::super::suite::Test;

const WALK: &str = "contract/walk.rs";
const ORDER: &str = "contract/order.rs";
const OBJECT: &str = "contract/object.rs";
const PORT: &str = "port/contract.rs";
const RECORDER: &str = "record/contract_recorder.rs";
const INTERLEAVING: &str = "report/text/interleaving.rs";
const PART: &str = "cdsspec-contracts/src/part.rs";
const SET: &str = "cdsspec-contracts/src/set.rs";
const STATE: &str = "cdsspec-contracts/src/state.rs";
const SHAPE: &str = "check/shape.rs";
const TALLY: &str = "model/tally.rs";

const TWIN: Test = Test::of_runtime("contract::tests");
const CONTRACT: Test = Test::of("contract", "");
const REAL: Test = Test::of_contracts("tests::");

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
        name: "what-a-constructor-calls-is-looked-at",
        text: "a call that a constructor makes of what it makes is an event",
        file: OBJECT,
        changes: &[("&& inner.thread == outer.thread", "&& inner.thread != outer.thread")],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "a-failed-constructor-is-not-looked-at",
        text: "a constructor that makes nothing is none",
        file: OBJECT,
        changes: &[("None => groups.push(vec![index]),", "None => groups.push(Vec::new()),")],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "conditions-are-looked-at-before-they-are-evaluated",
        text: "the sets are those of the invocation, and the values those of later",
        file: RECORDER,
        changes: &[(
            "event.looks.push(Look { at, moment, index, holds });",
            "let at = if moment == ConditionMoment::Invocation { event.invocation } else { at };\n            event.looks.push(Look { at, moment, index, holds });",
        )],
        tests: &[TWIN, CONTRACT],
    },
    Mutant {
        name: "an-inner-call-has-the-statements-of-an-outer-one",
        text: "a statement is one of any call of the contract",
        file: RECORDER,
        changes: &[("&& event.method == method)", "&& event.method < usize::MAX)")],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "conditions-read-what-happens-to-be-there",
        text: "what a condition reads is the newest value of the run, and not explored",
        file: PORT,
        changes: &[(
            "    conditions(level.map_or(Looks::none(), Looks::up_to))\n",
            "    let (mut conditions, mut made) = (Some(conditions), None);\n    let looks = level.map_or(Looks::none(), Looks::up_to);\n    let mut run = || made = conditions.take().map(|conditions| conditions(looks));\n    with(|execution| execution.port().unobserved(&mut run));\n    made.expect(\"it has run\")\n",
        )],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "calls-in-conditions-are-events",
        text: "what a condition calls is an event",
        file: PORT,
        changes: &[("port.is_unobserved() || execution.is_looking()", "port.is_unobserved()")],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "a-part-that-panics-does-so-at-once",
        text: "a part of a condition that nobody asks for ends the call if it panics",
        file: PART,
        changes: &[("Ok(text) => *text,", "Ok(text) => resume_unwind(text),")],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "a-part-is-evaluated-where-it-is-not-asked-for",
        text: "what stands before a part of a condition is taken the other way round",
        file: PART,
        changes: &[(
            "matches!(self.0, Some(Ok(value)) if value == is_so)",
            "matches!(self.0, Some(Ok(value)) if value != is_so)",
        )],
        tests: &[CONTRACT],
    },
    Mutant {
        name: "an-outer-call-is-forgotten",
        text: "a set that keeps the last event of a thread drops one that still runs",
        file: SET,
        changes: &[("known.number > event.number || known.end.is_none()", "known.number > event.number")],
        tests: &[REAL],
    },
    Mutant {
        name: "an-inner-call-is-kept-for-the-outer-one",
        text: "of a call and one that it made, the set keeps both",
        file: SET,
        changes: &[("known.number <= event.number", "known.number <= event.number || known.end.is_some()")],
        tests: &[REAL],
    },
    Mutant {
        name: "a-call-in-a-constructor-is-looked-at-on-real-threads",
        text: "what another constructor has made meanwhile is looked at",
        file: STATE,
        changes: &[(
            "first.step >= began.step => Standing::Made",
            "first.step >= began.step => Standing::Event",
        )],
        tests: &[REAL],
    },
    Mutant {
        name: "calls-left-out-of-an-interleaving-are-not-named",
        text: "of operations that are not shown, the calls at fault are not shown either",
        file: INTERLEAVING,
        changes: &[(
            "points.retain(|(count, ..)| *count < begin);",
            "points.retain(|(count, ..)| *count > begin);",
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

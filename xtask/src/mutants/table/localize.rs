//! Localization: the intervals of calls, the sequential side of a specification, algorithm 1, what is left out, and runs that keep to recorded steps.

use super::super::Mutant;
use super::super::suite::Test;

const ALGORITHM_FILE: &str = "localize/algorithm.rs";
const MOMENT: &str = "localize/moment.rs";
const SPECIFIED: &str = "localize/specified.rs";
const SHORTEN: &str = "localize/shorten.rs";
const CASE: &str = "localize/case.rs";
const REAL: &str = "localize/real.rs";
const FOLLOWING: &str = "run/following.rs";

const ALGORITHM: Test = Test::of_runtime("localize::algorithm");
const LOCALIZED: Test = Test::of("localize", "");
const UNLIKE: Test = Test::of("localize", "unlike::");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "localize-without-the-second-loop",
        text: "the answer of the first loop of algorithm 1 is the last one",
        file: ALGORITHM_FILE,
        changes: &[(
            "last: last.unwrap_or_else(|| first.clone())",
            "last: last.filter(|_| false).unwrap_or_else(|| first.clone())",
        )],
        tests: &[ALGORITHM],
    },
    Mutant {
        name: "localize-keeps-no-rule",
        text: "the rule of one call leaves no test case for later",
        file: ALGORITHM_FILE,
        changes: &[(
            "rule == Rule::None || self.has_thread_of_one(&case.concurrent)",
            "rule == Rule::None || !case.concurrent.is_empty()",
        )],
        tests: &[ALGORITHM],
    },
    Mutant {
        name: "localize-prepared-calls-are-made-again",
        text: "what was prepared is made at once as well",
        file: ALGORITHM_FILE,
        changes: &[(
            "!without.iter().any(|calls| calls.contains(call))",
            "!without.iter().skip(1).any(|calls| calls.contains(call))",
        )],
        tests: &[ALGORITHM],
    },
    Mutant {
        name: "localize-calls-end-with-their-first-operation",
        text: "the interval of a call ends with its first operation",
        file: MOMENT,
        changes: &[("2 * of_thread[after - 1].1 + 1", "2 * of_thread[before].1 + 1")],
        tests: &[LOCALIZED],
    },
    Mutant {
        name: "localize-conditions-hold",
        text: "a post_condition that does not hold refuses nothing",
        file: SPECIFIED,
        changes: &[("Err(_) => Some(Agreement::Differs)", "Err(_) => Some(Agreement::Agrees)")],
        tests: &[LOCALIZED],
    },
    Mutant {
        name: "localize-shortens-to-what-holds",
        text: "what is left out is what the test case needs",
        file: SHORTEN,
        changes: &[("if fails(&shorter) {", "if !fails(&shorter) {")],
        tests: &[LOCALIZED],
    },
    Mutant {
        name: "localize-keeps-to-no-steps",
        text: "no run of a test case keeps to all recorded steps",
        file: CASE,
        changes: &[("0 => steps.len(),", "0 => 0,")],
        tests: &[LOCALIZED],
    },
    Mutant {
        name: "localize-runs-on-where-a-step-is-there",
        text: "a thread that is at the call of the next step takes all its steps",
        file: FOLLOWING,
        changes: &[("if goes_on && is_behind {", "if goes_on && (is_behind || is_there) {")],
        tests: &[LOCALIZED],
    },
    Mutant {
        name: "localize-real-calls-take-no-time",
        text: "a call on a real thread returns before it is made",
        file: REAL,
        changes: &[(
            "let value = call();\n            calls.push((entry, value, invoked, tick()));",
            "let returned = tick();\n            let value = call();\n            calls.push((entry, value, returned, invoked));",
        )],
        tests: &[LOCALIZED],
    },
    Mutant {
        name: "localize-judges-by-another-record",
        text: "a call of a recorded run is judged by the record of another one that returned the same value",
        file: "localize/judge.rs",
        changes: &[("let own = records.get(place)", "let own = records.get(place + calls.len())")],
        tests: &[UNLIKE],
    },
    Mutant {
        name: "localize-shows-what-the-specification-allows",
        text: "a smaller test case that serial runs do not explain is taken, whatever the specification says",
        file: "localize/prove.rs",
        changes: &[(
            "runner.may_run(matrix) && runner.refuted(matrix, runs).is_some();",
            "runner.may_run(matrix) || runner.refuted(matrix, runs).is_some();",
        )],
        tests: &[UNLIKE],
    },
];

//! Linearizability: precedence, the cache, pending calls, parts, prefixes, and what is known of stacks and queues.

use super::super::Mutant;
use super::super::suite::Test;

const ORDER: &str = "cdsspec-linearize/src/order.rs";
const PROBLEM: &str = "cdsspec-linearize/src/problem.rs";
const JUDGE: &str = "cdsspec-linearize/src/judge.rs";
const HISTORY: &str = "cdsspec-linearize/src/history.rs";
const LIMIT: &str = "cdsspec-linearize/src/limit.rs";
const DEPTH_FIRST: &str = "cdsspec-linearize/src/search/depth_first.rs";
const LIFO: &str = "cdsspec-linearize/src/search/lifo.rs";
const FIFO: &str = "cdsspec-linearize/src/search/fifo.rs";
const UNOBSERVED: &str = "cdsspec-linearize/src/search/unobserved.rs";
const SEQUENCE: &str = "cdsspec-linearize/src/model/sequence.rs";
const WORD: &str = "cdsspec-linearize/src/file/word.rs";
const EDN: &str = "cdsspec-linearize/src/file/edn.rs";
const NUMBER: &str = "cdsspec-linearize/src/file/number.rs";
const REGISTER: &str = "cdsspec-linearize/src/model/register.rs";

const SMALL: Test = Test::of_linearize("histories", "small::");
const RANDOM: Test = Test::of_linearize("histories", "random::");
const ORDERED: Test = Test::of_linearize("histories", "ordered::");
const PINNED: Test = Test::of_linearize("histories", "pinned::");
const LONG: Test = Test::of_linearize("histories", "long::");
const LIMITS: Test = Test::of_linearize("histories", "limits::");
const FILES: Test = Test::of_linearize("histories", "files::");
const MEMORY: Test = Test::of_linearize("memory", "");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "linearize-precedence-ends-with-the-first-return",
        text: "calls are enabled that began after a call returned that became enabled with them",
        file: ORDER,
        changes: &[("            first = first.min(returned[call]);\n", "")],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-begun-before-the-return",
        text: "a call that began at the moment of a return is not enabled beside it",
        file: ORDER,
        changes: &[("if invoked[call] > first {", "if invoked[call] + 1 > first {")],
        tests: &[PINNED],
    },
    Mutant {
        name: "linearize-order-forgets-other-predecessors",
        text: "in a partial order a call is enabled as soon as one that precedes it was linearized",
        file: ORDER,
        changes: &[(
            "!rest.iter().any(|&other| precedes(other, *later));",
            "rest.iter().all(|&other| other != *later);",
        )],
        tests: &[ORDERED],
    },
    Mutant {
        name: "linearize-order-enables-what-is-not-minimal",
        text: "in a partial order all is enabled that nothing else precedes, though it precedes each other",
        file: ORDER,
        changes: &[(
            "!free.iter().any(|&other| precedes(other, *later));",
            "!free.iter().any(|&other| precedes(other, *later) && other == *later);",
        )],
        tests: &[ORDERED],
    },
    Mutant {
        name: "linearize-order-is-not-closed",
        text: "a partial order is what its pairs say, and not closed",
        file: HISTORY,
        changes: &[("            rows[other.index()].union_with(&row);\n", "")],
        tests: &[ORDERED],
    },
    Mutant {
        name: "linearize-cache-forgets-the-state",
        text: "a cut that was reached is not looked at with another state",
        file: DEPTH_FIRST,
        changes: &[(
            "self.configurations.insert_full((cut, state as u32))",
            "self.configurations.insert_full((cut, state as u32 & !1))",
        )],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-search-takes-one-call",
        text: "of the calls that may come next the most urgent one alone is tried",
        file: DEPTH_FIRST,
        changes: &[(
            "if steps.len() > begin && self.commits(call) {",
            "if steps.len() > begin && (call < u32::MAX || self.commits(call)) {",
        )],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-takes-one-step",
        text: "of what a specification may do the first alone is tried",
        file: DEPTH_FIRST,
        changes: &[(
            "                steps.push((call, state));\n",
            "                steps.push((call, state));\n                break;\n",
        )],
        tests: &[RANDOM],
    },
    Mutant {
        name: "linearize-pending-calls-commit",
        text: "a pending call that can take effect must do so at once",
        file: DEPTH_FIRST,
        changes: &[("asked.has_returned && self", "!asked.has_returned || self")],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-every-compare-and-set-is-a-read",
        text: "a compare-and-set commits, though it took the value",
        file: REGISTER,
        changes: &[(
            "result == Some(&RegisterResult::Set(false))",
            "matches!(operation, RegisterOperation::CompareAndSet(..))",
        )],
        tests: &[PINNED],
    },
    Mutant {
        name: "linearize-pending-calls-are-left-out",
        text: "calls that did not return are no part of the problem",
        file: PROBLEM,
        changes: &[(
            "is_there && (end_of(id) != NEVER ||",
            "is_there && end_of(id) != NEVER && (is_there ||",
        )],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-prefix-knows-what-comes",
        text: "in a prefix a call that has not returned returns what it will",
        file: PROBLEM,
        changes: &[(
            "result: call.result.as_ref().filter(|_| has_returned),",
            "result: call.result.as_ref(),",
        )],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-twins-with-other-successors",
        text: "pending calls that are equal are tried in one order, though others come after one of them",
        file: PROBLEM,
        changes: &[(
            "|call: u32| !of(call).has_returned && self.order.is_last(call);",
            "|call: u32| !of(call).has_returned;",
        )],
        tests: &[PINNED],
    },
    Mutant {
        name: "linearize-parts-of-every-order",
        text: "a partial order that is no interval order is judged part by part",
        file: JUDGE,
        changes: &[(
            "if matches!(history.precedence, Precedence::Partial(_)) {",
            "if matches!(history.precedence, Precedence::Partial(_)) && history.calls.is_empty() {",
        )],
        tests: &[ORDERED],
    },
    Mutant {
        name: "linearize-prefix-trusts-the-search",
        text: "the smallest prefix ends with the first return that the search could not pass",
        file: JUDGE,
        changes: &[("while good + 1 < bad {", "bad = bad.min(good + 1);\n        while good + 1 < bad {")],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-limit-is-a-refusal",
        text: "a search that reaches a limit has found nothing",
        file: DEPTH_FIRST,
        changes: &[(
            "Err(limit) => Found::Stopped(limit, search.furthest()),",
            "Err(_) => Found::Nothing(search.furthest()),",
        )],
        tests: &[LIMITS],
    },
    Mutant {
        name: "linearize-memory-is-looked-at-between-expansions",
        text: "the limit of memory is not looked at while what comes next is reached",
        file: DEPTH_FIRST,
        changes: &[(
            "            self.reach(cut, state, (configuration, call));\n",
            "            self.reach(cut, state, (configuration, call));\n            continue;\n",
        )],
        tests: &[MEMORY],
    },
    Mutant {
        name: "linearize-growing-tables-are-not-counted",
        text: "what a table has in reserve, and twice while it grows, does not count",
        file: LIMIT,
        changes: &[("    3 * count.max(4) * entry_bytes", "    count * entry_bytes / 2")],
        tests: &[MEMORY],
    },
    Mutant {
        name: "linearize-pops-are-not-noted",
        text: "what lies below an element is found out too late for pops that were before",
        file: LIFO,
        changes: &[("for index in 0..self.elements[element].pops.len() {", "for index in 0..0 {")],
        tests: &[RANDOM, LONG],
    },
    Mutant {
        name: "linearize-stack-looks-breadth-first",
        text: "facts of a stack are looked at in the order in which they are reached",
        file: LIFO,
        changes: &[(
            "let Some(fact) = self.waiting.pop()",
            "let Some(fact) = (!self.waiting.is_empty()).then(|| self.waiting.remove(0))",
        )],
        tests: &[RANDOM, LONG],
    },
    Mutant {
        name: "linearize-a-stack-is-empty-with-elements",
        text: "a call finds a stack empty that has elements",
        file: LIFO,
        changes: &[(
            "top == BOTTOM && self.access(call) == Access::FindEmpty",
            "self.access(call) == Access::FindEmpty",
        )],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-fifo-pairs-what-comes-too-late",
        text: "a value is taken out before a call that puts it in has begun",
        file: FIFO,
        changes: &[("if is_it && self.invoked(INSERTS, insert) <= limit {", "if is_it && limit > 0 {")],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-fifo-is-empty-before-what-precedes",
        text: "a call finds the queue empty before a value was taken out whose insertion precedes it",
        file: FIFO,
        changes: &[(
            "can_be_empty && search.orders[INSERTS].first_return(inserts) >= search.invoked(OTHERS, call)",
            "can_be_empty && search.invoked(OTHERS, call) < u64::MAX",
        )],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-fifo-is-empty-with-values",
        text: "a call finds the queue empty though a value is in it that went in before another came out",
        file: FIFO,
        changes: &[(
            "self.orders[INSERTS].first_return(inserts) >= self.last_begin(others);",
            "self.orders[INSERTS].first_return(inserts) >= self.last_begin(others).min(1);",
        )],
        tests: &[SMALL, RANDOM],
    },
    Mutant {
        name: "linearize-fifo-pairs-other-values",
        text: "what comes out need not be what went in",
        file: FIFO,
        changes: &[("=> value == expected,", "=> value == expected || value + expected > 0,")],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-fifo-tries-one-of-equal-values",
        text: "of calls that put the same value in the first alone is tried, though it returned",
        file: FIFO,
        changes: &[(
            "order.return_of(*call) != NEVER || values.insert",
            "order.return_of(*call) > NEVER || values.insert",
        )],
        tests: &[PINNED],
    },
    Mutant {
        name: "linearize-fifo-unknown-results-are-values",
        text: "a call of which nobody knows what it returned does not find the queue empty",
        file: FIFO,
        changes: &[(
            "if access == Access::RemoveAny && self.has_returned(call) && finds_empty(self, call) {",
            "if access == Access::FindEmpty && self.has_returned(call) && finds_empty(self, call) {",
        )],
        tests: &[RANDOM],
    },
    Mutant {
        name: "linearize-fifo-witness-forgets-precedence",
        text: "in the witness a value goes in right before it comes out, also where its insertion precedes another removal",
        file: FIFO,
        changes: &[(
            "while next < paired || first_return[next] < self.invoked(OTHERS, other) {",
            "while next < paired {",
        )],
        tests: &[SMALL],
    },
    Mutant {
        name: "linearize-unobserved-is-left-out-before-others",
        text: "a pending call is left out, though another one comes after it",
        file: UNOBSERVED,
        changes: &[("!returned(call) && problem.order.is_last(call as u32);", "!returned(call);")],
        tests: &[ORDERED],
    },
    Mutant {
        name: "linearize-unobserved-is-left-out-with-unknown-results",
        text: "what a pending call put in is left out, though a call may have taken it that others come after",
        file: UNOBSERVED,
        changes: &[(
            "!accesses.iter().enumerate().any(precedes_others);",
            "!accesses.iter().enumerate().all(precedes_others);",
        )],
        tests: &[PINNED],
    },
    Mutant {
        name: "linearize-sequences-are-told-by-length",
        text: "states of a queue that are as long are the same",
        file: SEQUENCE,
        changes: &[
            (
                "self.length == other.length && self.hash == other.hash && self.iter().eq(other.iter())",
                "self.length == other.length",
            ),
            ("        hasher.write_u64(self.hash);", "        hasher.write_u64(self.length as u64);"),
        ],
        tests: &[ORDERED],
    },
    Mutant {
        name: "linearize-compare-and-set-puts-null",
        text: "a compare-and-set to null puts a value there",
        file: WORD,
        changes: &[("present(expected), present(new));", "present(expected), Some(new));")],
        tests: &[FILES],
    },
    Mutant {
        name: "linearize-sets-of-files-have-an-order",
        text: "sets of EDN are compared as they are written",
        file: EDN,
        changes: &[(
            "let members: BTreeSet<Value> = forms.iter().map(Self::value).collect();",
            "let members: Vec<Value> = forms.iter().map(Self::value).collect();",
        )],
        tests: &[FILES],
    },
    Mutant {
        name: "linearize-numbers-are-rounded",
        text: "numbers that are no whole ones of 64 bits are rounded",
        file: NUMBER,
        changes: &[(
            "text.parse().map_or_else(|_| Value::Number(text), Value::Int)",
            "text.parse().map_or_else(|_| Value::Number(text.parse().map_or(text, |number: f64| number.to_string())), Value::Int)",
        )],
        tests: &[FILES],
    },
    Mutant {
        name: "linearize-the-last-moment-is-none",
        text: "a call that returns at the last moment is pending",
        file: HISTORY,
        changes: &[(
            "call.returned == Some(u64::MAX)",
            "call.returned == Some(u64::MAX) && calls.is_empty()",
        )],
        tests: &[FILES],
    },
];

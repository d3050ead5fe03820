//! The check under every total order of the SeqCst operations.

use super::super::Mutant;
use super::super::suite::Test;

const TOTAL_ORDERS: &str = "relation/total.rs";
const ORDER: &str = "relation/order.rs";
const TOTAL_CHECK: &str = "check/total.rs";

const RELATIONS: Test = Test::of_runtime("relation::total_tests");
const VERDICTS: Test = Test::of_runtime("check::total_tests");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "reads-from-is-happens-before",
        text: "whatever an operation has read happens before it",
        file: "run/recording.rs",
        changes: &[("let hb = graph.hb(id);", "let hb = graph.porf(id);")],
        tests: &[Test::of("relation", "")],
    },
    Mutant {
        name: "order-only-where-all-are-concurrent",
        text: "only calls that all others with SeqCst points are concurrent with are put in several orders",
        file: TOTAL_ORDERS,
        changes: &[(
            "with_sc.iter().any(|&other| relation.is_slot_concurrent(*slot, other))",
            "with_sc.iter().all(|&other| other == *slot || relation.is_slot_concurrent(*slot, other))",
        )],
        tests: &[RELATIONS, VERDICTS],
    },
    Mutant {
        name: "last-free-call-stays-last",
        text: "the last free call is not tried in the earlier places",
        file: TOTAL_ORDERS,
        changes: &[(
            "            if passed.contains(slot) || ",
            "            let is_last = Some(&slot) == self.free.last() && placed.len() + 1 < self.free.len();\n            \
             if passed.contains(slot) || is_last || ",
        )],
        tests: &[RELATIONS, VERDICTS],
    },
    Mutant {
        name: "concurrent-calls-left-out-of-memo",
        text: "which calls are concurrent is taken not to matter to a justification",
        file: ORDER,
        changes: &[("        words.extend(after.as_slice());\n", "")],
        tests: &[RELATIONS, VERDICTS],
    },
    Mutant {
        name: "order-before-call-left-out-of-memo",
        text: "the order of the calls before a call is taken not to matter to its justification",
        file: ORDER,
        changes: &[("std::iter::once(slot).chain(self.before.columns(slot));", "std::iter::once(slot);")],
        tests: &[RELATIONS, VERDICTS],
    },
    Mutant {
        name: "one-inadmissible-order-is-enough",
        text: "one inadmissible order makes an execution inadmissible",
        file: TOTAL_CHECK,
        changes: &[("!has_admissible && end.is_continue()", "end.is_continue() || has_admissible")],
        tests: &[RELATIONS, VERDICTS],
    },
    Mutant {
        name: "histories-under-inadmissible-orders",
        text: "histories are checked under inadmissible orders, too",
        file: TOTAL_CHECK,
        changes: &[("    !calls.specification.rules.is_empty() || calls", "    calls")],
        tests: &[RELATIONS, VERDICTS],
    },
    Mutant {
        name: "memo-beside-concurrent-conditions",
        text: "justifications are remembered although side effects look at concurrent calls",
        file: "check/object.rs",
        changes: &[("let has_memo = !calls.has_conditions_on_concurrent();", "let has_memo = true;")],
        tests: &[RELATIONS, VERDICTS],
    },
    Mutant {
        name: "one-shape-for-other-free-calls",
        text: "executions of which other calls are put in several orders have one shape",
        file: "check/shape.rs",
        changes: &[("        free.sort_unstable();\n", "        free.clear();\n")],
        tests: &[RELATIONS, VERDICTS],
    },
];

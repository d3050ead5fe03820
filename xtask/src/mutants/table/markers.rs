//! Which operation an ordering point annotation marks.

use super::super::Mutant;
use super::super::suite::Test;

const STATEMENT: &str = "record/statement.rs";
const RECORDER: &str = "record/call_recorder.rs";
const REGISTRY: &str = "specification/registry.rs";

const ROWS: Test = Test::of("marker", "each_annotation_marks");
const ROUNDS: Test = Test::of("statement", "rounds_with");
const FENCE: Test = Test::of("statement", "a_fence_that_is_left_out");
const LABELS: Test = Test::of("marker", "a_label_that_nothing_marks");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "statement-has-all-operations",
        text: "an annotation marks the last operation of the call, as the macro form does",
        file: STATEMENT,
        changes: &[(
            "        operation.index() >= self.begin\n",
            "        operation.index() < usize::MAX || self.begin > 0\n",
        )],
        tests: &[ROWS],
    },
    Mutant {
        name: "statement-ids-grow",
        text: "each round of a loop gives its statements other ids",
        file: STATEMENT,
        changes: &[("self.0.iter().position(Option::is_none)", "None::<usize>")],
        tests: &[ROUNDS],
    },
    Mutant {
        name: "left-out-fence-is-no-excuse",
        text: "a statement whose fence is left out must have another operation",
        file: RECORDER,
        changes: &[("            stack.statements.excuse();\n", "            let _ = stack;\n")],
        tests: &[FENCE],
    },
    Mutant {
        name: "conditions-run-operations",
        text: "the condition of an annotation may run an operation",
        file: RECORDER,
        changes: &[(
            "        if self.last_written_operation(thread).is_some_and(|operation| condition.has(operation)) {\n",
            "        if self.last_written_operation(thread).is_some_and(|operation| condition.has(operation)) && false {\n",
        )],
        tests: &[ROWS],
    },
    Mutant {
        name: "unknown-labels-are-known",
        text: "a label that nothing marks is no mistake",
        file: RECORDER,
        changes: &[(
            "        if !marked.contains(label) {\n",
            "        if !marked.contains(label) && false {\n",
        )],
        tests: &[LABELS],
    },
    Mutant {
        name: "known-labels-are-unknown",
        text: "a label that is marked elsewhere, and that this call has not marked, is a mistake",
        file: RECORDER,
        changes: &[(
            "        if !marked.contains(label) {\n",
            "        if marked.contains(label) || true {\n",
        )],
        tests: &[ROWS],
    },
    Mutant {
        name: "labels-of-methods-are-unknown",
        text: "labels that specified methods mark are not those of the program",
        file: REGISTRY,
        changes: &[(
            "        of_methods.chain(of_functions).filter_map",
            "        of_methods.filter(|_| false).chain(of_functions).filter_map",
        )],
        tests: &[LABELS],
    },
    Mutant {
        name: "labels-of-functions-are-unknown",
        text: "labels that functions outside mark are not those of the program",
        file: REGISTRY,
        changes: &[(
            "        of_methods.chain(of_functions).filter_map",
            "        of_methods.chain(of_functions.filter(|_| false)).filter_map",
        )],
        tests: &[ROWS],
    },
];

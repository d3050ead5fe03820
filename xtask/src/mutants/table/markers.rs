//! Which operation an ordering point annotation marks.

use super::super::Mutant;
use super::super::suite::Test;

const STATEMENT: &str = "record/statement.rs";
const RECORDER: &str = "record/call_recorder.rs";

const ROWS: Test = Test::of("marker", "each_annotation_marks");
const ROUNDS: Test = Test::of("statement", "rounds_with");
const FENCE: Test = Test::of("statement", "a_fence_that_is_left_out");

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
];

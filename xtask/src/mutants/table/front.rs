//! CheckFence's front end: arithmetic, short circuits, atomics, loops that only wait; and what LSL has for it.

use super::super::Mutant;
use super::super::suite::Test;

const OPERATOR: &str = "cdsspec-front/src/operator.rs";
const BLOCK: &str = "cdsspec-front/src/block.rs";
const SPIN: &str = "cdsspec-front/src/spin.rs";
const FUNCTION: &str = "cdsspec-front/src/function.rs";
const ATOMIC: &str = "cdsspec-front/src/atomic.rs";
const MODULE: &str = "cdsspec-front/src/module.rs";
const ARITHMETIC: &str = "cdsspec-fence/src/encode/word/arithmetic.rs";
const ENCODE: &str = "cdsspec-fence/src/encode/mod.rs";
const UNROLL: &str = "cdsspec-fence/src/flat/unroll.rs";

const DRAWN: Test = Test::of_front("drawn", "drawn_functions");
const CHECK: Test = Test::of_front("check", "");
const REFUSED: Test = Test::of_front("refused", "");
const CORNER: Test = Test::of_fence("explore", "corner::primitive");
const REPEATED: Test = Test::of_fence("explore", "an_error_in_a_repeated_round");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "front-unsigned-less-is-signed",
        text: "numbers of 64 bits without a sign are compared as if they had one",
        file: OPERATOR,
        changes: &[("        self.compute(\"ne\", &less, &differ)\n", "        less\n")],
        tests: &[DRAWN],
    },
    Mutant {
        name: "front-wraps-without-sign",
        text: "numbers with a sign wrap as if they had none",
        file: OPERATOR,
        changes: &[(
            "        if !integer.is_signed {\n            return low;",
            "        if true {\n            return low;",
        )],
        tests: &[DRAWN],
    },
    Mutant {
        name: "front-overflow-is-no-panic",
        text: "a sum that overflows goes on",
        file: OPERATOR,
        changes: &[("                self.refuse(&overflows);\n", "")],
        tests: &[DRAWN],
    },
    Mutant {
        name: "front-right-side-is-run-in-any-case",
        text: "what the right side of `&&` sets is set in any case",
        file: BLOCK,
        changes: &[(" && !before.contains(register)", "")],
        tests: &[DRAWN],
    },
    Mutant {
        name: "front-round-with-effect-spins",
        text: "a loop whose rounds store only waits",
        file: SPIN,
        changes: &[("        && !repeating.iter().any(|(way, _)| way.has_effect)\n", "")],
        tests: &[CHECK],
    },
    Mutant {
        name: "front-failed-exchange-stores",
        text: "the conditions that a way has taken are forgotten",
        file: SPIN,
        changes: &[("way.known.insert(base, truth == is_same);", "let _ = (base, is_same);")],
        tests: &[CHECK],
    },
    Mutant {
        name: "front-none-keeps-its-item",
        text: "what was in an option that is none is seen",
        file: FUNCTION,
        changes: &[("        self.settle(&slot);\n", "")],
        tests: &[CHECK],
    },
    Mutant {
        name: "front-orders-are-relaxed",
        text: "a store has no order",
        file: ATOMIC,
        changes: &[("self.store(&address, &value, order);", "self.store(&address, &value, \"rlx\");")],
        tests: &[CHECK],
    },
    Mutant {
        name: "front-boxes-are-not-dropped",
        text: "what a box holds is not dropped with it",
        file: MODULE,
        changes: &[(
            "Type::Box(ty) | Type::Option(ty) | Type::Cell(ty) | Type::Array(ty, _) => self.is_dropped(ty),",
            "Type::Option(ty) | Type::Cell(ty) | Type::Array(ty, _) => self.is_dropped(ty),",
        )],
        tests: &[REFUSED],
    },
    Mutant {
        name: "fence-quotient-without-sign",
        text: "a quotient has the sign of the dividend",
        file: ARITHMETIC,
        changes: &[("negated_if(differ, &quotient, solver)", "negated_if(signs[0], &quotient, solver)")],
        tests: &[CORNER],
    },
    Mutant {
        name: "fence-product-of-magnitudes",
        text: "a product has no bits beyond those of its first factor",
        file: ARITHMETIC,
        changes: &[("(self.number.len() + other.number.len()).clamp", "self.number.len().clamp")],
        tests: &[CORNER],
    },
    Mutant {
        name: "fence-select-is-the-last",
        text: "a select has no first value",
        file: UNROLL,
        changes: &[
            ("return if is_true { then } else { otherwise }", "return { let _ = is_true; otherwise }"),
            (
                "self.value(Definition::Select(guard, then, otherwise))",
                "self.value(Definition::Select(guard, otherwise, then))",
            ),
        ],
        tests: &[CORNER],
    },
    Mutant {
        name: "fence-error-of-repeated-round-is-lost",
        text: "an error counts only if the round ends the loop",
        file: ENCODE,
        changes: &[(
            "&[self.is_complete, repeated], self.has_error",
            "&[self.is_complete, repeated], Bit::FALSE",
        )],
        tests: &[REPEATED],
    },
];

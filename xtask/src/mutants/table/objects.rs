//! Which object a call belongs to.

use super::super::Mutant;
use super::super::suite::Test;

const OBJECTS: &str = "record/objects.rs";
const OBJECT: &str = "port/object.rs";

const TOLD_APART: Test = Test::of("objects", "");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "nested-objects-are-one",
        text: "objects of one specification that lie in each other are one",
        file: OBJECTS,
        changes: &[(
            "        self.kind == kind\n",
            "        self.kind.specification == kind.specification\n",
        )],
        tests: &[TOLD_APART],
    },
    Mutant {
        name: "object-in-place-is-same",
        text: "a new object in the place of another one is that one",
        file: OBJECTS,
        changes: &[(".or_else(|| here.filter(|&here| !self.0[here].is_replaced_by(seen)))", ".or(here)")],
        tests: &[TOLD_APART],
    },
    Mutant {
        name: "first-field-tells-nothing",
        text: "a field that is touched first does not tell the object",
        file: OBJECTS,
        changes: &[("            Some(owner) => owner,\n", "            Some(_) => object.index(),\n")],
        tests: &[TOLD_APART],
    },
    Mutant {
        name: "moved-field-leaves-object",
        text: "a field that a call moves is taken from its object",
        file: OBJECTS,
        changes: &[(
            "            Some(_) if is_told => return object,\n",
            "            Some(_) if is_told => object.index(),\n",
        )],
        tests: &[TOLD_APART],
    },
    Mutant {
        name: "unused-fields-tell-nothing",
        text: "fields that no operation has used tell nothing",
        file: OBJECT,
        changes: &[(
            "        HintWord::Constructed => {\n",
            "        HintWord::Constructed if true => None,\n        HintWord::Constructed => {\n",
        )],
        tests: &[TOLD_APART],
    },
];

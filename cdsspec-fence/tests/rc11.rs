//! The outcome sets of 115 litmus tests under RC11, computed from the axioms by another program.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::litmus::{self, Litmus};
use cdsspec_fence::memory_model::MemoryModel;
use serde_json::Value;
use std::collections::BTreeSet;

const FILES: [(&str, &str); 2] = [
    (include_str!("../../tests/litmus/rc11.litmus"), include_str!("../../tests/litmus/rc11.expected.json")),
    (
        include_str!("../../tests/litmus/classic.litmus"),
        include_str!("../../tests/litmus/classic.expected.json"),
    ),
];

fn rows() -> Vec<(Litmus, Value)> {
    let mut rows = Vec::new();
    for (tests, expected) in FILES {
        let tests = litmus::parse(tests).unwrap();
        let Value::Array(expected) = serde_json::from_str(expected).unwrap() else { panic!("an array") };
        assert_eq!(tests.len(), expected.len());
        rows.extend(
            tests.into_iter().zip(expected).inspect(|(test, row)| assert_eq!(test.name, row["name"])),
        );
    }
    rows
}

fn outcomes(row: &Value) -> BTreeSet<String> {
    let outcomes = row["outcomes"].as_array().unwrap().iter();
    outcomes.map(|outcome| outcome.as_str().unwrap().to_owned()).collect()
}

#[test]
fn outcomes_are_those_of_another_program() {
    let rows = rows();
    assert_eq!(rows.len(), 115);
    for (test, row) in rows {
        let mined = Exploration::new(&test.program, Settings::new(MemoryModel::Rc11)).observations().unwrap();
        assert_eq!(test.outcomes(&mined.set), outcomes(&row), "{}\n{}", test.name, test.program);
    }
}

/// What orders the first store before the second load is happens-before by a third location. By `oracle` of the same data.
#[test]
fn what_is_sequentially_consistent_is_ordered_over_other_locations() {
    let text = "name: SB+detour
init: x=0 y=0 z=0
T0: W x 1 sc ; W z 1 rel
T1: R a z acq ; R b y sc
T2: W y 1 sc ; R c x sc
show: a b c
";
    let test = litmus::parse(text).unwrap().remove(0);
    let mined = Exploration::new(&test.program, Settings::new(MemoryModel::Rc11)).observations().unwrap();
    let found: Vec<String> = test.outcomes(&mined.set).into_iter().collect();
    let expected = [
        "a=0 b=0 c=0",
        "a=0 b=0 c=1",
        "a=0 b=1 c=0",
        "a=0 b=1 c=1",
        "a=1 b=0 c=1",
        "a=1 b=1 c=0",
        "a=1 b=1 c=1",
    ];
    assert_eq!(found, expected);
}

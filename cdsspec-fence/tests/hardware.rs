//! The outcome sets of 104 litmus tests on machines with queues of stores, computed by another program; `tests/operational.rs` of the workspace
//! holds the operational twins against the same data.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::litmus::{self, Litmus};
use cdsspec_fence::memory_model::MemoryModel;
use serde_json::Value;
use std::collections::BTreeSet;

const FILES: [(&str, &str); 2] = [
    (include_str!("../../tests/litmus/rc11.litmus"), include_str!("../../tests/litmus/rc11.hardware.json")),
    (
        include_str!("../../tests/litmus/classic.litmus"),
        include_str!("../../tests/litmus/classic.hardware.json"),
    ),
];

fn rows() -> Vec<(Litmus, Value)> {
    let mut rows = Vec::new();
    for (tests, expected) in FILES {
        let tests = litmus::parse(tests).unwrap();
        let Value::Array(expected) = serde_json::from_str(expected).unwrap() else { panic!("an array") };
        // Some names are there twice: the order tells which test is meant.
        let mut tests = tests.into_iter();
        for row in expected {
            let test = tests.find(|test| test.name == row["name"]).unwrap();
            rows.push((test, row));
        }
    }
    rows
}

fn outcomes(row: &Value) -> BTreeSet<String> {
    row.as_array().unwrap().iter().map(|outcome| outcome.as_str().unwrap().to_owned()).collect()
}

#[test]
fn outcomes_are_those_of_machines_with_queues() {
    let rows = rows();
    assert_eq!(rows.len(), 104);
    for (test, row) in rows {
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            let mined = Exploration::new(&test.program, Settings::new(model)).observations().unwrap();
            assert_eq!(
                test.outcomes(&mined.set),
                outcomes(&row[model.name()]),
                "{} {}",
                test.name,
                model.name()
            );
        }
    }
}

#[test]
fn a_compare_exchange_that_fails_waits_until_the_queue_is_empty() {
    let tests = "name: SB+failed
init: x=0 y=0 z=0
T0: W x 1 rlx ; CAS a z 5 6 rlx rlx ; R b y rlx
T1: W y 1 rlx ; CAS c z 5 6 rlx rlx ; R d x rlx
show: b d
";
    let test = litmus::parse(tests).unwrap().remove(0);
    let outcomes = |model| {
        let mined = Exploration::new(&test.program, Settings::new(model)).observations().unwrap();
        test.outcomes(&mined.set).into_iter().collect::<Vec<_>>()
    };
    let drained = ["b=0 d=1", "b=1 d=0", "b=1 d=1"];
    assert_eq!(outcomes(MemoryModel::Tso), drained);
    assert_eq!(outcomes(MemoryModel::Pso), drained);
    // Figure 6: no implied fence.
    assert_eq!(outcomes(MemoryModel::Relaxed).len(), 4);
}

//! The outcome sets of 104 litmus tests on machines with queues of stores, computed by another program; `tests/operational.rs` of the workspace
//! holds the operational twins against the same data.

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

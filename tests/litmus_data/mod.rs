//! The litmus tests of this directory's neighbour, with what an outside oracle says of them.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]
#![allow(dead_code, reason = "each test uses some of it")]

use cdsspec_litmus::Litmus;
use cdsspec_litmus::syntax::LocationKind;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A litmus test, and how many consistent graphs have each outcome.
pub(crate) struct Row {
    pub(crate) test: Litmus,
    pub(crate) counts: BTreeMap<String, u64>,
}

/// The 59 tests of `rc11.litmus`.
pub(crate) fn rc11() -> Vec<Row> {
    rows(include_str!("../litmus/rc11.litmus"), include_str!("../litmus/rc11.expected.json"))
}

/// The 56 tests of `classic.litmus`.
pub(crate) fn classic() -> Vec<Row> {
    rows(include_str!("../litmus/classic.litmus"), include_str!("../litmus/classic.expected.json"))
}

/// What a test without `na` accesses can do on machines with queues of stores.
pub(crate) struct MachineRow {
    pub(crate) test: Litmus,
    /// The outcomes on Sc, Tso and Pso.
    pub(crate) outcomes: [BTreeSet<String>; 3],
}

/// The 55 tests of `rc11.litmus` and 49 of `classic.litmus` that have no `na` accesses.
pub(crate) fn machines() -> Vec<MachineRow> {
    let is_atomic =
        |test: &Litmus| test.locations.iter().all(|location| location.kind == LocationKind::Atomic);
    let tests = rc11().into_iter().chain(classic()).map(|row| row.test).filter(is_atomic);
    let texts =
        [include_str!("../litmus/rc11.hardware.json"), include_str!("../litmus/classic.hardware.json")];
    let expected: Vec<Value> =
        texts.iter().flat_map(|text| serde_json::from_str::<Vec<Value>>(text).unwrap()).collect();
    // Some names are there twice: the order tells which test is meant.
    let tests: Vec<Litmus> = tests.collect();
    assert_eq!((tests.len(), expected.len()), (104, 104));
    tests.into_iter().zip(&expected).map(|(test, expected)| machine_row(test, expected)).collect()
}

fn machine_row(test: Litmus, expected: &Value) -> MachineRow {
    assert_eq!(test.name, expected["name"]);
    let outcomes = |name| serde_json::from_value(expected[name].clone()).unwrap();
    MachineRow { test, outcomes: ["sc", "tso", "pso"].map(outcomes) }
}

/// What a test with loops must do within a number of rounds.
pub(crate) struct LoopRow {
    pub(crate) test: Litmus,
    pub(crate) rounds: usize,
    /// The outcomes of the executions in which every loop has ended.
    pub(crate) outcomes: Vec<String>,
    /// Whether there are other executions.
    pub(crate) is_cut: bool,
}

/// The 20 tests of `loops.litmus`, each for 1, 2 and 3 rounds.
pub(crate) fn loops() -> Vec<LoopRow> {
    let tests = cdsspec_litmus::parse(include_str!("../litmus/loops.litmus")).unwrap();
    let expected: Vec<Value> = serde_json::from_str(include_str!("../litmus/loops.expected.json")).unwrap();
    assert_eq!((tests.len(), expected.len()), (20, 60));
    let row = |expected: &Value| LoopRow {
        test: tests.iter().find(|test| test.name == expected["name"]).unwrap().clone(),
        rounds: serde_json::from_value(expected["rounds"].clone()).unwrap(),
        outcomes: serde_json::from_value(expected["outcomes"].clone()).unwrap(),
        is_cut: serde_json::from_value(expected["cut"].clone()).unwrap(),
    };
    expected.iter().map(row).collect()
}

fn rows(text: &str, expected: &str) -> Vec<Row> {
    let tests = cdsspec_litmus::parse(text).unwrap();
    let expected: Vec<Value> = serde_json::from_str(expected).unwrap();
    assert_eq!(tests.len(), expected.len());
    tests.into_iter().zip(&expected).map(|(test, expected)| row(test, expected)).collect()
}

fn row(test: Litmus, expected: &Value) -> Row {
    assert_eq!(test.name, expected["name"]);
    let counts: BTreeMap<String, u64> = serde_json::from_value(expected["counts"].clone()).unwrap();
    assert_eq!(counts.values().sum::<u64>(), expected["executions"]);
    Row { test, counts }
}

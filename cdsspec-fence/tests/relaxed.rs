//! The outcome sets of 20 litmus tests under SC and Relaxed, computed from the axioms by another program.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::interpret::{Axioms, enumerate};
use cdsspec_fence::litmus::{self, Litmus};
use cdsspec_fence::memory_model::MemoryModel;
use serde_json::Value;
use std::collections::BTreeSet;

const TESTS: &str = include_str!("litmus/relaxed.litmus");
const EXPECTED: &str = include_str!("litmus/relaxed.expected.json");

fn rows() -> Vec<(Litmus, Value)> {
    let tests = litmus::parse(TESTS).unwrap();
    let Value::Array(rows) = serde_json::from_str(EXPECTED).unwrap() else { panic!("an array") };
    assert_eq!((tests.len(), rows.len()), (20, 20));
    tests.into_iter().zip(rows).inspect(|(test, row)| assert_eq!(test.name, row["name"])).collect()
}

fn outcomes(row: &Value) -> BTreeSet<String> {
    row.as_array().unwrap().iter().map(|outcome| outcome.as_str().unwrap().to_owned()).collect()
}

#[test]
fn brute_force_finds_the_outcomes_of_another_program() {
    for (test, row) in rows() {
        for (axioms, name) in [(Axioms::SequentialConsistency, "sc"), (Axioms::Relaxed, "relaxed")] {
            let found = enumerate(&test.program, axioms, 1);
            assert_eq!(test.outcomes(&found.all), outcomes(&row[name]), "{} {name}", test.name);
            assert!(!found.is_cut);
        }
    }
}

#[test]
fn the_solver_finds_the_outcomes_of_another_program() {
    for (test, row) in rows() {
        for (model, name) in [(MemoryModel::Sc, "sc"), (MemoryModel::Relaxed, "relaxed")] {
            for has_range_analysis in [true, false] {
                let settings = Settings { has_range_analysis, ..Settings::new(model) };
                let mined = Exploration::new(&test.program, settings).observations().unwrap();
                assert_eq!(test.outcomes(&mined.set), outcomes(&row[name]), "{} {name}", test.name);
                assert!(!mined.is_bounded);
            }
        }
    }
}

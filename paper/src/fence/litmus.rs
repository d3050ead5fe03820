//! Outcome sets of litmus tests of a file.

use crate::Outcome;
use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::litmus::{Litmus, parse};
use cdsspec_fence::memory_model::MemoryModel;
use serde_json::json;
use std::collections::BTreeSet;

/// Prints the outcomes of each test of the file, one line a test.
///
/// # Errors
/// That the file cannot be read, or that a test has more rounds of a loop than are looked at.
pub(crate) fn run(file: &str, memory_model: &str, is_json: bool) -> Outcome {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let tests = parse(&text).map_err(|error| format!("{file}: {error}"))?;
    let memory_model =
        MemoryModel::parse(memory_model).ok_or_else(|| format!("there is no memory model {memory_model}"))?;
    for test in &tests {
        let outcomes = outcomes(test, memory_model)?;
        if is_json {
            println!("{}", json!({ "name": test.name, "outcomes": outcomes }));
        } else {
            let outcomes: Vec<&str> = outcomes.iter().map(String::as_str).collect();
            println!("{}: {}", test.name, outcomes.join(" | "));
        }
    }
    Ok(())
}

fn outcomes(test: &Litmus, memory_model: MemoryModel) -> Result<BTreeSet<String>, String> {
    let settings = Settings::new(memory_model);
    let rounds_max = settings.rounds_max;
    let mined = Exploration::new(&test.program, settings).observations();
    let mined = mined.map_err(|error| format!("{}: {error}", test.name))?;
    if mined.is_bounded {
        return Err(format!("{}: a loop has more than {rounds_max} rounds", test.name));
    }
    Ok(test.outcomes(&mined.set))
}

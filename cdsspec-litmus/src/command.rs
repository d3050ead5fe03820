//! The command line: runs a file of litmus tests under the engines or the twins, a line a test; or random ones.

mod campaign;
mod options;
mod row;

use crate::naive::{Effort, enumerate_rounds};
use crate::operational::OperationalModel;
use crate::run::{LitmusResult, Setup, run as run_test};
use crate::syntax::{BLOCKED, Litmus, RACE};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::graph::MemoryModel;
use options::Options;
use row::{machine_row, show};

/// Does what the arguments ask for.
///
/// # Errors
/// Arguments, a file or a test that cannot be read; or random programs on which an engine and a twin differ.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    if let Some(campaign) = options::parse_campaign(arguments)? {
        return campaign::run(&campaign);
    }
    let options = options::parse(arguments)?;
    let text = std::fs::read_to_string(options.file).map_err(|error| format!("{}: {error}", options.file))?;
    let tests = crate::parse(&text).map_err(|error| format!("{}: {error}", options.file))?;
    tests.iter().try_for_each(|test| run_and_show(test, &options))
}

fn run_and_show(test: &Litmus, options: &Options<'_>) -> Result<(), String> {
    let model = options.memory_model.map(MemoryModel::name);
    if options.engines.is_empty() {
        let rounds = options.rounds();
        return match model.and_then(OperationalModel::parse) {
            Some(machine) => show(&machine_row(test, machine, rounds), options.is_json),
            None => show(&row::Row::new(naive(test, rounds)?, model), options.is_json),
        };
    }
    let setup = Setup { limits: options.limits.clone(), ..Setup::default() };
    for engine in &options.engines {
        show(&row::Row::new(run_test(test, engine.as_ref(), &setup), model), options.is_json)?;
    }
    Ok(())
}

/// What the axioms of RC11 say by brute force.
fn naive(test: &Litmus, rounds: usize) -> Result<LitmusResult, String> {
    let unrolled = enumerate_rounds(test, rounds, Effort::UNBOUNDED)
        .map_err(|_| format!("{}: the test is too large", test.name))?;
    let mut counts = unrolled.counts;
    let blocked = counts.remove(BLOCKED).unwrap_or(0);
    let verdict = match (counts.contains_key(RACE), blocked, unrolled.is_cut) {
        (true, _, _) => Verdict::Race,
        (false, 0, false) => Verdict::Holds,
        (false, 0, true) => Verdict::HoldsWithin,
        (false, _, _) => Verdict::Deadlock,
    };
    Ok(LitmusResult {
        name: test.name.clone(),
        engine: "naive".to_string(),
        executions: counts.values().sum(),
        blocked,
        outcomes: counts.keys().cloned().collect(),
        counts,
        cut: unrolled.is_cut || blocked > 0,
        is_limited: false,
        is_bounded: false,
        delayed: Default::default(),
        verdict,
    })
}

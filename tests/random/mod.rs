//! The engine that draws executions: it shows what the one that explores them finds, and nothing else.

use crate::litmus_data as data;
mod dpct;
mod pct;
mod program;

use cdsspec_litmus::random::{self, Random};
use cdsspec_litmus::shrink::shrink;
use cdsspec_litmus::syntax::{BLOCKED, Litmus};
use cdsspec_litmus::{LitmusResult, Setup, run};
use cdsspec_runtime::engine::graph::{GraphEngine, MemoryModel, Options};
use cdsspec_runtime::engine::random::{RandomEngine, Sampling, Strategy};
use std::collections::BTreeSet;

/// So many executions are drawn, at most, for a test.
const RUNS_MAX: u64 = 100_000;
/// So many at a time: most tests need no more.
const RUNS: u64 = 100;
/// Only sets of so many outcomes are to be shown.
const OUTCOMES_MAX: usize = 50;

fn options(memory_model: MemoryModel) -> Options {
    Options { memory_model, goes_on_after_race: true, ..Options::default() }
}

fn draw(test: &Litmus, memory_model: MemoryModel, sampling: Sampling) -> BTreeSet<String> {
    outcomes(run(test, &RandomEngine::with_options(options(memory_model), sampling), &Setup::default()))
}

fn explore(test: &Litmus, memory_model: MemoryModel) -> BTreeSet<String> {
    outcomes(run(test, &GraphEngine::with_options(options(memory_model)), &Setup::default()))
}

/// The outcomes, and whether an execution was blocked.
fn outcomes(result: LitmusResult) -> BTreeSet<String> {
    let blocked = (result.blocked > 0).then(|| BLOCKED.to_owned());
    result.outcomes.into_iter().chain(blocked).collect()
}

/// How many executions were drawn until 95% of the outcomes were shown; all others were to be.
fn show(test: &Litmus, memory_model: MemoryModel, strategy: Strategy) -> Result<u64, String> {
    let all = explore(test, memory_model);
    let mut shown = BTreeSet::new();
    for seed in 0..RUNS_MAX / RUNS {
        let result = draw(test, memory_model, Sampling { runs: RUNS, seed, strategy });
        shown.extend(result);
        if let Some(wrong) = shown.difference(&all).next() {
            return Err(format!("{memory_model:?} {strategy:?}: {wrong} is no outcome of\n{test}"));
        }
        let is_shown = 20 * shown.len() >= 19 * all.len();
        if is_shown || all.len() > OUTCOMES_MAX {
            return Ok((seed + 1) * RUNS);
        }
    }
    let missing: Vec<_> = all.difference(&shown).collect();
    Err(format!(
        "{memory_model:?} {strategy:?}: of {} outcomes {missing:?} are missing of\n{test}",
        all.len()
    ))
}

#[test]
fn what_is_drawn_is_what_is_explored_on_every_litmus_test() {
    let rows: Vec<_> = data::rc11().into_iter().chain(data::classic()).collect();
    assert_eq!(rows.len(), 59 + 56);
    let mut longest = 0;
    for row in &rows {
        for model in MemoryModel::ALL {
            for strategy in [Strategy::Uniform, Strategy::Pos] {
                longest =
                    longest.max(show(&row.test, model, strategy).unwrap_or_else(|error| panic!("{error}")));
            }
        }
    }
    println!("at most {longest} executions");
}

#[test]
fn what_is_drawn_is_what_is_explored_on_random_programs() {
    let mut drawn = Random::new(17);
    for index in 0..500 {
        let draw = [random::large_program, random::blocking_program][index % 2];
        let test = draw(&mut drawn, format!("program {index}"));
        let model = MemoryModel::ALL[index / 2 % 4];
        let strategy = [Strategy::Uniform, Strategy::Pos][index / 8 % 2];
        if show(&test, model, strategy).is_err() {
            let small = shrink(&test, |test| show(test, model, strategy).is_err());
            panic!("{}\nfrom\n{test}", show(&small, model, strategy).unwrap_err());
        }
    }
}

//! Litmus tests with loops: the naive twin and the rc11 engine say what an outside oracle says, for 1, 2 and 3 rounds.

#[path = "litmus_data/mod.rs"]
mod data;

use cdsspec_litmus::naive::{Effort, enumerate_rounds};
use cdsspec_litmus::{Loops, Setup, run};
use cdsspec_runtime::engine::rc11::Rc11Engine;
use data::LoopRow;

/// The rows of which this says something else, with what it says.
fn differences(judge: impl Fn(&LoopRow) -> (Vec<String>, bool)) -> Vec<String> {
    let rows = data::loops();
    let difference = |row: &LoopRow| {
        let mut expected = row.outcomes.clone();
        expected.sort();
        let (outcomes, is_cut) = judge(row);
        let is_same = outcomes == expected && is_cut == row.is_cut;
        let (test, rounds) = (&row.test, row.rounds);
        let text =
            format!("{test}{rounds} rounds: cut {is_cut}, found {outcomes:?}\nexpected {expected:?}\n");
        (!is_same).then_some(text)
    };
    rows.iter().filter_map(difference).collect()
}

#[test]
fn the_naive_twin_agrees_with_the_oracle_on_every_test_for_1_2_and_3_rounds() {
    let differences = differences(|row| {
        let found = enumerate_rounds(&row.test, row.rounds, Effort::UNBOUNDED).expect("there is no bound");
        (found.outcomes().into_iter().map(str::to_owned).collect(), found.is_cut)
    });
    assert!(differences.is_empty(), "{}:\n{}", differences.len(), differences.join("\n"));
}

/// Not a test of loops: these programs have none. It is one of the rounds that are written out.
#[test]
fn rc11_agrees_with_the_oracle_where_the_rounds_are_written_out() {
    let differences = differences(|row| {
        let setup = Setup { loops: Loops::Unrolled(row.rounds), ..Setup::default() };
        let result = run(&row.test, &Rc11Engine::new(), &setup);
        (result.outcomes, result.cut)
    });
    assert!(differences.is_empty(), "{}:\n{}", differences.len(), differences.join("\n"));
}

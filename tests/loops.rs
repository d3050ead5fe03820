//! Litmus tests with loops: the naive twin and the rc11 engine say what an outside oracle says, for 1, 2 and 3 rounds.

#[path = "litmus_data/mod.rs"]
mod data;

use cdsspec_litmus::judge::Question;
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

/// Every round that the engine leaves out is one that nothing can tell.
#[test]
fn rc11_agrees_with_the_oracle_on_every_test_for_1_2_and_3_rounds() {
    for loops in [Loops::Hinted, Loops::Bare] {
        let differences = differences(|row| {
            let question = Question { rounds: row.rounds, loops, seed: None };
            let result = run(&row.test, &question.engine(), &question.setup(&row.test));
            (result.outcomes, result.cut)
        });
        assert!(differences.is_empty(), "{loops:?}, {}:\n{}", differences.len(), differences.join("\n"));
    }
}

/// The engine's own bound is larger than three rounds. One test has more outcomes with each round.
#[test]
fn without_a_bound_rc11_finds_the_outcomes_of_3_rounds_where_these_no_longer_grow() {
    let rows = data::loops();
    let outcomes = |row: &LoopRow, rounds| {
        let is_it = |other: &&LoopRow| other.test.name == row.test.name && other.rounds == rounds;
        rows.iter().find(is_it).expect("it is there").outcomes.clone()
    };
    let settled = |row: &&LoopRow| row.rounds == 3 && outcomes(row, 2) == outcomes(row, 3);
    let settled: Vec<&LoopRow> = rows.iter().filter(settled).collect();
    assert_eq!(settled.len(), 19);
    for row in settled {
        let mut expected = row.outcomes.clone();
        expected.sort();
        let mut setup = Setup::default();
        setup.limits.branches_max = 300;
        setup.limits.executions_max = Some(20_000);
        let result = run(&row.test, &Rc11Engine::new(), &setup);
        assert_eq!(result.outcomes, expected, "{}", row.test);
    }
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

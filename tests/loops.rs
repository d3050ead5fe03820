//! Litmus tests with loops: the naive twin and the rc11 engine say what an outside oracle says, for 1, 2 and 3 rounds.

use crate::litmus_data as data;

use cdsspec_litmus::judge::Question;
use cdsspec_litmus::naive::{Effort, Stuck, enumerate_calls, enumerate_rounds, find_stuck};
use cdsspec_litmus::{Litmus, Loops, Setup, parse, run, run_observing};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::graph::GraphEngine;
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
        let result = run(&row.test, &GraphEngine::new(), &setup);
        assert_eq!(result.outcomes, expected, "{}", row.test);
    }
}

/// Not a test of loops: these programs have none. It is one of the rounds that are written out.
#[test]
fn rc11_agrees_with_the_oracle_where_the_rounds_are_written_out() {
    let differences = differences(|row| {
        let setup = Setup { loops: Loops::Unrolled(row.rounds), ..Setup::default() };
        let result = run(&row.test, &GraphEngine::new(), &setup);
        (result.outcomes, result.cut)
    });
    assert!(differences.is_empty(), "{}:\n{}", differences.len(), differences.join("\n"));
}

const ANNOUNCE_X: &str = "LOOP a 0 { W x 1 sc ; R a y sc ; IF a 1 { W x 0 sc } }";
const ANNOUNCE_Y: &str = "LOOP b 0 { W y 1 sc ; R b x sc ; IF b 1 { W y 0 sc } }";

/// Programs, and whether some execution of them is stuck.
fn stuck_rows() -> Vec<(Litmus, Option<Verdict>)> {
    let (withdraw_x, withdraw_y) = (format!("{ANNOUNCE_X} ; W x 0 sc"), format!("{ANNOUNCE_Y} ; W y 0 sc"));
    let (deadlock, livelock) = (Some(Verdict::Deadlock), Some(Verdict::Livelock));
    let table = [
        (&["LOOP a 1 { R a x rlx }"][..], livelock),
        (&["LOOP a 1 { R a x rlx }", "W x 1 rlx"], None),
        (&["LOOP a 1 { R a x rlx }", "W x 1 rlx ; W x 0 rlx"], livelock),
        (&["LOOP a 0 { XCHG a one 1 acq }"], livelock),
        (&["LOOP a 0 { XCHG a x 1 acq }", "LOOP b 0 { XCHG b x 1 acq } ; W x 0 rel"], livelock),
        (&["LOOP a 0 { CAS a one 0 2 acq rlx }"], livelock),
        (&["LOOP a 1 { R a x rlx } ; W y 1 rlx", "LOOP b 1 { R b y rlx } ; W x 1 rlx"], livelock),
        // What each poller writes is what was there.
        (
            &["LOOP a 1 { LOCK m ; R a x rlx ; UNLOCK m }", "LOOP b 1 { LOCK m ; R b x rlx ; UNLOCK m }"],
            livelock,
        ),
        (&["LOOP a 1 { LOCK m ; R a x rlx ; UNLOCK m }", "LOCK m ; W x 1 rlx ; UNLOCK m"], None),
        (&["LOCK m ; LOOP a 1 { R a x rlx } ; UNLOCK m", "LOCK m ; W x 1 rlx ; UNLOCK m"], livelock),
        (&["LOCK m ; LOCK n ; UNLOCK n ; UNLOCK m", "LOCK n ; LOCK m ; UNLOCK m ; UNLOCK n"], deadlock),
        (&["LOOP s 1 { MOV s 1 ; ADD a one 1 acq ; IF a 1 { ADD t one -1 rlx ; MOV s 0 } }"], livelock),
        // Who leaves first is still announced.
        (&[ANNOUNCE_X, ANNOUNCE_Y], livelock),
        // They go on for ever only in lockstep.
        (&[&withdraw_x, &withdraw_y], None),
        // Each round counts.
        (&["LOOP a 1 { ADD n x 1 rlx ; R a y rlx }", "W y 1 rlx"], None),
        (&["MOV c 0 ; LOOP s 1 { R a x rlx ; MOV s 0 ; IF c 1 { MOV s 1 } ; MOV c 1 }"], None),
    ];
    let test = |(threads, verdict): (&[&str], Option<Verdict>)| {
        let lines = threads.iter().enumerate().map(|(index, code)| format!("T{index}: {code}\n"));
        let text = format!("name: t\ninit: x=0 y=0 one=1 m=0 n=0\n{}show: x\n", lines.collect::<String>());
        (parse(&text).expect("it is a litmus test").remove(0), verdict)
    };
    table.into_iter().map(test).collect()
}

#[test]
fn the_naive_twin_knows_which_programs_go_on_for_ever() {
    for (test, verdict) in stuck_rows() {
        let found = find_stuck(&test, 3, Effort::UNBOUNDED).expect("there is no bound");
        let expected = Stuck {
            has_deadlock: verdict == Some(Verdict::Deadlock),
            has_livelock: verdict == Some(Verdict::Livelock),
        };
        assert_eq!(found, expected, "{test}");
    }
}

#[test]
fn rc11_knows_which_programs_go_on_for_ever() {
    for (test, expected) in stuck_rows() {
        for loops in [Loops::Hinted, Loops::Bare] {
            let question = Question { rounds: 4, loops, seed: None };
            let result = run(&test, &question.engine(), &question.setup(&test));
            let is_stuck = matches!(result.verdict, Verdict::Deadlock | Verdict::Livelock);
            assert_eq!(is_stuck.then_some(result.verdict), expected, "{loops:?}\n{test}{result:?}");
        }
    }
}

/// The second value is stored without release, so that who waits for it knows of the call only by a round that saw the first one.
const FUTILE_ACQUIRE: &str = "name: futile acquire\ninit: x=0 d=0\nT0: CALL { W d 1 rlx ; POINT } ; W x 1 rel ; W x 2 rlx\n\
T1: LOOP a 2 { R a x acq } ; CALL { W d 2 rlx ; CLEAR ; POINT }\nshow: a d\n";

/// The outcomes, and whether the first call is before the second.
fn is_ordered(observed: impl IntoIterator<Item = cdsspec_litmus::call::Observed>) -> Vec<(String, bool)> {
    let edge = ((0, 0), (1, 0));
    observed.into_iter().map(|(outcome, order)| (outcome, order.contains(&edge))).collect()
}

#[test]
fn a_round_that_acquires_and_changes_nothing_else_orders_calls() {
    let test = parse(FUTILE_ACQUIRE).expect("it is a litmus test").remove(0);
    let row = |outcome: &str, is_ordered| (outcome.to_owned(), is_ordered);
    let one = [row("a=2 d=1", false), row("a=2 d=2", false)];
    let two = [row("a=2 d=1", false), row("a=2 d=2", false), row("a=2 d=2", true)];
    for (rounds, expected) in [(1, &one[..]), (2, &two[..]), (3, &two[..])] {
        let twin = enumerate_calls(&test, rounds, Effort::UNBOUNDED).expect("there is no bound");
        assert_eq!(is_ordered(twin), expected, "twin, {rounds} rounds");
        let setup = Setup { loops: Loops::Unrolled(rounds), ..Setup::default() };
        let (_, found) = run_observing(&test, &GraphEngine::new(), &setup);
        assert_eq!(is_ordered(found), expected, "written out, {rounds} rounds");
    }
}

//! Random programs with loops: the rc11 engine finds what the naive twin finds where the rounds are written out.

use cdsspec_litmus::judge::{
    EFFORT, Judgement, Question, judge_and_shrink, judge_calls_and_shrink, judge_stuck_and_shrink,
    judge_verdicts_and_shrink,
};
use cdsspec_litmus::naive::enumerate_verdicts;
use cdsspec_litmus::{Litmus, Loops, random, run_observing};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

const SEED: u64 = 20_251_128;

/// What a program, its rounds and its schedule are asked for.
type Judge = fn(&Litmus, &Question) -> Judgement;

/// A number from the environment, or the default one.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("it is a number"))
}

/// Programs, and what is left out of them.
struct Table {
    draw: fn(&mut random::Random, String) -> Litmus,
    count: u64,
    rounds: RangeInclusive<usize>,
    /// How many are too large for the twin, of all numbers of rounds.
    too_large: u64,
    /// On how many the engine comes to its limit, at most.
    unfinished_max: u64,
}

/// Judges so many programs, for each number of rounds.
///
/// `TWIN_SEED` and `TWIN_FACTOR` draw others, and more: then the number of those that are too large is another.
fn judge_programs(table: &Table, loops: fn(u64, usize) -> Loops, judge: Judge) {
    let (seed, factor) = (setting("TWIN_SEED", SEED), setting("TWIN_FACTOR", 1));
    println!("seed {seed}, {} programs", table.count * factor);
    let mut drawn = random::Random::new(seed);
    let (mut too_large, mut unfinished) = (0, 0);
    for index in 0..table.count * factor {
        let test = (table.draw)(&mut drawn, format!("seed {seed} program {index}"));
        let schedule = drawn.number();
        for rounds in table.rounds.clone() {
            let seed = (index % 2 == 1).then_some(schedule);
            match judge(&test, &Question { rounds, loops: loops(index, rounds), seed }) {
                Judgement::Same => {}
                Judgement::TooLarge => too_large += 1,
                Judgement::Unfinished => {
                    unfinished += 1;
                    let is_known = unfinished <= table.unfinished_max * factor;
                    assert!(is_known, "{unfinished} unfinished, {rounds} rounds:\n{test}");
                }
                Judgement::Different(text) => panic!("{text}"),
            }
        }
    }
    println!("{too_large} too large, {unfinished} unfinished");
    if (seed, factor) == (SEED, 1) {
        assert_eq!(too_large, table.too_large);
    }
}

/// These have no loops: it is the twin that is tested, and what it is given.
#[test]
fn rc11_agrees_with_the_twin_on_programs_whose_rounds_are_written_out() {
    let table = Table {
        draw: random::looping_program,
        count: 1_000,
        rounds: 1..=3,
        too_large: 247,
        unfinished_max: 0,
    };
    judge_programs(&table, |_, rounds| Loops::Unrolled(rounds), judge_and_shrink);
}

fn with_and_without_a_hint(index: u64, _: usize) -> Loops {
    if index.is_multiple_of(3) { Loops::Bare } else { Loops::Hinted }
}

#[test]
fn rc11_agrees_with_the_twin_on_five_thousand_programs_with_loops_with_and_without_a_hint() {
    let table = Table {
        draw: random::looping_program,
        count: 5_000,
        rounds: 1..=3,
        too_large: 1_215,
        unfinished_max: 10,
    };
    judge_programs(&table, with_and_without_a_hint, judge_and_shrink);
}

#[test]
fn rc11_agrees_with_the_twin_on_which_programs_go_on_for_ever() {
    let table = Table {
        draw: random::looping_program,
        count: 2_000,
        rounds: 3..=3,
        too_large: 378,
        unfinished_max: 10,
    };
    judge_programs(&table, with_and_without_a_hint, judge_stuck_and_shrink);
}

/// With `spin_assume` rounds are left out, and nothing else comes of it.
#[test]
fn what_is_found_with_rounds_left_out_that_wait_is_found_without() {
    let mut drawn = random::Random::new(SEED);
    let (mut same, mut fewer) = (0, 0);
    for index in 0..400 {
        let draw = if index % 2 == 0 { random::looping_program } else { random::program_with_calls };
        let test = draw(&mut drawn, format!("program {index}"));
        let question = Question { rounds: 2, loops: Loops::Hinted, seed: None };
        let observe = |assumes_spins| {
            let mut setup = question.setup(&test);
            setup.limits.assumes_spins = assumes_spins;
            run_observing(&test, &question.engine(), &setup)
        };
        let (all, observed_all) = observe(false);
        let (some, observed_some) = observe(true);
        assert!(observed_some.is_subset(&observed_all), "{test}");
        assert!(all.blocked > 0 || some.blocked == 0, "{test}");
        let counts = [observed_some.len(), observed_all.len()];
        *if counts[0] == counts[1] { &mut same } else { &mut fewer } += 1;
    }
    // How many it is depends on what the compiler leaves on the stack.
    assert!(same > fewer && fewer > 0, "{same} the same, {fewer} with fewer outcomes");
}

/// These have no loops either.
#[test]
fn rc11_agrees_with_the_twin_on_the_order_of_calls_whose_rounds_are_written_out() {
    let table = Table {
        draw: random::program_with_calls,
        count: 500,
        rounds: 1..=3,
        too_large: 74,
        unfinished_max: 0,
    };
    judge_programs(&table, |_, rounds| Loops::Unrolled(rounds), judge_calls_and_shrink);
}

#[test]
fn rc11_agrees_with_the_twin_on_the_order_of_calls_with_loops_in_them() {
    let table = Table {
        draw: random::program_with_calls,
        count: 2_000,
        rounds: 1..=3,
        too_large: 282,
        unfinished_max: 10,
    };
    judge_programs(&table, with_and_without_a_hint, judge_calls_and_shrink);
}

#[test]
fn rc11_comes_to_the_verdicts_of_the_twin_on_calls_with_loops_in_them() {
    let table = Table {
        draw: random::program_with_calls,
        count: 1_000,
        rounds: 1..=3,
        too_large: 152,
        unfinished_max: 10,
    };
    judge_programs(&table, with_and_without_a_hint, judge_verdicts_and_shrink);
}

/// Of some of these programs.
#[test]
fn the_verdicts_that_are_compared_are_not_all_the_same() {
    let mut drawn = random::Random::new(SEED);
    let programs = (0..100).map(|index| {
        let test = random::program_with_calls(&mut drawn, format!("program {index}"));
        drawn.number();
        test
    });
    let checked = programs.filter_map(|test| enumerate_verdicts(&test, 2, EFFORT).ok());
    let verdicts: BTreeSet<&str> = checked.flatten().map(|(_, verdict)| verdict).collect();
    assert_eq!(verdicts, BTreeSet::from(["holds", "violated"]));
}

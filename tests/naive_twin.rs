//! The naive twin of the memory model agrees with an outside oracle, and the rc11 engine with the twin.

use crate::litmus_data as data;

use cdsspec_litmus::naive::enumerate;
use cdsspec_litmus::recheck::{self, CanonicalForm};
use cdsspec_litmus::shrink::shrink;
use cdsspec_litmus::syntax::BLOCKED;
use cdsspec_litmus::{Litmus, LitmusResult, Setup, parse, random, run_looking};
use cdsspec_runtime::engine::graph::{GraphEngine, Options};
use cdsspec_runtime::record::Ending;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

fn compare(rows: &[data::Row]) -> usize {
    for data::Row { test, counts } in rows {
        assert_eq!(&enumerate(test), counts, "\n{test}");
    }
    rows.len()
}

#[test]
fn the_twin_agrees_with_the_oracle_on_every_litmus_test() {
    assert_eq!(compare(&data::rc11()), 59);
    assert_eq!(compare(&data::classic()), 56);
}

#[test]
fn a_test_that_is_written_and_read_again_is_the_same() {
    let mut drawn = random::Random::new(7);
    let small = (0..200).map(|index| random::small_program(&mut drawn, format!("small {index}")));
    let tests: Vec<Litmus> = small.collect();
    let large = (0..200).map(|index| random::large_program(&mut drawn, format!("large {index}")));
    let mut more = random::Random::new(8);
    let loops: Vec<Litmus> =
        (0..200).map(|index| random::program_with_calls(&mut more, format!("loops {index}"))).collect();
    for test in
        tests.into_iter().chain(large).chain(loops).chain(data::rc11().into_iter().map(|row| row.test))
    {
        let again = parse(&test.to_string()).unwrap().remove(0);
        assert_eq!(again.to_string(), test.to_string());
    }
}

/// Runs a test on the engine, each recording before the axioms and none twice.
fn explored(test: &Litmus, engine: &GraphEngine, setup: &Setup) -> Result<LitmusResult, String> {
    let fault = Rc::new(RefCell::new(None));
    let noted = fault.clone();
    let mut seen = BTreeSet::new();
    let result = run_looking(test, engine, setup, move |recording| {
        let mo = recording.modification_order.as_ref().expect("rc11 knows the modification order");
        let mut fault = noted.borrow_mut();
        // Of a by-product the order of the SeqCst operations is not told.
        let checked = match recording.ending {
            Ending::ByProduct { .. } => Ok(()),
            _ => recheck::check(recording, mo),
        };
        if let Err(found) = checked {
            fault.get_or_insert_with(|| format!("{found}: {recording:#?}"));
        }
        // Nor what its waits have read, in which alone some differ.
        let is_result = !matches!(recording.ending, Ending::ByProduct { .. });
        if is_result && !seen.insert(CanonicalForm::new(recording, mo)) {
            fault.get_or_insert_with(|| format!("explored twice: {recording:#?}"));
        }
    });
    match fault.take() {
        Some(fault) => Err(fault),
        None => Ok(result),
    }
}

/// Compares the engine with the twin on a test, under the default schedule and under a random one.
fn compare_on(test: &Litmus, seed: u64) -> Result<u64, String> {
    let mut expected = enumerate(test);
    let blocked = expected.remove(BLOCKED).unwrap_or(0);
    let options = Options { scheduling_seed: Some(seed), ..Options::default() };
    let order = random::Random::new(seed).permutation(test.threads.len());
    let plain = (GraphEngine::new(), Setup::default());
    let shuffled =
        (GraphEngine::with_options(options), Setup { creation_order: Some(order), ..Setup::default() });
    for (engine, setup) in [plain, shuffled] {
        let run = || explored(test, &engine, &setup);
        let result = catch_unwind(AssertUnwindSafe(run)).map_err(|_| "the engine panicked".to_string())??;
        // The twin knows waits, and no rounds of loops that wait.
        let mut counts = result.counts.clone();
        for (outcome, delayed) in &result.delayed {
            *counts.get_mut(outcome).expect("it is an outcome") -= delayed;
        }
        // A loop that waits may do so on each of several stores with one value.
        let is_blocked_as_often = match test.to_string().contains("AWAIT") {
            true => (result.blocked > 0) == (blocked > 0),
            false => result.blocked == blocked,
        };
        if counts != expected || !is_blocked_as_often {
            return Err(format!("twin   {expected:?}, {blocked} blocked\nengine {result:?}\n{setup:?}"));
        }
    }
    Ok(expected.values().sum::<u64>() + blocked)
}

/// A number from the environment, or the default one.
fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("it is a number"))
}

/// Compares the engine with the twin on programs drawn from a seed, which have so many graphs in all; a program that differs is made as
/// small as it can be.
///
/// `TWIN_SEED` and `TWIN_FACTOR` draw others, and more: then the number of graphs is another.
fn compare_engine(
    (given_seed, given_count): (u64, u64),
    draw: fn(&mut random::Random, String) -> Litmus,
    expected_graphs: u64,
) {
    let seed = setting("TWIN_SEED", given_seed);
    let count = given_count * setting("TWIN_FACTOR", 1);
    println!("seed {seed}, {count} programs");
    let mut drawn = random::Random::new(seed);
    let mut graph_count = 0;
    for index in 0..count {
        let test = draw(&mut drawn, format!("seed {seed} program {index}"));
        let schedule = drawn.number();
        match compare_on(&test, schedule) {
            Ok(graphs) => graph_count += graphs,
            Err(_) => {
                let small = shrink(&test, |test| compare_on(test, schedule).is_err());
                panic!(
                    "{small}{}\nfrom\n{test}",
                    compare_on(&small, schedule).expect_err("it was made smaller so")
                );
            }
        }
    }
    println!("{graph_count} graphs");
    if (seed, count) == (given_seed, given_count) {
        assert_eq!(graph_count, expected_graphs);
    }
}

#[test]
fn rc11_agrees_with_the_twin_on_three_thousand_small_programs() {
    compare_engine((20_170_618, 3000), random::small_program, 20_573);
}

#[test]
fn rc11_agrees_with_the_twin_on_five_hundred_larger_programs() {
    compare_engine((20_220_116, 500), random::large_program, 8_613);
}

#[test]
fn rc11_agrees_with_the_twin_on_programs_that_wait_for_each_other() {
    compare_engine((20_250_731, 1000), random::blocking_program, 2_572);
}

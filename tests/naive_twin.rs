//! The naive twin of the memory model agrees with an outside oracle, and the rc11 engine with the twin.

#[path = "litmus_data/mod.rs"]
mod data;

use cdsspec_litmus::naive::enumerate;
use cdsspec_litmus::shrink::shrink;
use cdsspec_litmus::{Litmus, Setup, parse, random, run};
use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::engine::rc11::Rc11Engine;

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
    for test in tests.into_iter().chain(large).chain(data::rc11().into_iter().map(|row| row.test)) {
        let again = parse(&test.to_string()).unwrap().remove(0);
        assert_eq!(again.to_string(), test.to_string());
    }
}

/// Compares the rc11 engine with the twin on programs drawn from this seed; a program that differs is made as small as it can be.
fn compare_engine(seed: u64, count: usize, draw: fn(&mut random::Random, String) -> Litmus) -> u64 {
    println!("seed {seed}");
    let engine = Rc11Engine::new();
    let found = |test: &Litmus| run(test, &engine, &Setup::default());
    let differs = |test: &Litmus| {
        let result = found(test);
        result.counts != enumerate(test) || result.verdict != Verdict::Holds
    };
    let mut drawn = random::Random::new(seed);
    let mut graph_count = 0;
    for index in 0..count {
        let test = draw(&mut drawn, format!("seed {seed} program {index}"));
        if differs(&test) {
            let small = shrink(&test, differs);
            panic!("{small}twin   {:?}\nengine {:?}\nfrom\n{test}", enumerate(&small), found(&small));
        }
        graph_count += found(&test).executions;
    }
    graph_count
}

#[test]
fn rc11_agrees_with_the_twin_on_three_thousand_small_programs() {
    let graph_count = compare_engine(20_170_618, 3000, random::small_program);
    println!("{graph_count} graphs");
}

#[test]
fn rc11_agrees_with_the_twin_on_five_hundred_larger_programs() {
    let graph_count = compare_engine(20_220_116, 500, random::large_program);
    println!("{graph_count} graphs");
}

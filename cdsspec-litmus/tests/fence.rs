//! CheckFence's solver against the naive twin of RC11 and the machines, on random programs: of each kind so many as
//! `CDSSPEC_FENCE_PROGRAMS` says.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::litmus::parse;
use cdsspec_fence::memory_model::MemoryModel;
use cdsspec_litmus::naive::enumerate;
use cdsspec_litmus::operational::{Bounds, OperationalModel, outcomes};
use cdsspec_litmus::random::{Random, large_program, queueing_program, small_program};
use cdsspec_litmus::syntax::{Litmus, RACE};
use std::collections::BTreeSet;

/// What the solver finds.
fn solved(test: &Litmus, model: MemoryModel) -> BTreeSet<String> {
    let test = parse(&test.to_string()).unwrap().remove(0);
    let mined = Exploration::new(&test.program, Settings::new(model)).observations().unwrap();
    test.outcomes(&mined.set)
}

/// How many programs were compared, and how many outcomes they have.
fn compare(seed: u64, count: usize, draw: fn(&mut Random, String) -> Litmus) -> [usize; 2] {
    let count = std::env::var("CDSSPEC_FENCE_PROGRAMS").map_or(count, |count| count.parse().unwrap());
    let mut random = Random::new(seed);
    let mut seen = [0, 0];
    for index in 0..count {
        let text = draw(&mut random, format!("random {index}")).to_string();
        // The solver knows no spurious failures.
        let test = cdsspec_litmus::parse(&text.replace("CASW ", "CAS ")).unwrap().remove(0);
        let expected: BTreeSet<String> = enumerate(&test).into_keys().collect();
        let found = solved(&test, MemoryModel::Rc11);
        assert_eq!(found, expected, "rc11\n{test}");
        if !found.contains(RACE) {
            let compiled = solved(&test, MemoryModel::Armv8NoLoadBuffering);
            assert!(compiled.is_subset(&found), "armv8 {compiled:?}\n{test}");
        }
        for (machine, model) in
            OperationalModel::ALL.into_iter().zip([MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso])
        {
            if let Ok(expected) = outcomes(&test, machine, Bounds::default()) {
                assert_eq!(solved(&test, model), expected.set, "{machine}\n{test}");
            }
        }
        seen[0] += 1;
        seen[1] += found.len();
    }
    seen
}

#[test]
fn solver_and_twins_agree_on_small_programs() {
    let [programs, outcomes] = compare(2_007, 100, small_program);
    assert!(outcomes > 3 * programs, "{programs} programs, {outcomes} outcomes");
}

#[test]
fn solver_and_twins_agree_on_large_programs() {
    let [programs, outcomes] = compare(613, 60, large_program);
    assert!(outcomes > 3 * programs, "{programs} programs, {outcomes} outcomes");
}

#[test]
fn solver_and_twins_agree_on_programs_that_tell_queues_apart() {
    let [programs, outcomes] = compare(11, 60, queueing_program);
    assert!(outcomes > 3 * programs, "{programs} programs, {outcomes} outcomes");
}

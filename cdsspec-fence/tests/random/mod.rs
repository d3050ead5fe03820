//! Random programs: the solver against brute force. `CDSSPEC_FENCE_PROGRAMS` says how many.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

mod draw;

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::interpret::{Axioms, enumerate};
use cdsspec_fence::lsl::Program;
use cdsspec_fence::memory_model::MemoryModel;
use cdsspec_fence::observation::ObservationSet;
use draw::Random;

const MODELS: [(MemoryModel, Axioms); 3] = [
    (MemoryModel::Serial, Axioms::Serial),
    (MemoryModel::Sc, Axioms::SequentialConsistency),
    (MemoryModel::Relaxed, Axioms::Relaxed),
];

/// How many rounds a loop may have.
const ROUNDS: usize = 2;

/// What the programs had, so that a test that compares nothing is noticed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    programs: usize,
    observations: usize,
    errors: usize,
    cut: usize,
    circular: usize,
    relaxed_only: usize,
}

fn observed(program: &Program, model: MemoryModel, has_range_analysis: bool) -> ObservationSet {
    let settings = Settings { has_range_analysis, rounds_max: ROUNDS, ..Settings::new(model) };
    Exploration::new(program, settings).observations().unwrap().set
}

fn compare(program: &Program, seen: &mut Seen) {
    let mut sets = Vec::new();
    for (model, axioms) in MODELS {
        let expected = enumerate(program, axioms, ROUNDS);
        let found = observed(program, model, true);
        let name = model.name();
        assert!(expected.acyclic.is_subset(&found), "{name}: missing\n{expected:?}\n{found:?}\n{program}");
        assert!(found.is_subset(&expected.all), "{name}: too much\n{expected:?}\n{found:?}\n{program}");
        let wide = observed(program, model, false);
        assert!(expected.acyclic.is_subset(&wide), "{name}: missing without ranges\n{program}");
        if model != MemoryModel::Relaxed {
            assert_eq!(wide, expected.all, "{name}: without ranges\n{program}");
        }
        seen.observations += found.observations.len();
        seen.errors += usize::from(found.has_error);
        seen.cut += usize::from(expected.is_cut);
        seen.circular += usize::from(expected.acyclic != expected.all);
        sets.push(found);
    }
    assert!(sets[0].is_subset(&sets[1]) && sets[1].is_subset(&sets[2]), "{program}");
    seen.relaxed_only += usize::from(sets[1] != sets[2]);
    seen.programs += 1;
}

fn compare_all(seed: u64, count: usize, accesses_max: usize) -> Seen {
    let mut random = Random(seed);
    let mut seen = Seen::default();
    for _ in 0..count {
        let accesses = 2 + random.below(accesses_max - 1);
        let program = draw::program(&mut random, accesses);
        compare(&program, &mut seen);
    }
    seen
}

#[test]
fn solver_and_brute_force_agree_on_random_programs() {
    let count = std::env::var("CDSSPEC_FENCE_PROGRAMS").map_or(100, |count| count.parse().unwrap());
    let seen = compare_all(18, count, 8);
    println!("{seen:?}");
    assert!(seen.errors > 0 && seen.cut > 0 && seen.relaxed_only > 0, "{seen:?}");
}

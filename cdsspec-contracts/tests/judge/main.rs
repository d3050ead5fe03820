//! Random programs on real threads: what the clocks say of each pair of operations is what the axioms say of what was read.
#![allow(clippy::unwrap_used, reason = "tests")]

mod axioms;
mod log;
mod program;
mod run;

use axioms::HappensBefore;
use program::Program;

/// How many programs are judged, with the seeds from 0; `CDSSPEC_JUDGED_PROGRAMS` says another number.
const PROGRAMS: u64 = 200;

/// How much was compared.
#[derive(Default, Debug)]
struct Counts {
    programs: u64,
    pairs: u64,
    /// Of which the first happens before the second, in another thread.
    ordered: u64,
    /// Reads from other threads.
    reads: u64,
}

fn judge(seed: u64, counts: &mut Counts) {
    let nodes = run::run(Program::random(seed), seed);
    let axioms = HappensBefore::of(&nodes);
    for (first, a) in nodes.iter().enumerate() {
        for (second, b) in nodes.iter().enumerate().filter(|(second, _)| *second != first) {
            let Some(moment) = &b.moment else { continue };
            let expected = axioms.get(first, second);
            assert_eq!(
                moment.clock.includes(a.epoch),
                expected,
                "seed {seed}: whether {a} happens before {b}, in\n{}",
                nodes.iter().map(|node| format!("{node}\n")).collect::<String>()
            );
            counts.pairs += 1;
            counts.ordered += u64::from(expected && a.thread != b.thread);
            counts.reads += u64::from(b.what.read() == Some(a.id) && a.thread != b.thread);
        }
    }
    counts.programs += 1;
}

#[test]
fn the_clocks_of_random_programs_are_those_of_the_axioms() {
    let programs = std::env::var("CDSSPEC_JUDGED_PROGRAMS").map_or(PROGRAMS, |count| count.parse().unwrap());
    let mut counts = Counts::default();
    for seed in 0..programs {
        judge(seed, &mut counts);
    }
    println!("seeds 0 to {}: {counts:?}", programs - 1);
    assert_eq!(counts.programs, programs);
    // What a run comes to depends on how its threads run: how much, in the worst case, is known.
    assert!(counts.pairs >= 1_000 * programs && counts.ordered >= 200 * programs);
    assert!(counts.reads >= programs, "threads that ran one after the other");
}

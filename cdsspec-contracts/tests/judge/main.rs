//! Random programs on real threads: what the clocks say of each pair of operations is what the axioms say of what was read.
#![allow(clippy::unwrap_used, reason = "tests")]

mod axioms;
mod log;
mod program;
mod run;

use axioms::HappensBefore;
use program::Program;

/// How much was compared.
#[derive(Default, Debug)]
struct Counts {
    pairs: usize,
    /// Of which the first happens before the second, in another thread.
    ordered: usize,
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
            counts.ordered += usize::from(expected && a.thread != b.thread);
        }
    }
}

#[test]
fn the_clocks_of_random_programs_are_those_of_the_axioms() {
    let mut counts = Counts::default();
    for seed in 0..200 {
        judge(seed, &mut counts);
    }
    println!("{counts:?}");
}

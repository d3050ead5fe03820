//! The blocking queue of the CDSSpec paper (Ou and Demsky, PPoPP 2017; figures 2, 3 and 6), checked.
//!
//! `cargo run --release --example blocking_queue` explores its programs and seeded bugs, and prints the verdicts and one report in full;
//! `-- NAME` runs one of them, `-- --json` prints one JSON object a line.
#![expect(non_snake_case, reason = "the names of the programs spell what their threads do")]

mod deterministic;
mod node;
mod program;
mod queue;
mod seed;

use cdsspec::example::{Example, Expected};
use cdsspec::{Builder, Outcome, Verdict};
use deterministic::DeterministicQueue;
use program::{enq__deq, enq_deq__enq_deq, enq_enq__deq_deq, figure_3};
use queue::Queue;
use seed::Seed;
use std::process::ExitCode;

fn check(name: &str, program: fn(Seed), seed: Seed) -> Outcome {
    Builder::new().name(name).check(move || program(seed))
}

/// The programs, the verdict that each has, and the seeded bugs with the program that shows each.
fn example() -> Example {
    let programs: [(&str, fn(Seed)); 8] = [
        ("figure_3", |seed| _ = figure_3::<Queue>(seed)),
        ("enq_deq__enq_deq", enq_deq__enq_deq::<Queue>),
        ("enq__deq", enq__deq::<Queue>),
        ("enq_enq__deq_deq", enq_enq__deq_deq::<Queue>),
        ("deterministic_figure_3", |seed| _ = figure_3::<DeterministicQueue>(seed)),
        ("deterministic_enq_deq__enq_deq", enq_deq__enq_deq::<DeterministicQueue>),
        ("deterministic_enq__deq", enq__deq::<DeterministicQueue>),
        ("deterministic_enq_enq__deq_deq", enq_enq__deq_deq::<DeterministicQueue>),
    ];
    let mut example = Example::new("blocking_queue");
    for (name, program) in programs {
        example = example.program(name, Expected::Holds, move || check(name, program, Seed::CORRECT));
    }
    for (name, seed) in Seed::BUGS {
        example = example.seeded_bug(name, Verdict::Violated, move || {
            check("enq_deq__enq_deq", enq_deq__enq_deq::<Queue>, seed)
        });
    }
    example
}

fn main() -> ExitCode {
    example().main()
}

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
use seed::{Mistake, Seed};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

type Program = fn(Seed);

/// The seeded bugs: a name, the program that shows it, and what is wrong.
const BUGS: [(&str, &str, Program, Seed); 8] = [
    ("relaxed_link_exchange", "enq__deq", enq__deq::<Queue>, Seed { enq_link_exchange: Relaxed, ..CORRECT }),
    ("relaxed_next_load", "enq__deq", enq__deq::<Queue>, Seed { deq_next_load: Relaxed, ..CORRECT }),
    ("relaxed_tail_load", TWICE, enq_deq__enq_deq::<Queue>, Seed { enq_tail_load: Relaxed, ..CORRECT }),
    ("relaxed_tail_store", TWICE, enq_deq__enq_deq::<Queue>, Seed { enq_tail_store: Relaxed, ..CORRECT }),
    ("relaxed_head_load", TWICE, enq_deq__enq_deq::<Queue>, Seed { deq_head_load: Relaxed, ..CORRECT }),
    (
        "relaxed_head_exchange",
        TWICE,
        enq_deq__enq_deq::<Queue>,
        Seed { deq_head_exchange: Relaxed, ..CORRECT },
    ),
    ("lifo", "enq_enq__deq_deq", enq_enq__deq_deq::<Queue>, Seed { mistake: Mistake::Lifo, ..CORRECT }),
    ("lost_element", TWICE, enq_deq__enq_deq::<Queue>, Seed { mistake: Mistake::LostElement, ..CORRECT }),
];
const CORRECT: Seed = Seed::CORRECT;
const TWICE: &str = "enq_deq__enq_deq";

fn check(builder: Builder, program: Program, seed: Seed) -> Outcome {
    builder.check(move || program(seed))
}

/// The programs, the verdict that each has, and the seeded bugs with the program that shows each.
fn example() -> Example {
    let programs: [(&str, Program); 8] = [
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
        example =
            example.program(name, Expected::Holds, move |builder| check(builder, program, Seed::CORRECT));
    }
    for (name, program, run, seed) in BUGS {
        example = example
            .seeded_bug(name, Verdict::Violated, move |builder| check(builder.name(program), run, seed));
    }
    example.explores(program::scenario, [2, 2]).samples(program::scenario, [3, 2], 20)
}

fn main() -> ExitCode {
    example().main()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cdsspec::EngineKind;
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};

    #[test]
    fn every_program_holds_and_every_seeded_bug_is_found_in_its_class() {
        let mut output = Vec::new();
        assert!(example().run(["--json".to_owned()], &mut output).unwrap());
        let lines: Vec<serde_json::Value> = String::from_utf8(output)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let bugs = lines.iter().filter(|line| line["seeded_bug"].is_string()).count();
        assert_eq!((lines.len(), bugs), (16, 8));
        assert!(lines.iter().filter(|line| line["seeded_bug"].is_string()).all(|line| line["found"] == true));
    }

    /// The engines, and what a program that is right comes to on each.
    const ENGINES: [(EngineKind, Verdict); 2] =
        [(EngineKind::Rc11, Verdict::Holds), (EngineKind::Loom, Verdict::HoldsWithin)];

    /// Executions, inadmissible ones, shapes, sequential histories: on rc11, on loom.
    #[test]
    fn the_counts_of_the_programs_are_known() {
        let rows: [(&str, Program, [[u64; 4]; 2]); 6] = [
            ("figure_3", |seed| _ = figure_3::<Queue>(seed), [[4, 0, 4, 12], [272, 0, 4, 12]]),
            ("enq_deq__enq_deq", enq_deq__enq_deq::<Queue>, [[6, 0, 4, 6], [1402, 0, 4, 6]]),
            ("enq_enq__deq_deq", enq_enq__deq_deq::<Queue>, [[4, 0, 4, 16], [234, 0, 4, 16]]),
            ("figure_3", |seed| _ = figure_3::<DeterministicQueue>(seed), [[4, 3, 4, 4], [272, 217, 4, 4]]),
            ("enq_deq__enq_deq", enq_deq__enq_deq::<DeterministicQueue>, [[6, 0, 4, 6], [1402, 0, 4, 6]]),
            ("enq_enq__deq_deq", enq_enq__deq_deq::<DeterministicQueue>, [[4, 3, 4, 2], [234, 194, 4, 2]]),
        ];
        for (name, program, expected) in rows {
            for ((engine, verdict), expected) in ENGINES.into_iter().zip(expected) {
                let outcome = Builder::new().engine(engine).check(move || program(CORRECT));
                let executions = outcome.executions - outcome.delayed_executions;
                let counts = [executions, outcome.inadmissible, outcome.shapes, outcome.histories];
                assert_eq!((outcome.verdict, counts), (verdict, expected), "{name} on {}", outcome.engine);
            }
        }
    }

    #[test]
    fn the_seeded_bugs_are_found_on_loom_too() {
        for (name, _, program, seed) in BUGS {
            let outcome = Builder::new().engine(EngineKind::Loom).check(move || program(seed));
            assert_eq!(outcome.verdict, Verdict::Violated, "{name}: {outcome}");
        }
    }

    #[test]
    fn the_list_names_the_programs_and_what_is_specified() {
        let mut output = Vec::new();
        assert!(example().run(["--list".to_owned()], &mut output).unwrap());
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.contains(".rs:")).collect();
        assert_eq!(lines.first(), Some(&"figure_3"));
        for line in ["    side_effect q.push_back(val)", "    op_clear_define"] {
            assert!(lines.contains(&line), "{text}");
        }
        assert_eq!(text.matches("specification ").count(), 2, "{text}");
    }

    #[test]
    fn both_threads_of_figure_3_may_find_the_queue_empty() {
        for (engine, verdict) in ENGINES {
            let found = Arc::new(Mutex::new(BTreeSet::new()));
            let found2 = found.clone();
            let outcome = Builder::new().engine(engine).check(move || {
                let pair = figure_3::<Queue>(CORRECT);
                found2.lock().unwrap().insert(pair);
            });
            assert_eq!((outcome.verdict, outcome.inadmissible), (verdict, 0));
            let all = [(None, None), (None, Some(1)), (Some(1), None), (Some(1), Some(1))];
            assert_eq!(*found.lock().unwrap(), BTreeSet::from(all));
        }
    }

    #[test]
    fn under_the_deterministic_specification_the_executions_with_an_empty_deq_are_inadmissible() {
        for (engine, _) in ENGINES {
            let found = Arc::new(Mutex::new(Vec::new()));
            let found2 = found.clone();
            let outcome = Builder::new().engine(engine).check(move || {
                let pair = figure_3::<DeterministicQueue>(CORRECT);
                found2.lock().unwrap().push(pair);
            });
            let found = found.lock().unwrap();
            let is_empty = |pair: &&(Option<i32>, Option<i32>)| pair.0.is_none() || pair.1.is_none();
            assert_eq!(outcome.executions, found.len() as u64);
            assert_eq!(outcome.inadmissible, found.iter().filter(is_empty).count() as u64);
            assert_eq!(outcome.counts[&Verdict::Holds], outcome.executions - outcome.inadmissible);
            assert!(found.contains(&(None, None)));
        }
    }
}

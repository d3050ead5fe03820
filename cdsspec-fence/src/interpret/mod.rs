//! The naive twin: enumerates the executions of small tests by brute force, straight from section 2.3 of the paper.
//!
//! It shares the language with the solver's side, and no other code. Each thread is run by itself, with every value that a load may
//! give ; for each choice of a trace per thread every memory order is tried.
//!
//! Values of loads are guessed from a *domain*: for each location, its first value and all that some trace stores there, as far as as
//! many rounds of guessing bring as an execution has loads. An execution in which no value depends on itself is so found. Axioms of section 2.3.2 also
//! allow values that depend on themselves, which may be any; of these only values of the domain are found. Observations that
//! need them are told apart ([`Enumerated::acyclic`]).

mod order;
mod run;

use crate::lsl::syntax::{Operation, Program};
use crate::lsl::value::{Path, Value};
use crate::observation::{Observation, ObservationSet};
use run::{Domain, Memory, Run, Runner, Source, Trace};

pub use order::Axioms;
use order::Orders;
use std::collections::BTreeSet;

/// What brute force finds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enumerated {
    /// All observations.
    pub all: ObservationSet,
    /// Those of executions in which no value depends on itself.
    pub acyclic: ObservationSet,
    /// Whether a loop had more rounds than were asked for: such executions are left out.
    pub is_cut: bool,
}

/// Enumerates the executions of a program in which no loop has more than so many rounds, each time that it is entered.
///
/// The cost is exponential in the number of accesses: about eight of them take seconds.
///
/// # Panics
/// If the program is not one that [`check`](crate::lsl::check::check) accepts.
pub fn enumerate(program: &Program, axioms: Axioms, rounds_max: usize) -> Enumerated {
    let mut found = Enumerated::default();
    let sequences: Vec<_> = program.sequences().collect();
    let (first, rest) = sequences.split_first().expect("there are initial operations, if only none");
    let (last, threads) = rest.split_last().expect("there are last operations, if only none");
    let initial: Memory = initial_memory(program);
    let runner = Runner { program, rounds_max };
    for begun in runner.all(0, first, &mut Source::Memory(initial)) {
        found.is_cut |= begun.is_cut;
        if !begun.has_ended {
            continue;
        }
        let memory = begun.memory;
        let (traces, is_cut) = all_traces(&runner, threads, &memory);
        found.is_cut |= is_cut;
        for combination in combinations(&traces) {
            for execution in Orders::new(axioms, &combination, &memory).executions() {
                let source = &mut Source::Memory(execution.memory.clone());
                for end in runner.all(threads.len() + 1, last, source) {
                    found.is_cut |= end.is_cut;
                    if end.has_ended {
                        let threads = combination.iter().copied();
                        let parts = [&begun.trace].into_iter().chain(threads).chain([&end.trace]);
                        found.add(program.first_object(), parts, execution.is_circular);
                    }
                }
            }
        }
    }
    found
}

impl Enumerated {
    fn add<'t>(
        &mut self,
        first_object: u32,
        parts: impl Iterator<Item = &'t Trace> + Clone,
        is_circular: bool,
    ) {
        let sets = if is_circular { vec![&mut self.all] } else { vec![&mut self.all, &mut self.acyclic] };
        let has_error = parts.clone().any(|trace| trace.has_error);
        let observation = Observation(parts.flat_map(|trace| trace.observed.iter().cloned()).collect());
        let observation = observation.renamed(first_object);
        for set in sets {
            if has_error {
                set.has_error = true;
            } else {
                set.observations.insert(observation.clone());
            }
        }
    }
}

fn initial_memory(program: &Program) -> Memory {
    let location = |index: usize| Path::of_base(u32::try_from(index).expect("globals fit into 32 bits"));
    let globals = program.globals.iter().enumerate();
    globals.map(|(index, global)| (location(index), global.initial.clone())).collect()
}

/// All traces of each thread, with loads that guess from the domain, which is the least one that has all stored values.
fn all_traces(runner: &Runner<'_>, threads: &[&[Operation]], memory: &Memory) -> (Vec<Vec<Trace>>, bool) {
    let first = |(path, value): (&Path, &Value)| (path.clone(), BTreeSet::from([value.clone()]));
    let mut domain: Domain = memory.iter().map(first).collect();
    let mut round = 0;
    loop {
        let runs: Vec<Vec<Run>> = threads
            .iter()
            .enumerate()
            .map(|(thread, code)| runner.all(thread + 1, code, &mut Source::Guess(&domain)))
            .collect();
        let mut grown = domain.clone();
        // Also of runs that do not end with these guesses: with others they may.
        for (path, value) in runs.iter().flatten().flat_map(|run| run.trace.stores()) {
            let first = BTreeSet::from([memory.get(path).cloned().unwrap_or_default()]);
            grown.entry(path.clone()).or_insert(first).insert(value.clone());
        }
        let loads_max: usize = runs
            .iter()
            .map(|runs| runs.iter().map(|run| run.trace.load_count()).max())
            .map(Option::unwrap_or_default)
            .sum();
        if grown == domain || round > loads_max {
            let is_cut = runs.iter().flatten().any(|run| run.is_cut);
            let traces =
                |runs: Vec<Run>| runs.into_iter().filter(|run| run.has_ended).map(|run| run.trace).collect();
            return (runs.into_iter().map(traces).collect(), is_cut);
        }
        domain = grown;
        round += 1;
    }
}

/// Every choice of one trace for each thread.
fn combinations<'t>(traces: &'t [Vec<Trace>]) -> Vec<Vec<&'t Trace>> {
    traces.iter().fold(vec![Vec::new()], |chosen, more| {
        let extended = |one: &[&'t Trace]| -> Vec<Vec<&'t Trace>> {
            more.iter().map(|trace| one.iter().copied().chain([trace]).collect()).collect()
        };
        chosen.iter().flat_map(|one| extended(one)).collect()
    })
}

//! Random programs, of which one outcome is taken for a fault.

use cdsspec::{Builder, EngineKind, MemoryModel, Verdict};
use cdsspec_litmus::random::{
    Random, blocking_program, large_program, looping_program, program_with_calls, queueing_program,
    small_program,
};
use cdsspec_litmus::{Litmus, Setup, program, run};
use cdsspec_runtime::engine::graph::GraphEngine;
use std::sync::Arc;

const EXECUTIONS_MAX: u64 = 300;

/// Each fault is run again, as above: under all memory models in turn, and as it is drawn.
fn fail(draw: fn(&mut Random, String) -> Litmus, count: usize) {
    let mut drawn = Random::new(20_261_129);
    let mut failed = 0;
    while failed < count {
        let test = draw(&mut drawn, "random".to_owned());
        let memory_model = MemoryModel::ALL[failed % MemoryModel::ALL.len()];
        let mut setup = Setup::default();
        setup.limits.executions_max = Some(EXECUTIONS_MAX);
        let outcomes = run(&test, &GraphEngine::with_memory_model(memory_model), &setup).outcomes;
        if outcomes.is_empty() {
            continue;
        }
        let fault = outcomes[drawn.below(outcomes.len())].clone();
        let execute = program(&test, &setup);
        let panics = Arc::new(move || {
            if execute() == fault {
                std::panic::resume_unwind(Box::new("this outcome"));
            }
        });
        let (again, builder) = (panics.clone(), Builder::new().name("random").memory_model(memory_model));
        let outcome = builder.clone().executions_max(EXECUTIONS_MAX).check(move || again());
        let is_known = outcome.verdict.is_fault() || outcome.verdict == Verdict::Inconclusive;
        assert!(is_known, "{test}\n{outcome}");
        failed += usize::from(outcome.verdict.is_fault());
        let _drawn = builder.engine(EngineKind::Random).runs(5).check(move || panics());
    }
}

#[test]
fn small_programs() {
    fail(small_program, 400);
}

#[test]
fn large_programs() {
    fail(large_program, 200);
}

#[test]
fn programs_that_block() {
    fail(blocking_program, 200);
}

#[test]
fn programs_with_loops() {
    fail(looping_program, 100);
}

#[test]
fn programs_with_queues() {
    fail(queueing_program, 100);
}

#[test]
fn programs_with_calls() {
    fail(program_with_calls, 60);
}

//! Which object a call is about, however objects move: a field moves with its object, an address does not.

mod program;
mod structure;
mod twin;

use cdsspec::{Builder, EngineKind, Outcome, Verdict};
use cdsspec_litmus::explore::{explore_looking, plain_limits};
use cdsspec_runtime::engine::Engine;
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::engine::loom::LoomEngine;
use cdsspec_runtime::record::{ObjectId, Recording};
use program::*;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

struct Row {
    name: &'static str,
    program: fn(i32),
    /// By what its last call may lie: what it would return, if it were of another object.
    error: i32,
    /// How many objects are called.
    objects: usize,
    /// How many executions it has on rc11.
    executions: u64,
}

const fn row(name: &'static str, program: fn(i32), error: i32, objects: usize) -> Row {
    Row { name, program, error, objects, executions: 1 }
}

const ROWS: [Row; 33] = [
    row("swapped", swapped, -1, 2),
    row("replaced", replaced, 2, 2),
    row("taken", taken, 3, 2),
    row("removed", removed, -1, 3),
    row("inserted", inserted, -1, 3),
    row("sorted", sorted, 1, 3),
    row("swap_removed", swap_removed, -2, 3),
    row("rotated", rotated, -1, 3),
    row("grown", grown, 1, 3),
    row("boxed", boxed, -2, 2),
    row("out_of_an_option", out_of_an_option, 2, 2),
    row("one_after_the_other", one_after_the_other, 1, 2),
    row("one_after_the_other_untouched", one_after_the_other_untouched, 1, 2),
    row("one_after_the_other_behind_a_pointer", one_after_the_other_behind_a_pointer, 1, 2),
    row("swapped_behind_pointers", swapped_behind_pointers, -1, 2),
    row("made_of_zeros", made_of_zeros, -1, 2),
    row("looked_at_after_a_swap", looked_at_after_a_swap, 1, 2),
    row("looked_at_before_it_is_touched", looked_at_before_it_is_touched, 1, 2),
    row("swapped_untouched", swapped_untouched, -1, 2),
    row("swapped_wide", swapped_wide, -1, 2),
    row("alone_in_between", alone_in_between, -3, 1),
    row("closed", closed, -2, 1),
    row("closed_by_adding", closed_by_adding, -2, 1),
    row("one_of_two_fields_renewed", one_of_two_fields_renewed, -2, 1),
    row("one_of_two_fields_swapped", one_of_two_fields_swapped, -1, 2),
    row("traded_by_a_call", traded_by_a_call, -1, 2),
    row("nested", nested, 2, 2),
    row("nested_and_moved", nested_and_moved, -1, 4),
    row("inside_another", inside_another, -1, 4),
    row("two_ends_of_two_channels", two_ends_of_two_channels, -1, 2),
    Row { executions: 1, ..row("into_another_thread", into_another_thread, 2, 2) },
    Row { executions: 2, ..row("between_threads", between_threads, -1, 2) },
    Row { executions: 2, ..row("in_a_static", in_a_static, -1, 1) },
];

fn run(row: &Row, error: i32, engine: EngineKind) -> Outcome {
    let program = row.program;
    Builder::new().name(row.name).engine(engine).check(move || program(error))
}

#[test]
fn each_call_is_of_its_object() {
    for row in &ROWS {
        let outcome = run(row, 0, EngineKind::Rc11);
        let found = (outcome.verdict, outcome.executions);
        assert_eq!(found, (Verdict::Holds, row.executions), "{}", outcome.report());
        let outcome = run(row, 0, EngineKind::Loom);
        assert_eq!(outcome.verdict, Verdict::HoldsWithin, "{}", outcome.report());
    }
}

#[test]
fn a_call_that_answers_for_another_object_is_found() {
    for row in &ROWS {
        for engine in [EngineKind::Rc11, EngineKind::Loom] {
            let outcome = run(row, row.error, engine);
            assert_eq!(outcome.verdict, Verdict::Violated, "{}", outcome.report());
        }
    }
}

/// The objects of the calls, in order of invocation.
fn objects(recording: &Recording) -> Vec<ObjectId> {
    recording.calls.iter().map(|call| call.object).collect()
}

#[test]
fn every_execution_has_as_many_objects_as_the_program() {
    let engines: [&dyn Engine; 2] = [&GraphEngine::new(), &LoomEngine::new()];
    for (row, engine) in ROWS.iter().flat_map(|row| engines.map(|engine| (row, engine))) {
        let counts = Rc::new(RefCell::new(BTreeSet::new()));
        let seen = counts.clone();
        let look = move |recording: &Recording| {
            let objects: BTreeSet<ObjectId> = objects(recording).into_iter().collect();
            seen.borrow_mut().insert(objects.len());
        };
        let program = row.program;
        let program = move || {
            program(0);
            String::new()
        };
        explore_looking(engine, &plain_limits(), program, look);
        assert_eq!(*counts.borrow(), BTreeSet::from([row.objects]), "{} on {}", row.name, engine.name());
    }
}

#[test]
fn a_static_is_one_object_in_each_of_many_runs_at_once() {
    let runs: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                for _ in 0..50 {
                    let outcome = Builder::new().check(|| in_a_static(0));
                    assert_eq!(
                        (outcome.verdict, outcome.executions),
                        (Verdict::Holds, 2),
                        "{}",
                        outcome.report()
                    );
                }
            })
        })
        .collect();
    for run in runs {
        run.join().expect("each run holds");
    }
}

#[test]
fn an_instance_that_is_not_specified_may_come_first() {
    for (engine, verdict) in [(EngineKind::Rc11, Verdict::Holds), (EngineKind::Loom, Verdict::HoldsWithin)] {
        let run = |error| Builder::new().engine(engine).check(move || unspecified_first(error));
        assert_eq!(run(0).verdict, verdict, "{}", run(0).report());
        assert_eq!(run(1).verdict, Verdict::Violated, "{}", run(1).report());
    }
}

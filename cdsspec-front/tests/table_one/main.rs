//! The queues of table 1 of CheckFence: what is translated from Rust has the verdicts of what is written in LSL.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

mod queues;

use cdsspec_fence::explore::{Exploration, Settings};
use cdsspec_fence::lsl::parse;
use cdsspec_fence::lsl::syntax::{ProcedureName, Program};
use cdsspec_fence::memory_model::MemoryModel;
use cdsspec_fence::notation::{DataType, Letter};
use cdsspec_fence::structure::{Source, check};

const MODELS: [MemoryModel; 4] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Relaxed];

/// The verdict of a test that is written in LSL, with all candidate fences or none.
fn written(text: &str, test: &str, model: MemoryModel, is_fenced: bool) -> &'static str {
    let letter = |name: &str, procedure: &str| Letter {
        name: name.to_owned(),
        procedure: ProcedureName::from(procedure),
        arguments: None,
    };
    let data_type = DataType {
        implementation: parse(text).unwrap(),
        prepare: ProcedureName::from("init_queue"),
        letters: vec![letter("e", "enqueue"), letter("d", "dequeue")],
        arguments: vec![0.into(), 1.into()],
    };
    let program: Program = data_type.test(test).unwrap();
    let serial = Exploration::new(&program, Settings::new(MemoryModel::Serial)).observations().unwrap();
    let mut exploration = Exploration::new(&program, Settings::new(model));
    if is_fenced {
        exploration.set_fences(exploration.candidates());
    }
    exploration.check_inclusion(&serial.set).name()
}

/// The same of one in Rust; without fences, but for those of `lock` and `unlock`.
fn translated(source: &Source, test: &str, model: MemoryModel, is_fenced: bool) -> &'static str {
    let mut text = String::new();
    let mut is_lock = false;
    for line in source.text().lines() {
        if line.starts_with("proc ") {
            is_lock = line.starts_with("proc lock(") || line.starts_with("proc unlock(");
        }
        if is_fenced || is_lock || !line.trim_start().starts_with("fence ") {
            text += line;
            text.push('\n');
        }
    }
    let check = check(Source::of("queues.rs".to_owned(), text))
        .object("queue", "Queue::new()")
        .operation("e", "queue.enqueue(_)")
        .operation("d", "queue.dequeue()")
        .memory_model(model);
    check.test(test).verdict.name()
}

#[test]
fn rust_and_lsl_have_the_same_verdicts() {
    let rows = [
        (
            queues::ms2::FENCE,
            include_str!("../../../paper/src/fence/implementations/ms2.lsl"),
            ["( e | d )", "e ( de | dde )", "( ee | dd )"],
        ),
        (
            queues::msn::FENCE,
            include_str!("../../../paper/src/fence/implementations/msn.lsl"),
            ["( e | d )", "( ee | dd )", "( ee | d )"],
        ),
    ];
    let mut violated = 0;
    for (source, text, tests) in rows {
        for (test, model) in tests.iter().flat_map(|test| MODELS.map(|model| (test, model))) {
            for is_fenced in [false, true] {
                let expected = written(text, test, model, is_fenced);
                let found = translated(&source, test, model, is_fenced);
                assert_eq!(found, expected, "{test} {model:?}, fences: {is_fenced}");
                // On Relaxed without fences, and nowhere else.
                assert_eq!(
                    found == "violated",
                    model == MemoryModel::Relaxed && !is_fenced,
                    "{test} {model:?}"
                );
                violated += usize::from(found == "violated");
            }
        }
    }
    assert_eq!(violated, 6);
}

/// The same source is a queue in Rust.
#[test]
fn the_queues_run() {
    let (msn, ms2) = (queues::msn::Queue::new(), queues::ms2::Queue::new());
    for value in [1, 2] {
        msn.enqueue(value);
        ms2.enqueue(value);
    }
    let taken = [msn.dequeue(), ms2.dequeue(), msn.dequeue(), ms2.dequeue(), msn.dequeue(), ms2.dequeue()];
    assert_eq!(taken, [Some(1), Some(1), Some(2), Some(2), None, None]);
}

//! Golden reports, one for each verdict.

use super::scene::{self, admitting_stack, exact_stack, lazy_stack};
use super::text::describe;
use super::{Bound, Report, ReportedExecution, RunCounts, so_far, whole};
use crate::check::{CheckOptions, Finding, Verdict, check_execution};
use crate::process::{COLUMNS, width};
use crate::record::{
    Ending, Exploration, Limit, LimitKind, MemoryFaultKind, Recorder, WaitReason, operation_name,
};
use expect_test::{ExpectFile, expect_file};
use std::sync::atomic::Ordering::Release;

fn assert_fits(report: &str, columns: usize) {
    for line in report.lines() {
        // A path stays whole.
        let is_path = line.split_whitespace().count() == 1 && line.contains('/');
        assert!(width(line) <= columns || is_path, "wider than {columns}: {line}\n{report}");
    }
}

fn report(recorder: &Recorder) -> (Verdict, String) {
    let check = check_execution(recorder.recording(), &CheckOptions::default());
    (check.verdict, describe(&execution(recorder, 1), COLUMNS))
}

/// The text and the JSON of a report.
macro_rules! golden {
    ($name:literal) => {
        [
            expect_file![concat!("golden/", $name, ".txt")],
            expect_file![concat!("golden/json/", $name, ".json")],
        ]
    };
}

fn assert_report(verdict: Verdict, make: impl Fn() -> Recorder, [text_file, json_file]: [ExpectFile; 2]) {
    let (found, text) = report(&make());
    assert_eq!(found, verdict, "{text}");
    let recorder = make();
    let shown = execution(&recorder, 1);
    for columns in [40, 41, 57, 72, 80, 99, COLUMNS, 120, 300] {
        assert_fits(&describe(&shown, columns), columns);
    }
    assert_eq!(report(&make()).1, text, "twice is the same");
    assert!(text.starts_with(&format!("{verdict}: ")), "{text}");
    text_file.assert_eq(&text);
    assert_eq!(json(&make()), json(&make()), "twice is the same");
    json_file.assert_eq(&broken_into_lines(&json(&recorder)));
}

/// The report of a run that stops at this execution.
fn json(recorder: &Recorder) -> String {
    let execution = execution(recorder, 17);
    let verdict = execution.finding.verdict;
    let mut report = run_on_loom(verdict, Exploration::Stopped, &[(verdict, 1), (Verdict::Holds, 16)]);
    report.coverage.counts.executions = 17;
    report.show(Some(execution), None);
    let json = serde_json::to_string(&report).unwrap();
    assert!(!json.contains("0x7f3a"), "addresses are numbered: {json}");
    json
}

/// JSON with each field of the outermost object, and each entry of its lists, in a line.
fn broken_into_lines(json: &str) -> String {
    let (mut text, mut open, mut is_in_string, mut last) = (String::new(), Vec::new(), false, ' ');
    for character in json.chars() {
        match character {
            '"' if last != '\\' => is_in_string = !is_in_string,
            '}' | ']' if !is_in_string => drop(open.pop()),
            _ => {}
        }
        text.push(character);
        last = character;
        if is_in_string {
            continue;
        }
        if matches!(character, '{' | '[') {
            open.push(character);
        }
        if matches!(character, '{' | '[' | ',') && (open.len() == 1 || open == ['{', '[']) {
            text.push_str(&format!("\n{:1$}", "", 2 * open.len()));
        }
    }
    text + "\n"
}

#[test]
fn a_violation_names_the_call_the_rule_the_state_and_the_history() {
    assert_report(Verdict::Violated, || scene::stale_pop(exact_stack()), golden!("violated"));
}

#[test]
fn an_unjustified_call_comes_with_a_subhistory() {
    assert_report(Verdict::Unjustified, || scene::stale_pop(lazy_stack()), golden!("unjustified"));
}

#[test]
fn a_fault_under_one_order_of_the_seqcst_operations_comes_with_the_order() {
    assert_report(Verdict::Unjustified, scene::pop_of_another_word, golden!("sc_order"));
}

#[test]
fn an_inadmissible_pair_comes_with_its_rule() {
    assert_report(
        Verdict::Inadmissible,
        || scene::push_beside_pop_none(admitting_stack()),
        golden!("inadmissible"),
    );
}

#[test]
fn a_cycle_is_shown_call_by_call() {
    assert_report(Verdict::Cyclic, scene::cycle, golden!("cyclic"));
}

#[test]
fn a_race_names_both_accesses_and_what_would_order_them() {
    assert_report(Verdict::Race, scene::race, golden!("race"));
}

#[test]
fn memory_that_is_not_yet_initialised_comes_with_the_allocation_and_the_use() {
    let make = || scene::memory(|usage, _| MemoryFaultKind::Unallocated { usage });
    assert_report(Verdict::Uninitialised, make, golden!("uninitialised"));
    let make = || {
        scene::memory(|usage, initialised| {
            let source = scene::line(31);
            MemoryFaultKind::Uninitialised { usage, initialised, source }
        })
    };
    assert_report(Verdict::Uninitialised, make, golden!("uninitialised_again"));
}

#[test]
fn memory_that_was_freed_comes_with_the_use_and_the_free() {
    let make = || scene::memory(|usage, freed| MemoryFaultKind::Freed { usage, freed });
    assert_report(Verdict::Freed, make, golden!("freed"));
    let make = || scene::memory(|_, freed| MemoryFaultKind::FreedTwice { first: freed, second: freed });
    assert_report(Verdict::Freed, make, golden!("freed_twice"));
}

#[test]
fn memory_that_is_left_comes_with_its_allocation() {
    let make = || scene::memory(|_, _| MemoryFaultKind::Leaked { blocks: 2 });
    assert_report(Verdict::Leak, make, golden!("leak"));
}

#[test]
fn a_panic_begins_with_its_message() {
    assert_report(Verdict::Panic, scene::panic, golden!("panic"));
}

#[test]
fn a_misuse_names_both_calls_and_what_would_order_them() {
    assert_report(Verdict::Misused, scene::two_producers, golden!("misused"));
}

#[test]
fn a_deadlock_says_what_each_thread_waits_for() {
    let make = || scene::blocked(operation_name!("lock"), WaitReason::Blocking);
    assert_report(Verdict::Deadlock, make, golden!("deadlock"));
}

#[test]
fn a_livelock_says_who_spins() {
    let make = || scene::blocked(operation_name!("load", Load), WaitReason::Spinning);
    assert_report(Verdict::Livelock, make, golden!("livelock"));
}

#[test]
fn a_mistake_in_a_specification_says_what_to_do() {
    assert_report(Verdict::SpecError, scene::stray_marker, golden!("spec_error"));
}

#[test]
fn a_nondeterministic_program_is_told_what_to_leave_out() {
    let ending = || Ending::Nondeterministic("the program did `load` where it did `store` before".to_owned());
    let make = || scene::ended(ending());
    assert_report(Verdict::Nondeterministic, make, golden!("nondeterministic"));
}

#[test]
fn an_execution_at_its_limit_says_how_to_raise_it() {
    let make = || scene::ended(Ending::Limit(Limit { kind: LimitKind::Branches, value: 1000 }));
    assert_report(Verdict::Inconclusive, make, golden!("inconclusive"));
}

#[test]
fn a_text_is_made_of_the_value_alone() {
    let _: fn(&Report, usize) -> String = whole;
    let _: fn(&ReportedExecution, usize) -> String = describe;
    let _: fn(&ReportedExecution, usize) -> String = so_far;
    // The value outlives the recording, and all that the program had.
    let execution = execution(&scene::stale_pop(exact_stack()), 1);
    assert!(describe(&execution, COLUMNS).contains("state    [1] before the call"));
}

/// A run of 23 executions, with these counts.
fn run(verdict: Verdict, exploration: Exploration, by_verdict: &[(Verdict, u64)]) -> Report {
    let mut report = Report::new("pop_pop".to_owned(), Some("queue::pop_pop".to_owned()));
    report.engine = "loom".to_owned();
    report.verdict = verdict;
    report.coverage.exploration = exploration;
    report.coverage.counts = RunCounts {
        executions: 23,
        shapes: 4,
        histories: 12,
        calls: 92,
        by_verdict: by_verdict.iter().copied().collect(),
        ..RunCounts::default()
    };
    report
}

/// The same by loom.
fn run_on_loom(verdict: Verdict, exploration: Exploration, by_verdict: &[(Verdict, u64)]) -> Report {
    let mut report = run(verdict, exploration, by_verdict);
    report.bounds = vec![Bound::NeverExhaustive { engine: "loom".to_owned() }];
    report.not_modelled = vec!["load buffering".to_owned()];
    report
}

fn execution(recorder: &Recorder, number: u64) -> ReportedExecution {
    let check = check_execution(recorder.recording(), &CheckOptions::default());
    ReportedExecution::new(recorder.recording(), &check.findings, number).expect("something is wrong with it")
}

#[test]
fn coverage_says_how_far_the_run_looked() {
    let limit = Exploration::Limit(Limit { kind: LimitKind::Executions, value: 23 });
    let counts = [(Verdict::Inadmissible, 2), (Verdict::Holds, 21)];
    let holds = || run(Verdict::Holds, Exploration::Complete, &counts);
    let mut within = run_on_loom(Verdict::HoldsWithin, Exploration::Complete, &counts);
    within.inadmissible = Some(execution(&scene::push_beside_pop_none(admitting_stack()), 3).finding);
    within.coverage.counts.calls_without_points = 1;
    within.coverage.counts.left_calls = 1;
    within.coverage.counts.forgotten_states = 5;
    (within.coverage.counts.left_blocks, within.coverage.counts.left_bytes) = (3, 72);
    let mut no_call = holds();
    no_call.coverage.counts.calls = 0;
    let faulty = [(Verdict::Violated, 1), (Verdict::Holds, 16)];
    let mut violated = run_on_loom(Verdict::Violated, Exploration::Stopped, &faulty);
    violated.coverage.counts.executions = 17;
    violated.show(Some(execution(&scene::stale_pop(exact_stack()), 17)), None);
    let error = "the environment variable CDSSPEC_SEED is \"x\": expected a whole number".to_owned();
    let reports = [
        holds(),
        within,
        run_on_loom(Verdict::Inconclusive, limit, &counts),
        violated,
        no_call,
        Report::unusable("pop_pop".to_owned(), None, error),
    ];
    for columns in [40, 61, 80, 300] {
        reports.iter().for_each(|report| assert_fits(&whole(report, columns), columns));
    }
    let text = reports.each_ref().map(|report| whole(report, COLUMNS)).join("--------\n");
    assert_fits(&text, COLUMNS);
    expect_file!["golden/coverage.txt"].assert_eq(&text);
}

#[test]
fn with_many_threads_the_calls_are_a_list() {
    let mut scene = scene::Scene::new(exact_stack());
    let threads: Vec<_> = (0..12).map(|_| scene.spawn()).collect();
    for thread in threads {
        scene.push(thread, 1, Release);
    }
    let findings = [Finding::EngineFailed("for a test".to_owned())];
    let text = describe(&ReportedExecution::new(scene.complete().recording(), &findings, 1).unwrap(), 80);
    assert_fits(&text, 80);
    assert!(
        text.contains(
            "\n| thread    | call        |\n| --------- | ----------- |\n| thread 1  | #0 push(1)  |\n"
        ),
        "{text}"
    );
    assert!(text.contains("\n| thread 12 | #11 push(1) |\n"), "{text}");
}

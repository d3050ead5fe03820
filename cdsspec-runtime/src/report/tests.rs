//! Golden reports, one for each verdict.

use super::scene::{self, admitting_stack, exact_stack, lazy_stack};
use super::{Coverage, describe, unusable};
use crate::check::{CheckOptions, Finding, Verdict, check_execution};
use crate::process::{COLUMNS, width};
use crate::record::{
    Ending, Exploration, Limit, LimitKind, MemoryFaultKind, Recorder, WaitReason, operation_name,
};
use expect_test::{ExpectFile, expect_file};
use std::collections::BTreeMap;
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
    (check.verdict, describe(recorder.recording(), &check.findings, COLUMNS))
}

fn assert_report(verdict: Verdict, make: impl Fn() -> Recorder, expected: ExpectFile) {
    let (found, text) = report(&make());
    assert_eq!(found, verdict, "{text}");
    let recorder = make();
    let check = check_execution(recorder.recording(), &CheckOptions::default());
    for columns in [40, 41, 57, 72, 80, 99, COLUMNS, 120, 300] {
        assert_fits(&describe(recorder.recording(), &check.findings, columns), columns);
    }
    assert_eq!(report(&make()).1, text, "twice is the same");
    assert!(text.starts_with(&format!("{verdict}: ")), "{text}");
    expected.assert_eq(&text);
}

#[test]
fn a_violation_names_the_call_the_rule_the_state_and_the_history() {
    assert_report(Verdict::Violated, || scene::stale_pop(exact_stack()), expect_file!["golden/violated.txt"]);
}

#[test]
fn an_unjustified_call_comes_with_a_subhistory() {
    assert_report(
        Verdict::Unjustified,
        || scene::stale_pop(lazy_stack()),
        expect_file!["golden/unjustified.txt"],
    );
}

#[test]
fn a_fault_under_one_order_of_the_seqcst_operations_comes_with_the_order() {
    assert_report(Verdict::Unjustified, scene::pop_of_another_word, expect_file!["golden/sc_order.txt"]);
}

#[test]
fn an_inadmissible_pair_comes_with_its_rule() {
    assert_report(
        Verdict::Inadmissible,
        || scene::push_beside_pop_none(admitting_stack()),
        expect_file!["golden/inadmissible.txt"],
    );
}

#[test]
fn a_cycle_is_shown_call_by_call() {
    assert_report(Verdict::Cyclic, scene::cycle, expect_file!["golden/cyclic.txt"]);
}

#[test]
fn a_race_names_both_accesses_and_what_would_order_them() {
    assert_report(Verdict::Race, scene::race, expect_file!["golden/race.txt"]);
}

#[test]
fn memory_that_is_not_yet_initialised_comes_with_the_allocation_and_the_use() {
    let make = || scene::memory(|usage, _| MemoryFaultKind::Unallocated { usage });
    assert_report(Verdict::Uninitialised, make, expect_file!["golden/uninitialised.txt"]);
    let make = || {
        scene::memory(|usage, initialised| {
            let source = scene::line(31);
            MemoryFaultKind::Uninitialised { usage, initialised, source }
        })
    };
    assert_report(Verdict::Uninitialised, make, expect_file!["golden/uninitialised_again.txt"]);
}

#[test]
fn memory_that_was_freed_comes_with_the_use_and_the_free() {
    let make = || scene::memory(|usage, freed| MemoryFaultKind::Freed { usage, freed });
    assert_report(Verdict::Freed, make, expect_file!["golden/freed.txt"]);
    let make = || scene::memory(|_, freed| MemoryFaultKind::FreedTwice { first: freed, second: freed });
    assert_report(Verdict::Freed, make, expect_file!["golden/freed_twice.txt"]);
}

#[test]
fn memory_that_is_left_comes_with_its_allocation() {
    let make = || scene::memory(|_, _| MemoryFaultKind::Leaked { blocks: 2 });
    assert_report(Verdict::Leak, make, expect_file!["golden/leak.txt"]);
}

#[test]
fn a_panic_begins_with_its_message() {
    assert_report(Verdict::Panic, scene::panic, expect_file!["golden/panic.txt"]);
}

#[test]
fn a_deadlock_says_what_each_thread_waits_for() {
    let make = || scene::blocked(operation_name!("lock"), WaitReason::Blocking);
    assert_report(Verdict::Deadlock, make, expect_file!["golden/deadlock.txt"]);
}

#[test]
fn a_livelock_says_who_spins() {
    let make = || scene::blocked(operation_name!("load", Load), WaitReason::Spinning);
    assert_report(Verdict::Livelock, make, expect_file!["golden/livelock.txt"]);
}

#[test]
fn a_mistake_in_a_specification_says_what_to_do() {
    assert_report(Verdict::SpecError, scene::stray_marker, expect_file!["golden/spec_error.txt"]);
}

#[test]
fn a_nondeterministic_program_is_told_what_to_leave_out() {
    let ending = || Ending::Nondeterministic("the program did `load` where it did `store` before".to_owned());
    let make = || scene::ended(ending());
    assert_report(Verdict::Nondeterministic, make, expect_file!["golden/nondeterministic.txt"]);
}

#[test]
fn an_execution_at_its_limit_says_how_to_raise_it() {
    let make = || scene::ended(Ending::Limit(Limit { kind: LimitKind::Branches, value: 1000 }));
    assert_report(Verdict::Inconclusive, make, expect_file!["golden/inconclusive.txt"]);
}

fn coverage<'a>(
    verdict: Verdict,
    exploration: &'a Exploration,
    counts: &'a BTreeMap<Verdict, u64>,
    texts: &'a [Vec<String>; 2],
) -> Coverage<'a> {
    Coverage {
        test: Some("queue::pop_pop"),
        engine: "loom",
        verdict,
        executions: 23,
        exploration,
        shown: None,
        bounds: &texts[0],
        counts,
        by_products: 0,
        delayed: 0,
        shapes: 4,
        histories: 12,
        calls: 92,
        left_calls: 0,
        unchecked_objects: 0,
        calls_without_points: 0,
        left: (0, 0),
        inadmissible: None,
        overrides: "",
        notes: &[],
        is_refused: false,
        helps: None,
        not_modelled: &texts[1],
    }
}

#[test]
fn coverage_says_how_far_the_run_looked() {
    let limit = Exploration::Limit(Limit { kind: LimitKind::Executions, value: 23 });
    let counts = BTreeMap::from([(Verdict::Inadmissible, 2), (Verdict::Holds, 21)]);
    let faulty = BTreeMap::from([(Verdict::Violated, 1), (Verdict::Holds, 16)]);
    let none = [Vec::new(), Vec::new()];
    let loom = [vec!["loom is never exhaustive".to_owned()], vec!["load buffering".to_owned()]];
    let whole = |shown, coverage: &Coverage<'_>| {
        for columns in [40, 61, 80, 300] {
            assert_fits(&super::whole(shown, coverage, columns), columns);
        }
        super::whole(shown, coverage, COLUMNS)
    };
    let holds = coverage(Verdict::Holds, &Exploration::Complete, &counts, &none);
    let reports = [
        whole(None, &holds),
        whole(
            None,
            &Coverage {
                verdict: Verdict::HoldsWithin,
                left: (3, 72),
                inadmissible: Some("inadmissible: #1 and #2 are not ordered"),
                calls_without_points: 1,
                left_calls: 1,
                bounds: &loom[0],
                overrides: "",
                not_modelled: &loom[1],
                ..holds
            },
        ),
        whole(None, &coverage(Verdict::Inconclusive, &limit, &counts, &loom)),
        whole(
            Some("violated: `pop` returned None, the specification says Some(1)\n"),
            &Coverage {
                shown: Some(17),
                executions: 17,
                ..coverage(Verdict::Violated, &Exploration::Stopped, &faulty, &loom)
            },
        ),
        whole(None, &Coverage { calls: 0, ..holds }),
        unusable(&"the environment variable CDSSPEC_SEED is \"x\": expected a whole number", COLUMNS),
    ];
    let text = reports.join("--------\n");
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
    let text = describe(scene.complete().recording(), &[Finding::EngineFailed("for a test".to_owned())], 80);
    assert_fits(&text, 80);
    assert!(
        text.contains(
            "\n| thread    | call        |\n| --------- | ----------- |\n| thread 1  | #0 push(1)  |\n"
        ),
        "{text}"
    );
    assert!(text.contains("\n| thread 12 | #11 push(1) |\n"), "{text}");
}

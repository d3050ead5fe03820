//! What several machines found that each checked a part is what one finds that checks all.

use cdsspec_runtime::check::Verdict;
use cdsspec_runtime::lineup::{Checks, LineUp};
use cdsspec_runtime::model::Shard;
use cdsspec_runtime::scenario::Scenario;
use cdsspec_runtime::sync::Mutex;
use cdsspec_runtime::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Loses increments.
#[derive(Default)]
struct Counter(AtomicU32);

fn counter() -> Scenario<Counter> {
    Scenario::new(Counter::default).op("get()", |counter| counter.0.load(SeqCst).into()).op(
        "inc()",
        |counter| {
            counter.0.store(counter.0.load(SeqCst) + 1, SeqCst);
            ().into()
        },
    )
}

#[derive(Default)]
struct Stack(Mutex<Vec<u32>>);

fn stack() -> Scenario<Stack> {
    Scenario::new(Stack::default)
        .op_for("push", [1, 2], |stack, value| {
            stack.0.lock().expect("nobody panics with it").push(value);
            ().into()
        })
        .op("pop()", |stack| stack.0.lock().expect("nobody panics with it").pop().into())
        .once("push")
        .test([["push(1)", "pop()"], ["pop()", "pop()"]])
}

/// A file of this test's own, which is not there.
fn file(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}.jsonl"));
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{error}"),
        _ => path,
    }
}

fn merge(files: &[PathBuf]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-cdsspec"));
    command.args(["cdsspec", "merge"]).args(files).output().expect("it runs")
}

#[track_caller]
fn assert_refused(files: &[PathBuf], expected: &str) {
    let output = merge(files);
    let error = String::from_utf8(output.stderr).expect("it is text");
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(expected), "{error:?} lacks {expected:?}");
    assert_eq!(output.stdout, b"", "nothing is merged");
}

fn shard(index: usize, count: usize) -> Shard {
    Shard::new(index, count).expect("there is one")
}

/// Checks all parts, the last one first, each into a file.
fn parts<T: Send + Sync + 'static>(
    test: &str,
    count: usize,
    lineup: &LineUp<T>,
    check: impl Fn(&LineUp<T>) -> Checks,
) -> (Vec<PathBuf>, Vec<Checks>) {
    let part = |index| {
        let path = file(&format!("{test}-{index}-{count}"));
        let checks = check(&lineup.clone().shard(shard(index, count)).results(&path));
        (path, checks)
    };
    (1..=count).rev().map(part).unzip()
}

/// Looks whether parts come to the same as the whole: the same bytes.
fn assert_merged<T: Send + Sync + 'static>(
    test: &str,
    counts: &[usize],
    lineup: &LineUp<T>,
    check: impl Fn(&LineUp<T>) -> Checks,
) -> Checks {
    let whole = check(&lineup.clone().shard(Shard::WHOLE));
    let code = if whole.holds() { 0 } else { 1 };
    for &count in counts {
        let (files, _) = parts(test, count, lineup, &check);
        let output = merge(&files);
        let text = String::from_utf8(output.stdout).expect("it is text");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{count} parts: {text}{error}");
        let (name, text) = text.split_once("\n\n").expect("the name of the search stands before it");
        let title = &whole.title;
        assert_eq!(name, format!("cargo-cdsspec merge {test}: `{title}`, {}", whole.tests));
        assert_eq!(text, format!("{whole}\n"), "{count} parts");
    }
    whole
}

#[test]
fn all_that_hold() {
    let whole = assert_merged("all_that_hold", &[1, 2, 3, 5], &LineUp::new(stack()), |lineup| {
        lineup.check_every(2, 1)
    });
    assert_eq!((whole.verdict, whole.checked), (Verdict::HoldsWithin, 4), "{whole}");
}

#[test]
fn a_part_without_tests() {
    let lineup = LineUp::new(stack());
    let check = |lineup: &LineUp<Stack>| lineup.check_every(2, 1);
    let whole = assert_merged("a_part_without_tests", &[7], &lineup, check);
    assert_eq!(whole.checked, 4, "{whole}");
    let last = check(&lineup.clone().shard(shard(7, 7)));
    assert_eq!((last.verdict, last.checked), (Verdict::HoldsWithin, 0));
    let text = last.to_string();
    assert!(text.starts_with("holds_within: no test of `Stack` is in the shard 7/7\n"), "{text}");
    // Nor is anything in the whole.
    let none = Scenario::new(Stack::default);
    assert_eq!(LineUp::new(none).shard(shard(2, 7)).check_every(2, 1).verdict, Verdict::Inconclusive);
}

#[test]
fn a_first_failure() {
    let whole = assert_merged("a_first_failure", &[1, 2, 3, 4, 6], &LineUp::new(counter()), |lineup| {
        lineup.check_every(2, 2)
    });
    assert_eq!((whole.verdict, whole.failed), (Verdict::Violated, 1), "{whole}");
    assert!(whole.checked > 3, "every part has something before it: {whole}");
}

#[test]
fn all_failures() {
    let lineup = LineUp::new(counter()).stop_at_first(false).jobs(3);
    let whole = assert_merged("all_failures", &[2, 3], &lineup, |lineup| lineup.check_every(2, 3));
    assert!(whole.failed > 1, "{whole}");
}

#[test]
fn a_sample() {
    let whole =
        assert_merged("a_sample", &[2, 3], &LineUp::new(stack()), |lineup| lineup.random_check(2, 2, 9, 7));
    assert!(whole.left_out.excluded > 0, "{whole}");
}

#[test]
fn inconclusive_tests() {
    let lineup = LineUp::new(counter()).set_up(|builder| builder.executions_max(3));
    let whole = assert_merged("inconclusive_tests", &[2, 3], &lineup, |lineup| lineup.check_every(2, 1));
    assert_eq!(whole.verdict, Verdict::Inconclusive, "{whole}");
}

#[test]
fn a_part_that_passes_says_that_it_is_one() {
    let part = LineUp::new(stack()).shard(shard(1, 2)).check_every(2, 1);
    assert_eq!(part.verdict, Verdict::HoldsWithin);
    let text = part.to_string();
    assert!(
        text.contains("\n  bounds  shard 1/2: the other tests are checked elsewhere, or not at all\n"),
        "{text}"
    );
}

#[test]
fn what_is_no_whole_is_refused() {
    let check = |lineup: &LineUp<Stack>| lineup.check_every(2, 1);
    let lineup = LineUp::new(stack());
    let (files, _) = parts("no_whole", 3, &lineup, check);
    assert_refused(&files[..2], "the shard 1/3 is missing");
    assert_refused(&files[..1], "the shards 1/3, 2/3 are missing");
    assert_refused(&[&files[..], &files[..1]].concat(), "the shard 3/3 is there twice");

    let (others, _) = parts("no_whole_of_two", 2, &lineup, check);
    assert_refused(&[&files[..2], &others[..1]].concat(), "the tests are split in 3, and in 2");

    let limited = lineup.clone().set_up(|builder| builder.executions_max(99));
    let (others, _) = parts("no_whole_limited", 3, &limited, check);
    assert_refused(&[&files[..2], &others[2..]].concat(), "are of different searches: the one has");

    let seeded = |seed| move |lineup: &LineUp<Stack>| lineup.random_check(2, 1, 4, seed);
    let (ones, _) = parts("no_whole_seed_1", 2, &lineup, seeded(1));
    let (twos, _) = parts("no_whole_seed_2", 2, &lineup, seeded(2));
    assert_refused(&[ones[0].clone(), twos[1].clone()], "drawn from seed 1: the shard 1/2 is missing");
    assert_refused(
        &[ones[0].clone(), twos[1].clone()],
        "of other tests: 4 of 2 threads with 1 calls each, drawn from seed 2",
    );
}

#[test]
fn what_was_cut_or_changed_is_refused() {
    let (files, _) = parts("cut", 2, &LineUp::new(stack()), |lineup| lineup.check_every(2, 1));
    let text = std::fs::read_to_string(&files[0]).expect("it is there");
    let with = |text: &str| {
        let path = file("cut-changed");
        std::fs::write(&path, text).expect("it can be written");
        [path, files[1].clone()]
    };
    assert_eq!(merge(&with(&text)).status.code(), Some(0));
    assert_refused(&with(&text[..text.len() / 2]), "one that was cut");
    assert_refused(
        &with(&text.replacen("\"format\":1", "\"format\":2", 1)),
        "the form of these results is 2",
    );
    assert_refused(
        &with(&text.replacen("\"place\":1", "\"place\":3", 1)),
        "the test 3 stands where 1 should",
    );
    assert_refused(&with(&text.replacen("\"total\":4", "\"total\":5", 1)), "they have");
    assert_refused(&with(&text.replacen("\"total\":4", "\"total\":null", 1)), "it ended before its end");
    assert_refused(
        &with(&text.replacen("\"verdict\":\"holds_within\"", "\"verdict\":\"race_within\"", 1)),
        "no line of results",
    );
    assert_refused(
        &with(&text.replacen("\"verdict\":\"holds_within\"", "\"verdict\":\"race\"", 1)),
        "it went on behind a failure",
    );
    let lowered = |text: &str| text.replacen("\"total\":4", "\"total\":2", 1);
    let other = file("cut-lowered");
    let other_text = std::fs::read_to_string(&files[1]).expect("it is there");
    std::fs::write(&other, lowered(&other_text)).expect("it can be written");
    let [first, _] = with(&lowered(&text));
    assert_refused(&[first, other], "it has more than the 2 tests");
    let start = text.find(",{\"place\":3").expect("it has two tests");
    let end = text.rfind("]}").expect("it ends");
    assert_refused(&with(&format!("{}{}", &text[..start], &text[end..])), "the test 3 is missing");
    assert_refused(&[file("cut-nothing")], "No such file");
    std::fs::write(file("cut-empty"), "\n").expect("it can be written");
    assert_refused(&[Path::new(env!("CARGO_TARGET_TMPDIR")).join("cut-empty.jsonl")], "there is no line");
}

#[test]
fn several_searches_in_one_file_are_merged_each() {
    let check = |index| {
        let path = file(&format!("several-{index}"));
        for seed in [2, 1] {
            let lineup = LineUp::new(stack()).shard(shard(index, 2)).results(&path);
            assert!(lineup.random_check(2, 1, 4, seed).holds());
        }
        path
    };
    let output = merge(&[check(1), check(2)]);
    let text = String::from_utf8(output.stdout).expect("it is text");
    let names: Vec<_> = text.lines().filter(|line| line.starts_with("cargo-cdsspec ")).collect();
    assert_eq!(names.len(), 2, "{text}");
    assert!(names[0].ends_with("seed 1") && names[1].ends_with("seed 2"), "{names:?}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn results_are_the_same_bytes_whatever_the_number_of_jobs() {
    let lines = |jobs| {
        let path = file(&format!("jobs-{jobs}"));
        let lineup = LineUp::new(counter()).jobs(jobs).results(&path);
        assert!(!lineup.clone().check_every(2, 2).holds());
        assert!(lineup.random_check(3, 1, 9, 3).holds());
        std::fs::read_to_string(path).expect("it is there")
    };
    let one = lines(1);
    assert_eq!(one.lines().count(), 2);
    for jobs in [2, 5] {
        assert_eq!(lines(jobs), one);
    }
}

#[test]
fn json_has_a_line_a_search() {
    let (files, _) = parts("json", 2, &LineUp::new(counter()), |lineup| lineup.check_every(2, 2));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-cdsspec"));
    let output = command.args(["merge", "--json"]).args(files).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(
        (&value["verdict"], &value["shard"], &value["failed"]),
        (&"violated".into(), &"1/1".into(), &1.into())
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_file_that_cannot_be_written_is_no_pass() {
    let checks = LineUp::new(stack())
        .results(Path::new(env!("CARGO_TARGET_TMPDIR")).join("no/folder"))
        .check_every(1, 1);
    assert_eq!(checks.verdict, Verdict::Inconclusive);
    assert!(checks.to_string().starts_with("inconclusive: the results could not be added to "), "{checks}");
}

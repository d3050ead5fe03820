//! What is done about a violation: the variable `CDSSPEC_CONTRACTS`.

use std::process::{Command, Output};

fn run(program: &str, variables: &[(&str, &str)]) -> (String, String, Output) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_misuse"));
    command.arg(program).env("RUST_BACKTRACE", "0").env_remove("CDSSPEC_CONTRACTS");
    command.env_remove("CDSSPEC_CONTRACTS_FOREIGN").envs(variables.iter().copied());
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output)
}

/// Both calls, and where they are.
fn has_both(report: &str) -> bool {
    report.matches("Ring::push (thread ").count() == 2 && report.matches("src/bin/misuse.rs:").count() == 2
}

#[test]
fn a_violation_panics_with_a_report_of_both_calls() {
    for variables in [&[][..], &[("CDSSPEC_CONTRACTS", "panic")]] {
        let (told, report, output) = run("two-producers", variables);
        assert_eq!((told.as_str(), output.status.success()), ("1\n", true), "one of two goes on: {report}");
        assert!(report.contains("panicked at") && has_both(&report), "{report}");
        assert!(report.contains("misused: two producers at once (Req. 1)"), "{report}");
        assert!(!report.contains("backtrace of"), "{report}");
    }
}

#[test]
fn log_goes_on_after_a_report() {
    let (told, report, _) = run("two-producers", &[("CDSSPEC_CONTRACTS", "log")]);
    assert!(told == "2\n" && has_both(&report) && !report.contains("panicked"), "{report}");
}

#[test]
fn abort_ends_the_process_after_a_report() {
    let (told, report, output) = run("two-producers", &[("CDSSPEC_CONTRACTS", "abort")]);
    assert!(told.is_empty() && has_both(&report) && !output.status.success(), "{report}");
    assert_eq!(output.status.code(), None, "a signal");
}

#[test]
fn off_is_silent() {
    let (told, report, _) = run("two-producers", &[("CDSSPEC_CONTRACTS", "off")]);
    assert_eq!((told.as_str(), report.as_str()), ("2\n", ""));
}

#[test]
fn a_word_that_is_no_action_is_told() {
    let (_, report, _) = run("hand-over", &[("CDSSPEC_CONTRACTS", "of")]);
    assert_eq!(report, "cdsspec: CDSSPEC_CONTRACTS is `of`: it takes `panic`, `log`, `abort` or `off`\n");
}

#[test]
fn backtraces_of_both_calls_are_told_where_they_are_asked_for() {
    let (_, report, _) = run("two-producers", &[("CDSSPEC_CONTRACTS", "log"), ("RUST_BACKTRACE", "1")]);
    let (before, call) = report.split_once("backtrace of `call`:").expect(&report);
    let (call, other) = call.split_once("backtrace of `and`:").expect(&report);
    assert!(has_both(before), "{report}");
    assert!(call.contains("push_in_turn") && other.contains("push_in_turn"), "{report}");
}

#[test]
fn a_hand_over_tells_of_an_order_that_is_not_seen() {
    let (told, report, _) = run("hand-over", &[]);
    assert_eq!((told.as_str(), report.as_str()), ("2\n", ""));
}

#[test]
fn threads_of_std_are_noted_once_and_nothing_comes_before_them() {
    let log = ("CDSSPEC_CONTRACTS", "log");
    let (told, report, _) = run("foreign", &[log]);
    assert_eq!(told, "2\n");
    assert_eq!(
        report.matches("was not made by `cdsspec::thread`: nothing that other threads").count(),
        1,
        "{report}"
    );
    assert!(report.contains("a producer that no init happens before (Req. 1)"), "{report}");
    assert!(report.contains("  note  thread "), "{report}");
    let (_, silent, _) = run("foreign", &[log, ("CDSSPEC_CONTRACTS_FOREIGN", "silent")]);
    assert_eq!(silent.matches("nothing that other threads").count(), 0, "{silent}");
}

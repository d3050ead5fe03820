//! Tests that run themselves again, as a child process: what it leaves on its standard error output, and how it ends.

#![allow(dead_code, reason = "each test uses some of it")]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Output, Stdio};

/// Set in the child.
const CHILD: &str = "CHILD_OF_THE_TEST";

/// Whether this process is the child.
pub(crate) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// The name by which the harness knows a test of the module that this stands in.
macro_rules! test_name {
    ($test:expr) => {
        $crate::child::name_in(module_path!(), $test)
    };
}
pub(crate) use test_name;

/// The name of a test of this module, which begins with the crate's.
pub(crate) fn name_in(module: &str, test: &str) -> String {
    let (_, module) = module.split_once("::").expect("it is no root");
    format!("{module}::{test}")
}

/// The test of this name, as a child, with these variables. The harness captures what it prints, as by default.
pub(crate) fn command(test: &str, variables: &[(&str, &str)]) -> Command {
    let file = std::env::current_exe().expect("a test has a file");
    let mut command = Command::new(file);
    command.args(["--exact", test, "--test-threads=1"]).env(CHILD, "1").envs(variables.iter().copied());
    for name in ["CDSSPEC_STRICT", "CDSSPEC_OUTSIDE_NOTE", "CDSSPEC_PROFILE_NOTE"] {
        if !variables.iter().any(|(known, _)| *known == name) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs it to its end.
pub(crate) fn run(test: &str, variables: &[(&str, &str)]) -> Output {
    command(test, variables).output().expect("it runs")
}

/// What it wrote to its standard error output.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The same, each note in a line: those that were too long for one.
pub(crate) fn notes(output: &Output) -> String {
    stderr(output).replace("\n  ", " ")
}

/// Runs it until a line of its standard error output contains `phrase`; then `end` it. All lines, and how it ended.
pub(crate) fn run_until(test: &str, phrase: &str, end: impl FnOnce(&mut Child)) -> (String, ExitStatus) {
    let mut child = command(test, &[]).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it runs");
    let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
    let mut shown = String::new();
    let mut end = Some(end);
    for line in &mut lines {
        shown.push_str(&line.expect("it is text"));
        shown.push('\n');
        if shown.contains(phrase)
            && let Some(end) = end.take()
        {
            end(&mut child);
        }
    }
    (shown, child.wait().expect("it has ended"))
}

//! Builds and runs tests of the copy.

use crate::Outcome;
use crate::copy::Copy;
use crate::runner::{cargo, read_any};
use crate::source::root;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A test that has not ended by then is red. Unbroken, the slowest takes 5 seconds on an idle machine.
pub(super) const TEST_DURATION_MAX: Duration = Duration::from_secs(45);

/// The tests of one binary whose names contain a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Test {
    binary: Binary,
    filter: &'static str,
}

/// What `cargo test` builds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binary {
    /// A file or folder of `tests/`.
    Programs(&'static str),
    /// The units of the runtime.
    RuntimeUnits,
}

impl Test {
    /// Tests of a file or folder of `tests/`.
    pub(super) const fn of(binary: &'static str, filter: &'static str) -> Self {
        Self { binary: Binary::Programs(binary), filter }
    }

    /// Units of the runtime.
    pub(super) const fn of_runtime(filter: &'static str) -> Self {
        Self { binary: Binary::RuntimeUnits, filter }
    }

    fn name(&self) -> String {
        match self.binary {
            Binary::Programs(binary) if self.filter.is_empty() => binary.to_owned(),
            Binary::Programs(binary) => format!("{binary}: {}", self.filter),
            Binary::RuntimeUnits => self.filter.to_owned(),
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Green {
        count: usize,
    },
    Red,
    /// It was killed.
    Endless,
}

/// Builds and runs.
pub(super) struct Suite<'c> {
    copy: &'c Copy,
    /// Where it is built.
    target: PathBuf,
}

impl<'c> Suite<'c> {
    /// Of the worker with this number.
    pub(super) fn new(copy: &'c Copy, worker: usize) -> Self {
        Self { copy, target: root().join(format!("target/mutants/{worker}/build")) }
    }

    /// A test that is red anyway notices nothing, and neither does one that is not there.
    ///
    /// # Errors
    /// Those tests.
    pub(super) fn check_unbroken(&self, tests: &[Test]) -> Outcome {
        let tests: BTreeSet<&Test> = tests.iter().collect();
        let mut mistakes = Vec::new();
        for test in tests {
            match self.run(test)? {
                Run::Green { count: 0 } => mistakes.push(format!("not there: {}", test.name())),
                Run::Green { .. } => {}
                Run::Red => mistakes.push(format!("red without a mutant: {}", test.name())),
                Run::Endless => mistakes.push(format!("too slow without a mutant: {}", test.name())),
            }
        }
        if mistakes.is_empty() { Ok(()) } else { Err(mistakes.join("\n")) }
    }

    /// The first of the tests that is red now, in words.
    ///
    /// # Errors
    /// The copy does not build.
    pub(super) fn first_red(&self, tests: &[Test]) -> Result<Option<String>, String> {
        for test in tests {
            match self.run(test)? {
                Run::Green { .. } => {}
                Run::Red => return Ok(Some(test.name())),
                Run::Endless => return Ok(Some(format!("{} (no end)", test.name()))),
            }
        }
        Ok(None)
    }

    fn run(&self, test: &Test) -> Result<Run, String> {
        let executable = self.build(test.binary)?;
        let child = Command::new(&executable)
            .arg(test.filter)
            .current_dir(self.copy.folder())
            .env("CARGO_MANIFEST_DIR", self.copy.folder())
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", executable.display()))?;
        wait(child)
    }

    /// The executable of these tests.
    fn build(&self, binary: Binary) -> Result<PathBuf, String> {
        let words = match binary {
            Binary::Programs(name) => format!("--package cdsspec --test {name}"),
            Binary::RuntimeUnits => "--package cdsspec-runtime --lib".to_owned(),
        };
        let mut command = cargo(&format!("test --quiet --no-run --message-format=json {words}"));
        command.current_dir(self.copy.folder());
        // Each mutant is a build of its own: four seconds instead of twenty.
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_INCREMENTAL", "1");
        let (messages, is_success) = read_any(command)?;
        let messages: Vec<Value> =
            messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if !is_success {
            let errors = messages.iter().filter_map(|message| message["message"]["rendered"].as_str());
            let errors: Vec<&str> = errors.filter(|text| text.starts_with("error")).collect();
            return Err(format!("the copy does not build:\n{}", errors.join("\n")));
        }
        let executable = messages.iter().rev().find_map(|message| message["executable"].as_str());
        executable.map(PathBuf::from).ok_or_else(|| format!("cargo built no tests: {words}"))
    }
}

/// Waits for tests to end, and ends them if they do not.
fn wait(mut child: Child) -> Result<Run, String> {
    let describe = |error: std::io::Error| format!("tests: {error}");
    let start = Instant::now();
    let mut output = child.stdout.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        output.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    loop {
        match child.try_wait().map_err(describe)? {
            Some(status) if !status.success() => return Ok(Run::Red),
            Some(_) => {
                let text = reader.join().expect("it does not panic").map_err(describe)?;
                return Ok(Run::Green { count: test_count(&text) });
            }
            None if start.elapsed() >= TEST_DURATION_MAX => {
                child.kill().and_then(|()| child.wait()).map_err(describe)?;
                return Ok(Run::Endless);
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// How many tests ran: `running 3 tests`.
fn test_count(text: &str) -> usize {
    let words =
        |line: &str| line.strip_prefix("running ").and_then(|rest| rest.split(' ').next()?.parse().ok());
    text.lines().find_map(words).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_no_test_has_is_seen() {
        assert_eq!(test_count("\nrunning 0 tests\n\ntest result: ok."), 0);
        assert_eq!(test_count("\nrunning 12 tests\n............\n"), 12);
        assert_eq!(test_count("\nrunning 1 test\n.\n"), 1);
        assert_eq!(test_count(""), 0);
    }

    #[test]
    fn tests_that_fail_and_tests_that_pass_are_told_apart() {
        let run = |script: &str| {
            let command = &mut Command::new("sh");
            let child =
                command.args(["-c", script]).stdout(Stdio::piped()).spawn().expect("there is a shell");
            wait(child).expect("it runs")
        };
        assert!(run("echo running 2 tests") == Run::Green { count: 2 });
        assert!(run("echo running 2 tests; exit 101") == Run::Red);
        assert!(run("kill -9 $$") == Run::Red);
    }
}

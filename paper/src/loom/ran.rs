//! Builds the tests of a crate on one side, and runs each by itself, for a limited time.

use super::suite::Suite;
use super::{Side, fetch};
use crate::runner::{cargo, read};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long one test may run.
pub(super) const LIMIT: Duration = Duration::from_secs(20);

/// What the harness says of a test that was to panic.
const NO_PANIC: &str = "test did not panic as expected";

/// What a test came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Result {
    Passed,
    /// With the first line of the report or of the panic.
    Failed(String),
    NoEnd,
    NotBuilt,
}

/// A test that was run.
pub(super) struct Ran {
    pub(super) result: Result,
    /// Over all models in it; `None`: it does not say, or did not end.
    pub(super) executions: Option<u64>,
    pub(super) seconds: f64,
}

/// The tests of a suite, each with the program that it is in.
///
/// # Errors
/// That they are not built.
pub(super) fn build(
    suite: &Suite,
    folder: &Path,
    side: Side,
) -> std::result::Result<Vec<(String, PathBuf)>, String> {
    let Suite { features, targets, .. } = suite;
    let features = if features.is_empty() { String::new() } else { format!("--features {features}") };
    let mut command = cargo(&format!("test --release --no-run --message-format json {targets} {features}"));
    command.current_dir(folder).env("CARGO_TARGET_DIR", fetch::folder().join("built").join(side.name()));
    command.env("RUSTFLAGS", format!("--cfg {} --cap-lints allow", suite.flag)).stderr(Stdio::null());
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("{} is not built on {}", suite.name, side.name()));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let programs = text.lines().filter_map(|line| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_test = message["profile"]["test"] == true;
        message["executable"].as_str().filter(|_| is_test).map(PathBuf::from)
    });
    let mut tests = Vec::new();
    for program in programs {
        let mut list = Command::new(&program);
        list.args(["--list", "--format", "terse"]).current_dir(folder);
        let names = read(list)?;
        let names = names.lines().filter_map(|line| line.strip_suffix(": test"));
        let names = names
            .filter(|name| name.starts_with(suite.prefix) || name.contains(&format!("::{}", suite.prefix)));
        tests.extend(names.map(|name| (name.to_owned(), program.clone())));
    }
    Ok(tests)
}

/// Runs one test.
///
/// # Errors
/// That it cannot be started.
pub(super) fn run(name: &str, program: &Path, folder: &Path) -> std::result::Result<Ran, String> {
    let path = fetch::folder().join("output.txt");
    let describe = |error: std::io::Error| format!("{}: {error}", path.display());
    let output = File::create(&path).map_err(describe)?;
    let begin = Instant::now();
    let mut child = Command::new(program)
        .args(["--exact", "--include-ignored", "--nocapture", name])
        .current_dir(folder)
        .envs([("LOOM_LOG", "off"), ("RUST_BACKTRACE", "0")])
        .stdin(Stdio::null())
        .stdout(output.try_clone().map_err(describe)?)
        .stderr(output)
        .spawn()
        .map_err(|error| error.to_string())?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break Some(status);
        }
        if begin.elapsed() > LIMIT {
            child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
            break None;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let seconds = begin.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&fs::read(&path).map_err(describe)?).into_owned();
    let result = match status {
        None => Result::NoEnd,
        Some(status) if status.success() => Result::Passed,
        Some(_) => Result::Failed(reason(&text)),
    };
    let executions = executions(&text).filter(|_| status.is_some());
    Ok(Ran { result, executions, seconds })
}

/// How many executions all models of a test have had.
fn executions(text: &str) -> Option<u64> {
    let counts = text.lines().filter_map(|line| {
        let (_, rest) = line.split_once(" after ")?;
        rest.strip_suffix(" executions")?.parse::<u64>().ok()
    });
    counts.fold(None, |sum, count| Some(sum.unwrap_or(0) + count))
}

/// What a panic says, or a report: of several the last, which is that of the test. One that was to panic, and did not, says so.
fn reason(text: &str) -> String {
    if text.contains(NO_PANIC) {
        return "it was to panic".to_owned();
    }
    let lines: Vec<_> = text.lines().collect();
    let is_head = |line: &str| line.starts_with("thread '") && line.contains("panicked at");
    let head = lines.iter().rposition(|line| is_head(line));
    head.and_then(|head| lines.get(head + 1)).map_or("it was aborted", |line| line).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn executions_are_added_up_over_the_models_of_a_test() {
        let text =
            "running 1 test\na: holds after 12 executions\nloom: after 30 executions\nafter executions\n";
        assert_eq!((executions(text), executions("test a ... ok")), (Some(42), None));
    }

    #[test]
    fn the_reason_is_the_last_panics() {
        let text = "thread 'a' (1) panicked at a.rs:1:2:\nfirst\n\nthread 'a' (1) panicked at b.rs:1:2:\nrace: the write\n  more\n";
        assert_eq!(reason("note: test did not panic as expected at a.rs:1:2"), "it was to panic");
        assert_eq!((reason(text), reason("")), ("race: the write".to_owned(), "it was aborted".to_owned()));
    }
}

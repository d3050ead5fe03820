//! Builds and runs tests of the copy.

use super::merge::{NOTHING, VARIABLE};
use crate::Outcome;
use crate::copy::Copy;
use crate::runner::{cargo, read_any};
use crate::source::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A test that has not ended by then is red. Unbroken, the slowest takes 5 seconds on an idle machine.
pub(super) const TEST_DURATION_MAX: Duration = Duration::from_secs(20);

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
    /// A file or folder of the tests of contracts on real threads.
    ContractPrograms(&'static str),
    /// The units of the same.
    ContractUnits,
    /// A file or folder of the tests of linearizability.
    LinearizePrograms(&'static str),
    /// A file or folder of the tests of CheckFence.
    FencePrograms(&'static str),
    /// A file or folder of the tests of CheckFence's front end.
    FrontPrograms(&'static str),
    /// A file of the tests of loom's API.
    LoomPrograms(&'static str),
}

impl Binary {
    /// What tells cargo to build it: options, each of which may be given once.
    fn options(&self) -> Vec<String> {
        let options = |package: &[&str], target: String| {
            package.iter().map(|name| format!("--package {name}")).chain([target]).collect()
        };
        match self {
            Self::Programs(name) => options(&["cdsspec"], format!("--test {name}")),
            // With the features that the others ask for: so is the runtime the same for all.
            Self::RuntimeUnits => options(&["cdsspec", "cdsspec-runtime"], "--lib".to_owned()),
            Self::ContractPrograms(name) => options(&["cdsspec-contracts"], format!("--test {name}")),
            Self::ContractUnits => options(&["cdsspec-contracts"], "--lib".to_owned()),
            Self::LinearizePrograms(name) => options(&["cdsspec-linearize"], format!("--test {name}")),
            Self::FencePrograms(name) => options(&["cdsspec-fence"], format!("--test {name}")),
            Self::FrontPrograms(name) => options(&["cdsspec-front"], format!("--test {name}")),
            Self::LoomPrograms(name) => options(&["cdsspec-loom"], format!("--test {name}")),
        }
    }

    /// Whether cargo says in this message that it has built it.
    fn is_built_by(&self, message: &Value) -> bool {
        let (name, kind) = match self {
            Self::Programs(name)
            | Self::ContractPrograms(name)
            | Self::LinearizePrograms(name)
            | Self::FencePrograms(name)
            | Self::FrontPrograms(name)
            | Self::LoomPrograms(name) => (*name, "test"),
            Self::ContractUnits => ("cdsspec_contracts", "lib"),
            Self::RuntimeUnits => ("cdsspec_runtime", "lib"),
        };
        let target = &message["target"];
        target["name"] == name && target["kind"][0] == kind && message["executable"].is_string()
    }
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

    /// Tests of contracts on real threads, of a file or folder.
    pub(super) const fn of_threads(binary: &'static str, filter: &'static str) -> Self {
        Self { binary: Binary::ContractPrograms(binary), filter }
    }

    /// Tests of linearizability, of a file or folder.
    pub(super) const fn of_linearize(binary: &'static str, filter: &'static str) -> Self {
        Self { binary: Binary::LinearizePrograms(binary), filter }
    }

    /// Tests of CheckFence, of a file or folder.
    pub(super) const fn of_fence(binary: &'static str, filter: &'static str) -> Self {
        Self { binary: Binary::FencePrograms(binary), filter }
    }

    /// Tests of CheckFence's front end, of a file or a folder.
    pub(super) const fn of_front(binary: &'static str, filter: &'static str) -> Self {
        Self { binary: Binary::FrontPrograms(binary), filter }
    }

    /// Tests of loom's API, of a file.
    pub(super) const fn of_loom(binary: &'static str, filter: &'static str) -> Self {
        Self { binary: Binary::LoomPrograms(binary), filter }
    }

    /// Units of contracts.
    pub(super) const fn of_contracts(filter: &'static str) -> Self {
        Self { binary: Binary::ContractUnits, filter }
    }

    fn name(&self) -> String {
        match self.binary {
            Binary::Programs(binary)
            | Binary::ContractPrograms(binary)
            | Binary::LinearizePrograms(binary)
            | Binary::FencePrograms(binary)
            | Binary::FrontPrograms(binary)
            | Binary::LoomPrograms(binary) => match self.filter {
                "" => binary.to_owned(),
                filter => format!("{binary}: {filter}"),
            },
            Binary::RuntimeUnits | Binary::ContractUnits => self.filter.to_owned(),
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

/// Tests of the copy that are built.
pub(super) struct Suite<'c> {
    copy: &'c Copy,
    executables: BTreeMap<Binary, PathBuf>,
}

impl<'c> Suite<'c> {
    /// Builds what these tests need, in the target folder of the workspace: so all that does not depend on the copy is there already.
    ///
    /// # Errors
    /// The copy does not build.
    pub(super) fn build(copy: &'c Copy, tests: &BTreeSet<Test>) -> Result<Self, String> {
        let binaries: BTreeSet<Binary> = tests.iter().map(|test| test.binary).collect();
        let options: BTreeSet<String> = binaries.iter().flat_map(Binary::options).collect();
        let options: Vec<String> = options.into_iter().collect();
        // To build it takes longer than to run it: the tests are small.
        let profile = "--config profile.dev.package.cdsspec-runtime.opt-level=1";
        let mut command =
            cargo(&format!("test --quiet --no-run --message-format=json {profile} {}", options.join(" ")));
        command.current_dir(copy.folder()).env("CARGO_TARGET_DIR", root().join("target"));
        let (messages, is_success) = read_any(command)?;
        let messages: Vec<Value> =
            messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if !is_success {
            let errors = messages.iter().filter_map(|message| message["message"]["rendered"].as_str());
            let errors: Vec<&str> = errors.filter(|text| text.starts_with("error")).collect();
            return Err(format!("the copy does not build:\n{}", errors.join("\n")));
        }
        let executable = |binary: Binary| {
            let artifact = messages.iter().find(|message| binary.is_built_by(message));
            let path = artifact.and_then(|message| message["executable"].as_str());
            path.map(|path| (binary, path.into()))
                .ok_or_else(|| format!("cargo did not build {}", binary.options().join(" ")))
        };
        let executables = binaries.into_iter().map(executable).collect::<Result<_, _>>()?;
        Ok(Self { copy, executables })
    }

    /// A test that is red anyway notices nothing, and neither does one that is not there.
    ///
    /// # Errors
    /// It is one of these.
    pub(super) fn check_unbroken(&self, test: Test) -> Outcome {
        let mistake = match self.run(&test, NOTHING)? {
            Run::Green { count: 0 } => "not there",
            Run::Green { .. } => return Ok(()),
            Run::Red => "red without a mutant",
            Run::Endless => "too slow without a mutant",
        };
        Err(format!("{mistake}: {}", test.name()))
    }

    /// The first of the tests that is red with the mutant of this number, and that in words.
    ///
    /// # Errors
    /// A test cannot be run.
    pub(super) fn first_red(&self, tests: &[Test], mutant: usize) -> Result<Option<(Test, String)>, String> {
        for test in tests {
            let end = match self.run(test, mutant)? {
                Run::Green { .. } => continue,
                Run::Red => "",
                Run::Endless => " (no end)",
            };
            return Ok(Some((*test, test.name() + end)));
        }
        Ok(None)
    }

    fn run(&self, test: &Test, mutant: usize) -> Result<Run, String> {
        let executable = &self.executables[&test.binary];
        let child = Command::new(executable)
            .arg(test.filter)
            .current_dir(self.copy.folder())
            .env("CARGO_MANIFEST_DIR", self.copy.folder())
            .env("RUST_BACKTRACE", "0")
            .env(VARIABLE, mutant.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", executable.display()))?;
        wait(child)
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
    fn units_of_two_crates_are_built_by_one_command() {
        let all = [Binary::RuntimeUnits, Binary::ContractUnits, Binary::Programs("a")];
        let options: BTreeSet<String> = all.iter().flat_map(Binary::options).collect();
        let options: Vec<String> = options.into_iter().collect();
        let packages = "--package cdsspec --package cdsspec-contracts --package cdsspec-runtime";
        assert_eq!(options.join(" "), format!("--lib {packages} --test a"));
    }

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

//! Builds and runs tests of the copy.

use super::merge::{NOTHING, VARIABLE};
use crate::Outcome;
use crate::copy::Copy;
use crate::runner::{cargo, read, read_any};
use crate::source::root;
use crate::test_program::program_with;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A test that has not ended by then is red. Unbroken, the slowest takes 5 seconds on an idle machine.
pub(super) const TEST_DURATION_MAX: Duration = Duration::from_secs(20);

/// The tests of one binary, or of one module of it, whose names contain a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Test {
    package: &'static str,
    source: Source,
    filter: &'static str,
}

/// Where tests are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// Units.
    Library,
    /// A file or folder of `tests/`: a test program, or a module of one.
    Programs(&'static str),
}

/// What `cargo test` builds: of a package the library, or the test program of this name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Binary {
    package: &'static str,
    program: Option<String>,
}

impl Binary {
    /// What tells cargo to build it: options, each of which may be given once.
    fn options(&self) -> Vec<String> {
        let target = self.program.as_ref().map_or("--lib".to_owned(), |name| format!("--test {name}"));
        // With the features that the others ask for: so is the runtime the same for all.
        let beside = if self.package == "cdsspec-runtime" { "cdsspec" } else { self.package };
        let packages = BTreeSet::from([beside, self.package]);
        packages.into_iter().map(|name| format!("--package {name}")).chain([target]).collect()
    }

    /// Whether cargo says in this message that it has built it.
    fn is_built_by(&self, message: &Value) -> bool {
        let library = self.package.replace('-', "_");
        let (name, kind) =
            self.program.as_ref().map_or((library.as_str(), "lib"), |name| (name.as_str(), "test"));
        let target = &message["target"];
        target["name"] == name && target["kind"][0] == kind && message["executable"].is_string()
    }
}

impl Test {
    /// Tests of a file or folder of `tests/`.
    pub(super) const fn of(file: &'static str, filter: &'static str) -> Self {
        Self { package: "cdsspec", source: Source::Programs(file), filter }
    }

    /// Units of the runtime.
    pub(super) const fn of_runtime(filter: &'static str) -> Self {
        Self { package: "cdsspec-runtime", source: Source::Library, filter }
    }

    /// Tests of contracts on real threads, of a file or folder.
    pub(super) const fn of_threads(file: &'static str, filter: &'static str) -> Self {
        Self { package: "cdsspec-contracts", source: Source::Programs(file), filter }
    }

    /// Tests of linearizability, of a file or folder.
    pub(super) const fn of_linearize(file: &'static str, filter: &'static str) -> Self {
        Self { package: "cdsspec-linearize", source: Source::Programs(file), filter }
    }

    /// Tests of CheckFence, of a file or folder.
    pub(super) const fn of_fence(file: &'static str, filter: &'static str) -> Self {
        Self { package: "cdsspec-fence", source: Source::Programs(file), filter }
    }

    /// Tests of CheckFence's front end, of a file or a folder.
    pub(super) const fn of_front(binary: &'static str, filter: &'static str) -> Self {
        Self { package: "cdsspec-front", source: Source::Programs(binary), filter }
    }

    /// Tests of loom's API, of a file.
    pub(super) const fn of_loom(file: &'static str, filter: &'static str) -> Self {
        Self { package: "cdsspec-loom", source: Source::Programs(file), filter }
    }

    /// Units of contracts.
    pub(super) const fn of_contracts(filter: &'static str) -> Self {
        Self { package: "cdsspec-contracts", source: Source::Library, filter }
    }

    fn name(&self) -> String {
        match self.source {
            Source::Programs(file) if self.filter.is_empty() => file.to_owned(),
            Source::Programs(file) => format!("{file}: {}", self.filter),
            Source::Library => self.filter.to_owned(),
        }
    }

    /// The binary that has these tests.
    ///
    /// # Errors
    /// No test program has the file.
    fn binary(&self) -> Result<Binary, String> {
        let program = match self.source {
            Source::Library => None,
            Source::Programs(file) => Some(program_with(folder_of(self.package), file)?),
        };
        Ok(Binary { package: self.package, program })
    }

    /// Which tests of its binary these are.
    fn choose<'n>(&self, binary: &Binary, names: &'n [String]) -> Vec<&'n str> {
        let module = match self.source {
            Source::Programs(file) if binary.program.as_deref() != Some(file) => format!("{file}::"),
            _ => String::new(),
        };
        let is_meant = |name: &&str| name.starts_with(&module) && name.contains(self.filter);
        names.iter().map(String::as_str).filter(is_meant).collect()
    }
}

/// The folder of a package.
fn folder_of(package: &str) -> &str {
    if package == "cdsspec" { "." } else { package }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Green,
    Red,
    /// It was killed.
    Endless,
}

/// Tests of the copy that are built.
pub(super) struct Suite<'c> {
    copy: &'c Copy,
    executables: BTreeMap<Binary, Executable>,
}

/// A binary that is built.
struct Executable {
    path: PathBuf,
    /// The names of its tests.
    tests: Vec<String>,
}

impl<'c> Suite<'c> {
    /// Builds what these tests need, in the target folder of the workspace: so all that does not depend on the copy is there already.
    ///
    /// # Errors
    /// The copy does not build.
    pub(super) fn build(copy: &'c Copy, tests: &BTreeSet<Test>) -> Result<Self, String> {
        let binaries: BTreeSet<Binary> = tests.iter().map(Test::binary).collect::<Result<_, _>>()?;
        let options: BTreeSet<String> = binaries.iter().flat_map(Binary::options).collect();
        let options: Vec<String> = options.into_iter().collect();
        let mut command =
            cargo(&format!("test --quiet --no-run --message-format=json {}", options.join(" ")));
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
            let path = path.ok_or_else(|| format!("cargo did not build {}", binary.options().join(" ")))?;
            Ok((binary, Executable { path: path.into(), tests: list(copy, path)? }))
        };
        let executables = binaries.into_iter().map(executable).collect::<Result<_, String>>()?;
        Ok(Self { copy, executables })
    }

    /// A test that is red anyway notices nothing.
    ///
    /// # Errors
    /// It is one.
    pub(super) fn check_unbroken(&self, test: Test) -> Outcome {
        let mistake = match self.run(&test, NOTHING)? {
            Run::Green => return Ok(()),
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
                Run::Green => continue,
                Run::Red => "",
                Run::Endless => " (no end)",
            };
            return Ok(Some((*test, test.name() + end)));
        }
        Ok(None)
    }

    fn run(&self, test: &Test, mutant: usize) -> Result<Run, String> {
        let binary = test.binary()?;
        let Executable { path, tests } = &self.executables[&binary];
        let chosen = test.choose(&binary, tests);
        // Without a name all would run, and the mutant would be noticed by any.
        if chosen.is_empty() {
            return Err(format!("not there: {}", test.name()));
        }
        let child = command(self.copy, path)
            .arg("--exact")
            .args(chosen)
            .env(VARIABLE, mutant.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        wait(child)
    }
}

/// What runs a binary as `cargo test` does.
fn command(copy: &Copy, executable: &Path) -> Command {
    let mut command = Command::new(executable);
    let folder = copy.folder();
    command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder).env("RUST_BACKTRACE", "0");
    command
}

/// The names of the tests of a binary.
///
/// # Errors
/// It cannot be run, or has none.
fn list(copy: &Copy, executable: &str) -> Result<Vec<String>, String> {
    let mut command = command(copy, Path::new(executable));
    command.args(["--list", "--format=terse"]);
    let names = names(&read(command)?);
    if names.is_empty() { Err(format!("{executable} lists no tests")) } else { Ok(names) }
}

/// The names of a list: `module::name: test`.
fn names(list: &str) -> Vec<String> {
    list.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// Waits for tests to end, and ends them if they do not.
fn wait(mut child: Child) -> Result<Run, String> {
    let describe = |error: std::io::Error| format!("tests: {error}");
    let start = Instant::now();
    loop {
        match child.try_wait().map_err(describe)? {
            Some(status) => return Ok(if status.success() { Run::Green } else { Run::Red }),
            None if start.elapsed() >= TEST_DURATION_MAX => {
                child.kill().and_then(|()| child.wait()).map_err(describe)?;
                return Ok(Run::Endless);
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(package: &'static str) -> Binary {
        Binary { package, program: None }
    }

    #[test]
    fn units_of_two_crates_are_built_by_one_command() {
        let program = Binary { package: "cdsspec", program: Some("a".to_owned()) };
        let all = [library("cdsspec-runtime"), library("cdsspec-contracts"), program];
        let options: BTreeSet<String> = all.iter().flat_map(Binary::options).collect();
        let options: Vec<String> = options.into_iter().collect();
        let packages = "--package cdsspec --package cdsspec-contracts --package cdsspec-runtime";
        assert_eq!(options.join(" "), format!("--lib {packages} --test a"));
    }

    #[test]
    fn tests_are_chosen_by_their_module_and_a_text() {
        let names = names("a::x: test\na::xy: test\n\nb::a::x: test\nx: test\nbench: benchmark\n");
        let binary = Binary { package: "cdsspec", program: Some("all".to_owned()) };
        let chosen = |file, filter| Test::of(file, filter).choose(&binary, &names);
        assert_eq!(chosen("a", ""), ["a::x", "a::xy"]);
        assert_eq!(chosen("a", "xy"), ["a::xy"]);
        assert_eq!(chosen("b", "x"), ["b::a::x"]);
        assert!(chosen("c", "").is_empty() && chosen("a", "z").is_empty());
        // A program of its own, and units.
        assert_eq!(chosen("all", "x"), ["a::x", "a::xy", "b::a::x", "x"]);
        assert_eq!(Test::of_runtime("a::").choose(&library("cdsspec-runtime"), &names).len(), 3);
    }

    #[test]
    fn tests_that_fail_and_tests_that_pass_are_told_apart() {
        let run = |script: &str| {
            let child = Command::new("sh").args(["-c", script]).spawn().expect("there is a shell");
            wait(child).expect("it runs")
        };
        assert!(run("exit 0") == Run::Green);
        assert!(run("exit 101") == Run::Red);
        assert!(run("kill -9 $$") == Run::Red);
    }
}

//! How crates that use cdsspec are built: `tests/fixture` is a workspace of such crates, in all its builds.
//!
//! Each test runs cargo on a copy of the fixture, in the target folder, with the lock file of this workspace: so nothing is downloaded
//! that was not already, and the sources stay as they are. The crates of the fixture deny all warnings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The folder of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this package is two folders down")
}

#[test]
fn a_plain_build_has_no_run_time_dependency() {
    let tree = Fixture::get().read("tree --workspace --edges normal --prefix none", Flags::None);
    let has = |name: &str| tree.lines().any(|line| line.starts_with(&format!("{name} v")));
    assert!(has("mailbox") && has("behind_facade") && has("cdsspec") && has("cdsspec-macros"), "{tree}");
    for name in ["cdsspec-contracts", "cdsspec-runtime", "loom", "inventory", "serde"] {
        assert!(!has(name), "{name} is a dependency of a plain build:\n{tree}");
    }
}

#[test]
fn a_plain_build_is_not_instrumented_and_does_not_warn() {
    let fixture = Fixture::get();
    fixture.read("build --workspace", Flags::None);
    let output = fixture.read("run --package mailbox --bin mailbox", Flags::None);
    assert_eq!(output, "instrumented: false\ntaken: Some(1) None\n");
}

#[test]
fn tests_and_examples_are_instrumented_without_flags() {
    let fixture = Fixture::get();
    assert_eq!(passed_count(&fixture.read("test --workspace", Flags::None)), TEST_COUNT);
    let output = fixture.read("run --package mailbox --example letters", Flags::None);
    assert_eq!(output, "instrumented: true\nchecked\n");
}

#[test]
fn release_tests_are_instrumented_too() {
    assert_eq!(passed_count(&Fixture::get().read("test --workspace --release", Flags::None)), TEST_COUNT);
}

#[test]
fn the_flag_cfg_loom_instruments_every_build() {
    let fixture = Fixture::get();
    let output = fixture.read("run --package mailbox --bin mailbox", Flags::CfgLoom);
    assert_eq!(output, "instrumented: true\ntaken: Some(1) None\n");
    assert_eq!(passed_count(&fixture.read("test --workspace", Flags::CfgLoom)), TEST_COUNT);
}

#[test]
fn contracts_are_looked_at_on_real_threads_if_that_is_wanted_and_else_not() {
    let fixture = Fixture::get();
    let plain = fixture.read("run --package guarded --bin guarded", Flags::None);
    assert_eq!(plain, "true\ntrue\nfalse\ntrue\n");
    let looked_at = fixture.read("run --package guarded --bin guarded --features contracts", Flags::None);
    let expected = "\
true
misused: a large number
misused: c_ret || item > 0
misused: a producer that no init happens before (Req. 1)
";
    assert_eq!(looked_at, expected);
}

#[test]
fn off_means_off_the_assembly_of_a_queue_under_a_contract_is_that_of_the_bare_one() {
    let fixture = Fixture::get();
    let assembly = |features: &str| {
        let file = fixture.folder.join(format!("guarded{}.s", features.len()));
        let text = file.to_string_lossy().into_owned();
        let words = format!(
            "rustc --package guarded --lib --release --config profile.release.opt-level=3 --config profile.release.codegen-units=1{features} -- --emit asm={text} -C debuginfo=0"
        );
        fixture.read(&words, Flags::None);
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{text}: {error}"));
        functions(&text)
    };
    let (guarded, bare) = (assembly(""), assembly(" --features bare"));
    assert_eq!(guarded, bare);
    // It is no comparison of nothing with nothing.
    assert!(guarded.iter().all(|body| body.lines().count() >= 5), "{guarded:?}");
    assert_ne!(guarded, assembly(" --features contracts"));
}

/// The instructions of the functions that are exported for this, without the hashes of names.
fn functions(assembly: &str) -> Vec<String> {
    let body = |name: &str| {
        let label = format!("{name}:");
        let lines = assembly.lines().skip_while(|line| !line.starts_with(&label)).skip(1);
        let lines = lines.take_while(|line| !line.contains(".cfi_endproc"));
        let instructions = lines.filter(|line| !line.trim_start().starts_with('.'));
        instructions.map(|line| format!("{line}\n")).collect::<String>()
    };
    ["guarded_new", "guarded_push", "guarded_pop"].map(body).to_vec()
}

#[test]
fn a_long_run_without_optimisation_says_once_how_it_gets_faster() {
    let output = Fixture::get().run("test --package mailbox --test mailbox a_long_run", Flags::None);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let note = "\
cdsspec: note: this run is slow, since the engine is built without optimisation. With these lines in
  the Cargo.toml of the workspace it is many times faster (CDSSPEC_PROFILE_NOTE=0: no such note):

[profile.dev.package.cdsspec-runtime]
opt-level = 3
";
    assert_eq!((errors.matches(note).count(), errors.matches("opt-level").count()), (1, 1), "{errors}");
}

/// All tests of the fixture: 8 in `mailbox`, 4 in `renamed`, 4 in `behind_facade`, 3 in `guarded`.
const TEST_COUNT: usize = 19;

/// How many tests passed, by the summaries that the test harness prints.
fn passed_count(output: &str) -> usize {
    let summaries = output.lines().filter_map(|line| line.strip_prefix("test result: ok. "));
    summaries.filter_map(|summary| summary.split(' ').next()?.parse::<usize>().ok()).sum()
}

/// What `RUSTFLAGS` is.
#[derive(Clone, Copy)]
enum Flags {
    None,
    CfgLoom,
}

/// A copy of the fixture that can be built where it is.
struct Fixture {
    folder: PathBuf,
    is_offline: bool,
}

impl Fixture {
    fn get() -> &'static Self {
        static FIXTURE: OnceLock<Fixture> = OnceLock::new();
        FIXTURE.get_or_init(Self::make)
    }

    fn make() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("downstream");
        copy(&root().join("tests/fixture"), &folder);
        copy(&root().join("Cargo.lock"), &folder.join("Cargo.lock"));
        let mut fixture = Self { folder, is_offline: true };
        // Cargo fits the lock file to the fixture now. All that it needs was downloaded for this test, unless cargo sees it another way.
        fixture.is_offline = fixture.run("tree --workspace", Flags::None).status.success();
        fixture
    }

    /// What cargo prints to the standard output.
    #[track_caller]
    fn read(&self, words: &str, flags: Flags) -> String {
        let output = self.run(words, flags);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "`cargo {words}` failed on the fixture:\n{text}\n{errors}");
        text
    }

    fn run(&self, words: &str, flags: Flags) -> Output {
        let mut command = Command::new(env!("CARGO"));
        let mut words = words.split(' ');
        command.args(words.next()).current_dir(&self.folder).env("CARGO_TARGET_DIR", main_target());
        if self.is_offline {
            command.arg("--offline");
        }
        if let Flags::CfgLoom = flags {
            // With a target, flags are for it alone: the macros and what they need are those that we have built.
            command.args(["--target", &host()]);
        }
        command.args(words);
        // What the one who runs this test has set is not part of it.
        let is_setting = |name: &str| {
            ["CDSSPEC_", "LOOM_", "CARGO_PROFILE_"].iter().any(|prefix| name.starts_with(prefix))
        };
        for (name, _) in std::env::vars_os().filter(|(name, _)| is_setting(&name.to_string_lossy())) {
            command.env_remove(name);
        }
        command.env_remove("CARGO_ENCODED_RUSTFLAGS");
        match flags {
            Flags::None => command.env_remove("RUSTFLAGS"),
            Flags::CfgLoom => command.env("RUSTFLAGS", "--cfg loom"),
        };
        command.output().expect("cargo can be started")
    }
}

/// The platform that we are on.
fn host() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("cargo has a compiler");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("it says its host").to_owned()
}

/// The target folder of this workspace: the dependencies that our own tests have built are used again.
fn main_target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("cargo puts the folder inside the target folder")
}

/// Copies a file or a folder; what is the same already is not written, so that it is not built again. In manifests, the path from the
/// fixture to this workspace becomes absolute.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).expect("the target folder is writable");
        for entry in fs::read_dir(from).expect("the fixture is there") {
            let name = entry.expect("the fixture is readable").file_name();
            if name != "target" && name != "Cargo.lock" {
                copy(&from.join(&name), &to.join(&name));
            }
        }
        return;
    }
    let mut text = fs::read_to_string(from).expect("the fixture is text");
    if from.ends_with("Cargo.toml") {
        let root = format!("{:?}", root().to_string_lossy().replace('\\', "/"));
        text = text.replace(r#""../../..""#, &root).replace(r#""../..""#, &root);
    }
    if fs::read_to_string(to).ok().as_ref() != Some(&text) {
        fs::write(to, text).expect("the target folder is writable");
    }
}

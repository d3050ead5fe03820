//! Compile errors and what compiles, byte for byte, with the pinned compiler.

use std::process::Command;

/// The compiler that the expected errors were written with: the one of `rust-toolchain.toml`.
const PINNED: &str = "rustc 1.95.0 ";

#[test]
fn mistakes_are_explained_where_they_are_and_what_is_right_compiles() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("cargo has a compiler");
    let version = String::from_utf8_lossy(&output.stdout);
    assert!(
        version.starts_with(PINNED),
        "the expected errors are those of {PINNED}, and this is {version}: run the tests with the toolchain of rust-toolchain.toml"
    );
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    cases.compile_fail("tests/ui/half_typed/*/*.rs");
}

/// The errors of a broken body, without what differs by nature: the name of the file, and the place of the attribute.
fn errors_of(folder: &str, case: &str) -> Vec<String> {
    let path = format!("tests/ui/half_typed/{folder}/{case}.stderr");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let is_of_interest =
        |line: &&str| line.starts_with("error") || line.trim_start().starts_with("-->") || line.contains('^');
    text.lines()
        .filter(is_of_interest)
        .map(|line| line.trim().replace(&format!("/{folder}/"), "/…/"))
        .collect()
}

#[test]
fn a_broken_body_has_the_same_errors_with_the_attribute_as_without_it() {
    let mut cases: Vec<String> = std::fs::read_dir("tests/ui/half_typed/with")
        .expect("the table is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.file_stem().expect("it has a name").to_string_lossy().into_owned())
        .collect();
    cases.sort();
    assert_eq!(cases.len(), 27);
    for case in cases {
        assert_eq!(errors_of("with", &case), errors_of("without", &case), "{case}");
    }
}

/// The constants of `diagnostics.rs`: `NAME = "text";`.
fn messages() -> Vec<(String, String)> {
    let path = "../../cdsspec-macros/src/diagnostics.rs";
    let source = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let message = |line: &str| {
        let (name, text) = line.strip_prefix("    ")?.split_once(" = \"")?;
        let is_name = name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
        is_name.then(|| Some((name.to_owned(), text.strip_suffix("\";")?.to_owned())))?
    };
    source.lines().filter_map(message).collect()
}

/// Whether a line has the parts of a message that stand around its names, in order.
fn has_message(line: &str, message: &str) -> bool {
    let mut rest = line;
    message.split("{}").all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// The first line of each error of each case.
fn errors_of_cases() -> Vec<String> {
    let mut lines = Vec::new();
    for entry in std::fs::read_dir("tests/ui/fail").expect("the cases are there") {
        let path = entry.expect("they can be read").path();
        if path.extension().is_some_and(|extension| extension == "stderr") {
            let text = std::fs::read_to_string(&path).expect("they can be read");
            lines.extend(text.lines().filter(|line| line.starts_with("error")).map(str::to_owned));
        }
    }
    lines
}

#[test]
fn the_page_of_the_language_has_the_messages_that_one_gets() {
    let path = "../../src/language.rs";
    let page = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let page: Vec<&str> = page.lines().map(|line| line.trim_start_matches("//!").trim()).collect();
    let (page, errors) = (page.join(" "), errors_of_cases());
    // Without the code blocks, which have three.
    let text: String = page.split("```").step_by(2).collect();
    let quoted: Vec<String> =
        text.split("``").skip(1).step_by(2).map(|message| message.trim().replace('…', "{}")).collect();
    let wrong: Vec<_> =
        quoted.iter().filter(|message| !errors.iter().any(|line| has_message(line, message))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(quoted.len(), 42);
    // Every section has an example, and says what goes wrong.
    let (sections, wrong) = (text.matches(" # ").count(), text.matches("*What goes wrong.*").count());
    assert_eq!((sections, wrong, page.matches("```").count() >= 2 * sections), (13, 13, true));
}

#[test]
fn every_message_has_a_case() {
    let lines = errors_of_cases();
    let messages = messages();
    let is_missing = |(_, text): &&(String, String)| !lines.iter().any(|line| has_message(line, text));
    let missing: Vec<_> = messages.iter().filter(is_missing).map(|(name, _)| name.as_str()).collect();
    // That one is for Rust which the compiler reads and syn does not yet: the tests of the macros know it.
    assert_eq!(missing, ["MARKER_UNREADABLE"]);
    assert_eq!(messages.len(), 116);
}

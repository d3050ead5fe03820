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
    cases.pass("tests/ui/pass/*.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}

//! The tests that reports print compile, and fail alike.

use super::counter::{Counter1, counter1};
use super::explored::{Flag, flag};
use super::progress::{Spinning, spinning};
use super::smallest;
use cdsspec::Explore;
use cdsspec::lineup::LineUp;
use expect_test::expect_file;

/// The test with the verdict that it has.
fn violated(source: &str) -> String {
    source.replace("#[cdsspec::test]", "#[cdsspec::test(verdict = Violated)]")
}

#[test]
fn a_test_of_line_up_is_printed() {
    let (_, check) = smallest(&LineUp::new(counter1()), 100);
    expect_file!["pasted/line_up.rs"].assert_eq(&violated(&check.source));
}

#[test]
fn a_test_against_a_specification_is_printed() {
    let checks = Explore::of(flag()).run();
    let check = checks.failure.expect("it fails");
    expect_file!["pasted/specified.rs"].assert_eq(&violated(&check.source));
}

#[test]
fn a_test_of_progress_is_printed() {
    let scenario = spinning().nonblocking("inc()");
    let matrix = scenario.matrix([["inc()"], ["inc()"]]);
    let check = LineUp::new(scenario).check(&matrix);
    let source = check.source.replace("#[cdsspec::test]", "#[cdsspec::test(verdict = Stuck)]");
    expect_file!["pasted/progress.rs"].assert_eq(&source);
}

mod progressing {
    use super::Spinning;

    include!("pasted/progress.rs");
}

mod line_up {
    use super::Counter1;

    include!("pasted/line_up.rs");
}

mod specified {
    use super::Flag;

    include!("pasted/specified.rs");
}

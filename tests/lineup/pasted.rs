//! The tests that reports print compile, and fail alike.

use super::counter::{Counter1, counter1};
use super::explored::{Flag, flag};
use super::progress::{Spinning, spinning};
use super::smallest;
use cdsspec::lineup::{LineUp, Precedence};
use cdsspec::{Builder, Explore};
use expect_test::expect_file;
use std::time::Duration;

/// The test with the verdict that it has.
fn violated(source: &str) -> String {
    let with_others = source.replace("#[cdsspec::test(", "#[cdsspec::test(verdict = Violated, ");
    with_others.replace("#[cdsspec::test]", "#[cdsspec::test(verdict = Violated)]")
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

#[test]
fn what_was_set_and_what_is_exempt_is_printed_too() {
    let set = |builder: Builder| builder.loop_rounds_max(3).duration_max(Duration::from_secs(60)).leaks(true);
    let scenario = counter1().exempt_result("get()", Ok::<_, ()>(Some(7)));
    let matrix = scenario.matrix([vec!["inc()"], vec!["inc()", "inc()", "get()"]]);
    let check = LineUp::new(scenario).precedence(Precedence::RealTime).set_up(set).check(&matrix);
    expect_file!["pasted/set.rs"].assert_eq(&violated(&check.source));
    let checks = Explore::of(flag()).set_up(set).run();
    expect_file!["pasted/set_specified.rs"].assert_eq(&violated(&checks.failure.expect("it fails").source));
}

#[test]
fn what_only_the_user_can_write_is_said() {
    let scenario = flag().op_keeping("hold()", |flag, kept| {
        kept.hold(flag);
        ().into()
    });
    let check = LineUp::new(scenario.clone()).check(&scenario.matrix([["hold()"], ["set()"]]));
    let comment = "\n        // \"hold()\" keeps something for its thread: its `op_keeping` goes here.\n";
    assert!(check.source.contains(comment), "{}", check.source);
}

mod progressing {
    use super::Spinning;

    include!("pasted/progress.rs");
}

mod line_up {
    use super::Counter1;

    include!("pasted/line_up.rs");
}

mod set {
    use super::Counter1;

    include!("pasted/set.rs");
}

mod set_specified {
    use super::Flag;

    include!("pasted/set_specified.rs");
}

mod specified {
    use super::Flag;

    include!("pasted/specified.rs");
}

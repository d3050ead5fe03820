//! What `#[cdsspec::test]` makes of a function, by the type that it returns.

use super::smaller::check_test;
use super::test_source::TestSource;
use super::{Builder, Outcome};
use crate::check::Verdict;
use std::fmt::Debug;
use std::sync::Arc;

/// What a function under `#[cdsspec::test]` returns.
///
/// Nothing, or a `Result` of nothing: the function is a program, and runs once for every execution. An [`Outcome`], or a `Result` of
/// one: the function runs once, as an ordinary test that checks programs itself.
#[diagnostic::on_unimplemented(
    message = "a test cannot return `{Self}`",
    label = "a test returns nothing, a `cdsspec::Outcome`, or a `Result` of one of the two"
)]
pub trait TestReturn: Sized {
    /// Runs the function.
    ///
    /// # Panics
    /// If a function that runs once returns an error.
    fn run(
        builder: Builder,
        source: &TestSource,
        expected: &[Verdict],
        function: impl Fn() -> Self + Send + Sync + 'static,
    ) -> Outcome;
}

/// What a function under `#[cdsspec::test]` with limits returns: these are those of the program that it is.
#[diagnostic::on_unimplemented(
    message = "this test checks programs itself, and limits of its own mean nothing",
    label = "set them on the `Builder` in its body, or return nothing, so that the body is the program"
)]
pub trait ProgramReturn: TestReturn {}

impl TestReturn for () {
    fn run(
        builder: Builder,
        source: &TestSource,
        expected: &[Verdict],
        function: impl Fn() + Send + Sync + 'static,
    ) -> Outcome {
        check_test(&builder, Arc::new(function), source, expected)
    }
}

impl ProgramReturn for () {}

impl<E: Debug> TestReturn for Result<(), E> {
    fn run(
        builder: Builder,
        source: &TestSource,
        expected: &[Verdict],
        function: impl Fn() -> Self + Send + Sync + 'static,
    ) -> Outcome {
        check_test(&builder, Arc::new(move || expect_ok(function())), source, expected)
    }
}

impl<E: Debug> ProgramReturn for Result<(), E> {}

impl TestReturn for Outcome {
    fn run(
        _: Builder,
        _: &TestSource,
        _: &[Verdict],
        function: impl Fn() -> Self + Send + Sync + 'static,
    ) -> Outcome {
        function()
    }
}

impl<E: Debug> TestReturn for Result<Outcome, E> {
    fn run(
        _: Builder,
        _: &TestSource,
        _: &[Verdict],
        function: impl Fn() -> Self + Send + Sync + 'static,
    ) -> Outcome {
        expect_ok(function())
    }
}

#[track_caller]
fn expect_ok<T, E: Debug>(result: Result<T, E>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("the test returned an error: {error:?}"),
    }
}

/// Runs a test without limits of its own. Where another verdict than those expected comes out, which are none if it is to hold, it is made smaller.
pub fn run_test<R: TestReturn>(
    builder: Builder,
    source: &TestSource,
    expected: &[Verdict],
    function: impl Fn() -> R + Send + Sync + 'static,
) -> Outcome {
    let outcome = R::run(builder, source, expected, function);
    outcome.tell_notes();
    outcome
}

/// Runs a test with limits, in the same way.
pub fn run_program<R: ProgramReturn>(
    builder: Builder,
    source: &TestSource,
    expected: &[Verdict],
    function: impl Fn() -> R + Send + Sync + 'static,
) -> Outcome {
    let outcome = R::run(builder, source, expected, function);
    outcome.tell_notes();
    outcome
}

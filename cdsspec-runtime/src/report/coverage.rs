//! How far a run looked.

use crate::check::Verdict;
use crate::engine::Exploration;
use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};

/// The numbers of a run, for its report.
#[derive(Clone, Copy, Debug)]
pub struct Coverage<'a> {
    /// What the program is called.
    pub program: &'a str,
    /// The test that runs it.
    pub test: Option<&'a str>,
    /// The engine.
    pub engine: &'a str,
    /// The verdict of the run.
    pub verdict: Verdict,
    /// How many executions were explored.
    pub executions: u64,
    /// How the exploration ended.
    pub exploration: &'a Exploration,
    /// Which execution is shown, from 1.
    pub shown: Option<u64>,
    /// The bounds of the run.
    pub bounds: &'a [String],
    /// How many executions had each verdict.
    pub counts: &'a BTreeMap<Verdict, u64>,
    /// How many executions are no results.
    pub by_products: u64,
    /// How many shapes were checked.
    pub shapes: u64,
    /// How many sequential histories they have.
    pub histories: u64,
    /// Calls without an ordering point, over all executions.
    pub calls_without_points: u64,
    /// The first inadmissible execution, in a line.
    pub inadmissible: Option<&'a str>,
    /// What the engine does not model.
    pub not_modelled: &'a [String],
}

/// The report of a run that could not begin.
pub fn unusable(error: &dyn Display) -> String {
    format!("{}: {error}\n", Verdict::Inconclusive)
}

/// The report of a run: `shown` is the description of the execution that the verdict is from.
pub fn whole(shown: Option<&str>, coverage: &Coverage<'_>) -> String {
    let mut text = String::new();
    match shown {
        Some(shown) => text.push_str(shown),
        None => writeln!(text, "{}: {} executions", coverage.verdict, coverage.executions)
            .expect("a String can be written to"),
    }
    text
}

//! A test that fails, made smaller: as long as it fails alike, threads and statements are left out, and numbers become small.

use super::test_source::TestSource;
use super::{Builder, Outcome};
use crate::check::Verdict;
use crate::engine::{Exploration, Program};
use crate::port::{Omission, with};
use crate::process;
use crate::record::SourceLocation;
use crate::report::{self, FindingKind, Report, ReportedExecution, SmallestTest};
use std::sync::Arc;
use std::time::Instant;

/// All smaller tests together are explored for so many executions: so many times those of the failing test, and these.
const BUDGET_FACTOR: u64 = 20;
const BUDGET_MIN: u64 = 50_000;

/// Checks a test; if it fails where another verdict was expected, says what of it is enough to fail alike, and if it passes, what it came to.
pub(super) fn check_test(
    builder: &Builder,
    program: Program,
    source: &TestSource,
    expected: &[Verdict],
) -> Outcome {
    let start = Instant::now();
    let outcome = builder.clone().check(as_function(program.clone()));
    let passes = if expected.is_empty() { outcome.holds() } else { expected.contains(&outcome.verdict) };
    if passes {
        tell_pass(&report::passed(outcome.details(), start.elapsed()), builder.is_verbose());
    }
    let has_parts = !source.statements.is_empty() && source.is_known();
    let is_replayed = outcome.details().coverage.exploration == Exploration::Replayed;
    let is_wanted = has_parts && !is_replayed && !expected.contains(&outcome.verdict) && builder.shrinks();
    let Some(failure) = FailsBy::of(outcome.details()).filter(|_| is_wanted) else { return outcome };
    let builder = builder.clone().quiet();
    let budget = outcome.executions.saturating_mul(BUDGET_FACTOR).saturating_add(BUDGET_MIN);
    let omission = Omission {
        statements: vec![false; source.statements.len()],
        numbers: vec![None; source.numbers.len()],
    };
    let mut reduction = Reduction { builder, program, source, failure, omission, smallest: None, budget };
    // With smaller numbers more may be left out.
    while reduction.pass() || reduction.make_numbers_small() {}
    reduction.told(outcome)
}

/// A harness keeps back what a test prints that passes, and shows it where it is asked to.
fn tell_pass(line: &str, is_verbose: bool) {
    if is_verbose {
        process::write_line(line);
    } else {
        println!("{line}");
    }
}

fn as_function(program: Program) -> impl Fn() + Send + Sync + 'static {
    move || program()
}

/// What a run fails of, as far as a smaller one must fail of it as well.
#[derive(PartialEq, Eq)]
struct FailsBy {
    verdict: Verdict,
    /// The method, and the condition that it breaks; none of a cycle.
    broken: Option<(String, SourceLocation)>,
}

impl FailsBy {
    /// `None` if the run does not fail of what its calls did.
    fn of(report: &Report) -> Option<Self> {
        let execution = report.execution.as_ref()?;
        let verdict = execution.finding.verdict;
        let broken = match &execution.finding.kind {
            FindingKind::Cyclic { .. } => return Some(Self { verdict, broken: None }),
            FindingKind::Violated(broken) | FindingKind::Unjustified { first: broken, .. } => broken,
            _ => return None,
        };
        let method = execution.calls[broken.call.index()].method.clone();
        Some(Self { verdict, broken: Some((method, broken.place)) })
    }
}

struct Reduction<'a> {
    builder: Builder,
    program: Program,
    source: &'a TestSource,
    failure: FailsBy,
    omission: Omission,
    /// How the smallest one fails, unless that is the test itself.
    smallest: Option<ReportedExecution>,
    /// How many executions may still be explored.
    budget: u64,
}

impl Reduction<'_> {
    /// Tries to leave out each thread, then each statement; whether some could be.
    fn pass(&mut self) -> bool {
        let threads = self.source.threads.iter().map(|thread| thread.statements.to_vec());
        let statements = (0..self.source.statements.len()).map(|index| vec![index]);
        let parts: Vec<Vec<usize>> = threads.chain(statements).collect();
        let mut has_changed = false;
        for part in parts {
            let is_there = |&index: &usize| {
                !self.omission.statements[index] && !self.source.is_within_left_out(index, &self.omission)
            };
            if !part.iter().any(is_there) {
                continue;
            }
            let mut omission = self.omission.clone();
            part.iter().for_each(|&index| omission.statements[index] = true);
            has_changed |= self.takes(omission);
        }
        has_changed
    }

    /// Tries smaller numbers, the smallest first; whether some could be.
    fn make_numbers_small(&mut self) -> bool {
        let mut has_changed = false;
        for (index, number) in self.source.numbers.iter().enumerate() {
            let statement = number.statement;
            if self.omission.statements[statement]
                || self.source.is_within_left_out(statement, &self.omission)
            {
                continue;
            }
            let known = self.omission.numbers[index].unwrap_or(number.value);
            for value in 0..known.min(3) {
                let mut omission = self.omission.clone();
                omission.numbers[index] = Some(value);
                if self.takes(omission) {
                    has_changed = true;
                    break;
                }
            }
        }
        has_changed
    }

    /// Whether the test fails alike with this omission, which is kept then.
    fn takes(&mut self, omission: Omission) -> bool {
        if self.budget == 0 {
            return false;
        }
        let (shared, program) = (Arc::new(omission.clone()), self.program.clone());
        let outcome = self.builder.clone().at_most(self.budget).check(move || {
            with(|execution| execution.leave_out(&shared));
            program();
        });
        self.budget = self.budget.saturating_sub(outcome.executions);
        let is_alike = FailsBy::of(outcome.details()).as_ref() == Some(&self.failure);
        if is_alike {
            self.omission = omission;
            self.smallest.clone_from(&outcome.details().execution);
        }
        is_alike
    }

    /// The outcome of the test, with what is enough.
    fn told(self, outcome: Outcome) -> Outcome {
        let Some(execution) = self.smallest else { return outcome };
        let whole = Omission { statements: vec![false; self.source.statements.len()], numbers: Vec::new() };
        outcome.with_smallest(SmallestTest {
            statements: self.source.outer_count(&self.omission),
            of: self.source.outer_count(&whole),
            source: self.source.without(&self.omission),
            is_smallest: self.budget > 0,
            execution: Box::new(execution),
        })
    }
}

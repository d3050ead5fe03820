//! Puts an engine under a memory model before the operational twin of that model.

use super::{Judgement, has_lock};
use crate::operational::{Bounds, OperationalModel, Outcomes, Refusal, count_traces, outcomes};
use crate::run::LitmusResult;
use crate::syntax::Litmus;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a test on an engine.
pub type Ask<'e> = &'e dyn Fn(&Litmus) -> LitmusResult;

/// Whether an engine finds exactly the outcomes that a machine finds. The rounds of the bounds are those that the engine is given.
///
/// # Panics
/// If the test has `na` accesses.
pub fn judge_machine(test: &Litmus, model: OperationalModel, bounds: Bounds, ask: Ask<'_>) -> Judgement {
    let Some(expected) = known(outcomes(test, model, bounds)) else { return Judgement::TooLarge };
    with_answer(test, ask, |found| {
        let difference = Difference::new(&expected, found);
        let is_same_end = match test.has_loop() {
            // With locks, an execution may not end for another reason than a loop.
            true => found.cut == expected.is_cut || has_lock(test),
            false => (found.blocked > 0) == expected.has_blocked,
        };
        if difference.is_none() && is_same_end {
            return Judgement::Same;
        }
        if found.is_limited && difference.too_many.is_empty() {
            return Judgement::Unfinished;
        }
        Judgement::Different(format!(
            "{model}, {bounds:?}\n{difference:?}\nmachine {expected:?}\nengine  {found:?}"
        ))
    })
}

/// Whether an engine finds at least the outcomes that a machine finds: that of a memory model that allows more.
///
/// # Panics
/// If the test has `na` accesses.
pub fn judge_within(test: &Litmus, model: OperationalModel, bounds: Bounds, ask: Ask<'_>) -> Judgement {
    let Some(expected) = known(outcomes(test, model, bounds)) else { return Judgement::TooLarge };
    with_answer(test, ask, |found| {
        let difference = Difference::new(&expected, found);
        let is_end_known = !expected.is_cut || found.cut;
        if difference.missing.is_empty() && is_end_known {
            return Judgement::Same;
        }
        if found.is_limited {
            return Judgement::Unfinished;
        }
        Judgement::Different(format!(
            "{model}, {bounds:?}\n{difference:?}\nmachine {expected:?}\nengine  {found:?}"
        ))
    })
}

/// Whether an engine under sequential consistency has as many executions of each outcome as there are Mazurkiewicz traces of it.
/// Spurious failures are to be on or off alike in the bounds and in the engine.
///
/// # Panics
/// If the test has `na` accesses, or a loop.
pub fn judge_traces(test: &Litmus, bounds: Bounds, ask: Ask<'_>) -> Judgement {
    let Some(expected) = known(count_traces(test, bounds)) else { return Judgement::TooLarge };
    with_answer(test, ask, |found| {
        let mut counts: BTreeMap<String, u64> = found.counts.clone();
        // The machine knows waits, and no rounds of loops that wait.
        for (outcome, delayed) in &found.delayed {
            *counts.entry(outcome.clone()).or_default() -= delayed;
        }
        if counts == expected.counts && (found.blocked > 0) == (expected.blocked > 0) {
            return Judgement::Same;
        }
        if found.is_limited {
            return Judgement::Unfinished;
        }
        Judgement::Different(format!("traces {expected:?}\nengine {found:?}"))
    })
}

/// What a machine says; `None` if the test is too large for it.
fn known<T>(answer: Result<T, Refusal>) -> Option<T> {
    match answer {
        Ok(answer) => Some(answer),
        Err(Refusal::TooLarge) => None,
        Err(refusal) => panic!("{refusal}"),
    }
}

fn with_answer(test: &Litmus, ask: Ask<'_>, compare: impl Fn(&LitmusResult) -> Judgement) -> Judgement {
    match catch_unwind(AssertUnwindSafe(|| ask(test))) {
        Ok(found) => compare(&found),
        Err(_) => Judgement::Different("the engine panicked".to_owned()),
    }
}

/// In what two sets of outcomes differ.
#[derive(Debug)]
struct Difference {
    missing: BTreeSet<String>,
    too_many: BTreeSet<String>,
}

impl Difference {
    fn new(expected: &Outcomes, found: &LitmusResult) -> Self {
        let seen: BTreeSet<String> = found.outcomes.iter().cloned().collect();
        Self { missing: &expected.set - &seen, too_many: &seen - &expected.set }
    }

    fn is_none(&self) -> bool {
        self.missing.is_empty() && self.too_many.is_empty()
    }
}

//! What a run comes to, from what was counted.

use super::bound;
use super::identity::Identity;
use super::setting::Settings;
use super::tally::Tally;
use crate::check::Verdict;
use crate::engine::{Engine, Exploration, MemoryClasses};
use crate::record::{Course, Schedule};
use crate::report::{Bound, Report, RunCounts};
use cdsspec_contracts::Level;

/// The report of a run that ended, without what would help.
pub(super) fn conclude(
    identity: &Identity,
    engine: &dyn Engine,
    tally: &Tally,
    exploration: Exploration,
    settings: &Settings,
) -> Report {
    let mut bounds = bound::bounds(engine, settings);
    bounds.extend(tally.reached.iter().copied().map(Bound::LoopRounds));
    let verdict = verdict(&tally.counts, &exploration, !bounds.is_empty());
    let is_pass = matches!(verdict, Verdict::Holds | Verdict::HoldsWithin);
    let notes = tally.notes(is_pass);
    let is_refused = settings.is_strict && is_pass && !notes.is_empty();
    let mut report = Report::new(identity.program.clone(), identity.test.clone());
    report.engine = engine.name().to_owned();
    report.verdict = if is_refused { Verdict::Inconclusive } else { verdict };
    report.coverage.counts = tally.counts.clone();
    report.coverage.exploration = exploration;
    report.inadmissible = tally.inadmissible.clone();
    report.bounds = bounds;
    report.orders = identity.overrides.clone();
    report.notes = notes;
    report.is_refused = is_refused;
    report.not_modelled = not_modelled(engine, settings, &tally.beside.exempt);
    // The worst execution is shown if the verdict is its own.
    let shown = tally.worst.as_ref().filter(|worst| worst.verdict == report.verdict);
    let schedule = shown.and_then(|worst| schedule(identity, settings, worst.course.clone()?));
    report.show(shown.map(|worst| worst.execution.clone()), schedule);
    report
}

/// What leads to the execution that is shown.
fn schedule(identity: &Identity, settings: &Settings, course: Course) -> Option<Schedule> {
    Some(Schedule {
        memory_model: settings.memory_model.name().to_owned(),
        program: identity.number?,
        course,
    })
}

fn not_modelled(engine: &dyn Engine, settings: &Settings, exempt: &[&str]) -> Vec<String> {
    let left_out = match settings.contract.level {
        Level::Default => Some("conditions of contracts above the level `default` (left out)"),
        Level::Audit => Some("conditions of contracts above the level `audit` (left out)"),
        Level::Axiom => None,
    };
    let unseen = unseen_memory(settings.limits.memory).chain(left_out);
    let exempt = (!exempt.is_empty()).then(|| {
        ["data races in the methods of contracts that are `checked`: ", &exempt.join(", ")].concat()
    });
    engine.not_modelled().iter().copied().chain(unseen).map(str::to_owned).chain(exempt).collect()
}

/// What is not looked for in the heap, a phrase each.
fn unseen_memory(classes: MemoryClasses) -> impl Iterator<Item = &'static str> {
    let is_installed = crate::heap::is_installed();
    let unseen = [
        (!is_installed, "freed or uninitialised memory (it takes `cdsspec::allocator!()`)"),
        (is_installed && !classes.uninitialised, "uninitialised memory (switched off)"),
        (is_installed && !classes.freed, "freed memory (switched off)"),
    ];
    unseen.into_iter().filter_map(|(is_unseen, phrase)| is_unseen.then_some(phrase))
}

/// The verdict of a run: the worst of its executions, except that inadmissible ones beside others are only counted. A limit,
/// or nothing to look at, is never a pass.
fn verdict(counts: &RunCounts, exploration: &Exploration, is_bounded: bool) -> Verdict {
    let results: u64 = counts.by_verdict.values().sum();
    match counts.by_verdict.keys().next() {
        Some(&worst) if worst.is_fault() => worst,
        Some(Verdict::Inconclusive) | None => Verdict::Inconclusive,
        Some(_) if !matches!(exploration, Exploration::Complete | Exploration::Sampled) => {
            Verdict::Inconclusive
        }
        Some(_) if counts.of(Verdict::Inadmissible) == results => Verdict::Inadmissible,
        Some(_) if *exploration == Exploration::Sampled => Verdict::HoldsWithin,
        Some(_) if is_bounded || counts.of(Verdict::HoldsWithin) > 0 => Verdict::HoldsWithin,
        Some(_) => Verdict::Holds,
    }
}

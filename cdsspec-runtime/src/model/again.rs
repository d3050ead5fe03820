//! One execution again, to find something out.

use super::identity::Identity;
use super::setting::Settings;
use super::tally::{Tally, Worst};
use super::visit::visit;
use crate::engine::{Engine, Exploration, Program};
use crate::process;
use crate::record::{Course, Schedule};
use std::cell::RefCell;
use std::rc::Rc;

/// Runs one execution again, and says how that ended, and what it came to if it has a finding.
pub(super) fn run_again(
    engine: &dyn Engine,
    settings: &Settings,
    identity: &Identity,
    program: Program,
    course: Course,
) -> (Exploration, Option<Worst>) {
    let memory_model = settings.memory_model.name().to_owned();
    let replay = Some(Schedule { memory_model, program: 1, course });
    let mut settings = Settings { replay, stop_at_first: true, is_quiet: true, ..settings.clone() };
    // It is one execution, and what it comes to must not depend on how fast it is.
    settings.limits.duration_max = None;
    let tally = Rc::new(RefCell::new(Tally::new(&settings)));
    let exploration = process::silently(|| visit(engine, &settings, identity, program, tally.clone()));
    let worst = tally.borrow_mut().worst.take();
    (exploration, worst)
}

/// Looks whether the execution that a run shows comes to the same when it is run again: the judge of schedules, in every test that finds a fault. A program that does
/// nothing has nothing to be run again by.
#[cfg(all(feature = "checks-graphs", debug_assertions))]
pub(super) fn assert_same(
    engine: &dyn Engine,
    settings: &Settings,
    identity: &Identity,
    program: Program,
    tally: &Tally,
) {
    let found = tally.worst.as_ref().filter(|worst| worst.verdict.is_fault() && settings.replay.is_none());
    let Some((found, course)) = found.and_then(|found| Some((found, found.course.clone()?))) else { return };
    let text = Schedule { memory_model: "rc11".to_owned(), program: 1, course: course.clone() }.to_string();
    let read: Result<Schedule, _> = text.parse();
    assert_eq!(
        read.map(|read| read.course).as_ref(),
        Ok(&course),
        "cdsspec bug: {text} is not read as it is written"
    );
    if matches!(&course, Course::Steps(steps) if steps.steps.is_empty()) {
        return;
    }
    let (exploration, again) = run_again(engine, settings, identity, program, course);
    let shown = |worst: &Worst| {
        let mut execution = worst.execution.clone();
        execution.number = 0;
        format!("{execution:#?}")
    };
    assert!(
        again.as_ref().map(shown) == Some(shown(found)),
        "cdsspec bug: `{}` came to {:?} ({exploration:?}) when it was run again by {text}",
        identity.program,
        again.map(|again| again.verdict),
    );
}

//! The loop of samples: runs the program again and again, each time with other choices, and hands the executions over.

use super::explore::{Exploring, discard, hand_over, limit_reached};
use super::sampling::{Length, Sampling, Strategy};
use super::schedule::Scheduler;
use super::state::Fate;
use super::{Limits, Options, Program, Visitor};
use crate::port;
use crate::random::Random;
use crate::record::{Course, Drawn, Exploration};
use std::cell::RefCell;
use std::rc::Rc;

/// Draws so many executions.
pub(crate) fn sample(
    program: &Program,
    limits: &Limits,
    options: Options,
    sampling: Sampling,
    visitor: &Rc<RefCell<dyn Visitor>>,
) -> Exploration {
    let exploring = &Exploring::new(program, limits, options, true, visitor);
    let Exploring { port, execution, .. } = exploring;
    let mut length = Length::default();
    port::enter(execution, || {
        let mut number = 0;
        while number < sampling.runs {
            if let Some(limit) = limit_reached(port, number) {
                return Exploration::Limit(limit);
            }
            let before = length;
            let run = run_once(exploring, sampling, number, length);
            let fate = port.run.borrow_mut().fate();
            if !matches!(fate, Fate::Visit) {
                // What it did is made up: the same again, with what is known now.
                discard(port);
                port.run.borrow_mut().loops.start_again();
                continue;
            }
            #[cfg(all(feature = "checks-graphs", debug_assertions))]
            super::explore::assert_consistent(port);
            length.include(run);
            number += 1;
            let course = || Some(Course::Drawn(drawn(sampling, number - 1, before)));
            if hand_over(port, execution, visitor, &course).is_break() {
                return Exploration::Stopped;
            }
        }
        Exploration::Sampled
    })
}

/// Draws one execution again.
pub(crate) fn draw_again(
    program: &Program,
    limits: &Limits,
    options: Options,
    course: &Drawn,
    visitor: &Rc<RefCell<dyn Visitor>>,
) -> Exploration {
    let Some(strategy) = Strategy::by_name(&course.strategy) else {
        return Exploration::Departed("no strategy has the name that it has".to_owned());
    };
    let exploring = &Exploring::new(program, limits, options, true, visitor);
    let Exploring { port, execution, .. } = exploring;
    let sampling = Sampling { runs: 1, seed: course.seed, strategy };
    let [steps, choices, expected] = course.lengths;
    port::enter(execution, || {
        loop {
            run_once(exploring, sampling, course.number, Length { steps, choices, expected });
            let fate = port.run.borrow_mut().fate();
            if let Fate::Visit = fate {
                // Whether it goes on makes no difference.
                let _ = hand_over(port, execution, visitor, &|| Some(Course::Drawn(course.clone())));
                return Exploration::Replayed;
            }
            discard(port);
            port.run.borrow_mut().loops.start_again();
        }
    })
}

/// What leads to the execution with this number, those before it having been so long.
fn drawn(sampling: Sampling, number: u64, length: Length) -> Drawn {
    let Length { steps, choices, expected } = length;
    let strategy = sampling.strategy.to_string();
    Drawn { strategy, seed: sampling.seed, number, lengths: [steps, choices, expected] }
}

/// Draws the execution with this number; how long it was.
fn run_once(exploring: &Exploring, sampling: Sampling, number: u64, length: Length) -> Length {
    let Sampling { seed, strategy, .. } = sampling;
    let mut random = Random::stream(seed, number);
    let mut scheduler = Scheduler::of(strategy, Random::new(random.next()), length);
    let reading = strategy.reading(&mut random, length);
    exploring.port.run.borrow_mut().begin_sample(
        random,
        reading,
        scheduler.counts_calls().then_some(length.expected),
    );
    let steps = exploring.run_once(&mut scheduler);
    let run = exploring.port.run.borrow();
    Length { steps, choices: run.explorer.choice_count(), expected: run.expectation.begun() }
}

//! The loop of samples: runs the program again and again, each time with other choices, and hands the executions over.

use super::explore::{Exploring, discard, hand_over, limit_reached};
use super::sampling::{Length, Sampling};
use super::schedule::Scheduler;
use super::state::Fate;
use super::{Limits, Options, Program, Visitor};
use crate::port;
use crate::random::Random;
use crate::record::Exploration;
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
            if hand_over(port, execution, visitor).is_break() {
                return Exploration::Stopped;
            }
        }
        Exploration::Sampled
    })
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

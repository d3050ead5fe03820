//! The loop: runs the program under one graph after the other, and hands the executions over.

use super::Options;
use super::count::Counts;
use super::loops::Loops;
use super::port::RunPort;
use super::schedule::Scheduler;
use super::state::{Fate, RunState};
use super::{Limits, Program, Visitor};
use crate::explore::{Choices, Explorer};
use crate::port::{self, Body, Execution};
use crate::record::{
    Course, Ending, Exploration, Limit, LimitKind, OperationId, Recorder, Recording, ScOrder, StoreId,
};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

/// What an exploration consists of.
pub(super) struct Exploring {
    pub(super) port: Rc<RunPort>,
    pub(super) execution: Execution,
    main: Arc<dyn Body>,
    pub(super) visitor: Rc<RefCell<dyn Visitor>>,
}

pub(crate) fn explore(
    program: &Program,
    limits: &Limits,
    options: Options,
    visitor: &Rc<RefCell<dyn Visitor>>,
) -> Exploration {
    let exploring = Exploring::new(program, limits, options, false, visitor);
    exploring.explore(Scheduler::seeded(options.scheduling_seed))
}

impl Exploring {
    /// All executions are explored, or executions are drawn.
    pub(super) fn new(
        program: &Program,
        limits: &Limits,
        options: Options,
        is_sampling: bool,
        visitor: &Rc<RefCell<dyn Visitor>>,
    ) -> Self {
        let make = if is_sampling { Explorer::sampling } else { Explorer::new };
        Self::with_explorer(program, limits, options, make, visitor)
    }

    /// What is explored is said by the explorer.
    pub(super) fn with_explorer(
        program: &Program,
        limits: &Limits,
        options: Options,
        make: impl FnOnce(Choices) -> Explorer,
        visitor: &Rc<RefCell<dyn Visitor>>,
    ) -> Self {
        let recorder = Rc::new(RefCell::new(Recorder::new()));
        let has_spurious_failures = options.has_spurious_failures && limits.has_spurious_failures;
        let axioms = options.memory_model.axioms();
        let choices = Choices { axioms, has_spurious_failures, is_serial: limits.is_serial };
        let explorer = make(choices);
        // What may be left out is known only when all executions are: a sample leaves nothing out.
        let is_whole = explorer.is_sampling() || !axioms.may_leave_counts_out();
        let counts = Counts::new(limits.counts_handles || is_whole);
        let loops = Loops::new(limits.loop_rounds_max, limits.assumes_spins);
        let state = RunState::new(explorer, counts, loops);
        let watch = visitor.borrow().watch();
        let port = Rc::new(RunPort::new(recorder.clone(), limits.clone(), state, options, watch));
        let execution = Execution::new(port.clone(), recorder).with_contract_level(limits.contract_level);
        Self { port, execution, main: Arc::new(Main(program.clone())), visitor: visitor.clone() }
    }

    fn explore(&self, mut scheduler: Scheduler) -> Exploration {
        let (port, visitor) = (&self.port, &self.visitor);
        // Those from before the exploration started again, too: a limit bounds what is done, not what is kept.
        let mut visited_count = 0;
        port::enter(&self.execution, || {
            // Where the bound on rounds was raised last.
            let mut stage_began = 0;
            loop {
                if !port.run.borrow_mut().explorer.next() {
                    if !port.run.borrow_mut().loops.raise(visited_count - stage_began) {
                        return Exploration::Complete;
                    }
                    stage_began = visited_count;
                    start_again(port, visitor);
                    continue;
                }
                if let Some(limit) = limit_reached(port, visited_count) {
                    return Exploration::Limit(limit);
                }
                port.run.borrow_mut().begin();
                self.run_once(&mut scheduler);
                let fate = port.run.borrow_mut().fate();
                match fate {
                    Fate::Visit => {
                        #[cfg(all(feature = "checks-graphs", debug_assertions))]
                        assert_consistent(port);
                        visited_count += 1;
                        let steps = || {
                            let run = port.run.borrow();
                            run.steps(&run.ending()).map(Course::Steps)
                        };
                        if hand_over(port, &self.execution, visitor, &steps).is_break() {
                            return Exploration::Stopped;
                        }
                    }
                    Fate::RunAgain => {
                        discard(port);
                        port.run.borrow_mut().explorer.run_again();
                    }
                    Fate::StartAgain => {
                        discard(port);
                        stage_began = visited_count;
                        start_again(port, visitor);
                    }
                }
            }
        })
    }

    /// The program is about to run.
    pub(super) fn begin_run(&self) {
        let port = &self.port;
        self.execution.begin_unrecorded();
        port.requests.begin();
        if port.run.borrow().loops.has_calls() {
            // From the start: what is recorded from the middle on leaves other traces on the stacks.
            super::recording::start(&mut port.run.borrow_mut(), &mut port.recorder.borrow_mut());
        }
        port.coroutines.create(0, None, Arc::clone(&self.main));
    }

    /// Runs the program, from a run that has just begun, until no thread can go on; in how many steps.
    pub(super) fn run_once(&self, scheduler: &mut Scheduler) -> u64 {
        let mut steps = 0;
        let port = &self.port;
        self.begin_run();
        loop {
            let thread = {
                let run = &mut *port.run.borrow_mut();
                if run.now.must_run_again {
                    return steps;
                }
                let Some(thread) = scheduler.choose(run) else { return steps };
                run.now.current = thread;
                thread
            };
            let mut is_operation = port.requests.asked(thread).is_some();
            let done = scheduler.looks_ahead().then(|| port.next_access(thread)).flatten();
            if port.serve(thread) {
                steps += u64::from(is_operation);
                if scheduler.counts_calls() {
                    // Before it goes on, and its call may end.
                    let expectation = &mut port.run.borrow_mut().expectation;
                    is_operation = is_operation && expectation.note_step(thread);
                    scheduler.draw_again(expectation.counted_again());
                }
                resume(port, thread, scheduler.is_random());
                scheduler.note_step(thread, is_operation, done, |other| port.next_access(other));
            }
        }
    }
}

fn start_again(port: &RunPort, visitor: &Rc<RefCell<dyn Visitor>>) {
    let run = &mut *port.run.borrow_mut();
    run.explorer.restart();
    run.loops.start_again();
    visitor.borrow_mut().restart();
}

pub(super) fn limit_reached(port: &RunPort, visited_count: u64) -> Option<Limit> {
    if let Some(max) = port.limits.executions_max
        && visited_count >= max
    {
        return Some(Limit { kind: LimitKind::Executions, value: max });
    }
    port.is_late().then(|| port.limits.duration())
}

/// The main thread.
struct Main(Program);

impl Body for Main {
    fn run(self: Arc<Self>) {
        port::run_body(|| (self.0)());
    }
}

/// A thread goes on, until it ends or cannot go on at once; if it must not go further by itself, until it asks for something.
pub(super) fn resume(port: &RunPort, thread: usize, is_one_step: bool) {
    loop {
        if let Some(result) = port.coroutines.resume(thread) {
            port.end_thread(thread, result);
            return;
        }
        if is_one_step {
            port.requests.note_suspended(thread);
            return;
        }
        if !port.serve_new(thread) {
            return;
        }
    }
}

/// Larger graphs are not looked at: the cost is quadratic.
#[cfg(all(feature = "checks-graphs", debug_assertions))]
const CHECKED_EVENTS_MAX: usize = 200;

/// Looks whether the graph of the execution that has ended is one of its model's.
#[cfg(all(feature = "checks-graphs", debug_assertions))]
pub(super) fn assert_consistent(port: &RunPort) {
    let mut run = port.run.borrow_mut();
    if run.explorer.graph().events.len() > CHECKED_EVENTS_MAX {
        return;
    }
    run.explorer.graph_mut().compute_clocks();
    let graph = run.explorer.graph();
    graph.assert_valid();
    assert!(run.explorer.axioms().is_consistent(graph), "cdsspec bug: the graph is not consistent");
}

/// More operations than that are not shown one by one.
const SC_OPERATIONS_MAX: usize = 1_000;

/// Hands the execution over, and drops what is left of it. `course` leads to it again.
pub(super) fn hand_over(
    port: &RunPort,
    execution: &Execution,
    visitor: &Rc<RefCell<dyn Visitor>>,
    course: &dyn Fn() -> Option<Course>,
) -> ControlFlow<()> {
    port.note_mixed_race();
    let ending = port.run.borrow().ending();
    let memory_faults = super::memory::faults(port, execution.heap(), &ending);
    let needs_operations = visitor.borrow().needs_operations();
    if needs_operations || !matches!(ending, Ending::Complete | Ending::ByProduct { .. }) {
        super::recording::start(&mut port.run.borrow_mut(), &mut port.recorder.borrow_mut());
    }
    let is_recording = port.run.borrow().now.is_recording;
    let mut recording = port.recorder.borrow_mut().take_recording();
    #[cfg(all(feature = "checks-graphs", debug_assertions))]
    crate::record::assert_computed(&recording);
    // Of a long execution without calls nobody asks for it, and it is large.
    let is_asked_for = !recording.calls.is_empty() || recording.operations.len() <= SC_OPERATIONS_MAX;
    let is_asked_for = is_asked_for && visitor.borrow().needs_sc_order();
    recording.sc = if is_recording && is_asked_for { sc_order(port) } else { ScOrder::Unordered };
    // Under Sc, contracts depend on it.
    if needs_operations || !recording.events.is_empty() {
        recording.modification_order = Some(modification_order(port, &recording));
    }
    recording.ending = ending;
    recording.is_delayed = port.run.borrow().is_delayed();
    recording.memory_faults = memory_faults;
    recording.left = execution.heap().left();
    port.set_closed(true);
    let flow = visitor.borrow_mut().visit(&recording);
    visitor.borrow_mut().note_course(course);
    clear_away(port, recording);
    flow
}

/// Drops an execution that is not looked at.
pub(super) fn discard(port: &RunPort) {
    let recording = port.recorder.borrow_mut().take_recording();
    port.set_closed(true);
    clear_away(port, recording);
}

/// Drops what is left of an execution.
fn clear_away(port: &RunPort, mut recording: Box<Recording>) {
    // Recorded values are dropped here, while their instrumented parts still have values.
    recording.release_values();
    port.recorder.borrow_mut().give_back(recording);
    port.coroutines.reset();
    port.set_closed(false);
}

/// The modification order of each location of this run.
fn modification_order(port: &RunPort, recording: &Recording) -> Vec<Vec<StoreId>> {
    let run = port.run.borrow();
    let graph = run.explorer.graph();
    let of = |(known, location): (&super::now::LocationRun, &crate::record::Location)| {
        let writes = known.bound.map(|bound| graph.location(bound).writes.as_slice()).unwrap_or_default();
        let stores = writes.iter().filter_map(|&write| run.store(write));
        std::iter::once(location.initial).chain(stores).collect()
    };
    run.now.locations.iter().zip(&recording.locations).map(of).collect()
}

/// The order of SeqCst operations, as the memory model gives it.
fn sc_order(port: &RunPort) -> ScOrder {
    let mut run = port.run.borrow_mut();
    run.explorer.graph_mut().compute_clocks();
    let graph = run.explorer.graph();
    if !graph.events.iter().any(crate::graph::Event::is_sc) {
        return ScOrder::Unordered;
    }
    let operation = |event: u32| -> Option<OperationId> { run.operation(event) };
    let pairs = run.explorer.axioms().sc_pairs(graph);
    ScOrder::from_pairs(
        pairs.into_iter().filter_map(|(first, second)| Some((operation(first)?, operation(second)?))),
    )
}

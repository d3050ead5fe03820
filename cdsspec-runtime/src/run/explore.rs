//! The loop: runs the program under one graph after the other, and hands the executions over.

use super::Options;
use super::count::Counts;
use super::loops::Loops;
use super::port::RunPort;
use super::state::{Fate, RunState};
use super::{Limits, Program, Visitor};
use crate::explore::{Choices, Explorer};
use crate::port::{self, Body, Execution};
use crate::record::{
    Ending, Exploration, Limit, LimitKind, OperationId, Recorder, Recording, ScOrder, StoreId,
};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) fn explore(
    program: &Program,
    limits: &Limits,
    options: Options,
    visitor: &Rc<RefCell<dyn Visitor>>,
) -> Exploration {
    let recorder = Rc::new(RefCell::new(Recorder::new()));
    let has_spurious_failures = options.has_spurious_failures && limits.has_spurious_failures;
    let axioms = options.memory_model.axioms();
    let choices = Choices { axioms, has_spurious_failures, is_serial: limits.is_serial };
    let counts = Counts::new(limits.counts_handles || !axioms.may_leave_counts_out());
    let state = RunState::new(
        Explorer::new(choices),
        counts,
        Loops::new(limits.loop_rounds_max, limits.assumes_spins),
    );
    let watch = visitor.borrow().watch();
    let port = Rc::new(RunPort::new(recorder.clone(), limits.clone(), state, options, watch));
    let execution = Execution::new(port.clone(), recorder).with_contract_level(limits.contract_level);
    let mut scheduler = Scheduler::new(options.scheduling_seed);
    let main: Arc<dyn Body> = Arc::new(Main(program.clone()));
    // Those from before the exploration started again, too: a limit bounds what is done, not what is kept.
    let mut visited_count = 0;
    port::enter(&execution, || {
        // Where the bound on rounds was raised last.
        let mut stage_began = 0;
        loop {
            if !port.run.borrow_mut().explorer.next() {
                if !port.run.borrow_mut().loops.raise(visited_count - stage_began) {
                    return Exploration::Complete;
                }
                stage_began = visited_count;
                start_again(&port, visitor);
                continue;
            }
            if let Some(limit) = limit_reached(&port, visited_count) {
                return Exploration::Limit(limit);
            }
            run_once(&port, &execution, &main, &mut scheduler);
            let fate = port.run.borrow_mut().fate();
            match fate {
                Fate::Visit => {
                    #[cfg(all(feature = "checks-graphs", debug_assertions))]
                    assert_consistent(&port);
                    visited_count += 1;
                    if hand_over(&port, &execution, visitor).is_break() {
                        return Exploration::Stopped;
                    }
                }
                Fate::RunAgain => {
                    discard(&port);
                    port.run.borrow_mut().explorer.run_again();
                }
                Fate::StartAgain => {
                    discard(&port);
                    stage_began = visited_count;
                    start_again(&port, visitor);
                }
            }
        }
    })
}

fn start_again(port: &RunPort, visitor: &Rc<RefCell<dyn Visitor>>) {
    let run = &mut *port.run.borrow_mut();
    run.explorer.restart();
    run.loops.start_again();
    visitor.borrow_mut().restart();
}

fn limit_reached(port: &RunPort, visited_count: u64) -> Option<Limit> {
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

/// Runs the program under the topmost graph until no thread can go on.
fn run_once(port: &Rc<RunPort>, execution: &Execution, main: &Arc<dyn Body>, scheduler: &mut Scheduler) {
    port.run.borrow_mut().begin();
    execution.begin_unrecorded();
    port.requests.begin();
    if port.run.borrow().loops.has_calls() {
        // From the start: what is recorded from the middle on leaves other traces on the stacks.
        super::recording::start(&mut port.run.borrow_mut(), &mut port.recorder.borrow_mut());
    }
    port.coroutines.create(0, None, Arc::clone(main));
    loop {
        let thread = {
            let run = &mut *port.run.borrow_mut();
            if run.now.must_run_again {
                return;
            }
            let Some(thread) = scheduler.choose(run) else { return };
            run.now.current = thread;
            thread
        };
        if port.serve(thread) {
            resume(port, thread, scheduler.is_random());
        }
    }
}

/// A thread goes on, until it ends or cannot go on at once; if it must not go further by itself, until it asks for something.
fn resume(port: &RunPort, thread: usize, is_one_step: bool) {
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
fn assert_consistent(port: &RunPort) {
    let mut run = port.run.borrow_mut();
    if run.explorer.graph().events.len() > CHECKED_EVENTS_MAX {
        return;
    }
    run.explorer.graph_mut().compute_clocks();
    let graph = run.explorer.graph();
    graph.assert_valid();
    assert!(run.explorer.axioms().is_consistent(graph), "cdsspec bug: the graph is not consistent");
}

/// Hands the execution over, and drops what is left of it.
fn hand_over(port: &RunPort, execution: &Execution, visitor: &Rc<RefCell<dyn Visitor>>) -> ControlFlow<()> {
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
    recording.sc = if is_recording { sc_order(port) } else { ScOrder::Unordered };
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
    clear_away(port, recording);
    flow
}

/// Drops an execution that is not looked at.
fn discard(port: &RunPort) {
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

/// Which of the threads that can go on does.
struct Scheduler(Option<u64>);

impl Scheduler {
    fn new(seed: Option<u64>) -> Self {
        Self(seed)
    }

    /// Whether another thread may go on after each operation.
    fn is_random(&self) -> bool {
        self.0.is_some()
    }

    /// The running thread while it can go on, else the one with the lowest number; or one at random. No result depends on it.
    #[inline]
    fn choose(&mut self, run: &mut RunState) -> Option<usize> {
        self.choose_ready(run).or_else(|| run.wake_yielded().then(|| self.choose_ready(run)).flatten())
    }

    #[inline]
    fn choose_ready(&mut self, run: &RunState) -> Option<usize> {
        if let Some(state) = &mut self.0 {
            let ready: Vec<usize> = run.ready().ones().collect();
            return (!ready.is_empty()).then(|| ready[random_below(state, ready.len())]);
        }
        if run.ready().contains(run.now.current) {
            return Some(run.now.current);
        }
        // Few programs have more threads than a word has bits.
        match run.ready().as_slice().first() {
            Some(&word) if word != 0 => Some(word.trailing_zeros() as usize),
            _ => run.ready().minimum(),
        }
    }
}

/// splitmix64.
fn random_below(state: &mut u64, bound: usize) -> usize {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) % bound as u64) as usize
}

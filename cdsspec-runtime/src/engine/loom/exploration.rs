//! The loop around loom: starts executions, hands them over, stops.

use super::port::LoomPort;
use crate::engine::{Exploration, Limits, Program, Visitor};
use crate::port::{self, Execution};
use crate::record::{Ending, Limit, LimitKind, Recorder, Recording, ThreadId};
use crate::run::panic_message;
use corosensei::stack::DefaultStack;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;
use std::time::Instant;

/// loom's atomics are made before the program starts, so that any thread can take one. They cost time in every execution, so
/// there are few at first.
const ATOMICS_AT_FIRST: usize = 16;
/// The stack of the main thread and of the checks; pages that are not touched cost nothing.
const MAIN_STACK_BYTES: usize = 4 * 1024 * 1024;

thread_local! {
    /// The run of this OS thread: loom's closure must be `Send`, so it cannot hold it.
    static RUN: RefCell<Option<Rc<Run>>> = const { RefCell::new(None) };
}

/// One exploration with a fixed number of atomics.
struct Run {
    port: Rc<LoomPort>,
    execution: Execution,
    visitor: Rc<RefCell<dyn Visitor>>,
    limits: Limits,
    started: Instant,
    stack: RefCell<DefaultStack>,
    visited_count: Cell<u64>,
    is_pending: Cell<bool>,
    stop: RefCell<Option<Exploration>>,
}

/// Unwinds out of loom between two executions.
struct Stop;

pub(super) fn explore(program: &Program, limits: &Limits, visitor: &Rc<RefCell<dyn Visitor>>) -> Exploration {
    let started = Instant::now();
    let mut atomic_count = ATOMICS_AT_FIRST;
    loop {
        let run = Rc::new(Run::new(limits, visitor, started, atomic_count));
        let end = run.explore(program);
        match run.port.atomics_wanted() {
            Some(wanted) => atomic_count = wanted,
            None => return end,
        }
        visitor.borrow_mut().restart();
    }
}

impl Run {
    fn new(
        limits: &Limits,
        visitor: &Rc<RefCell<dyn Visitor>>,
        started: Instant,
        atomic_count: usize,
    ) -> Self {
        let recorder = Rc::new(RefCell::new(Recorder::new()));
        let watch = visitor.borrow().watch();
        let port = Rc::new(LoomPort::new(recorder.clone(), limits.clone(), atomic_count, watch));
        let execution = Execution::new(port.clone(), recorder).with_contract_level(limits.contract_level);
        let stack = DefaultStack::new(MAIN_STACK_BYTES).expect("the system has memory for one more stack");
        Self {
            port,
            execution,
            visitor: visitor.clone(),
            limits: limits.clone(),
            started,
            stack: RefCell::new(stack),
            visited_count: Cell::new(0),
            is_pending: Cell::new(false),
            stop: RefCell::new(None),
        }
    }

    fn explore(self: &Rc<Self>, program: &Program) -> Exploration {
        let builder = match loom_builder(&self.limits) {
            Ok(builder) => builder,
            Err(message) => return Exploration::Failed(message),
        };
        let program = program.clone();
        RUN.set(Some(self.clone()));
        let result = port::enter(&self.execution, || {
            let result = catch_unwind(AssertUnwindSafe(|| builder.check(move || execute(&program))));
            match &result {
                Ok(()) => self.hand_over(),
                Err(payload) => self.hand_over_broken(&panic_message(&**payload)),
            }
            result
        });
        RUN.set(None);
        match (result, self.stop.take()) {
            (_, Some(end)) => end,
            (Ok(()), None) => Exploration::Complete,
            (Err(payload), None) => Exploration::Failed(panic_message(&*payload)),
        }
    }

    /// Hands over the execution that has just ended, and decides whether there is to be another one.
    fn hand_over(&self) {
        if !self.is_pending.replace(false) || self.stop.borrow().is_some() {
            return;
        }
        if self.port.atomics_wanted().is_some() {
            self.stop.replace(Some(Exploration::Stopped));
            return;
        }
        let mut recording = self.port.close();
        let newest = |location| port::Port::peek(&*self.port, location);
        super::memory::note_faults(self.execution.heap(), &mut recording, self.limits.memory, &newest);
        self.visit(recording);
    }

    /// Hands over the execution in the middle of which loom fell over, most likely because the program had left its path; loom cannot
    /// go on after that.
    fn hand_over_broken(&self, message: &str) {
        if self.is_pending.get() && self.stop.borrow().is_none() {
            self.port.end_abruptly(Ending::EngineFailed(format!("loom: {message}")));
            self.hand_over();
            self.stop.borrow_mut().get_or_insert_with(|| Exploration::Failed(message.to_owned()));
        }
    }

    fn visit(&self, recording: Box<Recording>) {
        let is_lost = matches!(recording.ending, Ending::Nondeterministic(_));
        self.visited_count.set(self.visited_count.get() + 1);
        let flow = {
            let mut stack = self.stack.borrow_mut();
            corosensei::on_stack(&mut *stack, || self.visitor.borrow_mut().visit(&recording))
        };
        self.port.reopen(recording);
        if is_lost {
            self.stop.replace(Some(Exploration::Failed("the program is not deterministic".to_owned())));
        }
        if flow == ControlFlow::Break(()) {
            self.stop.replace(Some(Exploration::Stopped));
        }
    }

    fn limit_reached(&self) -> Option<Limit> {
        if let Some(max) = self.limits.executions_max
            && self.visited_count.get() >= max
        {
            return Some(Limit { kind: LimitKind::Executions, value: max });
        }
        let max = self.limits.duration_max?;
        let value = u64::try_from(max.as_millis()).unwrap_or(u64::MAX);
        (self.started.elapsed() >= max).then_some(Limit { kind: LimitKind::DurationMs, value })
    }
}

/// What loom runs for each execution.
fn execute(program: &Program) {
    let run = RUN.with_borrow(Clone::clone).expect("loom runs the program inside `Run::explore`");
    run.hand_over();
    if run.stop.borrow().is_none()
        && let Some(limit) = run.limit_reached()
    {
        run.stop.replace(Some(Exploration::Limit(limit)));
    }
    if run.stop.borrow().is_some() {
        resume_unwind(Box::new(Stop));
    }
    run.port.begin();
    run.execution.begin();
    run.is_pending.set(true);
    let mut stack = run.stack.borrow_mut();
    run.port
        .run_thread(ThreadId::new(0), || corosensei::on_stack(&mut *stack, || port::run_body(|| program())));
}

/// What loom runs for each further thread.
pub(super) fn run_spawned(thread: ThreadId) {
    let run = RUN.with_borrow(Clone::clone).expect("loom runs threads inside `Run::explore`");
    run.port.run_spawned(thread);
}

fn loom_builder(limits: &Limits) -> Result<loom::model::Builder, String> {
    // loom's builder reads its environment variables and panics over malformed ones.
    let mut builder = catch_unwind(loom::model::Builder::new)
        .map_err(|payload| format!("loom: {}", panic_message(&*payload)))?;
    builder.max_threads = super::state::THREADS_MAX;
    // An operation of ours takes up to six entries of loom's path; our own limit comes first.
    builder.max_branches = limits.branches_max.saturating_mul(6).saturating_add(1_000);
    builder.preemption_bound = limits.preemptions_max;
    builder.max_permutations = None;
    builder.max_duration = None;
    builder.checkpoint_file = None;
    builder.checkpoint_interval = usize::MAX;
    builder.location = false;
    builder.log = false;
    Ok(builder)
}

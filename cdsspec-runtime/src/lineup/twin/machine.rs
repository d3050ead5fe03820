//! Every interleaving of a program, one after the other: a memory that has one value for each location, and threads that take turns.
//!
//! Which thread goes on is tried in all ways, with the program run again from its start for each: nothing is remembered, compared or left
//! out, but that a join, which touches no memory, is done as soon as it can be. There are no execution graphs: of the graph engine it has the coroutines alone.

use crate::engine::Program;
use crate::heap::Progress;
use crate::port::{
    self, Action, Body, CellAccess, Execution, Notice, Operation, Port, Reply, Request, run_body,
};
use crate::record::{LocationId, Recorder, ThreadId, ValueKind};
use crate::run::Coroutines;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::Arc;

/// The main thread of the program.
struct MainThread(Program);

impl Body for MainThread {
    fn run(self: Arc<Self>) {
        run_body(|| (self.0)());
    }
}

/// What a thread waits to do.
enum Asked {
    Access(LocationId, Action),
    Join(usize),
}

#[derive(Default)]
struct Thread {
    asked: Option<Asked>,
    reply: Option<Reply>,
    has_ended: bool,
    panic: Option<Box<dyn Any + Send>>,
    /// Its steps, as places in the order of all.
    steps: Vec<usize>,
    /// The step that created it.
    created: Option<usize>,
    /// Who joined it, in which step.
    joined: Option<(usize, usize)>,
}

/// One interleaving.
#[derive(Default)]
struct MachineState {
    memory: Vec<u64>,
    threads: Vec<Thread>,
    step_count: usize,
    has_panicked: bool,
}

/// What is chosen, and of how many.
#[derive(Default)]
struct Script {
    choices: Vec<(usize, usize)>,
    next: usize,
}

impl Script {
    fn choose(&mut self, count: usize) -> usize {
        if self.next == self.choices.len() {
            self.choices.push((0, count));
        }
        let (chosen, of) = self.choices[self.next];
        assert_eq!(of, count, "cdsspec bug: the program does something else when it is run again");
        self.next += 1;
        chosen
    }

    /// The next one in order; `false` after the last.
    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((chosen, count)) = self.choices.pop() {
            if chosen + 1 < count {
                self.choices.push((chosen + 1, count));
                return true;
            }
        }
        false
    }
}

/// The machine, which is an engine to the program.
pub(super) struct Machine {
    coroutines: Coroutines,
    state: RefCell<MachineState>,
    script: RefCell<Script>,
    running: Cell<usize>,
    is_unobserved: Cell<bool>,
}

/// An interleaving that has ended.
pub(super) struct Interleaving {
    threads: Vec<Thread>,
}

impl Interleaving {
    /// The last step of a thread, of its first `position`, or the one that created it; as a place in the order of all.
    pub(super) fn before(&self, thread: ThreadId, position: u32) -> Option<usize> {
        let thread = &self.threads[thread.index()];
        match position.checked_sub(1) {
            Some(last) => Some(thread.steps[last as usize]),
            None => thread.created,
        }
    }

    /// The first step of a thread after its first `position`, or that of `other` which joined it. To the rest, that it is joined early says nothing.
    pub(super) fn after(&self, thread: ThreadId, position: u32, other: ThreadId) -> Option<usize> {
        let thread = &self.threads[thread.index()];
        let joined = thread.joined.filter(|(joiner, _)| *joiner == other.index());
        thread.steps.get(position as usize).copied().or(joined.map(|(_, step)| step))
    }
}

/// Runs a program in every way, and shows each interleaving that has ended. `None` if there are more than `count_max`, or a thread panics;
/// else how many there are.
pub(super) fn interleavings(
    program: &Program,
    count_max: u64,
    mut visit: impl FnMut(&Interleaving),
) -> Option<u64> {
    let machine = Rc::new(Machine {
        coroutines: Coroutines::new(0),
        state: RefCell::default(),
        script: RefCell::default(),
        running: Cell::new(0),
        is_unobserved: Cell::new(false),
    });
    let recorder = Rc::new(RefCell::new(Recorder::new()));
    let execution = Execution::new(machine.clone(), recorder);
    let main: Arc<dyn Body> = Arc::new(MainThread(program.clone()));
    port::enter(&execution, || {
        let mut count = 0;
        loop {
            if count == count_max {
                return None;
            }
            count += 1;
            execution.begin_unrecorded();
            machine.run(&main);
            let state = machine.state.take();
            if state.has_panicked {
                return None;
            }
            visit(&Interleaving { threads: state.threads });
            if !machine.script.borrow_mut().advance() {
                return Some(count);
            }
        }
    })
}

impl Machine {
    fn run(&self, main: &Arc<dyn Body>) {
        self.add_thread(None, None, main.clone());
        loop {
            if let Some(thread) = self.find(|thread| thread.asked.is_none() && !thread.has_ended) {
                self.resume(thread);
            } else if let Some(thread) = self.joinable() {
                self.join(thread);
            } else if !self.step() {
                break;
            }
        }
        // Threads that wait for ever unwind, and nobody observes what they do: so they leave nothing behind.
        self.is_unobserved.set(true);
        while let Some(thread) = self.find(|thread| !thread.has_ended) {
            self.resume(thread);
        }
        self.is_unobserved.set(false);
    }

    fn find(&self, is_it: impl Fn(&Thread) -> bool) -> Option<usize> {
        self.state.borrow().threads.iter().position(is_it)
    }

    fn add_thread(&self, created: Option<usize>, stack_bytes: Option<usize>, body: Arc<dyn Body>) -> usize {
        let mut state = self.state.borrow_mut();
        let thread = state.threads.len();
        state.threads.push(Thread { created, ..Thread::default() });
        self.coroutines.create(thread, stack_bytes, body);
        thread
    }

    fn resume(&self, thread: usize) {
        self.running.set(thread);
        let ended = self.coroutines.resume(thread);
        let mut state = self.state.borrow_mut();
        if let Some(result) = ended {
            state.has_panicked |= result.is_err() && !self.is_unobserved();
            let thread = &mut state.threads[thread];
            thread.has_ended = true;
            thread.panic = result.err();
        }
    }

    /// A thread that waits for one that has ended.
    fn joinable(&self) -> Option<usize> {
        let state = self.state.borrow();
        let can_join = |thread: &Thread| matches!(thread.asked, Some(Asked::Join(other)) if state.threads[other].has_ended);
        state.threads.iter().position(can_join)
    }

    fn join(&self, joiner: usize) {
        let step = self.note_step(joiner);
        let mut state = self.state.borrow_mut();
        let Some(Asked::Join(ended)) = state.threads[joiner].asked.take() else {
            unreachable!("cdsspec bug: the thread joins another one")
        };
        let ended = &mut state.threads[ended];
        ended.joined = Some((joiner, step));
        let result = ended.panic.take().map_or(Ok(()), Err);
        state.threads[joiner].reply = Some(Reply::Joined(result));
        drop(state);
        self.resume(joiner);
    }

    /// Some thread accesses memory, if one can.
    fn step(&self) -> bool {
        // Whose turn it may be, and whether it gives up waiting.
        let mut ways = Vec::new();
        for (index, thread) in self.state.borrow().threads.iter().enumerate() {
            let Some(Asked::Access(location, action)) = &thread.asked else { continue };
            if action.is_satisfied(self.peek(*location)) {
                ways.push((index, false));
            }
            if action.is_timed() {
                ways.push((index, true));
            }
        }
        if ways.is_empty() {
            return false;
        }
        let (thread, gives_up) = ways[self.script.borrow_mut().choose(ways.len())];
        let asked = self.state.borrow_mut().threads[thread].asked.take();
        let Some(Asked::Access(location, action)) = asked else {
            unreachable!("cdsspec bug: the thread accesses memory")
        };
        let reply = if gives_up {
            Reply::NotDone
        } else {
            self.note_step(thread);
            self.access(location, &action)
        };
        self.state.borrow_mut().threads[thread].reply = Some(reply);
        self.resume(thread);
        true
    }

    fn note_step(&self, thread: usize) -> usize {
        let mut state = self.state.borrow_mut();
        let step = state.step_count;
        state.step_count += 1;
        state.threads[thread].steps.push(step);
        step
    }

    fn access(&self, location: LocationId, action: &Action) -> Reply {
        let old = self.peek(location);
        let new = action.written(old);
        if let Some(new) = new {
            self.state.borrow_mut().memory[location.index()] = new;
        }
        match action {
            Action::Store { .. } => Reply::Done,
            Action::CompareExchange { .. } if new.is_none() => Reply::Failed(old),
            _ => Reply::Value(old),
        }
    }

    /// The running thread waits for its turn.
    fn wait_for_turn(&self, asked: Asked) -> Reply {
        let thread = self.running.get();
        self.state.borrow_mut().threads[thread].asked = Some(asked);
        self.coroutines.suspend();
        if self.is_unobserved() {
            resume_unwind(Box::new("nobody goes on"));
        }
        let reply = self.state.borrow_mut().threads[thread].reply.take();
        reply.expect("cdsspec bug: a thread goes on with a reply")
    }
}

impl Port for Machine {
    fn perform(&self, Request { operation, .. }: Request) -> Reply {
        match operation {
            Operation::Access { action: Action::BeginCell { .. }, .. } => Reply::Cell(CellAccess::new(None)),
            Operation::Access { action: Action::ExchangeRead { .. }, .. } => Reply::NotDone,
            Operation::Access { location, action } if self.is_unobserved() => self.access(location, &action),
            Operation::Access { location, action } => self.wait_for_turn(Asked::Access(location, action)),
            Operation::Spawn { stack_bytes, body, .. } => {
                let creator = self.running.get();
                let created = self.note_step(creator);
                Reply::Thread(ThreadId::new(self.add_thread(Some(created), stack_bytes, body)))
            }
            Operation::Join { .. } if self.is_unobserved() => Reply::Joined(Ok(())),
            Operation::Join { thread } => self.wait_for_turn(Asked::Join(thread.index())),
            Operation::IsFinished { thread } => {
                Reply::Truth(self.state.borrow().threads[thread.index()].has_ended)
            }
            Operation::Choose { count } => Reply::Value(self.script.borrow_mut().choose(count) as u64),
            Operation::WakeSpuriously => Reply::Truth(false),
            Operation::Fence { .. } | Operation::Yield | Operation::WaitBehindWriter { .. } => Reply::Done,
            Operation::Count { .. } | Operation::Tick => Reply::NotDone,
        }
    }

    fn note(&self, _: Notice<'_>) {}

    fn thread(&self) -> ThreadId {
        ThreadId::new(self.running.get())
    }

    fn progress(&self) -> Progress {
        let state = self.state.borrow();
        let position = state.threads.get(self.running.get()).map_or(0, |thread| thread.steps.len() as u32);
        let is_observed = !self.is_unobserved();
        Progress { thread: self.thread(), position, sequence: 0, is_observed, is_in_round: false }
    }

    fn is_unobserved(&self) -> bool {
        self.is_unobserved.get()
    }

    fn unobserved(&self, f: &mut dyn FnMut()) {
        let was = self.is_unobserved.replace(true);
        f();
        self.is_unobserved.set(was);
    }

    fn is_panicking(&self) -> bool {
        self.coroutines.is_panicking()
    }

    fn new_location(&self, _: ValueKind, initial: u64) -> LocationId {
        let memory = &mut self.state.borrow_mut().memory;
        memory.push(initial);
        LocationId::new(memory.len() - 1)
    }

    fn peek(&self, location: LocationId) -> u64 {
        self.state.borrow().memory[location.index()]
    }

    fn refuse(&self, _: &str) {
        self.state.borrow_mut().has_panicked = true;
    }
}

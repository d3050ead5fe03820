//! Every interleaving of a program, one after the other: a memory that has one value for each location, and threads that take turns.
//!
//! Which thread goes on is tried in all ways, with the program run again from its start for each: nothing is remembered, compared or left
//! out, but that a join, which touches no memory, is done as soon as it can be. There are no execution graphs: of the graph engine it has the coroutines alone.
//!
//! Programs with too many interleavings for that are run with those left out that come to a [`MachinePoint`] which was there before. A thread does what it does by
//! what it has read; which store that was says, in a program without races, what plain memory it has seen. So from two equal pasts threads go on in the same ways, and
//! who looks on sees the same from there on; what of the past itself it looks at is part of the past. So the state of the program is in its locations, and in plain memory that they guard: not in
//! std's atomics, nor in counts of std's `Arc`.
//!
//! That a thread is created is no turn either: it is done with what its creator does before it. A call that begins by creating one has fewer histories here than it has.

use crate::engine::Program;
use crate::heap::Progress;
use crate::port::{
    self, Action, Body, CellAccess, Execution, Notice, Operation, Port, Reply, Request, run_body,
};
use crate::record::{LocationId, Recorder, ThreadId, ValueKind};
use crate::run::Coroutines;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
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

/// What is in a location: the value, and which thread stored it in which of its steps.
type Stored = (u64, Option<(usize, usize)>);

/// What a thread was told.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Told {
    /// It has read this.
    Read(Stored),
    /// It has given up waiting.
    GaveUp,
    /// This was chosen, or is so now.
    Chosen(u64),
}

/// Where a program has come to. `S` is what those who look on have seen.
#[derive(Hash)]
struct MachinePoint<S> {
    /// How many steps each thread has done, and what it was told, in order.
    threads: Vec<(usize, Vec<Told>)>,
    memory: Vec<Stored>,
    seen: S,
}

impl<S: Hash> MachinePoint<S> {
    /// 128 bits of it: of a test there are millions, which would take gigabytes. That two of them share these has a chance of less than 2^-80.
    fn number(&self) -> u128 {
        let half = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, self).hash(&mut hasher);
            u128::from(hasher.finish())
        };
        half(0) << 64 | half(1)
    }
}

#[derive(Default)]
struct Thread {
    told: Vec<Told>,
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
    memory: Vec<Stored>,
    threads: Vec<Thread>,
    step_count: usize,
    has_panicked: bool,
}

impl MachineState {
    fn tell(&mut self, thread: usize, told: Told) {
        self.threads[thread].told.push(told);
    }
}

/// What is chosen, and of how many.
#[derive(Default)]
struct Script {
    choices: Vec<(usize, usize)>,
    next: usize,
}

impl Script {
    /// Whether the next choice was not made before.
    fn is_at_end(&self) -> bool {
        self.next == self.choices.len()
    }

    fn choose(&mut self, count: usize) -> usize {
        if self.is_at_end() {
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
    visit: impl FnMut(&Interleaving),
) -> Option<u64> {
    run_all(program, count_max, &mut |_| false, visit)
}

/// The same without those that come to a past which was there before; `seen` is what is looked at. How many there are, those that were left included.
pub(super) fn interleavings_by_past<S: Hash>(
    program: &Program,
    count_max: u64,
    seen: impl Fn(&Interleaving) -> S,
    visit: impl FnMut(&Interleaving),
) -> Option<u64> {
    let mut known = HashSet::new();
    let mut was_there = |state: &mut MachineState| {
        let interleaving = Interleaving { threads: std::mem::take(&mut state.threads) };
        let seen = seen(&interleaving);
        state.threads = interleaving.threads;
        let threads = state.threads.iter().map(|thread| (thread.steps.len(), thread.told.clone()));
        let point = MachinePoint { threads: threads.collect(), memory: state.memory.clone(), seen };
        !known.insert(point.number())
    };
    run_all(program, count_max, &mut was_there, visit)
}

/// Leaves an interleaving before a choice if this says so.
type IsKnown<'a> = &'a mut dyn FnMut(&mut MachineState) -> bool;

fn run_all(
    program: &Program,
    count_max: u64,
    is_known: IsKnown<'_>,
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
            let has_ended = machine.run(&main, is_known);
            let state = machine.state.take();
            if state.has_panicked {
                return None;
            }
            if has_ended {
                visit(&Interleaving { threads: state.threads });
            }
            if !machine.script.borrow_mut().advance() {
                return Some(count);
            }
        }
    })
}

impl Machine {
    /// Whether the program came to an end.
    fn run(&self, main: &Arc<dyn Body>, is_known: IsKnown<'_>) -> bool {
        self.add_thread(None, None, main.clone());
        let is_left = loop {
            if let Some(thread) = self.find(|thread| thread.asked.is_none() && !thread.has_ended) {
                self.resume(thread);
            } else if let Some(thread) = self.joinable() {
                self.join(thread);
            } else if self.script.borrow().is_at_end() && is_known(&mut self.state.borrow_mut()) {
                break true;
            } else if !self.step() {
                break false;
            }
        };
        // Threads that wait for ever unwind, and nobody observes what they do: so they leave nothing behind.
        self.is_unobserved.set(true);
        while let Some(thread) = self.find(|thread| !thread.has_ended) {
            self.resume(thread);
        }
        self.is_unobserved.set(false);
        !is_left
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
            self.state.borrow_mut().tell(thread, Told::GaveUp);
            Reply::NotDone
        } else {
            self.running.set(thread);
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
        let (thread, mut state) = (self.running.get(), self.state.borrow_mut());
        let number = state.threads[thread].steps.len();
        if !self.is_unobserved() && !matches!(action, Action::Store { .. }) {
            let stored = state.memory[location.index()];
            state.tell(thread, Told::Read(stored));
        }
        if let Some(new) = new {
            state.memory[location.index()] = (new, Some((thread, number)));
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
                let mut state = self.state.borrow_mut();
                let has_ended = state.threads[thread.index()].has_ended;
                state.tell(self.running.get(), Told::Chosen(u64::from(has_ended)));
                Reply::Truth(has_ended)
            }
            Operation::Choose { count } => {
                let chosen = self.script.borrow_mut().choose(count) as u64;
                self.state.borrow_mut().tell(self.running.get(), Told::Chosen(chosen));
                Reply::Value(chosen)
            }
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
        memory.push((initial, None));
        LocationId::new(memory.len() - 1)
    }

    fn peek(&self, location: LocationId) -> u64 {
        self.state.borrow().memory[location.index()].0
    }

    fn refuse(&self, _: &str) {
        self.state.borrow_mut().has_panicked = true;
    }
}

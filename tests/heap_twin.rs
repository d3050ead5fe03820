//! What the heap shows of generated programs, against a naive twin that asks the recordings alone who happens before whom.

use cdsspec::sync::Arc;
use cdsspec::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use cdsspec::sync::atomic::{AtomicPtr, AtomicUsize};
use cdsspec::thread::spawn;
use cdsspec_litmus::random::Random;
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::engine::loom::LoomEngine;
use cdsspec_runtime::engine::{Engine, Limits, Visitor};
use cdsspec_runtime::record::{MemoryFaultKind, OperationId, OperationKind, Recording, ThreadId};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Mutex;

const SEED: u64 = 0x4EA9;
const PROGRAMS: usize = 200;
const VARIABLES: usize = 2;
const SLOTS: usize = 2;

type Node = AtomicUsize;

/// What a thread does. A step about a variable that holds nothing is left out.
#[derive(Clone, Copy, Debug)]
enum Step {
    Alloc(usize),
    Use(usize, Ordering),
    Free(usize),
    Publish(usize, usize, Ordering),
    Take(usize, usize, Ordering),
}

/// The steps of the main thread, of the other one if there is one, and of the main thread after the join.
#[derive(Clone, Debug)]
struct Generated([Vec<Step>; 3]);

fn publish(random: &mut Random, variable: usize, slot: usize) -> Step {
    Step::Publish(variable, slot, random.pick(&[Relaxed, Release, Release]))
}

fn take(random: &mut Random, variable: usize, slot: usize) -> Step {
    Step::Take(variable, slot, random.pick(&[Relaxed, Acquire, Acquire]))
}

fn step(random: &mut Random) -> Step {
    let (variable, slot) = (random.pick(&[0, 0, 1]), random.pick(&[0, 0, 1]));
    match random.below(12) {
        0 => Step::Alloc(variable),
        1..6 => Step::Use(variable, random.pick(&[Relaxed, Acquire])),
        6..8 => Step::Free(variable),
        8..10 => publish(random, variable, slot),
        _ => take(random, variable, slot),
    }
}

/// Steps that begin with a node: one that is shared from then on, or one that is taken.
fn thread(random: &mut Random) -> Vec<Step> {
    let mut steps = match random.below(3) {
        0 => vec![take(random, 0, 0)],
        _ => vec![Step::Alloc(0), publish(random, 0, 0)],
    };
    steps.extend((0..random.below(5)).map(|_| step(random)));
    steps
}

fn generate(random: &mut Random) -> Generated {
    let main = thread(random);
    let other = if random.below(5) == 0 { Vec::new() } else { thread(random) };
    let last = (0..random.below(4)).map(|_| step(random)).collect();
    Generated([main, other, last])
}

/// What a thread did to a node, and how many operations it had done before.
#[derive(Clone, Copy, Debug)]
struct Done {
    thread: usize,
    position: u32,
    node: usize,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    Alloc,
    Use,
    Free,
}

/// A thread of a program that runs.
struct Runner {
    thread: usize,
    position: u32,
    variables: [*mut Node; VARIABLES],
    slots: Arc<[AtomicPtr<Node>; SLOTS]>,
    log: &'static Mutex<Vec<Done>>,
}

impl Runner {
    fn note(&self, node: *mut Node, what: What) {
        let done = Done { thread: self.thread, position: self.position, node: node.addr(), what };
        self.log.lock().expect("nobody panics with it").push(done);
    }

    fn run(&mut self, steps: &[Step]) {
        for &step in steps {
            match step {
                Step::Alloc(variable) => {
                    self.variables[variable] = Box::into_raw(Box::new(Node::new(0)));
                    self.note(self.variables[variable], What::Alloc);
                }
                Step::Publish(variable, slot, order) => {
                    self.slots[slot].store(self.variables[variable], order);
                    self.position += 1;
                }
                Step::Take(variable, slot, order) => {
                    self.variables[variable] = self.slots[slot].load(order);
                    self.position += 1;
                }
                Step::Use(variable, _) | Step::Free(variable) if self.variables[variable].is_null() => {}
                Step::Use(variable, order) => {
                    self.note(self.variables[variable], What::Use);
                    // SAFETY: what is freed is there until the execution ends.
                    unsafe { &*self.variables[variable] }.load(order);
                    self.position += 1;
                }
                Step::Free(variable) => {
                    self.note(self.variables[variable], What::Free);
                    // SAFETY: a second free is not carried out.
                    drop(unsafe { Box::from_raw(self.variables[variable]) });
                }
            }
        }
    }
}

/// How many operations it is to share the slots and to start a thread: loom counts handles by operations, rc11 sees that the main thread
/// takes the last one in any case.
fn start_count(engine: &dyn Engine) -> u32 {
    if engine.name() == "loom" { 2 } else { 1 }
}

fn run(program: &Generated, start_count: u32, log: &'static Mutex<Vec<Done>>) {
    log.lock().expect("nobody panics with it").clear();
    let slots = Arc::new([const { AtomicPtr::new(null_mut()) }; SLOTS]);
    let variables = [null_mut(); VARIABLES];
    let Generated([main, other, last]) = program;
    let other = (!other.is_empty()).then(|| {
        let (other, slots) = (other.clone(), Sent(slots.clone()));
        spawn(move || {
            let slots = { slots }.0;
            let variables = [null_mut(); VARIABLES];
            Runner { thread: 1, position: 0, variables, slots, log }.run(&other);
        })
    });
    let position = if other.is_some() { start_count } else { 0 };
    let mut runner = Runner { thread: 0, position, variables, slots, log };
    runner.run(main);
    if let Some(other) = other {
        other.join().expect("no thread panics");
        runner.position += 1;
    }
    runner.run(last);
}

struct Sent<T>(T);
// SAFETY: it is atomics; what they point to is what is checked.
unsafe impl<T> Send for Sent<T> {}

/// A fault: its kind, and the operation that shows it.
type Fault = (&'static str, Option<OperationId>);

/// What is wrong with an execution, by what its threads say that they did.
fn twin(recording: &Recording, log: &[Done]) -> BTreeSet<Fault> {
    let mut faults = BTreeSet::new();
    let allocations = log.iter().filter(|done| done.what == What::Alloc);
    for allocation in allocations {
        let of_node = |what| log.iter().filter(move |done| done.node == allocation.node && done.what == what);
        let mut uses: Vec<_> = of_node(What::Use).map(|usage| (operation(recording, usage), usage)).collect();
        uses.sort_by_key(|(operation, _)| *operation);
        let first = |is_wrong: &dyn Fn(OperationId) -> bool| {
            uses.iter().map(|(operation, _)| *operation).find(|operation| is_wrong(*operation))
        };
        if let Some(usage) = first(&|usage| !happens_before_operation(recording, allocation, usage)) {
            faults.insert(("unallocated", Some(usage)));
        }
        // The first free in the order in which the threads ran.
        if let Some(free) = of_node(What::Free).next()
            && let Some(usage) = first(&|usage| !happens_before_moment(recording, usage, free))
        {
            faults.insert(("freed", Some(usage)));
        }
        if of_node(What::Free).count() > 1 {
            faults.insert(("freed twice", None));
        }
    }
    faults
}

/// The operation that a use is.
fn operation(recording: &Recording, usage: &Done) -> OperationId {
    let is_it = |id: &OperationId| {
        let one = recording.operation(*id);
        one.thread == ThreadId::new(usage.thread) && one.position == usage.position + 1
    };
    ids(recording).find(is_it).expect("it was recorded")
}

fn ids(recording: &Recording) -> impl Iterator<Item = OperationId> {
    (0..recording.operations.len()).map(OperationId::new)
}

/// Whether something that the thread did after `done` is the operation or happens before it, or the thread's end does.
fn happens_before_operation(recording: &Recording, done: &Done, usage: OperationId) -> bool {
    let thread = ThreadId::new(done.thread);
    ids(recording).any(|id| {
        let one = recording.operation(id);
        let is_after = one.thread == thread && one.position > done.position;
        let is_end = one.kind == OperationKind::Join(thread);
        (is_after || is_end) && (id == usage || recording.happens_before(id, usage))
    })
}

/// Whether an operation is, or happens before, something that the thread did before `done`, or its creation.
fn happens_before_moment(recording: &Recording, usage: OperationId, done: &Done) -> bool {
    let thread = ThreadId::new(done.thread);
    ids(recording).any(|id| {
        let one = recording.operation(id);
        let is_before = one.thread == thread && one.position <= done.position;
        let is_creation = one.kind == OperationKind::Create(thread);
        (is_before || is_creation) && (id == usage || recording.happens_before(usage, id))
    })
}

/// What the engine found.
fn found(recording: &Recording) -> BTreeSet<Fault> {
    let of = |kind: &MemoryFaultKind| match kind {
        MemoryFaultKind::Unallocated { usage } => ("unallocated", Some(*usage)),
        MemoryFaultKind::Freed { usage, .. } => ("freed", Some(*usage)),
        MemoryFaultKind::FreedTwice { .. } => ("freed twice", None),
        other => panic!("nothing else is in these programs: {other:?}"),
    };
    recording.memory_faults.iter().map(|fault| of(&fault.kind)).collect()
}

/// Compares each execution.
struct Comparison {
    program: Generated,
    log: &'static Mutex<Vec<Done>>,
    executions: usize,
    faults: BTreeSet<&'static str>,
}

impl Visitor for Comparison {
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()> {
        let log = self.log.lock().expect("nobody panics with it");
        let expected = twin(recording, &log);
        let text = || format!("seed {SEED:#x}: {:?}\n{log:#?}\n{:#?}", self.program, recording.operations);
        assert_eq!(found(recording), expected, "{}", text());
        self.executions += 1;
        self.faults.extend(expected.iter().map(|(kind, _)| *kind));
        ControlFlow::Continue(())
    }

    fn restart(&mut self) {}
}

#[test]
fn two_hundred_generated_programs_have_the_faults_that_a_naive_twin_finds() {
    let mut random = Random::new(SEED);
    let programs: Vec<_> = (0..PROGRAMS).map(|_| generate(&mut random)).collect();
    let engines: [&dyn Engine; 2] = [&GraphEngine::new(), &LoomEngine::new()];
    for engine in engines {
        let (mut executions, mut faulty) = (0, [0; 4]);
        for program in &programs {
            let log: &'static Mutex<Vec<Done>> = Box::leak(Box::default());
            let comparison =
                Comparison { program: program.clone(), log, executions: 0, faults: BTreeSet::new() };
            let comparison = Rc::new(RefCell::new(comparison));
            let (run_it, start_count) = (program.clone(), start_count(engine));
            engine.explore(
                std::sync::Arc::new(move || run(&run_it, start_count, log)),
                &Limits::default(),
                comparison.clone(),
            );
            let comparison = comparison.borrow();
            executions += comparison.executions;
            for (count, kind) in faulty.iter_mut().zip(["unallocated", "freed", "freed twice"]) {
                *count += usize::from(comparison.faults.contains(kind));
            }
            faulty[3] += usize::from(comparison.faults.is_empty());
        }
        println!(
            "{}: {executions} executions; programs unallocated, freed, freed twice, right: {faulty:?}",
            engine.name()
        );
        assert!(faulty.iter().all(|count| *count >= 10), "each kind is there: {faulty:?}");
    }
}

//! Recordings made by hand, for tests of reports and runs: a stack that has lost its way in various ways.

use crate::record::{
    CallEntry, Ending, EventEntry, FieldId, Interval, KeptConditions, LocationId, MemoryFault,
    MemoryFaultKind, MethodId, OperationId, OperationName, Orders, Panic, Place, Recorder, ScOrder,
    SourceLocation, StoreId, ThreadId, ValueKind, WaitReason, WaitingThread, operation_name,
};
use crate::specification::{
    AdmissibilityRule, Broken, Clause, ClauseKind, Method, Probe, ProbeKey, ProbeRender, Specification,
    StateSupport, Step, StepMode, ValueSupport,
};
use cdsspec_contracts as contract;
use cdsspec_contracts::{Condition, ConditionMoment, Contract, DeclaredSet, Keep, Level, Source, View};
use std::any::Any;
use std::rc::Rc;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release, SeqCst};

/// What a call of the stack records.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Values {
    argument: Option<i32>,
    returned: Option<Option<i32>>,
}

const FILE: &str = "examples/treiber.rs";
const PUSH: usize = 0;
const POP: usize = 1;

/// Addresses as they might be.
const NODES: [u64; 2] = [0x7f3a_0000_1000, 0x7f3a_0000_2000];

pub(crate) fn thread(index: usize) -> ThreadId {
    ThreadId::new(index)
}

pub(crate) fn line(line: u32) -> SourceLocation {
    SourceLocation { file: FILE, line, column: 9 }
}

pub(crate) fn place(at: u32, name: OperationName, orders: Orders) -> Place {
    Place { source: line(at), name, orders }
}

/// A pop returns what the specification pops.
pub(crate) fn exact_stack() -> &'static Specification {
    static STACK: OnceLock<Specification> = OnceLock::new();
    STACK.get_or_init(|| stack("Stack", &[], Vec::new()))
}

/// A pop may return None, where that is justified.
pub(crate) fn lazy_stack() -> &'static Specification {
    static STACK: OnceLock<Specification> = OnceLock::new();
    let justified = Clause {
        kind: ClauseKind::JustifyingPostCondition,
        text: "c_ret.is_some() || s_ret.is_none()",
        source: line(38),
    };
    let post = Clause {
        kind: ClauseKind::PostCondition,
        text: "c_ret.is_none() || c_ret == s_ret",
        source: line(39),
    };
    STACK.get_or_init(|| stack("LazyStack", &[justified, post], Vec::new()))
}

/// A pop that returns None must be ordered against every push.
pub(crate) fn admitting_stack() -> &'static Specification {
    static STACK: OnceLock<Specification> = OnceLock::new();
    let rule = AdmissibilityRule {
        first: MethodId::new(POP),
        second: MethodId::new(PUSH),
        text: "pop <-> push, m1.c_ret.is_none()",
        source: line(6),
        must_be_ordered: |m1, _| m1.downcast_ref::<Values>().unwrap().returned == Some(None),
    };
    STACK.get_or_init(|| stack("AdmittingStack", &[], vec![rule]))
}

fn stack(name: &'static str, pop_clauses: &[Clause], rules: Vec<AdmissibilityRule>) -> Specification {
    let effect = |text, at| Clause { kind: ClauseKind::SideEffect, text, source: line(at) };
    let values = ValueSupport {
        render_arguments: |values| {
            let argument = values.downcast_ref::<Values>().unwrap().argument;
            argument.iter().map(i32::to_string).collect()
        },
        render_return: |values| {
            values.downcast_ref::<Values>().unwrap().returned.map(|value| format!("{value:?}"))
        },
        key: (&&Probe::<Values>::new()).key(),
    };
    let push = Method {
        name: "push",
        source: line(21),
        clauses: vec![effect("s.push(value)", 20)],
        step: |step| {
            let (state, values, _) = step.parts::<Vec<i32>, Values>();
            state.extend(values.argument);
            Ok(())
        },
        markers: Vec::new(),
        values,
    };
    let mut clauses = vec![effect("s.pop()", 37)];
    clauses.extend(pop_clauses);
    let step = if pop_clauses.is_empty() { exact_pop } else { lazy_pop };
    let pop = Method { name: "pop", source: line(41), clauses, step, markers: Vec::new(), values };
    Specification {
        name,
        source: line(3),
        state: StateSupport {
            initial: || Box::new(Vec::<i32>::new()),
            copy: |state| Box::new(state.downcast_ref::<Vec<i32>>().unwrap().clone()),
            clear: drop::<Box<dyn Any>>,
            render: (&&Probe::<Vec<i32>>::new()).render_any(),
            key: (&&Probe::<Vec<i32>>::new()).key(),
        },
        methods: vec![push, pop],
        rules,
    }
}

fn exact_pop(step: &mut Step<'_>) -> Result<(), Broken> {
    let (state, values, _) = step.parts::<Vec<i32>, Values>();
    let specified = state.pop();
    let is_broken = step.mode() == StepMode::Sequential && values.returned != Some(specified);
    let broken = Broken { clause: ClauseKind::SameReturn, specified: Some(format!("{specified:?}")) };
    if is_broken { Err(broken) } else { Ok(()) }
}

fn lazy_pop(step: &mut Step<'_>) -> Result<(), Broken> {
    let (state, values, _) = step.parts::<Vec<i32>, Values>();
    let returned = values.returned.flatten();
    let specified = if returned.is_some() { state.pop() } else { state.last().copied() };
    let (clause, is_true) = match step.mode() {
        StepMode::Sequential => (ClauseKind::PostCondition, returned.is_none() || returned == specified),
        StepMode::Justifying => {
            (ClauseKind::JustifyingPostCondition, returned.is_some() || specified.is_none())
        }
        StepMode::EffectOnly => return Ok(()),
    };
    if is_true { Ok(()) } else { Err(Broken { clause, specified: Some(format!("{specified:?}")) }) }
}

/// A recording that is being made.
pub(crate) struct Scene {
    pub(crate) recorder: Recorder,
    specification: &'static Specification,
    head: LocationId,
    /// The newest store of the head.
    newest: StoreId,
}

impl Scene {
    pub(crate) fn new(specification: &'static Specification) -> Self {
        let mut recorder = Recorder::new();
        recorder.begin();
        let head = recorder.new_location(ValueKind::Pointer, 0);
        let newest = recorder.recording().locations[head.index()].initial;
        Self { recorder, specification, head, newest }
    }

    pub(crate) fn spawn(&mut self) -> ThreadId {
        self.recorder.create(thread(0), place(90, operation_name!("spawn"), Orders::None), None)
    }

    /// Loads a store of the head.
    pub(crate) fn load(&mut self, by: ThreadId, at: u32, order: Ordering, store: StoreId) -> OperationId {
        self.recorder.load(by, place(at, operation_name!("load", Load), Orders::One(order)), order, store)
    }

    /// The initial store of the head.
    pub(crate) fn initial(&self) -> StoreId {
        self.recorder.recording().locations[self.head.index()].initial
    }

    fn exchange(&mut self, by: ThreadId, at: u32, order: Ordering, value: u64) {
        let exchange =
            place(at, operation_name!("compare_exchange", CompareExchange), Orders::Two(order, Relaxed));
        self.newest = self.recorder.update(by, exchange, order, self.newest, value);
    }

    fn call(&mut self, by: ThreadId, method: usize, values: Values, body: impl FnOnce(&mut Self)) {
        let before = Values { returned: None, ..values.clone() };
        let entry = CallEntry {
            specification: self.specification,
            method: MethodId::new(method),
            address: 0x1000,
            size: 8,
            fields: Vec::new(),
            values: Box::new(before),
            tick: None,
        };
        let ticket = self.recorder.enter_call(by, entry);
        body(self);
        if let Some(mut recorded) = self.recorder.take_values(ticket) {
            *std::rc::Rc::get_mut(&mut recorded).unwrap().downcast_mut::<Values>().unwrap() = values;
            self.recorder.finish_call(ticket, Some(recorded));
        }
    }

    /// A push that links the node with its number, 1 or 2, under this order.
    pub(crate) fn push(&mut self, by: ThreadId, value: usize, order: Ordering) {
        let values = Values { argument: Some(i32::try_from(value).unwrap()), returned: None };
        self.call(by, PUSH, values, |scene| {
            let newest = scene.newest;
            scene.load(by, 24, Relaxed, newest);
            scene.exchange(by, 28, order, NODES[value - 1]);
            scene.recorder.op_define(by, line(27));
        });
    }

    /// A pop that unlinks the newest node, which must hold this value.
    pub(crate) fn pop(&mut self, by: ThreadId, value: usize) {
        let values = Values { argument: None, returned: Some(Some(i32::try_from(value).unwrap())) };
        self.call(by, POP, values, |scene| {
            let newest = scene.newest;
            scene.load(by, 44, Acquire, newest);
            let next = if value == 2 { NODES[0] } else { 0 };
            scene.exchange(by, 50, Acquire, next);
            scene.recorder.op_define(by, line(49));
        });
    }

    /// A pop that finds the stack empty, having read this store so many times.
    pub(crate) fn pop_none(&mut self, by: ThreadId, order: Ordering, store: StoreId, reads: usize) {
        self.call(by, POP, Values { argument: None, returned: Some(None) }, |scene| {
            for _ in 0..reads {
                scene.load(by, 44, order, store);
            }
            scene.recorder.op_clear_define(by, line(43));
        });
    }

    pub(crate) fn end(mut self, ending: Ending) -> Recorder {
        self.recorder.recording_mut().ending = ending;
        self.recorder
    }

    pub(crate) fn complete(self) -> Recorder {
        self.end(Ending::Complete)
    }
}

/// push(1), push(2) by one thread; then pop() -> 2, pop() -> None by the other, which it lets see the initial value.
pub(crate) fn stale_pop(specification: &'static Specification) -> Recorder {
    let mut scene = Scene::new(specification);
    scene.push(thread(0), 1, Release);
    scene.push(thread(0), 2, Release);
    let other = scene.spawn();
    scene.pop(other, 2);
    let initial = scene.initial();
    scene.pop_none(other, Acquire, initial, 4);
    scene.complete()
}

/// push(1) beside pop() -> None.
pub(crate) fn push_beside_pop_none(specification: &'static Specification) -> Recorder {
    let mut scene = Scene::new(specification);
    let other = scene.spawn();
    scene.push(thread(0), 1, Release);
    let initial = scene.initial();
    scene.pop_none(other, Acquire, initial, 1);
    scene.complete()
}

/// push(1) beside a pop() -> None that looks at another word, all SeqCst: nothing orders the two.
pub(crate) fn pop_of_another_word() -> Recorder {
    let mut scene = Scene::new(lazy_stack());
    let other = scene.spawn();
    scene.push(thread(0), 1, SeqCst);
    let word = scene.recorder.new_location(ValueKind::Pointer, 0);
    let initial = scene.recorder.recording().locations[word.index()].initial;
    scene.pop_none(other, SeqCst, initial, 1);
    scene.complete()
}

/// push(1), then pop() -> 1 by the same thread.
pub(crate) fn push_pop(specification: &'static Specification) -> Recorder {
    let mut scene = Scene::new(specification);
    scene.push(thread(0), 1, Release);
    scene.pop(thread(0), 1);
    scene.complete()
}

/// Two calls, each with a point before one of the other's: sc one way, happens-before the other.
pub(crate) fn cycle() -> Recorder {
    let mut scene = Scene::new(exact_stack());
    let other = scene.spawn();
    scene.push(thread(0), 1, SeqCst);
    let newest = scene.newest;
    scene.pop_none(other, SeqCst, newest, 1);
    let points = |call: usize, scene: &Scene| scene.recorder.recording().calls[call].points[0].operation;
    let pair = (points(1, &scene), points(0, &scene));
    scene.recorder.recording_mut().sc = ScOrder::from_pairs([pair]);
    scene.complete()
}

/// Two threads write a cell.
pub(crate) fn race() -> Recorder {
    let mut scene = Scene::new(exact_stack());
    let other = scene.spawn();
    let cell = scene.recorder.new_location(ValueKind::Internal, 0);
    scene.push(thread(0), 1, Relaxed);
    let write = |at| place(at, operation_name!("with_mut"), Orders::None);
    scene.recorder.begin_cell(thread(0), write(33), cell, true).unwrap();
    let race = scene.recorder.begin_cell(other, write(47), cell, true).unwrap_err();
    scene.end(Ending::Race(race))
}

/// One thread pushes a node relaxed, the other uses it; something is wrong with that, given the use and a moment after the push.
pub(crate) fn memory(kind: impl Fn(OperationId, Interval) -> MemoryFaultKind) -> Recorder {
    let mut scene = Scene::new(exact_stack());
    let other = scene.spawn();
    let cell = scene.recorder.new_location(ValueKind::Internal, 0);
    scene.push(thread(0), 1, Relaxed);
    let newest = scene.newest;
    scene.load(other, 44, Acquire, newest);
    let usage = scene
        .recorder
        .begin_cell(other, place(47, operation_name!("with"), Orders::None), cell, false)
        .unwrap();
    let between = |after, before: Option<usize>| {
        let [after, before] = [Some(after), before].map(|id| id.map(OperationId::new));
        Interval { thread: thread(0), after, before }
    };
    let kind = kind(usage, between(2, None));
    let fault = MemoryFault { kind, bytes: 24, allocated: Some(between(0, Some(1))) };
    scene.recorder.recording_mut().memory_faults.push(fault);
    scene.complete()
}

pub(crate) fn panic() -> Recorder {
    let mut scene = Scene::new(exact_stack());
    scene.push(thread(0), 1, Release);
    let message =
        "assertion `left == right` failed\n  left: 0x7f3a00001000\n right: 0x7f3a00003000".to_owned();
    scene.end(Ending::Panic(Panic { thread: thread(0), message, after: Some(line(28)) }))
}

/// Two threads push at once, which the contract of the stack rules out.
pub(crate) fn two_producers() -> Recorder {
    static CONTRACT: Contract = Contract {
        name: "Stack",
        source: CONTRACT_SOURCE,
        kind: None,
        is_checked: false,
        sets: &[DeclaredSet { name: "prod", keep: Keep::Last }],
        methods: &[contract::Method {
            name: "push",
            source: CONTRACT_SOURCE,
            role: Some("producer"),
            conditions: &[Condition {
                moment: ConditionMoment::Invocation,
                text: "!prod.concurrent(now)",
                says: Some("two producers at once (Req. 1)"),
                level: Level::Default,
                source: CONTRACT_SOURCE,
            }],
            adds: &[0],
        }],
    };
    const CONTRACT_SOURCE: Source = Source { file: FILE, line: 12, column: 9 };
    let mut scene = Scene::new(exact_stack());
    let other = scene.spawn();
    for (number, by) in [(60, thread(0)), (70, other)] {
        let holds: KeptConditions = Rc::new(|_, view: &View<'_>| !view.set(0).concurrent(view.now()));
        let object = Some(FieldId::new(0));
        let entry = EventEntry { contract: &CONTRACT, method: 0, caller: line(number), object };
        let ticket = scene.recorder.begin_event(by, entry);
        scene.recorder.look(ticket, (ConditionMoment::Invocation, None), holds);
        scene.push(by, 1, Release);
        scene.recorder.end_event(ticket);
    }
    scene.end(Ending::Complete)
}

/// The main thread waits for the other, which waits for this reason.
pub(crate) fn blocked(name: OperationName, reason: WaitReason) -> Recorder {
    let mut scene = Scene::new(exact_stack());
    let other = scene.spawn();
    let initial = scene.initial();
    for _ in 0..3 {
        scene.load(other, 44, Acquire, initial);
    }
    scene.end(Ending::Blocked(vec![
        WaitingThread {
            thread: thread(0),
            place: place(91, operation_name!("join"), Orders::None),
            location: None,
            reason: WaitReason::Join(other),
        },
        WaitingThread { thread: other, place: place(44, name, Orders::None), location: None, reason },
    ]))
}

/// Nothing but an ending.
pub(crate) fn ended(ending: Ending) -> Recorder {
    Scene::new(exact_stack()).end(ending)
}

/// A marker outside any call.
pub(crate) fn stray_marker() -> Recorder {
    let mut scene = Scene::new(exact_stack());
    scene.recorder.op_define(thread(0), line(12));
    scene.complete()
}

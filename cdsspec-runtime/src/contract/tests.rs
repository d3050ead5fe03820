//! The walk against its twin, on all short executions of two threads.

use super::naive::{self, Breaks, Paths};
use super::{ContractOptions, examine};
use crate::record::{
    EventEntry, EventTicket, FieldId, KeptConditions, OperationName, Orders, Place, Recorder, SourceLocation,
    StoreId, ThreadId, ValueKind, operation_name,
};
use cdsspec_contracts::{
    Condition, ConditionMoment, Contract, DeclaredSet, Keep, Level, Method, Source, View, add_current,
};
use std::rc::Rc;
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};

const NOWHERE: Source = Source { file: "", line: 0, column: 0 };

const fn condition(moment: ConditionMoment, text: &'static str) -> Condition {
    Condition { moment, text, says: None, level: Level::Default, source: NOWHERE }
}

const fn method(name: &'static str, conditions: &'static [Condition], adds: &'static [usize]) -> Method {
    Method { name, source: NOWHERE, role: None, conditions, adds }
}

/// Conditions that compare, that count, and that add.
static CONTRACT: Contract = Contract {
    name: "Box",
    source: NOWHERE,
    kind: None,
    is_checked: false,
    sets: &[DeclaredSet { name: "puts", keep: Keep::All }, DeclaredSet { name: "gets", keep: Keep::All }],
    methods: &[
        method(
            "put",
            &[
                condition(ConditionMoment::Invocation, "!puts.concurrent(now)"),
                condition(ConditionMoment::Return, "gets.len() < 2"),
            ],
            &[0],
        ),
        method(
            "get",
            &[
                condition(ConditionMoment::Invocation, "!puts.is_empty() && puts.happens_before(now)"),
                condition(ConditionMoment::Invocation, "gets.is_empty() || add_current(puts)"),
            ],
            &[1],
        ),
    ],
};

fn holds(is_put: bool) -> KeptConditions {
    Rc::new(move |index: usize, view: &View<'_>| {
        let (puts, gets, now) = (view.set(0), view.set(1), view.now());
        match (is_put, index) {
            (true, 0) => !puts.concurrent(now),
            (true, _) => gets.len() < 2,
            (false, 0) => !puts.is_empty() && puts.happens_before(now),
            (false, _) => gets.is_empty() || add_current(puts),
        }
    })
}

/// What a thread does.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Begin {
        is_put: bool,
    },
    /// A call begins, and evaluates its conditions.
    Evaluate {
        is_put: bool,
    },
    /// Its conditions are looked at.
    Look,
    /// The innermost call of the thread returns.
    End,
    Store(Ordering),
    /// Reads the last store.
    Load,
    /// The main thread joins the other one, which does nothing more.
    Join,
}

/// A call, by the nodes at which it begins, is looked at and ends.
pub(super) struct Call {
    pub(super) event: usize,
    pub(super) thread: usize,
    pub(super) is_put: bool,
    pub(super) begin: usize,
    pub(super) look: Option<usize>,
    pub(super) end: Option<usize>,
}

/// An execution: recorded, and as graphs.
pub(super) struct Made {
    recorder: Recorder,
    initial: StoreId,
    is_joined: bool,
    /// The last store: itself, its node, and its order.
    stored: Option<(StoreId, usize, Ordering)>,
    /// The calls that run in each thread, outermost first.
    open: [Vec<(EventTicket, usize)>; 2],
    last: [Option<usize>; 2],
    pub(super) calls: Vec<Call>,
    /// sb and rf.
    pub(super) paths: Paths,
    /// sb, and rf where it synchronises.
    pub(super) synchronised: Paths,
}

const SOMEWHERE: SourceLocation = SourceLocation { file: "test.rs", line: 1, column: 1 };

fn place(name: OperationName) -> Place {
    Place { source: SOMEWHERE, name, orders: Orders::None }
}

impl Made {
    /// The main thread creates another one.
    fn new() -> Self {
        let mut recorder = Recorder::new();
        recorder.begin();
        let location = recorder.new_location(ValueKind::Unsigned("u32"), 0);
        let initial = recorder.recording().locations[location.index()].initial;
        recorder.create(ThreadId::new(0), place(operation_name!("spawn")), None);
        let graph = || Paths { edges: vec![Vec::new()] };
        Self {
            recorder,
            initial,
            is_joined: false,
            stored: None,
            open: Default::default(),
            last: [Some(0), Some(0)],
            calls: Vec::new(),
            paths: graph(),
            synchronised: graph(),
        }
    }

    pub(super) fn points(&self) -> impl Iterator<Item = usize> + '_ {
        self.calls.iter().flat_map(|call| [call.look, call.end.filter(|_| call.is_put)]).flatten()
    }

    fn node(&mut self, thread: usize) -> usize {
        let node = self.paths.edges.len();
        for graph in [&mut self.paths, &mut self.synchronised] {
            graph.edges.push(Vec::new());
            graph.edges[self.last[thread].expect("there is a first node")].push(node);
        }
        self.last[thread] = Some(node);
        node
    }

    /// Does it; whether it can be done.
    fn run(&mut self, thread: usize, action: Deed) -> bool {
        let id = ThreadId::new(thread);
        if self.is_joined && thread == 1 {
            return false;
        }
        match action {
            Deed::Join if thread == 0 && !self.is_joined && self.open[1].is_empty() => {
                self.recorder.join(id, place(operation_name!("join")), ThreadId::new(1));
                let (ended, node) = (self.last[1].expect("there is a first node"), self.node(0));
                self.paths.edges[ended].push(node);
                self.synchronised.edges[ended].push(node);
                self.is_joined = true;
            }
            Deed::Begin { is_put } => return self.begin(thread, is_put) && self.look(thread),
            Deed::Evaluate { is_put } => return self.begin(thread, is_put),
            Deed::Look => return self.look(thread),
            Deed::End => {
                let Some((ticket, event)) = self.open[thread].pop() else { return false };
                if self.calls[event].look.is_none() {
                    return false;
                }
                if self.calls[event].is_put {
                    self.recorder.look(ticket, (ConditionMoment::Return, None), holds(true));
                }
                self.recorder.end_event(ticket);
                self.calls[event].end = Some(self.node(thread));
            }
            Deed::Store(order) => {
                let location = self.recorder.recording().store(self.initial).location;
                let store = self.recorder.store(id, place(operation_name!("store")), order, location, 1);
                self.stored = Some((store, self.node(thread), order));
            }
            Deed::Load => {
                let Some((store, writer, order)) = self.stored else { return false };
                self.recorder.load(id, place(operation_name!("load")), Acquire, store);
                let node = self.node(thread);
                self.paths.edges[writer].push(node);
                if order == Release {
                    self.synchronised.edges[writer].push(node);
                }
            }
            Deed::Join => return false,
        }
        true
    }

    /// A call begins, unless the thread evaluates conditions.
    fn begin(&mut self, thread: usize, is_put: bool) -> bool {
        if self.open[thread].last().is_some_and(|(_, event)| self.calls[*event].look.is_none()) {
            return false;
        }
        let (id, object) = (ThreadId::new(thread), Some(FieldId::new(7)));
        let method = usize::from(!is_put);
        let entry = EventEntry { contract: &CONTRACT, method, caller: SOMEWHERE, object };
        let (ticket, begin) = (self.recorder.begin_event(id, entry), self.node(thread));
        let event = self.calls.len();
        self.calls.push(Call { event, thread, is_put, begin, look: None, end: None });
        self.open[thread].push((ticket, event));
        true
    }

    fn look(&mut self, thread: usize) -> bool {
        let Some(&(ticket, event)) = self.open[thread].last() else { return false };
        if self.calls[event].look.is_some() {
            return false;
        }
        let holds = holds(self.calls[event].is_put);
        self.recorder.look(ticket, (ConditionMoment::Invocation, None), holds);
        self.calls[event].look = Some(self.node(thread));
        true
    }

    fn walked(&self) -> Vec<Breaks> {
        let options = ContractOptions { finds_all: true, ..ContractOptions::default() };
        let check = examine(self.recorder.recording(), &options, None);
        assert!(check.errors.is_empty() && check.limit.is_none());
        let number = |misuse: &super::Misuse| {
            let method = &CONTRACT.methods[self.recorder.recording().events[misuse.event].method];
            let found = method.conditions.iter().position(|one| std::ptr::eq(one, misuse.condition));
            (misuse.event, found.expect("the condition is one of its method"))
        };
        let mut broken: Vec<Breaks> = check.misuses.iter().map(number).collect();
        broken.sort_unstable();
        broken
    }
}

const OTHERS: [Deed; 5] = [Deed::End, Deed::Store(Release), Deed::Store(Relaxed), Deed::Load, Deed::Join];

/// Calls that are looked at when they begin.
const AT_ONCE: [Deed; 2] = [Deed::Begin { is_put: true }, Deed::Begin { is_put: false }];

/// Calls whose conditions do something before they are looked at.
const LATER: [Deed; 3] = [Deed::Evaluate { is_put: true }, Deed::Evaluate { is_put: false }, Deed::Look];

/// All executions of at most so many steps: how many, and how many break something.
fn compare(deeds: &[Deed], steps: &mut Vec<(usize, Deed)>, length: usize, counts: &mut [u64; 2]) {
    let mut made = Made::new();
    if !steps.iter().all(|&(thread, action)| made.run(thread, action)) {
        return;
    }
    let broken = naive::broken(&made);
    assert_eq!(made.walked(), broken, "{steps:?}");
    counts[0] += 1;
    counts[1] += u64::from(!broken.is_empty());
    if steps.len() < length {
        for step in (0..2).flat_map(|thread| deeds.iter().map(move |&deed| (thread, deed))) {
            steps.push(step);
            compare(deeds, steps, length, counts);
            steps.pop();
        }
    }
}

fn count(calls: &[Deed]) -> [u64; 2] {
    let mut counts = [0; 2];
    compare(&[calls, &OTHERS].concat(), &mut Vec::new(), 5, &mut counts);
    counts
}

#[test]
fn the_walk_finds_what_all_linear_extensions_do() {
    assert_eq!(count(&AT_ONCE), [109_790, 72_990]);
}

#[test]
fn it_does_so_where_conditions_are_evaluated_before_they_are_looked_at() {
    assert_eq!(count(&LATER), [64_302, 10_536]);
}

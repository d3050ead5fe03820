//! Sets that keep less against full ones, clocks against paths, and calls on one thread.

use crate::*;
use std::sync::Arc;

/// What threads can do, one after the other.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// A call begins: an event of the set with this index.
    Begin(u32, usize),
    /// The call of a thread returns.
    End(u32),
    /// The first thread releases, and the second acquires that.
    Hand(u32, u32),
}

/// A node of the graph by which happens-before is told anew: who, and its successors.
#[derive(Default)]
struct Paths {
    edges: Vec<Vec<usize>>,
    last: [Option<usize>; 3],
}

impl Paths {
    fn step(&mut self, thread: u32) -> usize {
        let node = self.edges.len();
        self.edges.push(Vec::new());
        if let Some(last) = self.last[thread as usize].replace(node) {
            self.edges[last].push(node);
        }
        node
    }

    fn leads(&self, from: usize, to: usize) -> bool {
        from == to || self.edges[from].iter().any(|&next| self.leads(next, to))
    }
}

/// A run of the actions: full sets, and sets of which each keeps the last event of a thread.
struct Machine {
    clocks: [Clock; 3],
    full: [EventSet; 2],
    last: [EventSet; 2],
    open: [Option<Event>; 3],
    paths: Paths,
    /// Where each event begins and ends in the graph.
    spans: Vec<(usize, Option<usize>)>,
    compared: u64,
}

const NOWHERE: Source = Source { file: "", line: 0, column: 0 };

impl Machine {
    fn new() -> Self {
        let mut clocks = [Clock::new(), Clock::new(), Clock::new()];
        for (thread, clock) in (0..).zip(&mut clocks) {
            clock.include(Epoch { thread: ThreadIndex(thread), step: 1 });
        }
        let last = || EventSet::keeping(Keep::Last);
        Self {
            clocks,
            full: [EventSet::new(), EventSet::new()],
            last: [last(), last()],
            open: [None, None, None],
            paths: Paths::default(),
            spans: Vec::new(),
            compared: 0,
        }
    }

    /// Whether the action can be done.
    fn run(&mut self, action: Action) -> bool {
        match action {
            Action::Begin(thread, set) if self.open[thread as usize].is_none() => self.begin(thread, set),
            Action::End(thread) => {
                let Some(event) = self.open[thread as usize].take() else { return false };
                self.spans[event.number as usize].1 = Some(self.paths.step(thread));
                let step = self.clocks[thread as usize].get(ThreadIndex(thread));
                let end = Epoch { thread: ThreadIndex(thread), step };
                self.full.iter_mut().chain(&mut self.last).for_each(|set| set.end(&event, end));
            }
            Action::Hand(from, to) if from != to => {
                let (sent, received) = (self.paths.step(from), self.paths.step(to));
                self.paths.edges[sent].push(received);
                let released = self.clocks[from as usize].clone();
                let step = released.get(ThreadIndex(from)) + 1;
                self.clocks[from as usize].include(Epoch { thread: ThreadIndex(from), step });
                self.clocks[to as usize].join(&released);
            }
            _ => return false,
        }
        true
    }

    fn begin(&mut self, thread: u32, set: usize) {
        let now = Event {
            thread: ThreadIndex(thread),
            number: self.spans.len() as u64,
            clock: Arc::new(self.clocks[thread as usize].clone()),
            end: None,
            method: 0,
            caller: NOWHERE,
            mark: Mark::default(),
        };
        self.spans.push((self.paths.step(thread), None));
        self.compare(&now);
        self.full[set].add(&now);
        self.last[set].add(&now);
        self.open[thread as usize] = Some(now);
    }

    /// What sets say of the current event, and what paths say.
    fn compare(&mut self, now: &Event) {
        let begin = self.spans[now.number as usize].0;
        for (full, last) in self.full.iter().zip(&self.last) {
            assert_eq!(full.is_empty(), last.is_empty());
            assert_eq!(full.happens_before(now), last.happens_before(now));
            assert_eq!(full.concurrent(now), last.concurrent(now));
            for event in full.iter() {
                let end = self.spans[event.number as usize].1;
                let is_before = end.is_some_and(|end| self.paths.leads(end, begin));
                assert_eq!((event.is_before(now), event.is_beside(now)), (is_before, !is_before));
                self.compared += 1;
            }
        }
        let (full, last) = (union(&self.full), union(&self.last));
        assert_eq!(full.happens_before(now), last.happens_before(now));
        assert_eq!(full.concurrent(now), last.concurrent(now));
    }
}

/// All sequences of at most `length` actions that can be done, extended one by one. How many, and how many pairs were compared.
fn visit(actions: &[Action], done: &mut Vec<Action>, length: usize, counts: &mut (u64, u64)) {
    let mut machine = Machine::new();
    if !done.iter().all(|action| machine.run(*action)) {
        return;
    }
    counts.0 += 1;
    counts.1 += machine.compared;
    if done.len() < length {
        for &action in actions {
            done.push(action);
            visit(actions, done, length, counts);
            done.pop();
        }
    }
}

fn counts(threads: u32, sets: usize, length: usize) -> (u64, u64) {
    let all = 0..threads;
    let begins = all.clone().flat_map(|thread| (0..sets).map(move |set| Action::Begin(thread, set)));
    let hands = all.clone().flat_map(|from| (0..threads).map(move |to| Action::Hand(from, to)));
    let actions: Vec<Action> = begins.chain(all.map(Action::End)).chain(hands).collect();
    let mut counts = (0, 0);
    visit(&actions, &mut Vec::new(), length, &mut counts);
    counts
}

#[test]
fn the_last_event_of_a_thread_says_as_much_as_all_of_them_and_clocks_say_what_paths_do() {
    assert_eq!(counts(2, 2, 6), (23223, 39224));
    assert_eq!(counts(3, 1, 4), (7381, 2586));
}

fn event(thread: u32, number: u64, known: &[(u32, u64)], end: Option<u64>) -> Event {
    let mut clock = Clock::new();
    known.iter().for_each(|&(thread, step)| clock.include(Epoch { thread: ThreadIndex(thread), step }));
    let end = end.map(|step| Epoch { thread: ThreadIndex(thread), step });
    Event {
        thread: ThreadIndex(thread),
        number,
        clock: Arc::new(clock),
        end,
        method: 0,
        caller: NOWHERE,
        mark: Mark::default(),
    }
}

#[test]
fn no_events_happen_before_everything_and_are_concurrent_with_nothing() {
    let (none, now) = (EventSet::new(), event(0, 0, &[(0, 1)], None));
    let one = EventSet::new().union(&now);
    assert!(none.is_empty() && one.len() == 1);
    for (first, second) in [(&none, &one), (&one, &none), (&none, &none)] {
        assert!(first.happens_before(second) && !first.concurrent(second));
    }
    assert!(none.happens_before(&now) && now.happens_before(&none) && !now.concurrent(&none));
    // An event is not compared with itself.
    assert!(one.happens_before(&now) && !one.concurrent(&now));
}

#[test]
fn requirements_are_about_pairs_where_listing_2_compares_whole_sets() {
    // `now` stands between two events: by listing 2, neither does the set happen before it nor it before the set.
    let before = event(0, 0, &[(0, 1)], Some(1));
    let now = event(1, 1, &[(0, 1), (1, 1)], Some(1));
    let after = event(2, 2, &[(1, 1), (2, 1)], None);
    let set = union([&before, &after]);
    assert!(!set.happens_before(&now) && !now.happens_before(&set));
    assert!(!set.concurrent(&now));
}

#[test]
fn a_call_that_publishes_half_way_is_concurrent_with_who_saw_that_unless_invocations_are_compared() {
    // Thread 0 is invoked at step 1, releases that, and returns at step 2; thread 1 has acquired step 1.
    let now = event(1, 1, &[(0, 1), (1, 1)], None);
    assert!(event(0, 0, &[(0, 1)], Some(2)).is_beside(&now));
    assert!(event(0, 0, &[(0, 1)], Some(1)).is_before(&now));
}

#[test]
fn sets_know_how_many_they_are_and_what_they_have_in_common() {
    let [a, b, c] = [0, 1, 2].map(|thread| event(thread, u64::from(thread), &[(thread, 1)], Some(1)));
    let (first, second) = (union([&a, &b]), union([&b, &c]));
    assert_eq!((union([&first, &second, &first]).len(), first.union(&c).len()), (3, 3));
    let common = intersection([&first, &second]);
    assert!(common.len() == 1 && common.iter().all(|event| event.is(&b)));
    assert_eq!((intersection([&first, &EventSet::new()]).len(), first.intersection(&second)), (0, common));
    let none: [&EventSet; 0] = [];
    assert_eq!((intersection(none).len(), union(none).len()), (0, 0));
}

const fn condition(moment: ConditionMoment, text: &'static str) -> Condition {
    Condition { moment, text, says: None, level: Level::Default, source: NOWHERE }
}

static CONTRACT: Contract = Contract {
    name: "Queue",
    source: NOWHERE,
    kind: None,
    is_checked: false,
    sets: &[DeclaredSet { name: "init", keep: Keep::Last }, DeclaredSet { name: "used", keep: Keep::All }],
    methods: &[
        Method { name: "new", source: NOWHERE, role: Some("init"), conditions: &[], adds: &[0] },
        Method {
            name: "push",
            source: NOWHERE,
            role: None,
            conditions: &[
                condition(ConditionMoment::Invocation, "!init.is_empty()"),
                condition(ConditionMoment::Return, "used.len() == 1"),
                condition(ConditionMoment::Statement, "n > 0"),
            ],
            adds: &[1],
        },
    ],
};

fn holds() -> impl Fn(usize, &View<'_>) -> bool {
    |index, view| match index {
        0 => !view.set(0).is_empty(),
        _ => view.set(1).len() == 1,
    }
}

type Says = fn(usize, &View<'_>) -> bool;

fn always(is_so: bool) -> impl FnOnce() -> Says {
    move || if is_so { |_, _| true } else { |_, _| false }
}

fn is_violated(run: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()
}

#[test]
fn conditions_are_looked_at_when_a_call_begins_and_returns_and_a_violating_event_is_added() {
    let sets = Sets::new();
    let push = || {
        let call = Call::enter(&CONTRACT, 1, &sets, holds);
        // A nested call of the same object is no event.
        drop(Call::enter(&CONTRACT, 1, &sets, always(false)));
        call.ensure(holds);
    };
    assert!(is_violated(push));
    Constructor::enter(&CONTRACT, 0).finish(&sets, holds);
    // The one before was added: now there are two.
    assert!(is_violated(push));
    let other = Sets::new();
    Constructor::enter(&CONTRACT, 0).finish(&other, holds);
    let call = Call::enter(&CONTRACT, 1, &other, holds);
    expect_here(&CONTRACT, 2, always(true));
    assert!(is_violated(|| expect_here(&CONTRACT, 2, always(false))));
    call.ensure(holds);
    drop(call);
    // Behind the call there is none.
    expect_here(&CONTRACT, 2, always(false));
}

#[test]
fn what_a_constructor_calls_of_its_object_is_taken_back_when_it_returns() {
    let sets = Sets::new();
    let outer = Constructor::enter(&CONTRACT, 0);
    // Of an object that has had no event it is one of the constructor's, and not looked at.
    drop(Call::enter(&CONTRACT, 1, &sets, always(false)));
    Constructor::enter(&CONTRACT, 0).finish(&sets, holds);
    drop(Call::enter(&CONTRACT, 1, &sets, always(true)));
    outer.finish(&sets, always(true));
    let is_empty = || |index: usize, view: &View<'_>| index != 0 || view.set(1).is_empty();
    drop(Call::enter(&CONTRACT, 1, &sets, is_empty));
    assert!(is_violated(|| drop(Call::enter(&CONTRACT, 1, &sets, is_empty))));
}

#[test]
fn a_contract_explains_itself_in_its_general_form() {
    let text = "\
#[contract(event_sets(init, used))]
impl Queue {
    // init
    #[add_current(init)]
    fn new { … }
    #[expects(!init.is_empty())]
    #[ensures(used.len() == 1)]
    #[add_current(used)]
    fn push {
        expects!(n > 0);
    }
}
";
    assert_eq!(CONTRACT.explain(), text);
}

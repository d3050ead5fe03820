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
    /// The calls that run in each thread, outermost first.
    open: [Vec<Event>; 3],
    /// How many calls may run in a thread at once.
    depth_max: usize,
    paths: Paths,
    /// Where each event begins and ends in the graph.
    spans: Vec<(usize, Option<usize>)>,
    compared: u64,
}

const NOWHERE: Source = Source { file: "", line: 0, column: 0 };

impl Machine {
    fn new(depth_max: usize) -> Self {
        let mut clocks = [Clock::new(), Clock::new(), Clock::new()];
        for (thread, clock) in (0..).zip(&mut clocks) {
            clock.include(Epoch { thread: ThreadIndex(thread), step: 1 });
        }
        let last = || EventSet::keeping(Keep::Last);
        Self {
            clocks,
            full: [EventSet::new(), EventSet::new()],
            last: [last(), last()],
            open: Default::default(),
            depth_max,
            paths: Paths::default(),
            spans: Vec::new(),
            compared: 0,
        }
    }

    /// Whether the action can be done.
    fn run(&mut self, action: Action) -> bool {
        match action {
            Action::Begin(thread, set) if self.open[thread as usize].len() < self.depth_max => {
                self.begin(thread, set);
            }
            Action::End(thread) => {
                let Some(event) = self.open[thread as usize].pop() else { return false };
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
        self.open[thread as usize].push(now);
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
                // One that makes this call is before it: the program orders them.
                let is_before =
                    event.thread == now.thread || end.is_some_and(|end| self.paths.leads(end, begin));
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
fn visit(
    actions: &[Action],
    done: &mut Vec<Action>,
    (length, depth_max): (usize, usize),
    counts: &mut (u64, u64),
) {
    let mut machine = Machine::new(depth_max);
    if !done.iter().all(|action| machine.run(*action)) {
        return;
    }
    counts.0 += 1;
    counts.1 += machine.compared;
    if done.len() < length {
        for &action in actions {
            done.push(action);
            visit(actions, done, (length, depth_max), counts);
            done.pop();
        }
    }
}

fn counts(threads: u32, sets: usize, (length, depth_max): (usize, usize)) -> (u64, u64) {
    let all = 0..threads;
    let begins = all.clone().flat_map(|thread| (0..sets).map(move |set| Action::Begin(thread, set)));
    let hands = all.clone().flat_map(|from| (0..threads).map(move |to| Action::Hand(from, to)));
    let actions: Vec<Action> = begins.chain(all.map(Action::End)).chain(hands).collect();
    let mut counts = (0, 0);
    visit(&actions, &mut Vec::new(), (length, depth_max), &mut counts);
    counts
}

#[test]
fn the_last_event_of_a_thread_says_as_much_as_all_of_them_and_clocks_say_what_paths_do() {
    assert_eq!(counts(2, 2, (6, 1)), (23223, 39224));
    assert_eq!(counts(3, 1, (4, 1)), (7381, 2586));
    // Calls in calls.
    assert_eq!(counts(2, 2, (5, 3)), (16527, 54640));
    assert_eq!(counts(3, 1, (4, 4)), (8839, 5637));
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

type Says = fn(usize, &View<'_>) -> bool;

fn holds(_: Looks) -> Says {
    |index, view| match index {
        0 => !view.set(0).is_empty(),
        _ => view.set(1).len() == 1,
    }
}

fn always(is_so: bool) -> impl FnOnce(Looks) -> Says {
    move |_| if is_so { |_, _| true } else { |_, _| false }
}

fn is_violated(run: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()
}

fn new(sets: &Sets, conditions: impl FnOnce(Looks) -> Says) {
    Constructor::enter(&CONTRACT, 0, always(true)).finish(Some(sets), conditions);
}

#[test]
fn conditions_are_looked_at_when_a_call_begins_and_returns_and_a_violating_event_is_added() {
    let sets = Sets::new();
    let push = || {
        let call = Call::enter(&CONTRACT, 1, &sets, holds);
        call.ensure(holds);
    };
    assert!(is_violated(push));
    new(&sets, always(true));
    // The one before was added: now there are two.
    assert!(is_violated(push));
    let other = Sets::new();
    new(&other, always(true));
    let call = Call::enter(&CONTRACT, 1, &other, holds);
    expect_here(&CONTRACT, (1, 2), always(true));
    assert!(is_violated(|| expect_here(&CONTRACT, (1, 2), always(false))));
    call.ensure(holds);
    drop(call);
    // Behind the call there is none.
    let stray = || expect_here(&CONTRACT, (1, 2), always(true));
    let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(stray)).expect_err("it is told");
    let text = payload.downcast_ref::<String>().expect("it is a text");
    assert!(text.contains("`expects!(n > 0)` of Queue runs in a thread in which no call"), "{text}");
}

#[test]
fn of_a_call_and_those_that_it_made_a_set_that_keeps_the_last_has_the_one_that_returned_last() {
    let mut set = EventSet::keeping(Keep::Last);
    let [outer, inner] = [0, 1].map(|number| event(0, number, &[(0, 1)], None));
    let returned = |step| Epoch { thread: ThreadIndex(0), step };
    set.add(&outer);
    set.add(&inner);
    set.end(&inner, returned(2));
    assert_eq!(set.len(), 2);
    set.end(&outer, returned(3));
    assert_eq!(set.iter().map(|event| event.number).collect::<Vec<_>>(), [0]);
}

#[test]
fn a_call_that_a_call_makes_is_an_event_of_its_own_and_a_condition_makes_none() {
    let sets = Sets::new();
    new(&sets, always(true));
    let count = |count: usize| {
        move |_: Looks| move |index: usize, view: &View<'_>| index != 1 || view.set(1).len() == count
    };
    let outer = Call::enter(&CONTRACT, 1, &sets, always(true));
    let inner = Call::enter(&CONTRACT, 1, &sets, |looks| {
        drop(Call::enter(&CONTRACT, 1, &sets, always(false)));
        expect_here(&CONTRACT, (1, 2), always(false));
        always(true)(looks)
    });
    inner.ensure(count(2));
    drop(inner);
    // A statement of the method, whichever call of it is the innermost.
    expect_here(&CONTRACT, (1, 2), always(true));
    assert!(is_violated(|| drop(Call::enter(&CONTRACT, 1, &sets, always(false)))));
    outer.ensure(count(3));
}

#[test]
fn what_a_constructor_calls_of_its_object_is_taken_back_when_it_returns() {
    let sets = Sets::new();
    let outer = Constructor::enter(&CONTRACT, 0, always(true));
    // Of an object that has had no event it is one of the constructor's, and not looked at.
    drop(Call::enter(&CONTRACT, 1, &sets, always(false)));
    new(&sets, always(true));
    // Nor is it if another constructor has made it meanwhile.
    let call = Call::enter(&CONTRACT, 1, &sets, always(false));
    expect_here(&CONTRACT, (1, 2), always(false));
    call.ensure(always(false));
    drop(call);
    outer.finish(Some(&sets), always(true));
    let is_empty = |_: Looks| |index: usize, view: &View<'_>| index != 0 || view.set(1).is_empty();
    drop(Call::enter(&CONTRACT, 1, &sets, is_empty));
    assert!(is_violated(|| drop(Call::enter(&CONTRACT, 1, &sets, is_empty))));
}

#[test]
fn a_constructor_that_makes_nothing_is_looked_at_with_nothing_before_it() {
    static FAILING: Contract = Contract {
        methods: &[Method {
            name: "new",
            source: NOWHERE,
            role: None,
            conditions: &[
                condition(ConditionMoment::Invocation, "init.is_empty()"),
                condition(ConditionMoment::Return, "init.len() == 1"),
                condition(ConditionMoment::Statement, "init.len() == 1"),
            ],
            adds: &[0],
        }],
        ..CONTRACT
    };
    let says = |_: Looks| |index: usize, view: &View<'_>| (view.set(0).len() == 1) == (index > 0);
    for _ in 0..2 {
        let made = Constructor::enter(&FAILING, 0, says);
        expect_here(&FAILING, (0, 2), says);
        made.finish(None, says);
    }
    assert!(is_violated(|| Constructor::enter(&FAILING, 0, always(false)).finish(None, says)));
    assert!(is_violated(|| Constructor::enter(&FAILING, 0, says).finish(None, always(false))));
}

#[test]
fn sets_are_equal_whatever_has_happened() {
    use std::hash::{BuildHasher, RandomState};
    let (one, other) = (Sets::new(), Sets::new());
    new(&one, always(true));
    let hasher = RandomState::new();
    assert!(one == other && one <= other && hasher.hash_one(&one) == hasher.hash_one(&other));
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

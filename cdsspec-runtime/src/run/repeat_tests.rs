//! Rounds that differ in one thing each, on graphs made by hand.

use super::repeat::{Likeness, ROUND_EVENTS_MAX, changes_nothing, is_same_round, last_like};
use crate::graph::ClockKind::{self, Hb, PendingAcquire, ReleaseFence};
use crate::graph::{
    Action, Event, EventId, Graph, Label, LocationEvents, LocationIndex, ReadsFrom, ThreadIndex,
};
use crate::port::Update;
use crate::record::{Orders, Place, SourceLocation};
use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

/// The thread in a loop. Another one, `EARLIER`, has a smaller number, and `LATER` a larger one.
const LOOPER: ThreadIndex = 2;
const EARLIER: ThreadIndex = 1;
const LATER: ThreadIndex = 3;

const X: LocationIndex = 0;
const Y: LocationIndex = 1;
const Z: LocationIndex = 2;

/// Stores of 0 that others have made, as indices in their threads: of `EARLIER` to X, two relaxed ones and one that releases;
/// of `LATER` to Y, one that releases.
const PLAIN: Store = Store::Of(EARLIER, 0);
const OTHER_PLAIN: Store = Store::Of(EARLIER, 1);
const RELEASED: Store = Store::Of(EARLIER, 2);
const RELEASED_LATER: Store = Store::Of(LATER, 0);

/// What a step reads.
#[derive(Clone, Copy)]
enum Store {
    None,
    Initial,
    /// The event of this thread with this index.
    Of(ThreadIndex, usize),
}

/// An operation of the thread in the loop.
#[derive(Clone, Copy)]
struct Step {
    label: Label,
    line: u32,
    location: Option<LocationIndex>,
    store: Store,
    is_spurious: bool,
    choice: u32,
}

fn step(line: u32, label: Label, location: Option<LocationIndex>, store: Store) -> Step {
    Step { label, line, location, store, is_spurious: false, choice: 0 }
}

fn load(line: u32, order: Ordering, location: LocationIndex, store: Store) -> Step {
    step(line, Label::Access(Action::Load { order }), Some(location), store)
}

fn fence(line: u32, order: Ordering) -> Step {
    step(line, Label::Fence { order }, None, Store::None)
}

/// An update that adds to what it reads.
fn add(line: u32, order: Ordering, location: LocationIndex, store: Store, operand: u64) -> Step {
    let update = Update { operand, function: u64::wrapping_add };
    step(line, Label::Access(Action::Update { order, update }), Some(location), store)
}

/// An exchange of 0 for 0.
fn exchange(line: u32, store: Store, is_spurious: bool) -> Step {
    let [success, failure] = [Relaxed; 2];
    let label =
        Label::Access(Action::CompareExchange { success, failure, expected: 0, new: 0, is_weak: true });
    Step { is_spurious, ..step(line, label, Some(X), store) }
}

fn choose(line: u32, choice: u32) -> Step {
    Step { choice, ..step(line, Label::Choice { count: 2 }, None, Store::None) }
}

/// The own event of the thread in the loop with this index.
fn own(index: usize) -> Store {
    Store::Of(LOOPER, index)
}

fn place(line: u32) -> Place {
    let source = SourceLocation { file: "loop.rs", line, column: 1 };
    Place { source, name: crate::record::operation_name!("load", Load), orders: Orders::None }
}

fn push(graph: &mut Graph, thread: ThreadIndex, step: Step) -> EventId {
    let mut event = Event::new(thread, step.label, place(step.line), step.location);
    event.choice = step.choice;
    let id = graph.push(event);
    let store = match step.store {
        Store::None => ReadsFrom::Bottom,
        Store::Initial => ReadsFrom::Initial,
        Store::Of(thread, index) => ReadsFrom::Event(graph.threads[thread][index]),
    };
    if step.label.is_read() {
        graph.set_read(id, store, step.is_spurious);
        graph.place_rmw(id);
    } else if let (Label::Access(Action::Store { .. }), Some(location)) = (step.label, step.location) {
        graph.insert_write(id, graph.newest(location));
    }
    id
}

/// A main thread that has created three others, that in the loop last: it knows what the others do of the main thread. These have made their
/// stores.
fn others() -> Graph {
    let mut graph = Graph::new();
    graph.locations = vec![LocationEvents::default(); 3];
    for _ in [EARLIER, LOOPER, LATER] {
        graph.threads.add_thread();
        graph.creators.push(None);
    }
    for child in [EARLIER, LATER, LOOPER] {
        push(&mut graph, 0, step(0, Label::Create { child }, None, Store::None));
    }
    let stores = [(EARLIER, X, Relaxed), (EARLIER, X, Relaxed), (EARLIER, X, Release), (LATER, Y, Release)];
    for (thread, location, order) in stores {
        push(
            &mut graph,
            thread,
            step(0, Label::Access(Action::Store { order, value: 0 }), Some(location), Store::None),
        );
    }
    graph
}

/// The graph after the thread in the loop has done these rounds.
fn after(rounds: &[&[Step]]) -> Graph {
    let mut graph = others();
    for &step in rounds.iter().copied().flatten() {
        push(&mut graph, LOOPER, step);
    }
    graph.compute_clocks();
    graph
}

/// Whether the last two rounds are the same.
fn is_same(rounds: &[&[Step]]) -> bool {
    is_same_round(&after(rounds), LOOPER, last_bounds(rounds))
}

fn last_bounds(rounds: &[&[Step]]) -> [usize; 3] {
    let length = |count: usize| rounds[..count].iter().map(|round| round.len()).sum();
    [rounds.len() - 2, rounds.len() - 1, rounds.len()].map(length)
}

/// The events of others in a clock.
fn of_others(graph: &Graph, event: EventId, kind: ClockKind) -> [u32; 3] {
    [0, EARLIER, LATER].map(|thread| graph.clock(event, kind).get(thread))
}

/// The clocks that have other events of others after the last round than after the one before it.
fn clocks_that_differ(rounds: &[&[Step]]) -> Vec<ClockKind> {
    let graph = after(rounds);
    let [_, start, end] = last_bounds(rounds);
    let [before, last] = [start, end].map(|index| graph.threads[LOOPER][index - 1]);
    let differs = |&kind: &ClockKind| of_others(&graph, before, kind) != of_others(&graph, last, kind);
    [Hb, PendingAcquire, ReleaseFence].into_iter().filter(differs).collect()
}

#[test]
fn a_round_that_differs_in_nothing_is_the_same() {
    for order in [Relaxed, Acquire, SeqCst] {
        let round = [load(1, order, X, RELEASED), choose(2, 1), fence(3, order_of_fence(order))];
        // The first round teaches something, and the second one may.
        assert!(is_same(&[&round, &round, &round]), "{order:?}");
    }
}

fn order_of_fence(order: Ordering) -> Ordering {
    if order == Relaxed { AcqRel } else { order }
}

/// Two rounds that teach the same and differ in one thing.
#[test]
fn a_round_that_differs_in_one_thing_is_another_one() {
    let read = load(1, Relaxed, X, PLAIN);
    let initial = |location| load(1, Relaxed, location, Store::Initial);
    let rows: [(&str, &[Step], &[Step]); 9] = [
        ("the store", &[read], &[load(1, Relaxed, X, OTHER_PLAIN)]),
        ("the place", &[read], &[load(2, Relaxed, X, PLAIN)]),
        ("the location", &[initial(X)], &[initial(Y)]),
        ("the kind", &[load(1, Relaxed, X, PLAIN)], &[exchange(1, PLAIN, true)]),
        ("whether it writes", &[exchange(1, RELEASED, false)], &[exchange(1, own(0), true)]),
        ("the choice", &[choose(1, 0)], &[choose(1, 1)]),
        ("a further operation", &[read], &[read, choose(2, 0)]),
        ("an operation less", &[read, choose(2, 0)], &[read]),
        ("the second operation", &[read, choose(2, 0)], &[read, choose(2, 1)]),
    ];
    for (difference, first, second) in rows {
        // What an exchange that writes has read it releases.
        assert_eq!(clocks_that_differ(&[first, second]), [], "{difference}");
        assert!(!is_same(&[first, second]), "{difference}");
    }
}

/// The same operations, which read the same stores; the second round learns what the first one has read, and the third one nothing.
#[test]
fn a_round_that_teaches_something_is_another_one() {
    for store in [RELEASED, RELEASED_LATER] {
        let location = if matches!(store, Store::Of(EARLIER, _)) { X } else { Y };
        let rows: [(&[ClockKind], [Step; 2]); 2] = [
            (&[Hb], [fence(1, Acquire), load(2, Relaxed, location, store)]),
            (&[ReleaseFence], [fence(1, Release), load(2, Acquire, location, store)]),
        ];
        for (difference, round) in rows {
            assert_eq!(clocks_that_differ(&[&round, &round]), difference);
            assert!(!is_same(&[&round, &round]), "{difference:?}");
            assert!(is_same(&[&round, &round, &round]), "{difference:?}");
        }
    }
}

/// What it released itself a thread knows.
#[test]
fn a_round_that_reads_what_the_one_before_it_wrote_is_the_same() {
    let rounds = [PLAIN, own(0), own(1)].map(|store| [add(1, Release, X, store, 0)]);
    // Of the main thread, which created it, a later fence would learn what happens before the fence anyway.
    assert_eq!(clocks_that_differ(&[&rounds[0], &rounds[1]]), [PendingAcquire]);
    assert!(is_same(&[&rounds[0], &rounds[1]]));
    assert!(is_same(&[&rounds[0], &rounds[1], &rounds[2]]));
}

/// Everything that a thread may know or pass on after an event.
fn knowledge(graph: &Graph, event: EventId) -> [[u32; 3]; 3] {
    let [hb, pending, released] =
        [Hb, PendingAcquire, ReleaseFence].map(|kind| of_others(graph, event, kind));
    [hb, [0, 1, 2].map(|index| hb[index].max(pending[index])), released]
}

/// All rounds of up to three of these operations: a load, an update that changes nothing and writes, a fence.
fn small_rounds() -> Vec<Vec<Step>> {
    let loads = [Relaxed, Acquire].map(|order| load(1, order, X, RELEASED));
    let updates = [Relaxed, Acquire, Release].map(|order| add(2, order, Y, RELEASED_LATER, 0));
    let fences = [Acquire, Release, AcqRel].map(|order| fence(3, order));
    let steps: Vec<Step> = loads.into_iter().chain(updates).chain(fences).collect();
    let mut rounds: Vec<Vec<Step>> = steps.iter().map(|&step| vec![step]).collect();
    for length in 2..=3 {
        let shorter: Vec<_> = rounds.iter().filter(|round| round.len() == length - 1).cloned().collect();
        rounds.extend(shorter.iter().flat_map(|round| {
            steps.iter().map(|&step| round.iter().copied().chain([step]).collect::<Vec<_>>())
        }));
    }
    rounds
}

/// The same round over and over; updates read what was last written.
fn repeated(round: &[Step], count: usize) -> Vec<Vec<Step>> {
    let mut newest = RELEASED_LATER;
    let mut index = 0;
    let mut next = |&step: &Step| {
        let is_update = matches!(step.label, Label::Access(Action::Update { .. }));
        let store = if is_update { newest } else { step.store };
        if is_update {
            newest = own(index);
        }
        index += 1;
        Step { store, ..step }
    };
    (0..count).map(|_| round.iter().map(&mut next).collect()).collect()
}

/// The twin looks at all three clocks after each round.
#[test]
fn after_the_same_round_a_thread_knows_the_same_for_ever() {
    let rounds = small_rounds();
    // By how many rounds teach something after the first one: a load, then a fence that acquires, then one that releases.
    let mut counts = [0; 3];
    for round in &rounds {
        let repeated = repeated(round, 6);
        let slices: Vec<&[Step]> = repeated.iter().map(Vec::as_slice).collect();
        let graph = after(&slices);
        let known = |count: usize| knowledge(&graph, graph.threads[LOOPER][count * round.len() - 1]);
        let first_same = (2..=6).find(|&count| is_same(&slices[..count])).expect("it learns all there is");
        counts[first_same - 2] += 1;
        for count in first_same..=6 {
            assert_eq!(known(count - 1), known(count), "{count} rounds of {} operations", round.len());
            assert!(is_same(&slices[..count]));
        }
        // Before, something was learnt.
        assert!((2..first_same).all(|count| known(count - 1) != known(count)));
    }
    assert_eq!((rounds.len(), counts), (8 + 64 + 512, [432, 149, 3]));
}

#[test]
fn a_loop_is_known_by_an_operation_of_the_same_kind_at_the_same_place_and_location() {
    let round = [load(1, Relaxed, X, PLAIN), load(1, Relaxed, X, PLAIN), fence(2, Acquire)];
    let graph = after(&[&round]);
    let last = |line, label, location| {
        let place = place(line);
        last_like(&graph, &graph.threads[LOOPER], &Likeness { label: &label, place: &place, location })
    };
    let load = Label::Access(Action::Load { order: Relaxed });
    assert_eq!(last(1, load, Some(X)), Some(1));
    assert_eq!(last(2, Label::Fence { order: Acquire }, None), Some(2));
    assert_eq!(last(1, Label::Access(Action::Store { order: Relaxed, value: 0 }), Some(X)), None);
    assert_eq!(last(3, load, Some(X)), None);
    assert_eq!(last(1, load, Some(Y)), None);
    assert_eq!(last(1, load, None), None);
}

#[test]
fn no_loop_is_known_by_threads_or_choices() {
    let labels =
        [Label::Create { child: LATER + 1 }, Label::Join { child: EARLIER }, Label::Choice { count: 2 }];
    for label in labels {
        let mut graph = others();
        if let Label::Create { child } = label {
            assert_eq!(graph.new_thread(), child);
        }
        push(&mut graph, LOOPER, step(1, label, None, Store::None));
        let next = Likeness { label: &label, place: &place(1), location: None };
        assert!(next.is_of(graph.event(graph.threads[LOOPER][0])));
        assert_eq!(last_like(&graph, &graph.threads[LOOPER], &next), None, "{label:?}");
    }
}

#[test]
fn a_loop_is_not_known_by_what_was_long_ago() {
    let first = load(1, Relaxed, X, PLAIN);
    for (later, expected) in [(ROUND_EVENTS_MAX - 1, Some(0)), (ROUND_EVENTS_MAX, None)] {
        let graph = after(&[&[first], &vec![fence(2, Acquire); later]]);
        let next = Likeness { label: &first.label, place: &place(1), location: Some(X) };
        assert_eq!(last_like(&graph, &graph.threads[LOOPER], &next), expected);
    }
}

/// X and Z may be changed, and Y may not.
#[test]
fn a_round_changes_nothing_if_it_changes_back_what_it_may_change() {
    let up = |store| add(1, Relaxed, X, store, 1);
    let down = |store| add(1, Relaxed, X, store, u64::MAX);
    let cell = |is_write| step(2, Label::Access(Action::BeginCell { is_write }), Some(X), Store::None);
    let store = step(3, Label::Access(Action::Store { order: Relaxed, value: 0 }), Some(X), Store::None);
    let join = step(4, Label::Join { child: EARLIER }, None, Store::None);
    let rows: [(&[Step], bool); 14] = [
        (&[load(1, Relaxed, Y, Store::Initial), fence(2, SeqCst), choose(3, 1)], true),
        (&[cell(false)], true),
        (&[cell(true)], false),
        (&[store], false),
        (&[join], false),
        (&[add(1, Relaxed, Y, RELEASED_LATER, 0)], true),
        (&[add(1, Relaxed, Y, RELEASED_LATER, 1), add(1, Relaxed, Y, own(0), u64::MAX)], false),
        (&[up(PLAIN), down(own(0))], true),
        (&[down(PLAIN), up(own(0))], false),
        (&[up(PLAIN), up(own(0)), down(own(1)), down(own(2))], true),
        (&[up(PLAIN), up(own(0)), down(own(1))], false),
        (&[up(PLAIN)], false),
        (
            &[
                up(PLAIN),
                add(5, Relaxed, Z, Store::Initial, 1),
                down(own(0)),
                add(5, Relaxed, Z, own(1), u64::MAX),
            ],
            true,
        ),
        (&[up(PLAIN), add(5, Relaxed, Z, Store::Initial, u64::MAX)], false),
    ];
    for (index, (round, expected)) in rows.into_iter().enumerate() {
        let graph = after(&[round]);
        let changes_nothing = changes_nothing(&graph, &graph.threads[LOOPER], |location| location != Y);
        assert_eq!(changes_nothing, expected, "row {index}");
    }
}

use super::naive::{Naive, NaiveOrders};
use super::toy::{
    DEQ, ENQ, Toy, ids, number, only_object, opaque_queue, order_of, queue, register, toy_recording,
};
use super::{
    Budget, Histories, HistoryCheck, Justification, ObjectCalls, SearchEnd, SearchOptions, check_histories,
    justify,
};
use crate::record::{CallId, ThreadId};
use crate::relation::sample::{distances, edge_sets};
use crate::specification::Specification;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// What a comparison came to.
#[derive(Default, PartialEq, Eq, Debug)]
struct Tally {
    orders: usize,
    compared: usize,
    violated: usize,
    unjustified: usize,
}

fn tally(orders: usize, compared: usize, violated: usize, unjustified: usize) -> Tally {
    Tally { orders, compared, violated, unjustified }
}

#[test]
fn the_order_in_which_threads_are_run_does_not_show_in_the_concurrent_calls() {
    let calls = [Toy(ENQ, 1, None), Toy(ENQ, 2, None), Toy(ENQ, 3, None), Toy(ENQ, 4, None)];
    let mut recording = toy_recording(queue(), &calls, &[]);
    for (call, thread) in recording.calls.iter_mut().zip([3, 1, 1, 0]) {
        call.thread = ThreadId::new(thread);
    }
    let object = ObjectCalls::of(&recording, only_object(), &order_of(&recording));
    let concurrent = |slot| object.concurrent(slot).all().map(|call| call.call.index()).collect::<Vec<_>>();
    assert_eq!([concurrent(0), concurrent(3)], [vec![3, 1, 2], vec![1, 2, 0]]);
}

/// Compares the searches, with memo and without, with the naive twin on one recording.
fn compare(
    specification: &'static Specification,
    calls: &[Toy],
    (edges, orders): (&[(usize, usize)], &NaiveOrders),
    tally: &mut Tally,
) {
    let recording = toy_recording(specification, calls, edges);
    let naive = Naive::new(&recording, orders);
    let object = ObjectCalls::of(&recording, only_object(), &order_of(&recording));
    let (count, broken) = naive.check_histories();
    tally.compared += 1;
    tally.violated += usize::from(broken.is_some());
    let justifications: Vec<_> = (0..object.len()).map(|call| naive.justify(call)).collect();
    let is_unjustified = |found: &&Justification| matches!(found, Justification::Unjustified { .. });
    tally.unjustified += justifications.iter().filter(is_unjustified).count();
    let mut checks = Vec::new();
    // With room for all, for one pair in each generation, and for none.
    for memo_bytes_max in [SearchOptions::default().memo_bytes_max, 1, 0] {
        let options = SearchOptions { memo_bytes_max, ..SearchOptions::default() };
        let mut budget = Budget::new(None);
        let check = check_histories(&object, &options, &mut budget);
        match &broken {
            None => assert_eq!(check, HistoryCheck { count, end: SearchEnd::Finished }),
            Some(broken) => assert_eq!(check.end, SearchEnd::Stopped(broken.clone())),
        }
        checks.push(check);
        for (slot, expected) in justifications.iter().enumerate() {
            let justification = justify(&object, slot, &options, &mut budget);
            assert_eq!(justification, *expected, "{calls:?} {edges:?} {slot}");
        }
    }
    assert!(checks.iter().all(|check| *check == checks[0]), "the memo changes nothing");
}

/// Compares on every acyclic edge set on `count` calls, with every multiset of calls from `alphabet`: all edge sets are there, so
/// that calls in another order would be the same again.
fn compare_all(specification: &'static Specification, alphabet: &[Toy], count: usize) -> Tally {
    let mut tally = Tally::default();
    let assignments = multisets(alphabet, count);
    for edges in edge_sets(count) {
        let distance = distances(count, &edges);
        if (0..count).any(|call| distance[call][call].is_some()) {
            continue;
        }
        tally.orders += 1;
        let orders = NaiveOrders::new(count, &edges);
        for calls in &assignments {
            compare(specification, calls, (&edges, &orders), &mut tally);
        }
    }
    tally
}

fn multisets(alphabet: &[Toy], count: usize) -> Vec<Vec<Toy>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .iter()
            .flat_map(|calls: &Vec<Toy>| {
                let larger = alphabet.iter().filter(|call| calls.last().is_none_or(|last| last <= call));
                larger.map(|&call| [calls.as_slice(), &[call]].concat()).collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

const QUEUE_CALLS: [Toy; 5] =
    [Toy(ENQ, 1, None), Toy(ENQ, 2, None), Toy(DEQ, 0, None), Toy(DEQ, 0, Some(1)), Toy(DEQ, 0, Some(2))];

const REGISTER_CALLS: [Toy; 5] =
    [Toy(0, 1, None), Toy(0, 2, None), Toy(1, 0, Some(0)), Toy(1, 0, Some(1)), Toy(1, 0, Some(2))];

const NUMBER_CALLS: [Toy; 6] = [
    Toy(0, 1, None),
    Toy(1, 0, None),
    Toy(2, 0, None),
    Toy(3, 0, Some(0)),
    Toy(3, 0, Some(1)),
    Toy(3, 0, Some(2)),
];

#[test]
fn the_queue_agrees_with_its_naive_twin_on_all_orders_of_up_to_four_calls() {
    let tallies: Vec<Tally> = (0..=4).map(|count| compare_all(queue(), &QUEUE_CALLS, count)).collect();
    assert_eq!(
        tallies,
        [
            tally(1, 1, 0, 0),
            tally(1, 5, 2, 0),
            tally(3, 45, 25, 2),
            tally(25, 875, 571, 99),
            tally(543, 38010, 27139, 7554)
        ]
    );
}

#[test]
fn a_queue_whose_states_cannot_be_compared_agrees_with_its_naive_twin() {
    assert_eq!(compare_all(opaque_queue(), &QUEUE_CALLS, 4), tally(543, 38010, 27139, 7554));
}

#[test]
fn the_register_agrees_with_its_naive_twin_on_all_orders_of_up_to_four_calls() {
    let tallies: Vec<Tally> = (0..=4).map(|count| compare_all(register(), &REGISTER_CALLS, count)).collect();
    assert_eq!(
        tallies,
        [
            tally(1, 1, 0, 0),
            tally(1, 5, 0, 2),
            tally(3, 45, 0, 34),
            tally(25, 875, 0, 965),
            tally(543, 38010, 0, 55232)
        ]
    );
}

#[test]
fn effects_that_do_not_commute_agree_with_the_naive_twin_on_all_orders_of_up_to_four_calls() {
    let tallies: Vec<Tally> = (0..=4).map(|count| compare_all(number(), &NUMBER_CALLS, count)).collect();
    assert_eq!(
        tallies,
        [
            tally(1, 1, 0, 0),
            tally(1, 6, 2, 0),
            tally(3, 63, 36, 1),
            tally(25, 1400, 1001, 53),
            tally(543, 68418, 55288, 4321)
        ]
    );
}

/// Orders of 5 to 7 calls: edges go up in a random numbering.
fn orders_and_calls(alphabet: &'static [Toy]) -> impl Strategy<Value = (Vec<Toy>, Vec<(usize, usize)>)> {
    (5..=7_usize).prop_flat_map(move |count| {
        let numbering = Just((0..count).collect::<Vec<_>>()).prop_shuffle();
        let calls = proptest::collection::vec(proptest::sample::select(alphabet), count);
        let bits = proptest::collection::vec(proptest::bool::weighted(0.35), count * count);
        (calls, numbering, bits).prop_map(move |(calls, numbering, bits)| {
            let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
            let chosen = pairs.filter(|(a, b)| bits[a * count + b]);
            (calls, chosen.map(|(a, b)| (numbering[a], numbering[b])).collect())
        })
    })
}

/// The same cases every time.
fn compare_some(specification: &'static Specification, alphabet: &'static [Toy]) -> Tally {
    let tally = std::cell::RefCell::new(Tally::default());
    let config = Config { cases: 100, failure_persistence: None, ..Config::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, random)
        .run(&orders_and_calls(alphabet), |(calls, edges)| {
            let orders = NaiveOrders::new(calls.len(), &edges);
            compare(specification, &calls, (&edges, &orders), &mut tally.borrow_mut());
            Ok(())
        })
        .unwrap();
    tally.into_inner()
}

/// So that many of the larger orders hold.
const MOSTLY_GOOD_QUEUE_CALLS: [Toy; 6] = [
    Toy(ENQ, 1, None),
    Toy(ENQ, 1, None),
    Toy(ENQ, 2, None),
    Toy(DEQ, 0, None),
    Toy(DEQ, 0, None),
    Toy(DEQ, 0, Some(1)),
];

const MOSTLY_GOOD_NUMBER_CALLS: [Toy; 5] =
    [Toy(0, 2, None), Toy(0, 4, None), Toy(1, 0, None), Toy(2, 0, None), Toy(3, 0, Some(0))];

#[test]
fn larger_orders_agree_with_the_naive_twin() {
    assert_eq!(compare_some(queue(), &MOSTLY_GOOD_QUEUE_CALLS), tally(0, 100, 49, 71));
    assert_eq!(compare_some(register(), &REGISTER_CALLS), tally(0, 100, 0, 127));
    assert_eq!(compare_some(number(), &MOSTLY_GOOD_NUMBER_CALLS), tally(0, 100, 74, 1));
}

#[test]
fn the_memo_counts_histories_as_often_as_they_are_reached() {
    let calls = [Toy(ENQ, 1, None); 10];
    let recording = toy_recording(queue(), &calls, &[]);
    let object = ObjectCalls::of(&recording, only_object(), &order_of(&recording));
    let check = check_histories(&object, &SearchOptions::default(), &mut Budget::new(Some(5_000)));
    assert_eq!(check, HistoryCheck { count: 3_628_800, end: SearchEnd::Finished });
}

#[test]
fn a_limit_is_honoured_to_the_history() {
    let calls = [Toy(ENQ, 1, None), Toy(ENQ, 2, None), Toy(ENQ, 3, None)];
    let recording = toy_recording(queue(), &calls, &[]);
    let object = ObjectCalls::of(&recording, only_object(), &order_of(&recording));
    let options = SearchOptions::default();
    let at_limit = check_histories(&object, &options, &mut Budget::new(Some(6)));
    assert_eq!(at_limit, HistoryCheck { count: 6, end: SearchEnd::Finished });
    let beyond = check_histories(&object, &options, &mut Budget::new(Some(5)));
    assert_eq!(beyond, HistoryCheck { count: 5, end: SearchEnd::Limit });
    let justification = justify(&object, 0, &options, &mut Budget::new(Some(0)));
    assert_eq!(justification, Justification::Limit);
}

#[test]
fn random_histories_are_the_same_for_one_seed_and_find_what_all_find() {
    let calls = [Toy(ENQ, 1, None), Toy(ENQ, 2, None), Toy(DEQ, 0, Some(1))];
    let recording = toy_recording(queue(), &calls, &[(0, 2), (1, 2)]);
    let object = ObjectCalls::of(&recording, only_object(), &order_of(&recording));
    let sample = |seed| {
        let options = SearchOptions { histories: Histories::Random(20), seed, ..SearchOptions::default() };
        check_histories(&object, &options, &mut Budget::new(None))
    };
    let found = sample(7);
    assert_eq!(found, sample(7));
    let SearchEnd::Stopped(broken) = found.end else { panic!("20 samples of 2 histories miss none") };
    assert_eq!((broken.call, broken.before), (CallId::new(2), ids(&[1, 0])));
    assert_eq!(broken.state.as_deref(), Some("[2, 1]"));
}

#[test]
fn a_single_history_is_sampled_once() {
    let calls = [Toy(ENQ, 1, None), Toy(DEQ, 0, Some(1))];
    let recording = toy_recording(queue(), &calls, &[(0, 1)]);
    let object = ObjectCalls::of(&recording, only_object(), &order_of(&recording));
    let options = SearchOptions { histories: Histories::Random(20), ..SearchOptions::default() };
    let check = check_histories(&object, &options, &mut Budget::new(None));
    assert_eq!(check, HistoryCheck { count: 1, end: SearchEnd::Finished });
}

#[test]
fn what_the_memo_forgets_is_counted_and_searched_again() {
    let calls = [Toy(ENQ, 1, None); 6];
    let recording = toy_recording(queue(), &calls, &[]);
    let object = ObjectCalls::of(&recording, only_object(), &order_of(&recording));
    let check = |memo_bytes_max| {
        let options = SearchOptions { memo_bytes_max, ..SearchOptions::default() };
        let mut budget = Budget::new(None);
        let check = check_histories(&object, &options, &mut budget);
        (check, budget.forgotten())
    };
    let holds = HistoryCheck { count: 720, end: SearchEnd::Finished };
    assert_eq!(check(SearchOptions::default().memo_bytes_max), (holds.clone(), 0));
    assert_eq!(check(0), (holds.clone(), 0), "what is not remembered is not forgotten");
    // There is room for two pairs of 56.
    assert_eq!(check(1), (holds.clone(), 1228));
    // What is forgotten depends on the room, what is found does not.
    for room in [500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000] {
        assert_eq!(check(room).0, holds, "{room}");
    }
}

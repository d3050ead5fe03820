//! Verdicts under every total order of the SeqCst operations, against a twin that runs each permutation of them by itself.

use super::{CheckOptions, ExecutionCheck, Finding, SeqCstOrder, ShapeMemo, Verdict, check_execution};
use crate::history::Justification;
use crate::history::naive::{Naive, NaiveOrders};
use crate::history::toy::{
    DEQ, ENQ, Toy, admitting_queue, company, crowd, ids, queue, register, toy_recording,
};
use crate::record::{LimitKind, OperationId, Recording, ScOrder};
use crate::relation::sample::{distances, edge_sets};
use crate::specification::Specification;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::SeqCst;

const ENQ_1: Toy = Toy(ENQ, 1, None);
const DEQ_NONE: Toy = Toy(DEQ, 0, None);
const DEQ_1: Toy = Toy(DEQ, 0, Some(1));

/// A recording of these calls, of which some have SeqCst points.
fn sc_recording(
    specification: &'static Specification,
    calls: &[Toy],
    is_sc: &[bool],
    edges: &[(usize, usize)],
) -> Recording {
    let mut recording = toy_recording(specification, calls, edges);
    for (operation, _) in recording.operations.iter_mut().zip(is_sc).filter(|(_, is_sc)| **is_sc) {
        operation.order = Some(SeqCst);
    }
    recording
}

fn check(recording: &Recording) -> ExecutionCheck {
    check_execution(recording, &CheckOptions::default())
}

fn words(check: &ExecutionCheck) -> Vec<&'static str> {
    check.findings.iter().map(|finding| finding.verdict().word()).collect()
}

/// What the twin says of a recording: the words of its findings, and how many histories there are under the admissible orders.
#[derive(Default, PartialEq, Eq, Debug)]
struct Expected {
    words: Vec<&'static str>,
    histories: u64,
}

/// Runs every permutation of the calls with SeqCst points that gives an order of the calls.
fn twin(recording: &Recording, edges: &[(usize, usize)]) -> Expected {
    let count = recording.calls.len();
    let sc: Vec<usize> = (0..count).filter(|&call| recording.operations[call].is_sc()).collect();
    let mut expected = Expected::default();
    let (mut words, mut is_admissible) = (BTreeSet::new(), false);
    for total in permutations(&sc) {
        let chain = total.windows(2).map(|pair| (pair[0], pair[1]));
        let edges: Vec<_> = edges.iter().copied().chain(chain).collect();
        if distances(count, &edges).iter().enumerate().any(|(call, row)| row[call].is_some()) {
            continue;
        }
        let orders = NaiveOrders::new(count, &edges);
        if is_inadmissible(recording, &orders) {
            continue;
        }
        is_admissible = true;
        let naive = Naive::new(recording, &orders);
        let (histories, broken) = naive.check_histories();
        expected.histories += histories;
        let is_unjustified = |call| matches!(naive.justify(call), Justification::Unjustified { .. });
        words.extend(broken.map(|_| "violated"));
        words.extend((0..count).any(is_unjustified).then_some("unjustified"));
    }
    expected.words = if is_admissible { words.into_iter().rev().collect() } else { vec!["inadmissible"] };
    expected
}

fn is_inadmissible(recording: &Recording, orders: &NaiveOrders) -> bool {
    let calls = || 0..recording.calls.len();
    let rules = &recording.objects[0].specification.rules;
    let mut pairs = calls().flat_map(|a| calls().map(move |b| (a, b)));
    pairs.any(|(a, b)| {
        let (one, other) = (&recording.calls[a], &recording.calls[b]);
        orders.is_concurrent(a, b)
            && rules.iter().any(|rule| {
                (rule.first, rule.second) == (one.method, other.method)
                    && (rule.must_be_ordered)(&*one.values, &*other.values)
            })
    })
}

fn permutations(calls: &[usize]) -> Vec<Vec<usize>> {
    if calls.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |&first: &usize| {
        let rest: Vec<usize> = calls.iter().copied().filter(|&other| other != first).collect();
        permutations(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    calls.iter().flat_map(with_first).collect()
}

/// How many recordings there were, and how many of them had each word, in the order of [`WORDS`]; and how many hold under psc⁺ alone and
/// not under every total order, or the other way round.
#[derive(Default, PartialEq, Eq, Debug)]
struct Tally {
    compared: usize,
    words: [usize; 3],
    changed: usize,
}

const WORDS: [&str; 3] = ["violated", "unjustified", "inadmissible"];

/// Compares on every acyclic edge set on three calls, every choice of SeqCst points, and every multiset of three calls: edge sets and choices
/// are all there, so that calls in another order would be the same again.
fn compare_all(specification: &'static Specification, alphabet: &[Toy]) -> Tally {
    let mut tally = Tally::default();
    let mut memo = ShapeMemo::new(CheckOptions::default());
    let partial = CheckOptions { sc_order: SeqCstOrder::Partial, ..CheckOptions::default() };
    for edges in edge_sets(3) {
        if distances(3, &edges).iter().enumerate().any(|(call, row)| row[call].is_some()) {
            continue;
        }
        for (number, calls) in
            (0..8).flat_map(|number| triples(alphabet).into_iter().map(move |calls| (number, calls)))
        {
            let is_sc = [0, 1, 2].map(|bit| number >> bit & 1 == 1);
            let recording = sc_recording(specification, &calls, &is_sc, &edges);
            let (found, expected) = (check(&recording), twin(&recording, &edges));
            assert_eq!(words(&found), expected.words, "{recording:?} {edges:?}");
            if !expected.words.contains(&"violated") {
                assert_eq!(found.history_count, expected.histories, "{recording:?} {edges:?}");
            }
            let remembered = memo.check(&recording).check;
            assert_eq!(words(&remembered), expected.words, "the shape says all: {recording:?} {edges:?}");
            tally.compared += 1;
            for (count, word) in tally.words.iter_mut().zip(WORDS) {
                *count += usize::from(expected.words.contains(&word));
            }
            tally.changed += usize::from(check_execution(&recording, &partial).verdict != found.verdict);
        }
    }
    tally
}

fn triples(alphabet: &[Toy]) -> Vec<[Toy; 3]> {
    let places = || 0..alphabet.len();
    let all = places().flat_map(|a| places().flat_map(move |b| places().map(move |c| [a, b, c])));
    all.filter(|places| places.is_sorted()).map(|places| places.map(|place| alphabet[place])).collect()
}

#[test]
fn verdicts_are_those_of_all_permutations_on_all_orders_of_three_calls() {
    let register_calls = [Toy(0, 1, None), Toy(1, 0, Some(0)), Toy(1, 0, Some(1))];
    let tallies = [
        compare_all(queue(), &[ENQ_1, DEQ_NONE, DEQ_1]),
        compare_all(admitting_queue(), &[ENQ_1, DEQ_NONE, DEQ_1]),
        compare_all(register(), &register_calls),
        compare_all(crowd(), &[Toy(0, 0, None), Toy(0, 1, None), Toy(0, 2, None)]),
    ];
    let tally = |words, changed| Tally { compared: 25 * 8 * 10, words, changed };
    let expected = [
        tally([1024, 305, 0], 38),
        tally([996, 253, 160], 72),
        tally([0, 1165, 0], 85),
        tally([1596, 0, 0], 108),
    ];
    assert_eq!(tallies, expected);
}

#[test]
fn a_fault_under_one_total_order_is_one_and_names_the_order() {
    let recording = sc_recording(queue(), &[ENQ_1, DEQ_NONE], &[true, true], &[]);
    let check = check(&recording);
    assert_eq!((check.verdict, check.history_count), (Verdict::Unjustified, 2));
    let Finding::Unjustified { example, sc, .. } = &check.findings[0] else {
        unreachable!("it is unjustified")
    };
    assert_eq!((example, sc), (&ids(&[0]), &vec![OperationId::new(0), OperationId::new(1)]));
}

#[test]
fn an_order_that_psc_decides_is_not_chosen() {
    let mut recording = sc_recording(queue(), &[ENQ_1, DEQ_NONE], &[true, true], &[]);
    recording.sc = ScOrder::from_pairs([(OperationId::new(1), OperationId::new(0))]);
    let check = check(&recording);
    assert_eq!((check.verdict, check.history_count), (Verdict::Holds, 1));
}

#[test]
fn an_execution_is_inadmissible_only_if_every_total_order_is() {
    let calls = [ENQ_1, DEQ_NONE, DEQ_1];
    let of = |is_sc: &[bool]| check(&sc_recording(admitting_queue(), &calls, is_sc, &[(0, 2)]));
    let never_ordered = of(&[true, false, true]);
    assert_eq!((never_ordered.verdict, never_ordered.history_count), (Verdict::Inadmissible, 0));
    assert!(never_ordered.findings[0].sc().is_empty(), "there is nothing to choose");
    // By way of the other deq, if that comes first.
    let ordered_under_one = of(&[false, true, true]);
    assert_eq!((ordered_under_one.verdict, ordered_under_one.history_count), (Verdict::Holds, 1));
    let always_ordered = of(&[true, true, false]);
    assert_eq!(words(&always_ordered), ["unjustified"]);
}

#[test]
fn who_is_beside_the_calls_before_a_call_can_matter_to_its_justification() {
    // touch, then get, which says that nobody was beside the touch; touch, then another one, which a third may be before or after.
    let touch = Toy(0, 0, None);
    let calls = [touch, Toy(1, 0, Some(0)), touch, touch];
    let edges = [(0, 1), (0, 2)];
    let recording = sc_recording(company(), &calls, &[false, false, true, true], &edges);
    assert_eq!(words(&check(&recording)), twin(&recording, &edges).words);
    assert_eq!(check(&recording).verdict, Verdict::Unjustified);
}

#[test]
fn two_calls_that_only_a_total_order_orders_are_admissible() {
    let recording = sc_recording(admitting_queue(), &[DEQ_NONE, ENQ_1], &[true, true], &[]);
    let total = check(&recording);
    assert_eq!(words(&total), ["unjustified"], "one order has the enq first");
    let partial = CheckOptions { sc_order: SeqCstOrder::Partial, ..CheckOptions::default() };
    assert_eq!(check_execution(&recording, &partial).verdict, Verdict::Inadmissible);
}

#[test]
fn an_order_counts_as_a_history_so_that_a_limit_is_never_a_pass() {
    let calls = [Toy(0, 1, None), Toy(0, 1, None), Toy(0, 1, None), Toy(1, 0, Some(1))];
    let recording = sc_recording(register(), &calls, &[true; 4], &[]);
    let limited = |histories_max| {
        check_execution(
            &recording,
            &CheckOptions { histories_max: Some(histories_max), ..CheckOptions::default() },
        )
    };
    let is_enough = (0..100).map(|max| limited(max).verdict != Verdict::Inconclusive).collect::<Vec<_>>();
    assert_eq!(is_enough.iter().position(|&is| is), Some(53));
    assert!(is_enough.iter().skip_while(|is| !**is).all(|&is| is));
    let Finding::Limit(limit) = &limited(20).findings[0] else { panic!("it is a limit") };
    assert_eq!(limit.kind, LimitKind::Histories);
}

#[test]
fn executions_of_which_other_calls_have_sc_points_have_other_shapes_where_it_matters() {
    let mut memo = ShapeMemo::new(CheckOptions::default());
    let mut is_new =
        |calls: &[Toy], is_sc: [bool; 2]| memo.check(&sc_recording(queue(), calls, &is_sc, &[])).is_new;
    assert!(is_new(&[ENQ_1, DEQ_NONE], [false, false]));
    assert!(is_new(&[ENQ_1, DEQ_NONE], [true, true]));
    assert!(!is_new(&[ENQ_1, DEQ_NONE], [true, false]), "there is nothing to choose");
    assert!(is_new(&[ENQ_1, ENQ_1], [false, false]));
    assert!(!is_new(&[ENQ_1, ENQ_1], [true, true]), "the specification does not depend on the choice");
}

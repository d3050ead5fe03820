//! Partial orders, most of which no intervals have, against the twin.

use crate::generator::Numbers;
use crate::random::{Bag, draw};
use crate::small::{Twinned, is_witness};
use crate::twin::{TwinCall, is_linearizable};
use cdsspec_linearize::model::{KeyValue, KeyValueOperation, KeyValueResult};
use cdsspec_linearize::model::{Queue, Register, Stack};
use cdsspec_linearize::{Call, CallId, History, HistoryError, Limits, Verdict, judge};

/// Whether two calls precede two others crosswise: then no intervals have this order (Fishburn).
fn has_two_and_two(count: usize, precedes: &dyn Fn(usize, usize) -> bool) -> bool {
    let pairs: Vec<(usize, usize)> = (0..count)
        .flat_map(|one| (0..count).map(move |other| (one, other)))
        .filter(|&(one, other)| precedes(one, other))
        .collect();
    let is_apart = |&(a, b): &(usize, usize), &(c, d): &(usize, usize)| {
        let all = [a, b, c, d];
        let is_new = (0..4).all(|index| !all[..index].contains(&all[index]));
        is_new && !precedes(a, d) && !precedes(c, b)
    };
    pairs.iter().any(|one| pairs.iter().any(|other| is_apart(one, other)))
}

/// Which call precedes which: a row for each of the first.
type Rows = Vec<Vec<bool>>;

/// A random order of calls: some pairs, each in the order of the returns; and these closed.
fn order(numbers: &mut Numbers, calls: &[TwinCall], returned: &[u64]) -> (Rows, Rows) {
    let count = calls.len();
    let dense = 1 + numbers.below(4);
    let mut rows = vec![vec![false; count]; count];
    for one in 0..count {
        for other in 0..count {
            let can_precede = calls[one].returned && returned[one] < returned[other];
            rows[one][other] = can_precede && numbers.below(8) < dense;
        }
    }
    let pairs = rows.clone();
    for middle in 0..count {
        for one in 0..count {
            for other in 0..count {
                rows[one][other] |= rows[one][middle] && rows[middle][other];
            }
        }
    }
    (pairs, rows)
}

fn judge_ordered<S: Twinned>(specification: &S, insert: char, remove: char) -> [usize; 4] {
    let mut counts = [0; 4];
    for seed in 0..1_000 {
        let numbers = &mut Numbers::new(seed);
        let values = [0, 2][numbers.below(2)];
        let (calls, shape) = draw(numbers, insert, remove, values);
        let returned: Vec<u64> = shape.iter().map(|&(_, returned)| returned).collect();
        let (pairs, rows) = order(numbers, &calls, &returned);
        let precedes = |one: usize, other: usize| rows[one][other];
        let expected = is_linearizable(&calls, &precedes);
        let is_no_interval_order = has_two_and_two(calls.len(), &precedes);
        counts[usize::from(expected) + 2 * usize::from(is_no_interval_order)] += 1;
        let history = ordered(specification, &calls, &shape, &pairs);
        match judge(specification, &history, Limits::default()) {
            Verdict::Linearizable(witness) => {
                assert!(expected, "{seed}");
                assert!(is_witness(specification, &history, &witness.order, u64::MAX), "{seed}");
            }
            Verdict::NotLinearizable(refusal) => {
                assert!(!expected && refusal.is_smallest, "{seed}");
                // Up to a moment the others are pending: so prefixes are meant of an order that is not that of time.
                let up_to = |end: u64| -> Vec<TwinCall> {
                    let is_there = |call: usize| returned[call] <= end;
                    let result = |call: usize| calls[call].result.filter(|_| is_there(call));
                    let at = |call: usize| TwinCall {
                        returned: calls[call].returned && is_there(call),
                        result: result(call),
                        ..calls[call]
                    };
                    (0..calls.len()).map(at).collect()
                };
                assert!(!is_linearizable(&up_to(refusal.moment), &precedes), "{seed}");
                assert!(is_linearizable(&up_to(refusal.moment - 1), &precedes), "{seed}");
                assert!(is_witness(specification, &history, &refusal.prefix, refusal.moment - 1), "{seed}");
            }
            Verdict::Inconclusive(stopped) => panic!("{stopped:?}"),
        }
    }
    counts
}

fn ordered<S: Twinned>(
    specification: &S,
    calls: &[TwinCall],
    shape: &[(u64, u64)],
    rows: &[Vec<bool>],
) -> History<S::Operation, S::Result> {
    let call = |(twin, &(_, returned)): (&TwinCall, &(u64, u64))| {
        let (operation, result) = specification.call(twin);
        Call { thread: 0, operation, result, invoked: 0, returned: Some(returned).filter(|_| twin.returned) }
    };
    let calls = calls.iter().zip(shape).map(call).collect();
    let id = |index: usize| CallId(index as u32);
    let pairs = (0..rows.len()).flat_map(|one| (0..rows.len()).map(move |other| (one, other)));
    let pairs: Vec<_> =
        pairs.filter(|&(one, other)| rows[one][other]).map(|(one, other)| (id(one), id(other))).collect();
    History::with_order(calls, &pairs).expect("it is one")
}

#[test]
fn random_orders_of_registers() {
    assert_eq!(judge_ordered(&Register { initial: 0 }, 'w', 'r'), [142, 556, 79, 223]);
}

#[test]
fn random_orders_of_queues() {
    assert_eq!(judge_ordered(&Queue::new(), 'i', 'q'), [149, 549, 93, 209]);
}

#[test]
fn random_orders_of_stacks() {
    assert_eq!(judge_ordered(&Stack::new(), 'i', 's'), [143, 555, 76, 226]);
}

#[test]
fn random_orders_of_bags() {
    assert_eq!(judge_ordered(&Bag, 'i', 'b'), [127, 571, 74, 228]);
}

fn call<O, R>(operation: O, result: R, returned: u64) -> Call<O, R> {
    Call { thread: 0, operation, result: Some(result), invoked: 0, returned: Some(returned) }
}

/// `put(x, 1) < get(y) -> 1` and `put(y, 1) < get(x) -> none` is fine; with both reads of nothing each key by itself is linearizable, and the whole is not: store buffering.
#[test]
fn parts_of_an_order_that_no_intervals_have_are_not_judged_by_themselves() {
    use KeyValueOperation::{Get, Put};
    let calls = vec![
        call(Put('x', 1), KeyValueResult::Put, 1),
        call(Get('y'), KeyValueResult::Value(None), 2),
        call(Put('y', 1), KeyValueResult::Put, 3),
        call(Get('x'), KeyValueResult::Value(None), 4),
    ];
    let crosswise = [(CallId(0), CallId(1)), (CallId(2), CallId(3))];
    let history = History::with_order(calls.clone(), &crosswise).expect("it is one");
    let verdict = judge(&KeyValue::new(), &history, Limits::default());
    assert!(matches!(verdict, Verdict::NotLinearizable(refusal) if refusal.call == CallId(3)));
    // Without one of the pairs there is an order of all four.
    let history = History::with_order(calls, &crosswise[..1]).expect("it is one");
    assert!(matches!(judge(&KeyValue::new(), &history, Limits::default()), Verdict::Linearizable(_)));
}

#[test]
fn an_order_against_the_returns_is_refused() {
    let calls = || vec![call('a', (), 1), call('b', (), 2)];
    let error = |one, other| History::with_order(calls(), &[(CallId(one), CallId(other))]).err();
    assert_eq!(error(0, 1), None);
    assert_eq!(error(1, 0), Some(HistoryError::NotInOrderOfReturns(CallId(1), CallId(0))));
    assert_eq!(error(0, 2), Some(HistoryError::NotInOrderOfReturns(CallId(0), CallId(2))));
    let error = History::new(vec![Call { invoked: 3, ..call('a', (), 2) }]).err();
    assert_eq!(error, Some(HistoryError::ReturnsBeforeItBegins(CallId(0))));
    let error = History::new(vec![Call { returned: None, ..call('a', (), 2) }]).err();
    assert_eq!(error, Some(HistoryError::ResultWithoutReturn(CallId(0))));
}

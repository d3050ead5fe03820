//! Single histories that tell a rule from a wrong one, and that random ones hardly have.

use crate::random::Bag;
use crate::small::{Shape, assert_judged};
use crate::twin::{NONE, TwinCall};
use cdsspec_linearize::model::{
    CollectionOperation, CollectionResult, Queue, Register, RegisterOperation, RegisterResult, Stack,
};
use cdsspec_linearize::{Call, CallId, History, Limits, Verdict, judge};

/// The moment of a return that never comes.
const NEVER: u64 = u64::MAX;

fn call(op: char, argument: u8, result: Option<u8>, shape: (u64, u64)) -> (TwinCall, (u64, u64)) {
    (TwinCall { op, argument, result, returned: shape.1 != NEVER }, shape)
}

fn insert(value: u8, shape: (u64, u64)) -> (TwinCall, (u64, u64)) {
    call('i', value, Some(NONE).filter(|_| shape.1 != NEVER), shape)
}

fn apart(calls: Vec<(TwinCall, (u64, u64))>) -> (Vec<TwinCall>, Shape) {
    calls.into_iter().unzip()
}

/// A call that began at the moment at which another one returned overlaps with it.
#[test]
fn a_moment_that_two_calls_share_orders_them_in_no_way() {
    for (invoked, expected) in [(4, true), (5, true), (6, false)] {
        let (calls, shape) =
            apart(vec![call('w', 1, Some(NONE), (1, 5)), call('r', 0, Some(0), (invoked, 9))]);
        assert_eq!(assert_judged(&Register { initial: 0 }, &calls, &shape), expected, "{invoked}");
    }
}

/// 6 comes out second, so 5 was put in behind it, or taken out by a pending call; and 3 after the queue was found empty.
#[test]
fn a_value_does_not_go_in_before_the_queue_is_found_empty() {
    let (calls, shape) = apart(vec![
        call('q', 0, None, (1, NEVER)),
        insert(2, (2, NEVER)),
        insert(3, (7, 19)),
        call('q', 0, Some(NONE), (8, 18)),
        insert(5, (9, 16)),
        insert(6, (11, 14)),
        call('q', 0, Some(3), (15, 26)),
        call('q', 0, Some(6), (20, 23)),
        call('q', 0, None, (24, NEVER)),
    ]);
    assert!(assert_judged(&Queue::new(), &calls, &shape));
}

/// Of equal values the one goes in first whose call began later: 2 was put in after it, and comes out before the other one. If they are pending, it does not matter which it is.
#[test]
fn equal_values_of_a_queue_change_places_if_they_are_pending_alone() {
    let judged = |ends: (u64, u64), taken: [u8; 3]| {
        let mut calls = vec![insert(1, (1, ends.0)), insert(1, (2, ends.1)), insert(2, (4, 5))];
        let moments = [21, 23, 25].into_iter().zip(taken);
        calls.extend(moments.map(|(moment, value)| call('q', 0, Some(value), (moment, moment + 1))));
        let (calls, shape) = apart(calls);
        assert_judged(&Queue::new(), &calls, &shape)
    };
    for ends in [(20, 3), (NEVER, 3), (20, NEVER), (NEVER, NEVER)] {
        assert!(judged(ends, [1, 2, 1]), "{ends:?}");
        assert!(!judged(ends, [2, 1, 2]), "{ends:?}");
    }
    assert_eq!(
        [(3, NEVER), (20, 3), (NEVER, NEVER)].map(|ends| judged(ends, [2, 1, 1])),
        [false, false, true]
    );
}

/// Nobody knows what a call took out that returned: 9, which a pending call put in, or else 1 would be gone.
#[test]
fn a_pending_call_must_have_had_an_effect_for_a_result_that_nobody_knows() {
    let begin = |unknown: char| {
        vec![
            insert(9, (1, NEVER)),
            insert(1, (2, 3)),
            call(unknown, 0, None, (4, 5)),
            call(unknown, 0, Some(1), (6, 7)),
        ]
    };
    for op in ['q', 's'] {
        let (mut calls, shape) = apart(begin(op));
        calls[2].returned = true;
        let expected = match op {
            'q' => assert_judged(&Queue::new(), &calls, &shape),
            _ => assert_judged(&Stack::new(), &calls, &shape),
        };
        assert!(expected, "{op}");
        // Without it there is none.
        let calls: Vec<TwinCall> = calls[1..].to_vec();
        let expected = match op {
            'q' => assert_judged(&Queue::new(), &calls, &shape[1..].to_vec()),
            _ => assert_judged(&Stack::new(), &calls, &shape[1..].to_vec()),
        };
        assert!(!expected, "{op}");
    }
}

/// A compare-and-set that took its value is no read: what overlaps may come before it.
#[test]
fn a_read_comes_before_a_compare_and_set_that_returned_later() {
    use RegisterOperation::{CompareAndSet, Read};
    let call = |operation, result, invoked, returned| Call {
        thread: 0,
        operation,
        result: Some(result),
        invoked,
        returned: Some(returned),
    };
    let judged = |value: u8| {
        let history = History::new(vec![
            call(CompareAndSet(0, 1), RegisterResult::Set(true), 1, 8),
            call(Read, RegisterResult::Value(value), 2, 3),
            call(CompareAndSet(0, 2), RegisterResult::Set(false), 4, 5),
        ]);
        judge(&Register { initial: 0 }, &history.expect("it is one"), Limits::default())
    };
    assert!(matches!(judged(0), Verdict::Linearizable(witness) if witness.order == [1, 0, 2].map(CallId)));
    assert!(matches!(judged(1), Verdict::Linearizable(witness) if witness.order == [0, 1, 2].map(CallId)));
    assert!(matches!(judged(2), Verdict::NotLinearizable(refusal) if refusal.call == CallId(1)));
}

/// Two calls put 3 in that have not returned yet, and behind the second one 5 is put in. 3 comes out once, 5 as well, and then nothing is there: so the second one had an effect, and the first one none.
#[test]
fn equal_calls_of_a_prefix_are_not_the_same_if_others_come_after_one_of_them() {
    use CollectionOperation::{Insert, Remove};
    use CollectionResult::{Inserted, Removed};
    let call = |operation, result, returned| Call {
        thread: 0,
        operation,
        result: Some(result),
        invoked: 0,
        returned: Some(returned),
    };
    let calls = vec![
        call(Insert(3), Inserted, 20),
        call(Insert(3), Inserted, 21),
        call(Insert(5), Inserted, 22),
        call(Remove, Removed(Some(3)), 1),
        call(Remove, Removed(Some(5)), 2),
        call(Remove, Removed(None), 3),
        call(Remove, Removed(Some(7)), 10),
    ];
    let pairs = [(1, 2), (3, 4), (4, 5), (5, 6)].map(|(one, other)| (CallId(one), CallId(other)));
    let history = History::with_order(calls, &pairs).expect("it is one");
    let verdict = judge(&Bag, &history, Limits::default());
    let Verdict::NotLinearizable(refusal) = verdict else { panic!("nobody puts 7 in: {verdict:?}") };
    assert_eq!((refusal.call, refusal.is_smallest), (CallId(6), true));
    assert_eq!(refusal.prefix, [1, 3, 2, 4, 5].map(CallId));
}

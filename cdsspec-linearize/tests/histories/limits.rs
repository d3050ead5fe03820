//! Limits: to the step, and never a pass.

use cdsspec_linearize::model::{CollectionOperation, CollectionResult, Queue, Stack};
use cdsspec_linearize::{Call, CallId, History, Limit, Limits, SequentialSpecification, Verdict, judge};

type Collection = History<CollectionOperation<u32>, CollectionResult<u32>>;

/// Pairs of calls that put 1 and 2 in at the same time; then what comes out is, from pair to pair, the value that was tried last.
fn pairs(count: u64, takes_last_first: bool) -> Collection {
    let call = |operation, result, invoked, returned| Call {
        thread: 0,
        operation,
        result: Some(result),
        invoked,
        returned: Some(returned),
    };
    let mut calls = Vec::new();
    for pair in 0..count {
        for value in [1, 2] {
            let begin = 4 * pair + u64::from(value);
            calls.push(call(
                CollectionOperation::Insert(value),
                CollectionResult::Inserted,
                begin,
                begin + 2,
            ));
        }
    }
    let begin = 4 * count + 10;
    for taken in 0..2 * count {
        let value = if taken % 2 == u64::from(takes_last_first) { 2 } else { 1 };
        let result = CollectionResult::Removed(Some(value));
        calls.push(call(CollectionOperation::Remove, result, begin + 2 * taken, begin + 2 * taken + 1));
    }
    History::new(calls).expect("it is one")
}

fn judged<S>(specification: &S, history: &Collection, limits: Limits) -> Verdict
where
    S: SequentialSpecification<Operation = CollectionOperation<u32>, Result = CollectionResult<u32>>,
{
    judge(specification, history, limits)
}

#[test]
fn a_limit_of_steps_is_kept_to_the_step_and_says_where_it_was_reached() {
    for history in [pairs(6, true), pairs(6, false)] {
        let Verdict::Linearizable(witness) = judged(&Stack::new(), &history, Limits::default()) else {
            panic!("a stack gives out what came last")
        };
        let steps_max = witness.step_count;
        let limits = |steps_max| Limits { steps_max, ..Limits::default() };
        assert_eq!(judged(&Stack::new(), &history, limits(steps_max)), Verdict::Linearizable(witness));
        let Verdict::Inconclusive(stopped) = judged(&Stack::new(), &history, limits(steps_max - 1)) else {
            panic!("a bound is never a pass")
        };
        assert_eq!(stopped.limit, Limit::Steps(steps_max - 1));
        assert!((1..24).contains(&stopped.furthest.len()));
        assert_eq!(stopped.part.len(), 24);
        assert!(stopped.moment.is_some_and(|moment| moment > 1));
    }
}

/// A queue as somebody writes it who says no more of it than what it does.
struct Plain;

impl SequentialSpecification for Plain {
    type Operation = CollectionOperation<u32>;
    type Result = CollectionResult<u32>;
    type State = Vec<u32>;
    type Part = ();

    fn initial(&self) -> Vec<u32> {
        Vec::new()
    }

    fn step(
        &self,
        state: &Vec<u32>,
        operation: &CollectionOperation<u32>,
    ) -> impl IntoIterator<Item = (CollectionResult<u32>, Vec<u32>)> {
        Some(match operation {
            CollectionOperation::Insert(value) => {
                (CollectionResult::Inserted, [state, &[*value][..]].concat())
            }
            CollectionOperation::Remove => {
                (CollectionResult::Removed(state.first().copied()), state.iter().skip(1).copied().collect())
            }
        })
    }

    fn part(&self, _: &CollectionOperation<u32>) {}

    fn heap_bytes(&self, state: &Vec<u32>) -> usize {
        size_of_val(state.as_slice())
    }
}

#[test]
fn a_limit_of_memory_ends_a_search() {
    let history = pairs(40, false);
    let limits = Limits { bytes_max: 1 << 20, ..Limits::default() };
    let Verdict::Inconclusive(stopped) = judged(&Plain, &history, limits) else {
        panic!("as many orders as 2 to the 40")
    };
    assert_eq!(stopped.limit, Limit::Bytes(1 << 20));
    assert!(stopped.furthest.len() >= 80, "what was put in could be placed");
    // Who says that it is a queue gets an answer.
    assert!(matches!(judged(&Queue::new(), &history, limits), Verdict::Linearizable(_)));
}

/// All that is put in is pending and the same: one of the calls is tried.
#[test]
fn twenty_thousand_pending_calls_with_one_value_are_judged_within_sixteen_mebibytes() {
    let pending = |moment| Call {
        thread: 0,
        operation: CollectionOperation::Insert(2),
        result: None,
        invoked: moment,
        returned: None,
    };
    let removed = |value| Call {
        thread: 1,
        operation: CollectionOperation::Remove,
        result: Some(CollectionResult::Removed(Some(value))),
        invoked: 1,
        returned: Some(30_000),
    };
    let limits = Limits { bytes_max: 16 << 20, ..Limits::default() };
    for (value, expected) in [(2, true), (3, false)] {
        let calls = (0..20_000).map(pending).chain([removed(value)]);
        let verdict = judged(&Queue::new(), &History::new(calls.collect()).expect("it is one"), limits);
        match verdict {
            Verdict::Linearizable(_) => assert!(expected),
            Verdict::NotLinearizable(_) => assert!(!expected),
            Verdict::Inconclusive(stopped) => panic!("{:?}", stopped.limit),
        }
    }
}

#[test]
fn a_refusal_whose_smallest_prefix_costs_too_much_says_so() {
    let mut calls = pairs(6, true).calls().to_vec();
    calls.last_mut().expect("there is one").result = Some(CollectionResult::Removed(Some(7)));
    let history = History::new(calls).expect("it is one");
    let Verdict::NotLinearizable(refusal) = judged(&Stack::new(), &history, Limits::default()) else {
        panic!("7 was never put in")
    };
    assert!(refusal.is_smallest);
    assert_eq!((refusal.call, refusal.event_count), (CallId(23), 47));
    let limits = |steps_max| Limits { steps_max, ..Limits::default() };
    let first = (1..)
        .find(|&steps| !matches!(judged(&Stack::new(), &history, limits(steps)), Verdict::Inconclusive(_)));
    let first = first.expect("there is a number");
    assert!(first < refusal.step_count);
    let Verdict::NotLinearizable(known) = judged(&Stack::new(), &history, limits(first)) else {
        panic!("it is known by then")
    };
    // What the search knew at once: the prefix is at fault, and whatever returned before the call is linearizable.
    assert_eq!(known.call, CallId(23));
    assert!(!known.is_smallest || known.prefix.is_empty());
}

#[test]
fn a_hundred_thousand_calls_are_judged_without_recursion() {
    let mut calls = Vec::new();
    for moment in 0..100_000 {
        let (operation, result) = match moment % 2 {
            0 => (CollectionOperation::Insert(moment as u32), CollectionResult::Inserted),
            _ => (CollectionOperation::Remove, CollectionResult::Removed(Some(moment as u32 - 1))),
        };
        let (invoked, returned) = (2 * moment, Some(2 * moment + 3));
        calls.push(Call { thread: 0, operation, result: Some(result), invoked, returned });
    }
    let history = History::new(calls).expect("it is one");
    assert!(matches!(judged(&Stack::new(), &history, Limits::default()), Verdict::Linearizable(_)));
    assert!(matches!(judged(&Queue::new(), &history, Limits::default()), Verdict::Linearizable(_)));
}

//! All histories of up to five calls.

use crate::twin::{NONE, TwinCall, is_linearizable};
use cdsspec_linearize::model::{
    CollectionOperation, CollectionResult, Queue, Register, RegisterOperation, RegisterResult, Stack,
};
use cdsspec_linearize::{Call, CallId, History, Limits, SequentialSpecification, Verdict, judge};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// When each call is invoked, and returns.
pub(crate) type Shape = Vec<(u64, u64)>;

/// All ways in which `count` calls can overlap, up to their names: one for each interval order. There are as many as Fishburn numbers say.
pub(crate) fn shapes(count: usize) -> Vec<Shape> {
    let mut words = Vec::new();
    grow(&mut Vec::new(), &mut Vec::new(), count, &mut words);
    let mut seen = BTreeSet::new();
    words.retain(|shape| seen.insert(canonical(shape)));
    words
}

/// All words of invocations and returns: calls are numbered by their invocations.
fn grow(shape: &mut Shape, open: &mut Vec<usize>, count: usize, words: &mut Vec<Shape>) {
    let moment = 1 + shape.len() as u64 + (shape.len() - open.len()) as u64;
    if shape.len() == count && open.is_empty() {
        words.push(shape.clone());
    }
    if shape.len() < count {
        open.push(shape.len());
        shape.push((moment, 0));
        grow(shape, open, count, words);
        shape.pop();
        open.pop();
    }
    for index in 0..open.len() {
        let call = open.remove(index);
        shape[call].1 = moment;
        grow(shape, open, count, words);
        shape[call].1 = 0;
        open.insert(index, call);
    }
}

fn precedes(shape: &Shape, one: usize, other: usize) -> bool {
    shape[one].1 < shape[other].0
}

/// The smallest matrix of the precedence, under all names of the calls.
fn canonical(shape: &Shape) -> Vec<bool> {
    let mut best = None;
    permute(&mut (0..shape.len()).collect(), 0, &mut |names| {
        let pairs = names.iter().flat_map(|&one| names.iter().map(move |&other| (one, other)));
        let matrix: Vec<bool> = pairs.map(|(one, other)| precedes(shape, one, other)).collect();
        if best.as_ref().is_none_or(|best| matrix < *best) {
            best = Some(matrix);
        }
    });
    best.expect("there is a permutation")
}

pub(crate) fn permute(names: &mut Vec<usize>, fixed: usize, visit: &mut impl FnMut(&[usize])) {
    if fixed == names.len() {
        return visit(names);
    }
    for index in fixed..names.len() {
        names.swap(fixed, index);
        permute(names, fixed + 1, visit);
        names.swap(fixed, index);
    }
}

/// A specification beside what the twin says of the same calls.
pub(crate) trait Twinned: SequentialSpecification {
    fn call(&self, twin: &TwinCall) -> (Self::Operation, Option<Self::Result>);
}

impl Twinned for Register<u8> {
    fn call(&self, twin: &TwinCall) -> (RegisterOperation<u8>, Option<RegisterResult<u8>>) {
        match twin.op {
            'r' => (RegisterOperation::Read, twin.result.map(RegisterResult::Value)),
            _ => (RegisterOperation::Write(twin.argument), twin.result.map(|_| RegisterResult::Written)),
        }
    }
}

fn collection(twin: &TwinCall) -> (CollectionOperation<u8>, Option<CollectionResult<u8>>) {
    let removed = |value: u8| CollectionResult::Removed(Some(value).filter(|&value| value != NONE));
    match twin.op {
        'i' => (CollectionOperation::Insert(twin.argument), twin.result.map(|_| CollectionResult::Inserted)),
        _ => (CollectionOperation::Remove, twin.result.map(removed)),
    }
}

impl Twinned for Queue<u8> {
    fn call(&self, twin: &TwinCall) -> (CollectionOperation<u8>, Option<CollectionResult<u8>>) {
        collection(twin)
    }
}

impl Twinned for Stack<u8> {
    fn call(&self, twin: &TwinCall) -> (CollectionOperation<u8>, Option<CollectionResult<u8>>) {
        collection(twin)
    }
}

/// The calls of a twin as a history in real time.
pub(crate) fn history<S: Twinned>(
    specification: &S,
    calls: &[TwinCall],
    shape: &Shape,
) -> History<S::Operation, S::Result> {
    let call = |(twin, &(invoked, returned)): (&TwinCall, &(u64, u64))| {
        let (operation, result) = specification.call(twin);
        Call { thread: 0, operation, result, invoked, returned: Some(returned).filter(|_| twin.returned) }
    };
    History::new(calls.iter().zip(shape).map(call).collect()).expect("it is one")
}

/// Whether an order has all calls that returned up to a moment, no call before one that precedes it, and explains the results of those.
pub(crate) fn is_witness<S: SequentialSpecification>(
    specification: &S,
    history: &History<S::Operation, S::Result>,
    order: &[CallId],
    end: u64,
) -> bool {
    let returned = |id: CallId| history.call(id).returned.is_some_and(|returned| returned <= end);
    let ids = (0..history.calls().len()).map(|id| CallId(id as u32));
    let is_whole = ids.clone().filter(|&id| returned(id)).all(|id| order.contains(&id));
    let is_once = order.iter().collect::<BTreeSet<_>>().len() == order.len();
    let keeps_order = order
        .iter()
        .enumerate()
        .all(|(index, &one)| order[index + 1..].iter().all(|&other| !history.precedes(other, one)));
    let mut states = vec![specification.initial()];
    for &id in order {
        let call = history.call(id);
        let expected = call.result.as_ref().filter(|_| returned(id));
        states = states
            .iter()
            .flat_map(|state| specification.step(state, &call.operation))
            .filter(|(result, _)| expected.is_none_or(|expected| expected == result))
            .map(|(_, state)| state)
            .collect();
    }
    is_whole && is_once && keeps_order && !states.is_empty()
}

/// Judges a history, and holds what is said of it against the twin: the verdict, the witness, and that the prefix is the longest. Whether it is linearizable.
pub(crate) fn assert_judged<S: Twinned>(specification: &S, calls: &[TwinCall], shape: &Shape) -> bool
where
    S::Operation: Debug,
{
    let history = history(specification, calls, shape);
    let expected = |end: u64| {
        let at_end = |(call, &(invoked, returned)): (&TwinCall, &(u64, u64))| {
            let returned = call.returned && returned <= end;
            let call = TwinCall { returned, result: call.result.filter(|_| returned), ..*call };
            (invoked <= end).then_some(call)
        };
        let there: Vec<usize> = (0..calls.len()).filter(|&call| shape[call].0 <= end).collect();
        let prefix: Vec<TwinCall> = calls.iter().zip(shape).filter_map(at_end).collect();
        is_linearizable(&prefix, &|one, other| {
            prefix[one].returned && precedes(shape, there[one], there[other])
        })
    };
    let is_linearizable = expected(u64::MAX);
    match judge(specification, &history, Limits::default()) {
        Verdict::Linearizable(witness) => {
            assert!(is_linearizable, "{calls:?} {shape:?}");
            assert!(is_witness(specification, &history, &witness.order, u64::MAX), "{calls:?} {shape:?}");
        }
        Verdict::NotLinearizable(refusal) => {
            assert!(!is_linearizable, "{calls:?} {shape:?}");
            assert!(refusal.is_smallest && !expected(refusal.moment) && expected(refusal.moment - 1));
            assert!(is_witness(specification, &history, &refusal.prefix, refusal.moment - 1), "{history:?}");
        }
        Verdict::Inconclusive(stopped) => panic!("{stopped:?}"),
    }
    is_linearizable
}

fn completed(op: char, argument: u8, result: u8) -> TwinCall {
    TwinCall { op, argument, result: Some(result), returned: true }
}

fn pending(op: char, argument: u8) -> TwinCall {
    TwinCall { op, argument, result: None, returned: false }
}

/// All histories of so many calls with these shapes: how many there are, and how many are linearizable.
fn judge_all<S: Twinned>(specification: &S, count: usize, calls: &[TwinCall]) -> (usize, usize)
where
    S::Operation: Debug,
{
    let (mut all, mut linearizable) = (0, 0);
    for shape in shapes(count) {
        for number in 0..calls.len().pow(count as u32) {
            let digit = |place: usize| calls[number / calls.len().pow(place as u32) % calls.len()];
            let chosen: Vec<TwinCall> = (0..count).map(digit).collect();
            // What precedes another call has returned.
            let is_one =
                |one: usize| chosen[one].returned || (0..count).all(|other| !precedes(&shape, one, other));
            // The first value is 1: the others are these with other names.
            let first = chosen.iter().find_map(|call| {
                [call.argument, call.result.unwrap_or(0)].into_iter().find(|value| [1, 2].contains(value))
            });
            if first == Some(2) || !(0..count).all(is_one) {
                continue;
            }
            all += 1;
            linearizable += usize::from(assert_judged(specification, &chosen, &shape));
        }
    }
    (all, linearizable)
}

fn register_calls() -> Vec<TwinCall> {
    let reads = [0, 1, 2].map(|value| completed('r', 0, value));
    [&reads[..], &[completed('w', 1, NONE), completed('w', 2, NONE)]].concat()
}

fn collection_calls(remove: char) -> Vec<TwinCall> {
    let removes = [NONE, 1, 2].map(|value| completed(remove, 0, value));
    [&removes[..], &[completed('i', 1, NONE), completed('i', 2, NONE)]].concat()
}

#[test]
fn shapes_are_as_many_as_fishburn_numbers() {
    assert_eq!([1, 2, 3, 4, 5].map(|count| shapes(count).len()), [1, 2, 5, 15, 53]);
}

#[test]
fn registers_with_up_to_five_calls() {
    let counts = [1, 2, 3, 4, 5].map(|count| judge_all(&Register { initial: 0 }, count, &register_calls()));
    assert_eq!(counts, [(3, 2), (26, 12), (315, 109), (4_695, 1_276), (82_839, 18_079)]);
}

#[test]
fn queues_with_up_to_five_calls() {
    let counts = [1, 2, 3, 4, 5].map(|count| judge_all(&Queue::new(), count, &collection_calls('q')));
    assert_eq!(counts, [(3, 2), (26, 12), (315, 104), (4_695, 1_180), (82_839, 16_237)]);
}

#[test]
fn stacks_with_up_to_five_calls() {
    let counts = [1, 2, 3, 4, 5].map(|count| judge_all(&Stack::new(), count, &collection_calls('s')));
    assert_eq!(counts, [(3, 2), (26, 12), (315, 107), (4_695, 1_245), (82_839, 17_692)]);
}

#[test]
fn registers_queues_and_stacks_with_up_to_four_calls_of_which_some_are_pending() {
    let with = |calls: Vec<TwinCall>, more: &[TwinCall]| [&calls[..], more].concat();
    let registers = with(register_calls(), &[pending('w', 1), pending('w', 2), pending('r', 0)]);
    let inserts = [pending('i', 1), pending('i', 2)];
    let queues = with(with(collection_calls('q'), &inserts), &[pending('q', 0)]);
    let stacks = with(with(collection_calls('s'), &inserts), &[pending('s', 0)]);
    let four = |judge: &dyn Fn(usize) -> (usize, usize)| [1, 2, 3, 4].map(judge);
    let counts = four(&|count| judge_all(&Register { initial: 0 }, count, &registers));
    assert_eq!(counts, [(5, 4), (55, 34), (786, 393), (13_225, 5_470)]);
    let counts = four(&|count| judge_all(&Queue::new(), count, &queues));
    assert_eq!(counts, [(5, 4), (55, 34), (786, 385), (13_225, 5_275)]);
    let counts = four(&|count| judge_all(&Stack::new(), count, &stacks));
    assert_eq!(counts, [(5, 4), (55, 34), (786, 391), (13_225, 5_449)]);
}

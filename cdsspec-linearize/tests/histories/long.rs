//! Long histories whose truth is known by how they were made: half of them are broken in a way that leaves no doubt.

use crate::generator::{Numbers, Plan, history, swapped, with_result};
use cdsspec_linearize::model::{
    CollectionOperation, CollectionResult, KeyValue, KeyValueOperation, KeyValueResult, Mutex,
    MutexOperation, Queue, Register, RegisterOperation, RegisterResult, Set, SetOperation, Stack,
};
use cdsspec_linearize::{CallId, History, Limits, SequentialSpecification, Verdict, judge};

/// How many histories there are of each kind; each is broken as well.
const COUNT: u64 = 12;

fn plan(seed: u64) -> Plan {
    Plan {
        threads: 2 + seed as usize % 4,
        calls: 400 + 40 * seed as usize,
        pending: [0, 0, 4][seed as usize % 3],
    }
}

/// All pairs of calls that returned of which the first precedes the second, beginning with a random call, and up to some.
fn pairs<O, R>(history: &History<O, R>, numbers: &mut Numbers) -> Vec<(CallId, CallId)> {
    let count = history.calls().len();
    let begin = numbers.below(count / 2);
    let ids = || (begin..count.min(begin + 200)).map(|id| CallId(id as u32));
    let precedes = |&(one, other): &(CallId, CallId)| history.precedes(one, other);
    ids().flat_map(|one| ids().map(move |other| (one, other))).filter(precedes).collect()
}

/// Judges a history and what it is when it is broken. The place where it breaks is at most one that is known.
fn assert_known<S: SequentialSpecification>(
    specification: &S,
    good: &History<S::Operation, S::Result>,
    (broken, last): (History<S::Operation, S::Result>, CallId),
) {
    let verdict = judge(specification, good, Limits::default());
    let Verdict::Linearizable(witness) = verdict else { panic!("it was made in order, and is {verdict:?}") };
    let returned = good.calls().iter().filter(|call| call.returned.is_some()).count();
    assert!(witness.order.len() >= returned);
    let verdict = judge(specification, &broken, Limits::default());
    let Verdict::NotLinearizable(refusal) = verdict else { panic!("it was broken, and is {verdict:?}") };
    assert!(refusal.is_smallest);
    assert!(refusal.moment <= broken.call(last).returned.expect("it returned"));
}

/// Of what a call put in, the call that took it out.
fn removal<V: PartialEq>(
    history: &History<CollectionOperation<V>, CollectionResult<V>>,
    insertion: CallId,
) -> Option<CallId> {
    let CollectionOperation::Insert(value) = &history.call(insertion).operation else { return None };
    let takes = |result: &CollectionResult<V>| matches!(result, CollectionResult::Removed(Some(other)) if other == value);
    let call = history.calls().iter().position(|call| call.result.as_ref().is_some_and(takes))?;
    Some(CallId(call as u32))
}

fn collection<S>(specification: &S, is_queue: bool)
where
    S: SequentialSpecification<Operation = CollectionOperation<usize>, Result = CollectionResult<usize>>,
{
    for seed in 0..COUNT {
        let numbers = &mut Numbers::new(seed);
        let good = history(specification, &plan(seed), numbers, |count, numbers| {
            // Fuller in the first half, emptier in the second.
            let fuller = if count < 200 { 60 } else { 45 };
            if numbers.below(100) < fuller {
                CollectionOperation::Insert(count)
            } else {
                CollectionOperation::Remove
            }
        });
        let swap = |&(one, other): &(CallId, CallId)| {
            let (first, second) = (removal(&good, one)?, removal(&good, other)?);
            // The first is in before the second. A queue gives it out first: so it must not come out second. A stack gives out the second first,
            // if both are in: so the first must not come out first.
            let (earlier, later) = if is_queue { (first, second) } else { (second, first) };
            let is_known = good.precedes(earlier, later) && (is_queue || good.precedes(other, earlier));
            is_known.then_some((earlier, later))
        };
        let (one, other) = pairs(&good, numbers).iter().find_map(swap).expect("there are such calls");
        assert_known(specification, &good, (swapped(&good, one, other), other));
    }
}

#[test]
fn queues() {
    collection(&Queue::new(), true);
}

#[test]
fn stacks() {
    collection(&Stack::new(), false);
}

#[test]
fn registers() {
    for seed in 0..COUNT {
        let numbers = &mut Numbers::new(seed);
        let specification = Register { initial: 0 };
        // Every write has a value of its own.
        let good = history(&specification, &plan(seed), numbers, |count, numbers| match numbers.below(3) {
            0 => RegisterOperation::Write(count + 1),
            _ => RegisterOperation::Read,
        });
        let written = |call: CallId| match good.call(call).operation {
            RegisterOperation::Write(value) => Some(value),
            _ => None,
        };
        let is_read = |call: CallId| matches!(good.call(call).operation, RegisterOperation::Read);
        let pairs = pairs(&good, numbers);
        // A write, another write, and a read, one after the other: the read returns what the first one wrote.
        let stale = pairs.iter().find_map(|&(one, other)| {
            let (value, _) = (written(one)?, written(other)?);
            let reads = pairs.iter().filter(|&&(before, read)| before == other && is_read(read));
            reads.map(|&(_, read)| (read, value)).next()
        });
        let (read, value) = stale.expect("there are such calls");
        let broken = with_result(&good, read, RegisterResult::Value(value));
        assert_known(&specification, &good, (broken, read));
    }
}

#[test]
fn maps() {
    for seed in 0..COUNT {
        let numbers = &mut Numbers::new(seed);
        let specification = KeyValue::new();
        let good = history(&specification, &plan(seed), numbers, |count, numbers| match numbers.below(4) {
            0 | 1 => KeyValueOperation::Put(numbers.below(7), count),
            _ => KeyValueOperation::Get(numbers.below(7)),
        });
        let pairs = pairs(&good, numbers);
        let stale = pairs.iter().find_map(|&(one, other)| {
            use KeyValueOperation::{Get, Put};
            let (Put(key, value), Put(same, _)) = (&good.call(one).operation, &good.call(other).operation)
            else {
                return None;
            };
            let is_read = |call: CallId| matches!(&good.call(call).operation, Get(third) if third == key);
            let mut reads = pairs.iter().filter(|&&(before, read)| before == other && is_read(read));
            (key == same).then(|| reads.next()).flatten().map(|&(_, read)| (read, *value))
        });
        let (read, value) = stale.expect("there are such calls");
        let broken = with_result(&good, read, KeyValueResult::Value(Some(value)));
        assert_known(&specification, &good, (broken, read));
    }
}

#[test]
fn sets() {
    for seed in 0..COUNT {
        let numbers = &mut Numbers::new(seed);
        let specification = Set::new();
        let good = history(&specification, &plan(seed), numbers, |_, numbers| {
            let value = numbers.below(20);
            match numbers.below(3) {
                0 => SetOperation::Add(value),
                1 => SetOperation::Remove(value),
                _ => SetOperation::Contains(value),
            }
        });
        let changes = |call: CallId, value: usize| match good.call(call).operation {
            SetOperation::Add(other) => (other == value).then_some(true),
            SetOperation::Remove(other) => (other == value).then_some(false),
            SetOperation::Contains(_) => None,
        };
        // A change, and a look with no other change that is not before the one or after the other: the look sees the contrary.
        let contrary = pairs(&good, numbers).into_iter().find_map(|(one, look)| {
            let SetOperation::Contains(value) = good.call(look).operation else { return None };
            let is_in = changes(one, value)?;
            let is_far = |id: CallId| good.precedes(id, one) || good.precedes(look, id);
            let ids = (0..good.calls().len()).map(|id| CallId(id as u32));
            let mut others = ids.filter(|&id| id != one && changes(id, value).is_some());
            others.all(is_far).then_some((look, !is_in))
        });
        let (look, answer) = contrary.expect("there are such calls");
        assert_known(&specification, &good, (with_result(&good, look, answer), look));
    }
}

#[test]
fn locks() {
    for seed in 0..COUNT {
        let numbers = &mut Numbers::new(seed);
        // Without pending calls: each lock is held by some call.
        let plan = Plan { pending: 0, ..plan(seed) };
        let good = history(&Mutex, &plan, numbers, |count, _| {
            if count % 2 == 0 { MutexOperation::Lock } else { MutexOperation::Unlock }
        });
        // What was an unlock is a lock: there are two more of these than of the others.
        let mut calls = good.calls().to_vec();
        let unlocks =
            |call: &cdsspec_linearize::Call<MutexOperation, ()>| call.operation == MutexOperation::Unlock;
        let returned = |call: &cdsspec_linearize::Call<MutexOperation, ()>| call.returned.is_some();
        let first = calls.iter().position(|call| unlocks(call) && returned(call)).expect("there is one");
        calls[first].operation = MutexOperation::Lock;
        let last = (0..calls.len())
            .filter(|&call| calls[call].returned.is_some())
            .max_by_key(|&call| calls[call].returned);
        let broken = History::new(calls).expect("it is one");
        assert_known(&Mutex, &good, (broken, CallId(last.expect("there is one") as u32)));
    }
}

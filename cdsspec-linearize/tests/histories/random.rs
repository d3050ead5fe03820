//! Random histories of up to nine calls, against the twin: different values, equal ones, empty collections, pending calls, and what no specification of the crate is.

use crate::generator::Numbers;
use crate::small::{Shape, Twinned, assert_judged};
use crate::twin::{TwinCall, step};
use cdsspec_linearize::SequentialSpecification;
use cdsspec_linearize::model::{CollectionOperation, CollectionResult, Queue, Register, Stack};

/// A bag gives out any value that is in it: it is not deterministic.
#[derive(Debug)]
pub(crate) struct Bag;

impl SequentialSpecification for Bag {
    type Operation = CollectionOperation<u8>;
    type Result = CollectionResult<u8>;
    type State = Vec<u8>;
    type Part = ();

    fn initial(&self) -> Vec<u8> {
        Vec::new()
    }

    fn step(
        &self,
        state: &Vec<u8>,
        operation: &CollectionOperation<u8>,
    ) -> impl IntoIterator<Item = (CollectionResult<u8>, Vec<u8>)> {
        match operation {
            CollectionOperation::Insert(value) => {
                let mut next = [&state[..], &[*value]].concat();
                next.sort_unstable();
                vec![(CollectionResult::Inserted, next)]
            }
            CollectionOperation::Remove if state.is_empty() => {
                vec![(CollectionResult::Removed(None), state.clone())]
            }
            CollectionOperation::Remove => {
                let without = |index: usize| [&state[..index], &state[index + 1..]].concat();
                let step = |index: usize| (CollectionResult::Removed(Some(state[index])), without(index));
                (0..state.len()).map(step).collect()
            }
        }
    }

    fn part(&self, _: &CollectionOperation<u8>) {}
}

impl Twinned for Bag {
    fn call(&self, twin: &TwinCall) -> (CollectionOperation<u8>, Option<CollectionResult<u8>>) {
        let queue: Queue<u8> = Queue::new();
        queue.call(twin)
    }
}

/// Calls of threads that take turns, with the results of some order in which they took effect; often with one that is not.
pub(crate) fn draw(numbers: &mut Numbers, insert: char, remove: char, values: u8) -> (Vec<TwinCall>, Shape) {
    let count = 3 + numbers.below(7);
    let threads = 2 + numbers.below(2);
    let (mut calls, mut shape, mut state): (Vec<TwinCall>, Shape, Vec<u8>) = Default::default();
    let mut open: Vec<Option<usize>> = vec![None; threads];
    for moment in 1.. {
        if calls.len() == count && open.iter().all(Option::is_none) {
            break;
        }
        let thread = numbers.below(threads);
        match open[thread] {
            None if calls.len() < count => {
                let op = if numbers.below(2) == 0 { insert } else { remove };
                // Without a number of values they are all different.
                let value =
                    if values == 0 { calls.len() as u8 + 1 } else { 1 + numbers.below(values.into()) as u8 };
                let argument = if op == insert { value } else { 0 };
                open[thread] = Some(calls.len());
                calls.push(TwinCall { op, argument, result: None, returned: false });
                shape.push((moment, u64::MAX));
            }
            None => {}
            Some(call) if calls[call].result.is_none() => {
                let mut steps = step(&state, &calls[call]);
                let (result, next) = steps.swap_remove(numbers.below(steps.len()));
                (calls[call].result, state) = (Some(result), next);
            }
            Some(call) => {
                calls[call].returned = numbers.below(8) > 0;
                shape[call].1 = if calls[call].returned { moment } else { u64::MAX };
                open[thread] = None;
            }
        }
    }
    spoil(numbers, &mut calls, insert);
    (calls, shape)
}

/// Most histories have results changed for each other, or another one; pending calls have none.
fn spoil(numbers: &mut Numbers, calls: &mut [TwinCall], insert: char) {
    let removes: Vec<usize> = (0..calls.len()).filter(|&call| calls[call].op != insert).collect();
    let values: Vec<u8> = calls.iter().map(|call| call.argument).filter(|&value| value > 0).collect();
    if !removes.is_empty() && numbers.below(4) > 0 {
        let mut some = || removes[numbers.below(removes.len())];
        let (one, other) = (some(), some());
        (calls[one].result, calls[other].result) = (calls[other].result, calls[one].result);
        if !values.is_empty() && numbers.below(3) == 0 {
            calls[one].result = Some(values[numbers.below(values.len())]);
        }
    }
    // Of some calls that returned nobody knows what.
    for call in calls {
        if !call.returned || numbers.below(24) == 0 {
            call.result = None;
        }
    }
}

fn judge_random<S: Twinned>(specification: &S, insert: char, remove: char) -> [usize; 2] {
    let mut counts = [0; 2];
    for seed in 0..1_500 {
        let numbers = &mut Numbers::new(seed);
        let values = [0, 0, 1, 2][numbers.below(4)];
        let (calls, shape) = draw(numbers, insert, remove, values);
        counts[usize::from(assert_judged(specification, &calls, &shape))] += 1;
    }
    counts
}

#[test]
fn random_registers() {
    assert_eq!(judge_random(&Register { initial: 0 }, 'w', 'r'), [266, 1_234]);
}

#[test]
fn random_queues() {
    assert_eq!(judge_random(&Queue::new(), 'i', 'q'), [251, 1_249]);
}

#[test]
fn random_stacks() {
    assert_eq!(judge_random(&Stack::new(), 'i', 's'), [247, 1_253]);
}

#[test]
fn random_bags() {
    assert_eq!(judge_random(&Bag, 'i', 'b'), [231, 1_269]);
}

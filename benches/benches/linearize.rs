//! How long judgements of long histories take: `cargo bench --package cdsspec-bench --bench linearize`.

#[path = "../../cdsspec-linearize/tests/histories/generator.rs"]
mod generator;

use cdsspec_linearize::model::{
    CollectionOperation, CollectionResult, KeyValue, KeyValueOperation, KeyValueResult, Queue, Stack,
};
use cdsspec_linearize::{CallId, History, Limits, SequentialSpecification, Verdict, judge};
use generator::{Numbers, Plan, history, swapped, with_result};
use std::time::Instant;

fn time<S: SequentialSpecification>(
    title: &str,
    specification: &S,
    history: &History<S::Operation, S::Result>,
) {
    let start = Instant::now();
    let verdict = judge(specification, history, Limits::default());
    let milliseconds = start.elapsed().as_secs_f64() * 1_000.0;
    let (word, steps) = match &verdict {
        Verdict::Linearizable(witness) => ("linearizable", witness.step_count),
        Verdict::NotLinearizable(refusal) => ("not linearizable", refusal.step_count),
        Verdict::Inconclusive(stopped) => ("inconclusive", stopped.step_count),
    };
    println!("| {title} | {word} | {steps} | {milliseconds:.1} |");
}

fn maps() {
    for (threads, keys) in [(4, 100), (8, 1_000), (8, 10), (8, 1)] {
        let plan = Plan { threads, calls: 100_000, pending: 0 };
        let specification = KeyValue::new();
        let good = history(&specification, &plan, &mut Numbers::new(1), |count, numbers| {
            let key = numbers.below(keys);
            if numbers.below(2) == 0 {
                KeyValueOperation::Put(key, count)
            } else {
                KeyValueOperation::Get(key)
            }
        });
        time(&format!("kv, 100,000 calls, {threads} threads, {keys} keys"), &specification, &good);
        let is_read = |call: CallId| matches!(good.call(call).operation, KeyValueOperation::Get(_));
        let last =
            (0..good.calls().len() as u32).rev().map(CallId).find(|&call| is_read(call)).expect("one reads");
        let broken = with_result(&good, last, KeyValueResult::Value(Some(usize::MAX)));
        time(&format!("kv, 100,000 calls, {threads} threads, {keys} keys, broken"), &specification, &broken);
    }
}

/// Of two removals that are far from each other, results changed for each other.
fn broken(
    good: &History<CollectionOperation<usize>, CollectionResult<usize>>,
) -> History<CollectionOperation<usize>, CollectionResult<usize>> {
    let takes = |id: &CallId| matches!(good.call(*id).result, Some(CollectionResult::Removed(Some(_))));
    let removals: Vec<CallId> = (0..good.calls().len() as u32).map(CallId).filter(takes).collect();
    let (one, other) = (removals[removals.len() * 9 / 10], removals[removals.len() - 1]);
    swapped(good, one, other)
}

/// How many of a hundred calls put something in, given how many calls there are so far, and in the end.
type Shape = (&'static str, fn(usize, usize) -> usize);

fn collections() {
    let shapes: [Shape; 3] = [
        ("mixed", |_, _| 50),
        ("fuller", |_, _| 60),
        ("filled, then emptied", |count, all| if count < all / 2 { 100 } else { 0 }),
    ];
    for (threads, calls) in [(2, 1_000), (4, 1_000), (8, 1_000), (2, 10_000)] {
        for (shape, inserts) in shapes {
            for values in [usize::MAX, 2] {
                let plan = Plan { threads, calls, pending: 0 };
                let draw = |count: usize, numbers: &mut Numbers| {
                    let value = if values == usize::MAX { count } else { numbers.below(values) };
                    if numbers.below(100) < inserts(count, calls) {
                        CollectionOperation::Insert(value)
                    } else {
                        CollectionOperation::Remove
                    }
                };
                let kind = if values == usize::MAX { "all different" } else { "of two values" };
                let title = format!("{threads} x {}, {shape}, {kind}", calls / threads);
                let good = history(&Stack::new(), &plan, &mut Numbers::new(1), draw);
                time(&format!("stack, {title}"), &Stack::new(), &good);
                time(&format!("stack, {title}, two results swapped"), &Stack::new(), &broken(&good));
                let good = history(&Queue::new(), &plan, &mut Numbers::new(1), draw);
                time(&format!("queue, {title}"), &Queue::new(), &good);
                time(&format!("queue, {title}, two results swapped"), &Queue::new(), &broken(&good));
            }
        }
    }
}

fn main() {
    println!("| history | verdict | steps | ms |\n|---|---|---:|---:|");
    maps();
    collections();
}

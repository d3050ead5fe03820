//! The same source under CheckFence with RC11, and under the engine `rc11`: what all executions show is the same.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

mod structures;

use cdsspec::fence::{Check, MemoryModel, check};
use cdsspec::thread;
use cdsspec::{Builder, Verdict};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use structures::{boxes, counter, guarded, litmus, queue, slots, stack};

type Shown = BTreeSet<Vec<i64>>;

/// What the calls of a program return, over all executions under the engine.
fn explored(program: impl Fn() -> Vec<i64> + Send + Sync + 'static) -> Shown {
    let shown = Arc::new(Mutex::new(Shown::new()));
    let seen = shown.clone();
    let outcome = Builder::new().check(move || {
        let results = program();
        seen.lock().unwrap().insert(results);
    });
    assert_eq!(outcome.verdict, Verdict::Holds, "{outcome}");
    let shown = shown.lock().unwrap();
    shown.clone()
}

/// The same under CheckFence.
fn solved(check: &Check, test: &str) -> Shown {
    let (set, is_bounded) = check.observations(test).unwrap();
    assert!(!is_bounded && !set.has_error, "{test}");
    let numbers =
        set.observations.iter().map(|one| one.0.iter().map(|value| value.number().unwrap()).collect());
    numbers.collect()
}

/// Two threads, and what they return, one after the other.
fn both(left: impl FnOnce() -> Vec<i64> + Send, right: impl FnOnce() -> Vec<i64> + Send) -> Vec<i64> {
    thread::scope(|scope| {
        let (left, right) = (scope.spawn(left), scope.spawn(right));
        [left.join().unwrap(), right.join().unwrap()].concat()
    })
}

fn words(option: Option<u32>) -> Vec<i64> {
    vec![i64::from(option.is_some()), i64::from(option.unwrap_or(0))]
}

fn agree(check: &Check, test: &str, count: usize, program: impl Fn() -> Vec<i64> + Send + Sync + 'static) {
    let (left, right) = (solved(check, test), explored(program));
    assert_eq!(left, right, "{test}");
    assert_eq!(left.len(), count, "{test}: {left:?}");
}

#[test]
fn store_buffering_and_messages_show_the_same() {
    let pair = check(litmus::FENCE)
        .object("pair", "Pair::default()")
        .operation("a", "pair.left()")
        .operation("b", "pair.right()")
        .operation("c", "pair.strong_left()")
        .operation("d", "pair.strong_right()")
        .operation("w", "pair.send(7)")
        .operation("r", "pair.receive()");
    agree(&pair, "( a | b )", 4, || {
        let pair = litmus::Pair::default();
        both(|| vec![pair.left().into()], || vec![pair.right().into()])
    });
    agree(&pair, "( c | d )", 3, || {
        let pair = litmus::Pair::default();
        both(|| vec![pair.strong_left().into()], || vec![pair.strong_right().into()])
    });
    agree(&pair, "( w | r )", 3, || {
        let pair = litmus::Pair::default();
        let receive = || {
            let (flag, value) = pair.receive();
            vec![flag.into(), value.into()]
        };
        both(
            || {
                pair.send(7);
                Vec::new()
            },
            receive,
        )
    });
}

#[test]
fn a_stack_shows_the_same() {
    let stack = check(stack::FENCE)
        .object("stack", "Stack::new()")
        .operation("u", "stack.push(1)")
        .operation("v", "stack.push(2)")
        .operation("o", "stack.pop()");
    agree(&stack, "u ( vo | o )", 2, || {
        let stack = stack::Stack::new();
        stack.push(1);
        let left = || {
            stack.push(2);
            words(stack.pop())
        };
        both(left, || words(stack.pop()))
    });
}

#[test]
fn a_queue_shows_the_same() {
    let queue = check(queue::FENCE)
        .object("queue", "Queue::new()")
        .operation("e", "queue.enqueue(1)")
        .operation("f", "queue.enqueue(2)")
        .operation("d", "queue.dequeue()");
    agree(&queue, "( ef | dd )", 4, || {
        let queue = queue::Queue::new();
        let left = || {
            queue.enqueue(1);
            queue.enqueue(2);
            Vec::new()
        };
        both(left, || [words(queue.dequeue()), words(queue.dequeue())].concat())
    });
}

#[test]
fn a_lock_keeps_a_cell() {
    let cell = check(guarded::FENCE).object("cell", "Guarded::new()").operation("c", "cell.change()");
    agree(&cell, "( c | c )", 2, || {
        let cell = guarded::Guarded::new();
        both(|| vec![cell.change().into()], || vec![cell.change().into()])
    });
}

#[test]
fn numbers_wrap_and_saturate_alike() {
    let counter = check(counter::FENCE)
        .object("counter", "Counter::new()")
        .operation("a", "counter.add(200)")
        .operation("t", "counter.take(100)")
        .operation("m", "counter.most(17)");
    agree(&counter, "( a | t )", 2, || {
        let counter = counter::Counter::new();
        let taken = || match counter.take(100) {
            Ok(value) => vec![1, value.into(), 0],
            Err(value) => vec![0, 0, value.into()],
        };
        both(|| vec![counter.add(200).into()], taken)
    });
    agree(&counter, "( aa | m )", 3, || {
        let counter = counter::Counter::new();
        both(|| vec![counter.add(200).into(), counter.add(200).into()], || vec![counter.most(17).into()])
    });
}

#[test]
fn objects_and_arrays_are_laid_out_alike() {
    let boxes = check(boxes::FENCE)
        .object("boxes", "Boxes::new()")
        .operation("s", "boxes.swap(3)")
        .operation("r", "boxes.sum()");
    agree(&boxes, "( s | r )", 2, || {
        let boxes = boxes::Boxes::new();
        both(|| vec![boxes.swap(3).into()], || vec![boxes.sum().into()])
    });
    let slots = check(slots::FENCE)
        .object("slots", "Slots::default()")
        .operation("w", "slots.write(5)")
        .operation("v", "slots.write(9)")
        .operation("r", "slots.first_free()");
    agree(&slots, "( wv | r )", 3, || {
        let slots = slots::Slots::default();
        let left = || vec![slots.write(5).into(), slots.write(9).into()];
        both(left, || vec![slots.first_free().into()])
    });
}

#[test]
fn a_counterexample_reads_like_this() {
    let pair = check(litmus::FENCE)
        .object("pair", "Pair::default()")
        .operation("w", "pair.send(_)")
        .operation("r", "pair.receive()")
        .arguments([7]);
    let outcome = pair.memory_model(MemoryModel::Relaxed).test("( w | r )");
    expect_test::expect![[r#"
        violated: an execution shows what no serial one shows

          test   ( w | r )
          model  relaxed
          file   cdsspec-front/tests/structures/mod.rs
          serial 2 observations

          thread 0  pair.send(7)
          thread 1  pair.receive() -> (true, 0)

            0 first     store pair.0 := 0               3:1     #[cdsspec::fence]
            1 first     store pair.1 := 0               3:1     #[cdsspec::fence]
            2 thread 1  load  pair.1 == 0 from 1        44:30   (is_sent, self.y.load(Relaxed))
            3 thread 0  store pair.0 := 1               39:20   self.x.store(1, cdsspec::sync::atomic::Orde…
            4 thread 1  load  pair.0 == 1 from 3        43:34   let is_sent = self.x.load(Acquire) == 1;
            5 thread 0  store pair.1 := 7               38:20   self.y.store(value, Relaxed);
    "#]]
    .assert_eq(&outcome.to_string());
}

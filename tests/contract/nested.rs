//! Calls of an object that other calls of it make, and statements in closures.

use cdsspec::Verdict::{self, Holds, Misused, SpecError};
use cdsspec::contract::Sets;
use cdsspec::sync::{Arc, Mutex};
use cdsspec::{Builder, Outcome, thread};

/// One producer at a time.
#[derive(Default)]
struct Queue {
    items: Mutex<Vec<u32>>,
    contract: Sets,
}

#[cdsspec::contract(event_sets(init, prod, closed))]
impl Queue {
    #[expects(init.is_empty(), says = "a second init")]
    #[add_current(init)]
    fn new() -> Self {
        let queue = Self::default();
        // Nobody else has it: this is a part of the constructor.
        queue.init();
        queue.init();
        queue
    }

    #[expects(init.is_empty(), says = "a second init")]
    #[add_current(init)]
    fn init(&self) {}

    #[expects(!prod.concurrent(now), says = "two producers")]
    #[expects(closed.is_empty(), says = "closed")]
    #[add_current(prod)]
    fn push(&self, item: u32) {
        cdsspec::expects!(item < 9, says = "too large");
        cdsspec::expects!(prod.len() < 4, says = "too many");
    }

    // Says nothing of producers itself.
    #[ensures(prod.len() < 3, says = "more than two")]
    fn push_both(&self, items: [u32; 2]) {
        items.iter().for_each(|item| self.push(*item));
    }

    // What it calls is ordered by its lock, though it goes on behind that.
    #[expects(true)]
    fn push_locked(&self) {
        let guard = self.items.lock().expect("nobody panics with it");
        self.push(1);
        drop(guard);
    }

    #[expects(!prod.concurrent(now), says = "closed beside a push")]
    #[add_current(closed)]
    fn close(&self) {
        self.push(0);
    }

    #[add_current(prod)]
    fn push_by(&self, run: impl FnOnce(&dyn Fn(u32))) {
        run(&|item| cdsspec::expects!(item < 9, says = "too large"));
    }

    #[add_current(prod)]
    fn checker(&self) -> impl Fn(u32) + Send + 'static {
        |item| cdsspec::expects!(item < 9, says = "too large")
    }
}

fn beside(first: fn(&Queue), second: fn(&Queue)) -> Outcome {
    Builder::new().check(move || {
        let queue = Arc::new(Queue::default());
        let other = queue.clone();
        let child = thread::spawn(move || first(&other));
        second(&queue);
        child.join().expect("it does not panic");
    })
}

fn alone(program: fn(&Queue)) -> Outcome {
    Builder::new().check(move || program(&Queue::new()))
}

fn says(outcome: &Outcome) -> (Verdict, String) {
    let first = outcome.report().lines().next().unwrap_or_default();
    let says = first.split(": ").nth(1).filter(|_| outcome.verdict == Misused).unwrap_or_default();
    (outcome.verdict, says.to_owned())
}

/// The same rows are on real threads, in `tests/contracts`.
#[test]
fn a_call_that_another_one_makes_is_an_event_of_its_own() {
    type Row = (fn(&Queue), Verdict, &'static str);
    let rows: [Row; 8] = [
        (|queue| queue.push_both([1, 2]), Holds, ""),
        (|queue| queue.push_both([1, 9]), Misused, "too large"),
        (
            |queue| {
                queue.push(1);
                queue.push_both([1, 2]);
            },
            Misused,
            "more than two",
        ),
        (|queue| [1; 5].into_iter().for_each(|item| queue.push(item)), Misused, "too many"),
        (|queue| queue.close(), Misused, "closed"),
        (|queue| queue.push_by(|check| check(1)), Holds, ""),
        (|queue| queue.push_by(|check| check(9)), Misused, "too large"),
        (|queue| queue.init(), Misused, "a second init"),
    ];
    for (number, (program, verdict, expected)) in rows.into_iter().enumerate() {
        let outcome = alone(program);
        assert_eq!(says(&outcome), (verdict, expected.to_owned()), "row {number}: {outcome}");
    }
}

#[test]
fn it_has_its_own_moment_and_lies_within_the_one_that_makes_it() {
    type Row = (fn(&Queue), fn(&Queue), Verdict, &'static str);
    let rows: [Row; 4] = [
        (|queue| queue.push_both([1, 2]), |queue| queue.push(1), Misused, "two producers"),
        (Queue::push_locked, Queue::push_locked, Holds, ""),
        (Queue::push_locked, |queue| queue.push(1), Misused, "two producers"),
        (|queue| queue.push_by(|_| ()), |queue| queue.push(1), Misused, "two producers"),
    ];
    for (number, (first, second, verdict, expected)) in rows.into_iter().enumerate() {
        let outcome = beside(first, second);
        assert_eq!(says(&outcome), (verdict, expected.to_owned()), "row {number}: {outcome}");
    }
}

#[test]
fn a_statement_that_runs_outside_of_its_call_is_a_mistake_and_not_passed_over() {
    let after_the_return = alone(|queue| queue.checker()(1));
    assert_eq!(after_the_return.verdict, SpecError, "{after_the_return}");
    let text = "`expects!(item < 9)` runs in a thread in which no call of its method is running";
    assert!(after_the_return.report().contains(text), "{after_the_return}");
    let elsewhere = alone(|queue| {
        let check = queue.checker();
        thread::spawn(move || check(1)).join().expect("it does not panic");
    });
    assert_eq!(elsewhere.verdict, SpecError, "{elsewhere}");
}

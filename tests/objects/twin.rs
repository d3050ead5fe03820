//! All short programs that call and move objects, against the naive answer: each object carries a number.

use super::objects;
use super::structure::{Counter, Untouched};
use cdsspec_litmus::explore::{explore_looking, plain_limits};
use cdsspec_runtime::engine::Engine;
use cdsspec_runtime::engine::graph::GraphEngine;
use cdsspec_runtime::engine::loom::LoomEngine;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Two objects, and a number that moves with them.
struct Numbered {
    number: usize,
    counter: Counter,
    untouched: Untouched,
}

/// Some objects, and which of them were called, in order.
struct Pool {
    all: Vec<Numbered>,
    made: usize,
    called: Vec<(usize, bool)>,
}

impl Pool {
    fn new() -> Self {
        let mut pool = Self { all: Vec::new(), made: 0, called: Vec::new() };
        for _ in 0..2 {
            let one = pool.make();
            pool.all.push(one);
        }
        pool
    }

    fn make(&mut self) -> Numbered {
        self.made += 1;
        Numbered { number: self.made, counter: Counter::new(), untouched: Untouched::new() }
    }

    fn last(&self) -> usize {
        self.all.len() - 1
    }

    fn note(&mut self, index: usize, is_untouched: bool) {
        self.called.push((self.all[index].number, is_untouched));
    }

    fn add(&mut self, index: usize) {
        self.all[index].counter.add(0);
        self.note(index, false);
    }

    fn look(&mut self, index: usize) {
        self.all[index].counter.look(0);
        self.note(index, false);
    }

    fn call_untouched(&mut self, index: usize) {
        self.all[index].untouched.add(0);
        self.note(index, true);
    }
}

type Step = fn(&mut Pool);

const STEPS: [Step; 10] = [
    |pool| pool.add(0),
    |pool| pool.look(0),
    |pool| pool.look(pool.last()),
    |pool| pool.call_untouched(0),
    |pool| {
        let last = pool.last();
        pool.all.swap(0, last);
    },
    |pool| {
        let last = pool.last();
        let (first, rest) = pool.all.split_at_mut(1);
        if last > 0 {
            std::mem::swap(&mut first[0].counter, &mut rest[last - 1].counter);
            // The number stands for both.
            std::mem::swap(&mut first[0].untouched, &mut rest[last - 1].untouched);
            std::mem::swap(&mut first[0].number, &mut rest[last - 1].number);
        }
    },
    |pool| _ = pool.all.remove(0),
    |pool| {
        let new = pool.make();
        pool.all.insert(0, new);
    },
    |pool| pool.all[0] = pool.make(),
    |pool| {
        let moved: Vec<Box<Numbered>> = std::mem::take(&mut pool.all).into_iter().map(Box::new).collect();
        pool.all = moved.into_iter().map(|one| *one).collect();
    },
];

/// Runs steps, and then calls all objects; which ones were called. There is always one.
fn run(steps: &[usize]) -> Vec<(usize, bool)> {
    let mut pool = Pool::new();
    for &step in steps {
        STEPS[step](&mut pool);
        if pool.all.is_empty() {
            let new = pool.make();
            pool.all.push(new);
        }
    }
    for index in 0..pool.all.len() {
        pool.look(index);
        pool.add(index);
        pool.call_untouched(index);
    }
    pool.called
}

/// The same values numbered in order of appearance. No hash map: its key is drawn at random, and what is left of it on the stack may come to
/// look like a hint where it becomes the padding of an object.
fn numbered<T: Ord + Copy>(values: &[T]) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    values
        .iter()
        .map(|&value| {
            let next = numbers.len();
            *numbers.entry(value).or_insert(next)
        })
        .collect()
}

/// All sequences of this length.
fn sequences(length: u32) -> impl Iterator<Item = Vec<usize>> {
    (0..STEPS.len().pow(length))
        .map(move |number| (0..length).map(|place| number / STEPS.len().pow(place) % STEPS.len()).collect())
}

/// Compares all sequences of up to this many steps; how many there were.
fn compare_all(engine: &dyn Engine, length_max: u32) -> usize {
    let all: Vec<Vec<usize>> = (0..=length_max).flat_map(sequences).collect();
    for steps in &all {
        let found = Rc::new(RefCell::new(Vec::new()));
        let look = {
            let found = found.clone();
            move |recording: &cdsspec_runtime::record::Recording| {
                found.borrow_mut().push(numbered(&objects(recording)));
            }
        };
        let program = {
            let steps = steps.clone();
            move || format!("{:?}", numbered(&run(&steps)))
        };
        let explored = explore_looking(engine, &plain_limits(), program, look);
        let found: Vec<String> = found.borrow().iter().map(|objects| format!("{objects:?}")).collect();
        assert_eq!(found, explored.outcome_set(), "{steps:?} on {}", engine.name());
    }
    all.len()
}

#[test]
fn objects_are_told_apart_as_by_a_number_in_them() {
    assert_eq!(compare_all(&GraphEngine::new(), 4), 11_111);
    assert_eq!(compare_all(&LoomEngine::new(), 2), 111);
}

//! The limit of memory against what is allocated. A binary of its own, with one test: nothing else allocates meanwhile.

use cdsspec_linearize::model::{
    CollectionOperation, CollectionResult, KeyValue, KeyValueOperation, KeyValueResult, Queue, Register,
    RegisterOperation, RegisterResult, Stack,
};
use cdsspec_linearize::{Call, History, Limit, Limits, SequentialSpecification, Verdict, judge};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts what is allocated, and the most there was.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: it is the system's allocator, with counters.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        MOST.fetch_max(now, Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A queue as somebody writes it who says no more of it than what it does.
struct Plain;

impl SequentialSpecification for Plain {
    type Operation = CollectionOperation<u64>;
    type Result = CollectionResult<u64>;
    type State = Vec<u64>;
    type Part = ();

    fn initial(&self) -> Vec<u64> {
        Vec::new()
    }

    fn step(
        &self,
        state: &Vec<u64>,
        operation: &CollectionOperation<u64>,
    ) -> impl IntoIterator<Item = (CollectionResult<u64>, Vec<u64>)> {
        Some(match operation {
            CollectionOperation::Insert(value) => {
                (CollectionResult::Inserted, [state, &[*value][..]].concat())
            }
            CollectionOperation::Remove => {
                (CollectionResult::Removed(state.first().copied()), state.iter().skip(1).copied().collect())
            }
        })
    }

    fn part(&self, _: &CollectionOperation<u64>) {}

    fn heap_bytes(&self, state: &Vec<u64>) -> usize {
        size_of_val(state.as_slice())
    }
}

fn call<O, R>(operation: O, result: R, invoked: u64, returned: u64) -> Call<O, R> {
    Call { thread: 0, operation, result: Some(result), invoked, returned: Some(returned) }
}

/// Judges within a limit that is reached; and holds it against the most that was allocated beside the history.
fn assert_bounded<S: SequentialSpecification>(
    specification: &S,
    history: &History<S::Operation, S::Result>,
    bytes_max: usize,
    prepared_max: usize,
) {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let verdict = judge(specification, history, Limits { bytes_max, ..Limits::default() });
    let most = MOST.load(Relaxed) - before;
    let Verdict::Inconclusive(stopped) = verdict else { panic!("{verdict:?}") };
    assert_eq!(stopped.limit, Limit::Bytes(bytes_max));
    // The problem itself, and the work of one step, come on top: they grow with the history alone.
    assert!(most <= bytes_max + prepared_max, "{most} of {bytes_max}");
    assert!(most >= bytes_max / 8, "the limit is no idle number: {most} of {bytes_max}");
}

#[test]
fn what_a_search_keeps_is_within_the_limit() {
    let mut calls = Vec::new();
    for pair in 0..200 {
        for value in [1_u64, 2] {
            let begin = 4 * pair + value;
            calls.push(call(
                CollectionOperation::Insert(value),
                CollectionResult::Inserted,
                begin,
                begin + 2,
            ));
        }
    }
    // Not to be found: all orders of what was put in are tried.
    let stack = |calls: &[Call<_, _>]| {
        let removes = (0..300).map(|taken| 2_000 + 3 * taken).flat_map(|begin| {
            [1, 2].map(|value| {
                call(CollectionOperation::Remove, CollectionResult::Removed(Some(value)), begin, begin + 8)
            })
        });
        History::new([calls, &removes.collect::<Vec<_>>()].concat()).expect("it is one")
    };
    let history = stack(&calls);
    for mib in [1, 2, 5, 16] {
        assert_bounded(&Plain, &history, mib << 20, 200_000);
    }
    for kib in [100, 200, 500] {
        assert_bounded(&Stack::new(), &history, kib << 10, 200_000);
    }
    // Ten calls at a time put the same in, and ten take it out, in any order.
    let inserts =
        (0..10).map(|at| call(CollectionOperation::Insert(1), CollectionResult::Inserted, at, 100 + at));
    let remove = |value, begin, end| {
        call(CollectionOperation::Remove, CollectionResult::Removed(Some(value)), begin, end)
    };
    let removes = (0..10).map(|at| remove(1, 200 + at, 300 + at));
    let history = History::new(inserts.chain(removes).chain([remove(2, 400, 401)]).collect());
    let history = history.expect("it is one");
    for mib in [1, 2, 5] {
        assert_bounded(&Queue::new(), &history, mib << 20, 200_000);
    }
    // Twenty calls at a time on one key, in any order.
    let puts = (0..20_u64)
        .map(|value| call(KeyValueOperation::Put(0, value), KeyValueResult::Put, value, 1_000 + value));
    let read = call(KeyValueOperation::Get(0), KeyValueResult::Value(None), 2_000, 2_001);
    let history = History::new(puts.chain([read]).collect()).expect("it is one");
    for mib in [1, 3, 10] {
        assert_bounded(&KeyValue::new(), &history, mib << 20, 200_000);
    }
    one_look_makes_more_than_the_limit();
}

/// Pending calls that may all come next: the cuts after the first one alone, each with what is left, have 16 MB and more.
fn one_look_makes_more_than_the_limit() {
    fn pending<O, R>(operation: O, moment: u64) -> Call<O, R> {
        Call { thread: 0, operation, result: None, invoked: moment, returned: None }
    }
    let writes = (1..=2_000_u64).map(|value| pending(RegisterOperation::Write(value), value));
    let read = call(RegisterOperation::Read, RegisterResult::Value(3_000), 1, 9_000);
    let history = History::new(writes.chain([read]).collect()).expect("it is one");
    for mib in [1, 2] {
        assert_bounded(&Register { initial: 0 }, &history, mib << 20, 400_000);
    }
    let inserts = || (1..=2_000_u64).map(|value| pending(CollectionOperation::Insert(value), value));
    let removes = |last| {
        let result = move |value| CollectionResult::Removed(Some(value % last));
        (1..=2_000_u64).map(move |value| call(CollectionOperation::Remove, result(value), 1, 9_000 + value))
    };
    // Nothing puts 0 in.
    let history = History::new(inserts().chain(removes(2_000)).collect()).expect("it is one");
    for mib in [1, 2] {
        assert_bounded(&Queue::new(), &history, mib << 20, 1_000_000);
        assert_bounded(&Stack::new(), &history, mib << 20, 1_000_000);
    }
}

//! What a condition mentions beside event sets is what it is when the call begins, or returns.

use cdsspec::Verdict::{self, Holds, Misused, SpecError};
use cdsspec::contract::Sets;
use cdsspec::model::ContractLevel;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::sync::{Arc, Mutex, mpsc};
use cdsspec::{Builder, EngineKind, Outcome, thread};

/// What cannot be cloned, or compared.
#[derive(Default)]
struct Key(u32);

#[derive(Default)]
struct Store {
    count: AtomicU32,
    items: Mutex<Vec<u32>>,
    contract: Sets,
}

#[cdsspec::contract(event_sets(made, used))]
impl Store {
    #[expects(std::sync::Arc::strong_count(&handle) == 1, says = "shared")]
    #[ensures(c_ret == 7)]
    fn take(&self, handle: std::sync::Arc<u32>) -> u32 {
        std::sync::Arc::try_unwrap(handle).expect("nobody else has it")
    }

    #[ensures(c_ret.is_some() == (sender_count(&sender) == 1), says = "another return")]
    fn hang_up(&self, sender: mpsc::Sender<u32>, receiver: &mpsc::Receiver<u32>) -> Option<u32> {
        drop(sender);
        receiver.recv().map_or(Some(0), |_| None)
    }

    #[expects(used.len() < 9 && self.count.load(Relaxed) == expected, says = "another count")]
    #[ensures(self.count.load(Relaxed) == expected + 1, says = "not one more")]
    #[add_current(used)]
    fn count(&self, expected: u32) {
        self.count.store(expected + 1, Relaxed);
    }

    #[expects(self.items.lock().unwrap().len() == length && used.len() < 9, says = "another length")]
    #[add_current(used)]
    fn push(&self, length: usize) {
        _ = length;
        self.items.lock().unwrap().push(1);
    }

    #[expects(out.is_empty() || used.is_empty(), says = "not empty")]
    #[ensures(out.len() == 1 && used.len() < 9, says = "not filled")]
    #[add_current(used)]
    fn fill(&self, out: &mut Vec<u32>, is_filling: bool) {
        if is_filling {
            out.clear();
            out.push(1);
        }
    }

    #[expects(key.0 > 0 || used.is_empty(), says = "no key")]
    #[ensures(key.0 > 0 && c_ret.0 == key.0 && mark.0 > 0, says = "another key")]
    fn unlock<'a>(&self, key: &'a Key, mark: Key) -> &'a Key {
        _ = mark;
        key
    }

    #[add_current(used)]
    fn names(&self, names: &[&str]) {
        for name in names {
            let first = &name[..1];
            cdsspec::expects!(first != "x" && used.len() < 2, says = "a name with x");
            let limits: [&usize; 2] = [&1, &3];
            cdsspec::expects!(used.len() < *limits[1], says = "too many");
        }
    }

    // Its own methods, of which one is under the contract: in a condition it is no event.
    #[expects(self.is_small() && used.len() < 3, says = "large")]
    #[add_current(used)]
    fn add(&self) {}

    #[expects(used.len() < 2, says = "asked too late")]
    #[add_current(made)]
    fn is_small(&self) -> bool {
        self.count.load(Relaxed) < 10
    }

    #[expects(made.is_empty(), says = "asked")]
    fn not_asked(&self) {}

    // What is behind a set is evaluated all the same, and counts if it is asked for.
    #[expects(!used.is_empty() && [1, 2, 3][index] < 3, says = "not used")]
    fn guarded(&self, index: usize) {
        _ = index;
    }

    #[expects(self.count.fetch_add(1, Relaxed) == 0, level = audit, says = "counted")]
    fn audited(&self) {}
}

fn sender_count(_: &mpsc::Sender<u32>) -> usize {
    1
}

fn check(program: impl Fn() + Send + Sync + 'static) -> Outcome {
    Builder::new().check(program)
}

fn says(outcome: &Outcome) -> (Verdict, &str) {
    let first = outcome.report().lines().next().unwrap_or_default();
    (outcome.verdict, first.split(": ").nth(1).filter(|_| outcome.verdict == Misused).unwrap_or_default())
}

/// The same rows are on real threads, in `tests/contracts`.
#[test]
fn conditions_are_evaluated_at_the_call() {
    type Row = (fn(&Store), Verdict, &'static str);
    let rows: [Row; 17] = [
        (|store| _ = store.take(std::sync::Arc::new(7)), Holds, ""),
        (
            |store| {
                let handle = std::sync::Arc::new(7);
                _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| store.take(handle.clone())));
            },
            Misused,
            "shared",
        ),
        (
            |store| {
                let (sender, receiver) = mpsc::channel();
                assert_eq!(store.hang_up(sender, &receiver), Some(0));
            },
            Holds,
            "",
        ),
        (|store| (0..3).for_each(|count| store.count(count)), Holds, ""),
        (|store| (1..3).for_each(|count| store.count(count)), Misused, "another count"),
        (|store| (0..3).for_each(|length| store.push(length)), Holds, ""),
        (|store| [0, 1, 1].into_iter().for_each(|length| store.push(length)), Misused, "another length"),
        (|store| store.fill(&mut vec![], true), Holds, ""),
        (|store| (0..2).for_each(|_| store.fill(&mut vec![2, 3], true)), Misused, "not empty"),
        (|store| store.fill(&mut vec![], false), Misused, "not filled"),
        (|store| _ = store.unlock(&Key(1), Key(1)), Holds, ""),
        (|store| _ = store.unlock(&Key(1), Key::default()), Misused, "another key"),
        (|store| store.names(&["a", "b"]), Holds, ""),
        (|store| store.names(&["a", "xb"]), Misused, "a name with x"),
        (
            |store| {
                (0..3).for_each(|_| store.add());
                store.not_asked();
            },
            Holds,
            "",
        ),
        (|store| store.guarded(7), Misused, "not used"),
        (
            |store| {
                store.add();
                store.guarded(7);
            },
            SpecError,
            "",
        ),
    ];
    for (number, (program, verdict, expected)) in rows.into_iter().enumerate() {
        let outcome = check(move || program(&Store::default()));
        assert_eq!(says(&outcome), (verdict, expected), "row {number}: {outcome}");
    }
}

#[test]
fn what_a_condition_reads_is_explored_as_what_the_program_reads() {
    for engine in [EngineKind::Rc11, EngineKind::Loom] {
        let program = |is_joined: bool| {
            move || {
                let store = std::sync::Arc::new(Store::default());
                let other = std::sync::Arc::clone(&store);
                let child = thread::spawn(move || other.count.store(1, Relaxed));
                if is_joined {
                    child.join().expect("it does not panic");
                    store.count(1);
                } else {
                    // Both 0 and 1 are there to be read, whichever the engine had stored when the call began.
                    store.count(1);
                    child.join().expect("it does not panic");
                }
            }
        };
        let outcome = Builder::new().engine(engine).check(program(true));
        assert!(outcome.verdict.is_pass(), "{outcome}");
        let outcome = Builder::new().engine(engine).check(program(false));
        assert_eq!(says(&outcome), (Misused, "another count"), "{outcome}");
    }
}

/// An event set that is looked at with a value is that of the moment at which the value is known.
#[derive(Default)]
struct Gate {
    is_open: AtomicU32,
    contract: Sets,
}

#[cdsspec::contract(event_sets(opened))]
impl Gate {
    #[add_current(opened)]
    fn open(&self) {
        self.is_open.store(1, Release);
    }

    #[expects(self.is_open.load(Acquire) == 0 || !opened.is_empty(), says = "open, and nobody has opened it")]
    fn pass(&self) {}
}

#[test]
fn sets_are_looked_at_when_all_values_are_known() {
    let outcome = check(|| {
        let gate = Arc::new(Gate::default());
        let other = gate.clone();
        let child = thread::spawn(move || other.open());
        gate.pass();
        child.join().expect("it does not panic");
    });
    assert_eq!(outcome.verdict, Holds, "{outcome}");
}

#[test]
fn a_condition_above_the_level_is_not_evaluated() {
    let audited = |level| {
        let program = || {
            let store = Store::default();
            store.audited();
            assert_eq!(store.count.load(Relaxed), 0, "not counted");
        };
        Builder::new().contract_level(level).check(program).verdict
    };
    assert_eq!([audited(ContractLevel::Default), audited(ContractLevel::Audit)], [Holds, Verdict::Panic]);
}

/// Constructors that may fail.
#[derive(Debug)]
struct Ring {
    capacity: u32,
    contract: Sets,
}

#[cdsspec::contract(event_sets(init, used))]
impl Ring {
    #[expects(capacity > 0, says = "no room")]
    #[ensures(c_ret.as_ref().is_ok_and(|ring| ring.capacity == capacity) || capacity > 5, says = "another room")]
    #[add_current(init)]
    fn new(capacity: u32) -> Result<Self, String> {
        cdsspec::expects!(capacity != 4 && init.len() == 1, says = "four");
        let contract = Sets::new();
        if capacity > 5 { Err("too large".to_owned()) } else { Ok(Self { capacity, contract }) }
    }

    #[expects(init.is_empty(), says = "made twice")]
    #[add_current(init)]
    fn shared(capacity: u32) -> Option<std::sync::Arc<Self>> {
        Self::new(capacity).ok().map(std::sync::Arc::new)
    }

    #[expects(init.len() == 1 && used.is_empty(), says = "used twice")]
    #[add_current(used)]
    fn use_it(&self) {}
}

#[test]
fn constructors_may_fail_and_are_looked_at_all_the_same() {
    type Row = (fn(), Verdict, &'static str);
    let rows: [Row; 8] = [
        (|| Ring::new(3).expect("there is room").use_it(), Holds, ""),
        (|| Ring::shared(3).expect("there is room").use_it(), Holds, ""),
        (|| _ = Ring::new(7), Holds, ""),
        (|| _ = Ring::shared(7), Holds, ""),
        (|| _ = Ring::new(0), Misused, "no room"),
        (|| _ = Ring::shared(0), Misused, "no room"),
        (|| _ = Ring::new(4), Misused, "four"),
        (
            || {
                let ring = Ring::shared(3).expect("there is room");
                ring.use_it();
                ring.use_it();
            },
            Misused,
            "used twice",
        ),
    ];
    for (number, (program, verdict, expected)) in rows.into_iter().enumerate() {
        let outcome = check(program);
        assert_eq!(says(&outcome), (verdict, expected), "row {number}: {outcome}");
    }
}

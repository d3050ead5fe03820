//! Misuse is found: each kind in at least 99 of 100 runs.

use cdsspec::contract::set_violation_handler;
use cdsspec::thread;
use cdsspec_contract_tests::ours::{Inbox, Owned, Ring, Settings, Stack};
use cdsspec_contract_tests::published::{Crossbeam, Heapless, Ringbuf, Rtrb};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

const RUNS: usize = 100;
const FOUND_MIN: usize = 99;

/// What was told in this run.
static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What is misused in turns, of which nothing is seen: where to do it at once would be undefined behaviour.
static TURN: Mutex<()> = Mutex::new(());

/// Two threads do these, at any time.
fn beside<Q: Sync>(object: &Q, first: impl Fn(&Q) + Sync, second: impl Fn(&Q) + Sync) {
    thread::scope(|scope| {
        scope.spawn(|| first(object));
        scope.spawn(|| second(object));
    });
}

/// Two threads do these, one after the other, which is not seen.
fn in_turn<Q: Sync>(object: &Q, first: impl Fn(&Q) + Sync, second: impl Fn(&Q) + Sync) {
    let lock = || TURN.lock().unwrap_or_else(PoisonError::into_inner);
    beside(
        object,
        |object| {
            let _turn = lock();
            first(object);
        },
        |object| {
            let _turn = lock();
            second(object);
        },
    );
}

/// The second one waits for the first, by a flag that orders nothing.
fn after_a_flag<Q: Sync>(object: &Q, first: impl Fn(&Q) + Sync, second: impl Fn(&Q) + Sync) {
    let flag = AtomicBool::new(false);
    let flag = &flag;
    beside(
        object,
        move |object| {
            first(object);
            flag.store(true, SeqCst);
        },
        move |object| {
            while !flag.load(SeqCst) {
                std::thread::yield_now();
            }
            second(object);
        },
    );
}

/// What is misused, how often it was found, and what has to be told.
fn found(misuse: fn(), says: &str) -> usize {
    let is_found = |_: &usize| {
        misuse();
        let told = std::mem::take(&mut *TOLD.lock().unwrap());
        told.iter().any(|told| told.contains(says))
    };
    (0..RUNS).filter(is_found).count()
}

fn push(ring: &Ring) {
    ring.push(1);
}

fn pop(ring: &Ring) {
    ring.pop();
}

const KINDS: &[(&str, fn(), &str)] = &[
    ("two producers", || beside(&Ring::new(), push, push), "two producers at once"),
    ("two consumers", || beside(&Ring::new(), pop, pop), "two consumers at once"),
    (
        "a push to what is not initialised",
        || push(&Ring::uninitialised()),
        "a producer that no init happens before",
    ),
    (
        "a pop from what is not initialised",
        || pop(&Ring::uninitialised()),
        "a consumer that no init happens before",
    ),
    (
        "a push that the init is not before",
        || after_a_flag(&Ring::uninitialised(), Ring::initialise, push),
        "a producer that no init happens before",
    ),
    (
        "an init beside a push",
        || after_a_flag(&Ring::new(), push, Ring::initialise),
        "an init beside another call",
    ),
    ("a reset beside a push", || beside(&Ring::new(), Ring::reset, push), "exclusive call"),
    ("a reset beside a pop", || beside(&Ring::new(), Ring::reset, pop), "exclusive call"),
    ("a role that a flag hands over", || after_a_flag(&Ring::new(), push, push), "two producers at once"),
    (
        "two consumers of an inbox",
        || beside(&Inbox::new(), |inbox| _ = inbox.pop(), |inbox| _ = inbox.pop()),
        "two consumers at once",
    ),
    (
        "an unsynchronised pop beside a push",
        || beside(&Stack::new(), |stack| stack.push(1), |stack| _ = stack.unsynchronised_pop()),
        "exclusive call",
    ),
    ("two owners", || beside(&Owned::new(), Owned::use_it, Owned::use_it), "two owners at once"),
    (
        "a use that no init is before",
        || after_a_flag(&*Settings::unset(), |settings| settings.set(1), |settings| _ = settings.get()),
        "a use that no init happens before",
    ),
    (
        "two producers of rtrb",
        || in_turn(&Rtrb::new(), |queue| _ = queue.push(1), |queue| _ = queue.push(1)),
        "two producers at once",
    ),
    (
        "two consumers of ringbuf",
        || in_turn(&Ringbuf::new(), |queue| _ = queue.pop(), |queue| _ = queue.pop()),
        "two consumers at once",
    ),
    (
        "a producer of heapless that a flag hands over",
        || after_a_flag(&Heapless::new(), |queue| _ = queue.push(1), |queue| _ = queue.push(1)),
        "two producers at once",
    ),
    (
        "a clear of crossbeam-queue beside a push",
        || in_turn(&Crossbeam::new(), |queue| _ = queue.push(1), Crossbeam::clear),
        "exclusive call",
    ),
];

#[test]
fn each_kind_of_misuse_is_found() {
    set_violation_handler(|violation| TOLD.lock().unwrap().push(violation.to_string()));
    let mut missed = Vec::new();
    for (name, misuse, says) in KINDS {
        let found = found(*misuse, says);
        println!("{found} of {RUNS}: {name}");
        if found < FOUND_MIN {
            missed.push(name);
        }
    }
    assert_eq!(missed, Vec::<&&str>::new());
    assert_eq!(KINDS.len(), 17);
}

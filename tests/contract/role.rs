//! Requirements 1 to 8, and the contracts that are put together of them: which two calls beside each other break which.

use crate::contract::listing::beside;
use crate::contract::queue::{Mpmc, Mpsc, Once, Owned, Spsc};
use cdsspec::Builder;
use cdsspec::report::FindingKind;
use std::collections::BTreeSet;

type Methods<'a, T> = &'a [(&'static str, fn(&T))];

/// What two methods break beside each other: what stands in parentheses behind what is said.
fn broken<T: Send + Sync + 'static>(new: fn() -> T, first: fn(&T), second: fn(&T)) -> String {
    let outcome = beside(new, first, second);
    let execution = outcome.details().execution.as_ref();
    let findings =
        execution.into_iter().flat_map(|execution| [&execution.finding].into_iter().chain(&execution.also));
    let requirement =
        |says: &str| says.split_once('(').map_or("", |(_, inner)| inner.trim_end_matches(')')).to_owned();
    let found: BTreeSet<String> = findings
        .filter_map(|finding| match &finding.kind {
            FindingKind::Misused(misuse) => misuse.says.as_deref().map(requirement),
            _ => None,
        })
        .collect();
    found.into_iter().collect::<Vec<_>>().join(", ")
}

/// Each pair of methods that breaks something, with what is found first.
fn table<T: Send + Sync + 'static>(new: fn() -> T, methods: Methods<'_, T>) -> Vec<String> {
    let mut rows = Vec::new();
    for (index, (name, first)) in methods.iter().enumerate() {
        for (other, second) in &methods[index..] {
            let found = broken(new, *first, *second);
            if !found.is_empty() {
                rows.push(format!("{name} {other}: {found}"));
            }
        }
    }
    rows
}

#[test]
fn spsc_is_requirements_1_to_5() {
    let methods: Methods<'_, Spsc> =
        &[("init", Spsc::init), ("push", Spsc::push), ("pop", Spsc::pop), ("reset", Spsc::reset)];
    assert_eq!(
        table(Spsc::new, methods),
        [
            "init init: Req. 3",
            "init push: Req. 1, Req. 3",
            "init pop: Req. 2, Req. 3",
            "init reset: Req. 3, Req. 5",
            "push push: Req. 1",
            "push reset: Req. 4, Req. 5",
            "pop pop: Req. 2",
            "pop reset: Req. 2, Req. 5",
            "reset reset: Req. 5",
        ]
    );
    let alone: Methods<'_, Spsc> = &methods[1..3];
    assert_eq!(
        table(Spsc::bare, alone),
        ["push push: Req. 1", "push pop: Req. 1, Req. 2", "pop pop: Req. 2"]
    );
}

#[test]
fn mpsc_has_many_producers() {
    let methods: Methods<'_, Mpsc> =
        &[("init", Mpsc::init), ("push", Mpsc::push), ("pop", Mpsc::pop), ("reset", Mpsc::reset)];
    assert_eq!(
        table(Mpsc::new, methods),
        [
            "init init: Req. 3",
            "init push: Req. 1, Req. 3",
            "init pop: Req. 2, Req. 3",
            "init reset: Req. 3, Req. 5",
            "push reset: Req. 4, Req. 5",
            "pop pop: Req. 2",
            "pop reset: Req. 2, Req. 5",
            "reset reset: Req. 5",
        ]
    );
}

#[test]
fn mpmc_is_requirements_6_to_8() {
    let methods: Methods<'_, Mpmc> = &[
        ("init", Mpmc::init),
        ("push", Mpmc::push),
        ("pop", Mpmc::pop),
        ("unsynchronized", Mpmc::unsynchronized),
    ];
    assert_eq!(
        table(Mpmc::new, methods),
        [
            "init init: Req. 8",
            "init push: Req. 6, Req. 8",
            "init pop: Req. 6, Req. 8",
            "init unsynchronized: Req. 7, Req. 8",
            "push unsynchronized: Req. 6, Req. 7",
            "pop unsynchronized: Req. 6, Req. 7",
            "unsynchronized unsynchronized: Req. 7",
        ]
    );
    assert_eq!(
        table(Mpmc::bare, &methods[1..3]),
        ["push push: Req. 6", "push pop: Req. 6", "pop pop: Req. 6"]
    );
}

#[test]
fn an_owner_is_alone_and_nothing_is_initialised_twice() {
    assert_eq!(
        table(Owned::new, &[("init", Owned::init), ("get", Owned::get)]),
        ["init init: single_owner", "init get: single_owner", "get get: single_owner",]
    );
    assert_eq!(
        table(Once::bare, &[("init", Once::init), ("get", Once::get)]),
        ["init init: init_once", "init get: init_once", "get get: init_once",]
    );
    assert_eq!(table(Once::new, &[("get", Once::get)]), [""; 0]);
}

#[test]
fn a_lock_around_both_calls_keeps_the_contract() {
    use cdsspec::sync::{Arc, Mutex};
    let outcome = Builder::new().check(|| {
        let queue = Arc::new((Spsc::new(), Mutex::new(())));
        let other = queue.clone();
        let push = |queue: &(Spsc, Mutex<()>)| {
            let _guard = queue.1.lock().expect("nobody panics with it");
            queue.0.push();
        };
        let child = cdsspec::thread::spawn(move || push(&other));
        push(&queue);
        child.join().expect("it does not panic");
        queue.0.reset();
    });
    outcome.assert_holds();
}

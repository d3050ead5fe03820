use crate::{elsewhere, now};
use cdsspec_contracts::threads::set_violation_handler;
use cdsspec_contracts::{
    Call, Condition, ConditionMoment, Contract, DeclaredSet, Keep, Level, Method, Sets, Source, View, alone,
};
use std::cell::Cell;
use std::sync::Arc;

const NOWHERE: Source = Source { file: "", line: 1, column: 1 };
static CONTRACT: Contract = Contract {
    name: "Type",
    source: NOWHERE,
    kind: None,
    sets: &[DeclaredSet { name: "all", keep: Keep::Last }],
    methods: &[Method {
        name: "use_it",
        source: NOWHERE,
        role: None,
        conditions: &[Condition {
            moment: ConditionMoment::Invocation,
            text: "!all.concurrent(now)",
            says: None,
            level: Level::Default,
            source: NOWHERE,
        }],
        adds: &[0],
    }],
    is_checked: false,
};

thread_local! {
    static VIOLATIONS: Cell<u32> = const { Cell::new(0) };
}

fn violation_count(sets: &Sets) -> u32 {
    let before = VIOLATIONS.get();
    drop(Call::enter(&CONTRACT, 0, sets, |_| {
        |_: usize, view: &View<'_>| !view.set(0).concurrent(view.now())
    }));
    VIOLATIONS.get() - before
}

/// Who shares an object is not ordered after others that did; who has it alone is.
#[test]
fn who_has_an_object_alone_comes_after_its_calls() {
    set_violation_handler(|_| VIOLATIONS.set(VIOLATIONS.get() + 1));
    let mut sets = Arc::new(Sets::new());
    let there = Arc::clone(&sets);
    let (first, count) = elsewhere(move || (now(), violation_count(&there)));
    assert_eq!(count, 0);
    assert_eq!(violation_count(&sets), 1);
    let there = Arc::clone(&sets);
    let second = elsewhere(move || {
        let second = now();
        violation_count(&there);
        second
    });
    while Arc::get_mut(&mut sets).is_none() {
        std::thread::yield_now();
    }
    assert!(!first.happens_before(&now()) && !second.happens_before(&now()));
    alone(Arc::get_mut(&mut sets).unwrap());
    assert_eq!(violation_count(&sets), 0);
    // It is about the last call of each thread that is kept.
    assert!(first.happens_before(&now()) && second.happens_before(&now()));
}

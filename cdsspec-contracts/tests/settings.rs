//! What is set for a whole process: hence one test. A provider says which threads there are.

use cdsspec_contracts::{
    Call, Clock, Condition, ConditionMoment, Contract, DeclaredSet, Epoch, Keep, Level, Mark, Method, Now,
    Provider, Sets, Source, ThreadIndex, View, Violation, compare_invocations, provide, set_level,
};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The moments that are asked for, in order, and the violations.
struct Script {
    moments: Mutex<VecDeque<Now>>,
    violations: Mutex<Vec<String>>,
}

static SCRIPT: Script = Script { moments: Mutex::new(VecDeque::new()), violations: Mutex::new(Vec::new()) };

impl Provider for Script {
    fn now(&self) -> Now {
        let next = self.moments.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        next.expect("the script has as many moments as are asked for")
    }

    fn violated(&self, violation: &Violation<'_>) {
        self.violations.lock().unwrap_or_else(PoisonError::into_inner).push(violation.to_string());
    }
}

const HERE: Source = Source { file: "queue.rs", line: 3, column: 1 };

static CONTRACT: Contract = Contract {
    name: "Queue",
    source: HERE,
    kind: None,
    sets: &[DeclaredSet { name: "prod", keep: Keep::Last }],
    methods: &[Method {
        name: "push",
        source: HERE,
        role: None,
        conditions: &[Condition {
            moment: ConditionMoment::Invocation,
            text: "!prod.concurrent(now)",
            says: Some("two producers at once"),
            level: Level::Audit,
            source: HERE,
        }],
        adds: &[0],
    }],
    is_checked: false,
};

fn moment(thread: u32, known: &[(u32, u64)]) -> Now {
    let mut clock = Clock::new();
    known.iter().for_each(|&(thread, step)| clock.include(Epoch { thread: ThreadIndex(thread), step }));
    Now { thread: ThreadIndex(thread), clock: clock.into(), mark: Mark::default() }
}

fn push(sets: &Sets) {
    drop(Call::enter(&CONTRACT, 0, sets, |_| {
        |_: usize, view: &View<'_>| !view.set(0).concurrent(view.now())
    }));
}

/// The first lines of the violations where one thread pushes, releasing in the middle of it, and another one, which has acquired that, does.
fn violations() -> Vec<String> {
    let first = [moment(0, &[(0, 1)]), moment(0, &[(0, 2)])];
    let second = [moment(1, &[(0, 1), (1, 1)]), moment(1, &[(0, 1), (1, 1)])];
    SCRIPT.moments.lock().unwrap_or_else(PoisonError::into_inner).extend(first.into_iter().chain(second));
    let sets = Sets::new();
    push(&sets);
    push(&sets);
    std::mem::take(&mut *SCRIPT.violations.lock().unwrap_or_else(PoisonError::into_inner))
}

#[test]
fn returns_or_invocations_are_compared_and_conditions_above_the_level_are_left_out() {
    assert!(provide(&SCRIPT).is_ok() && provide(&SCRIPT).is_err());
    let found = violations();
    assert_eq!(found.len(), 1);
    for text in [
        "misused: two producers at once\n  call  Queue::push (thread 1, cdsspec-contracts/tests/settings.rs:",
        "\n  and   Queue::push (thread 0, cdsspec-contracts/tests/settings.rs:",
        "which has returned, and nothing orders it before\n  rule  !prod.concurrent(now)  queue.rs:3",
    ] {
        assert!(found[0].contains(text), "{text}\n{}", found[0]);
    }
    compare_invocations(true);
    assert_eq!(violations(), [""; 0]);
    compare_invocations(false);
    set_level(Level::Default);
    assert_eq!(violations(), [""; 0]);
    set_level(Level::Audit);
    assert_eq!(violations().len(), 1);
}

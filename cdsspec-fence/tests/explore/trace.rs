//! Counterexamples are put before the axioms again, by other code.

use cdsspec_fence::explore::{Exploration, Settings, Verdict};
use cdsspec_fence::litmus::{Litmus, parse};
use cdsspec_fence::lsl::syntax::AccessKind;
use cdsspec_fence::lsl::value::Value;
use cdsspec_fence::memory_model::MemoryModel;
use cdsspec_fence::trace::{Trace, TracedAccess};
use expect_test::expect;

const TESTS: &str = include_str!("../litmus/relaxed.litmus");

fn counterexample(test: &Litmus, stronger: MemoryModel, weaker: MemoryModel) -> Option<Trace> {
    let allowed = Exploration::new(&test.program, Settings::new(stronger)).observations().unwrap().set;
    match Exploration::new(&test.program, Settings::new(weaker)).check_inclusion(&allowed) {
        Verdict::Violated(trace) => Some(*trace),
        verdict => {
            assert_eq!(verdict, Verdict::Holds);
            None
        }
    }
}

/// Whether a load reads the last store that it sees, in the order of the trace.
fn reads_the_last(test: &Litmus, trace: &Trace, at: usize) -> bool {
    let load = &trace.accesses[at];
    let is_seen = |(place, store): &(usize, &TracedAccess)| {
        let is_own = store.sequence == load.sequence && store.position < load.position;
        store.kind == AccessKind::Store && store.address == load.address && (*place < at || is_own)
    };
    let last = trace.accesses.iter().enumerate().filter(is_seen).map(|(place, _)| place).max();
    let initial = |index: u32| &test.program.globals[index as usize].initial;
    let expected: &Value = match (last, &load.address) {
        (Some(store), _) => &trace.accesses[store].value,
        (None, Value::Pointer(path)) => initial(path.components()[0]),
        (None, _) => return false,
    };
    load.source == last && load.value == *expected
}

#[test]
fn every_counterexample_keeps_to_the_axioms() {
    let mut count = 0;
    for test in parse(TESTS).unwrap() {
        let Some(trace) = counterexample(&test, MemoryModel::Sc, MemoryModel::Relaxed) else { continue };
        count += 1;
        assert!(trace.faults.is_empty());
        for (at, access) in trace.accesses.iter().enumerate() {
            let is_right = access.kind == AccessKind::Store || reads_the_last(&test, &trace, at);
            assert!(is_right, "{}: {at}\n{trace}", test.name);
            // Axiom 1 of Relaxed.
            let passed = trace.accesses[at..].iter().any(|later| {
                later.sequence == access.sequence
                    && later.position < access.position
                    && later.address == access.address
                    && access.kind == AccessKind::Store
            });
            assert!(!passed, "{}: {at}\n{trace}", test.name);
        }
    }
    assert_eq!(count, 10);
}

#[test]
fn a_counterexample_reads_like_this() {
    let test = parse(TESTS).unwrap().remove(2);
    let trace = counterexample(&test, MemoryModel::Sc, MemoryModel::Relaxed).unwrap();
    expect![[r#"
          0  thread 2,   1  load [0] gives 0, as at first  (thread1, statement 3)
          1  thread 1,   1  store [1] of 1  (thread0, statement 5)
          2  thread 2,   0  load [1] gives 1, stored by 1  (thread1, statement 1)
          3  thread 1,   0  store [0] of 1  (thread0, statement 2)
        observed: 2.0.a = 1, 2.0.b = 0
    "#]]
    .assert_eq(&trace.to_string());
}

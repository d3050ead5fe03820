//! What a condition mentions beside event sets is what it is when the call begins, or returns.

use crate::contract::rows::{MISTAKE, Store, programs};
use cdsspec::Verdict::{self, Holds, HoldsWithin, Misused, SpecError};
use cdsspec::contract::Sets;
use cdsspec::model::ContractLevel;
use cdsspec::sync::Arc;
use cdsspec::sync::atomic::AtomicU32;
use cdsspec::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use cdsspec::{Builder, EngineKind, Outcome, thread};

fn says(outcome: &Outcome) -> (Verdict, &str) {
    let first = outcome.report().lines().next().unwrap_or_default();
    (outcome.verdict, first.split(": ").nth(1).filter(|_| outcome.verdict == Misused).unwrap_or_default())
}

#[test]
fn each_program_breaks_what_it_does_on_real_threads() {
    for (engine, holds) in [(EngineKind::Rc11, Holds), (EngineKind::Loom, HoldsWithin)] {
        let programs = programs();
        assert_eq!(programs.len(), 41);
        for (name, program, expected) in programs {
            let outcome = Builder::new().engine(engine).check(program);
            let verdict = match expected {
                None => (holds, ""),
                MISTAKE => (SpecError, ""),
                Some(says) => (Misused, says),
            };
            assert_eq!(says(&outcome), verdict, "{name}: {outcome}");
        }
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
    let outcome = Builder::new().check(|| {
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

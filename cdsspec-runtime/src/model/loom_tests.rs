//! Runs under the real engine.

use super::Builder;
use crate::check::Verdict;
use crate::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use crate::thread;
use std::sync::Arc;

fn add_and_add() {
    let x = Arc::new(AtomicUsize::new(0));
    let other = x.clone();
    let thread = thread::spawn(move || other.fetch_add(1, Relaxed));
    x.fetch_add(1, Relaxed);
    thread.join().unwrap();
    assert_eq!(x.load(Relaxed), 2);
}

#[test]
fn a_program_without_faults_holds_within_loom() {
    let outcome = Builder::new().name("add__add").check(add_and_add);
    println!("{outcome}");
    assert_eq!(outcome.verdict, Verdict::HoldsWithin);
}

#[test]
fn a_panic_is_a_verdict_and_its_report_names_the_message() {
    let outcome = Builder::new().check(|| {
        add_and_add();
        panic!("too bad");
    });
    println!("{outcome}");
    assert_eq!(outcome.verdict, Verdict::Panic);
    assert_eq!(outcome.report().lines().next(), Some("panic: too bad"));
}

#[test]
fn models_do_not_nest() {
    let outcome = Builder::new().check(|| super::model(|| {}));
    println!("{outcome}");
    assert_eq!(outcome.verdict, Verdict::Panic);
    assert!(outcome.report().contains("models do not nest"));
}

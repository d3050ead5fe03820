//! The loom engine on small programs: outcomes, counts, endings.
#![cfg(feature = "loom")]

use crate::common::{explore, plain};
use cdsspec_runtime::engine::Exploration;
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::*};
use cdsspec_runtime::thread;
use std::sync::Arc;

fn keys(explored: &crate::common::Explored) -> Vec<&str> {
    explored.outcomes.keys().map(String::as_str).collect()
}

#[test]
fn store_buffering_with_seq_cst_accesses_never_reads_both_zero() {
    let explored = explore(&plain(), || {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::new(AtomicUsize::new(0));
        let (x2, y2) = (x.clone(), y.clone());
        let child = thread::spawn(move || {
            x2.store(1, SeqCst);
            y2.load(SeqCst)
        });
        y.store(1, SeqCst);
        let b = x.load(SeqCst);
        format!("{}{b}", child.join().unwrap())
    });
    assert_eq!(explored.end, Exploration::Complete);
    assert_eq!(keys(&explored), ["01", "10", "11"]);
}

#[test]
fn store_buffering_with_relaxed_accesses_reads_both_zero() {
    let explored = explore(&plain(), || {
        let x = Arc::new(AtomicUsize::new(0));
        let y = Arc::new(AtomicUsize::new(0));
        let (x2, y2) = (x.clone(), y.clone());
        let child = thread::spawn(move || {
            x2.store(1, Relaxed);
            y2.load(Relaxed)
        });
        y.store(1, Relaxed);
        let b = x.load(Relaxed);
        format!("{}{b}", child.join().unwrap())
    });
    assert_eq!(keys(&explored), ["00", "01", "10", "11"]);
}

//! The programs of the checker's tests, on real threads: the same of each is broken.

#[allow(dead_code, reason = "some are for the checker alone")]
#[path = "../../contract/rows.rs"]
mod rows;

use cdsspec::contract::set_violation_handler;
use rows::{MISTAKE, programs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// What was told.
static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn told() -> Vec<String> {
    std::mem::take(&mut *TOLD.lock().unwrap_or_else(PoisonError::into_inner))
}

/// What is told of the first violation, and how often something panicked.
#[test]
fn each_program_breaks_what_it_does_in_every_execution_of_a_model() {
    let panics = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let counted = panics.clone();
    std::panic::set_hook(Box::new(move |_| _ = counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst)));
    set_violation_handler(|violation| {
        let says = violation.condition.says.unwrap_or(violation.condition.text);
        TOLD.lock().unwrap().push(says.to_owned());
    });
    let mut wrong = Vec::new();
    for (name, program, expected) in programs() {
        let before = panics.load(std::sync::atomic::Ordering::SeqCst);
        _ = catch_unwind(AssertUnwindSafe(program));
        let has_panicked = panics.load(std::sync::atomic::Ordering::SeqCst) > before;
        let first = told().into_iter().next();
        let is_right = match expected {
            MISTAKE => has_panicked && first.is_none(),
            expected => first.as_deref() == expected,
        };
        if !is_right {
            wrong.push(format!("{name}: {first:?}, expected {expected:?}"));
        }
    }
    _ = std::panic::take_hook();
    assert_eq!(wrong, Vec::<String>::new());
}

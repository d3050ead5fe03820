//! Rounds of loops that can be told from no round although the one before them did the same: they are explored.

mod assumed;
mod calls;
mod heap;
mod locks;
mod updates;
mod written_out;

use cdsspec::{Builder, Outcome};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// What a program returns in its executions.
fn explore<T: Ord + Clone + Send + 'static>(
    builder: Builder,
    program: impl Fn() -> T + Send + Sync + 'static,
) -> (Outcome, BTreeSet<T>) {
    let found = Arc::new(Mutex::new(BTreeSet::new()));
    let seen = found.clone();
    let outcome = builder.check(move || {
        let result = program();
        seen.lock().expect("nobody panics with it").insert(result);
    });
    let found = found.lock().expect("nobody panics with it").clone();
    (outcome, found)
}

//! Uses of instrumented objects by OS threads that run no program.
//!
//! There the types behave as std's, which is often meant: a test that sets something up, or a plain unit test. Twice it is not: a
//! thread that a program started with std's `spawn`, of which the engines see nothing, and a `#[test]` that was to be a
//! `#[cdsspec::test]`, which explores nothing.

use super::census::OutsideUse;
use super::{LocationHint, running};
use crate::process;
use crate::record::Place;
use std::cell::{Cell, OnceCell};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Switches the note about tests that explore nothing off: `0`, `false`.
pub const NOTE_VARIABLE: &str = "CDSSPEC_OUTSIDE_NOTE";

thread_local! {
    /// Whether this OS thread has used an object outside of any program.
    static HAS_USED: Cell<bool> = const { Cell::new(false) };
    /// Whether it has run a program.
    static HAS_RUN: Cell<bool> = const { Cell::new(false) };
    static FIRST: AtEnd = const { AtEnd(OnceCell::new()) };
}

/// This OS thread runs a program.
pub(super) fn note_run() {
    HAS_RUN.set(true);
}

/// An OS thread that runs no program does an operation on the object of this hint.
#[cold]
pub(crate) fn note_use(place: &Place, hint: &LocationHint) {
    if running::is_any() {
        note_use_of_execution(place, hint);
    }
    // A thread that goes away has no such variables any more.
    if !HAS_USED.try_with(|has_used| has_used.replace(true)).unwrap_or(true) {
        note_first_use(place);
    }
}

fn note_use_of_execution(place: &Place, hint: &LocationHint) {
    match hint.made_in() {
        Some(number) => running::note_outside_use(number, OutsideUse::at(place)),
        // The program may come to it later in an execution that has begun.
        None if hint.mark_outside(running::next_number()) => {
            running::mark(hint.address(), OutsideUse::at(place));
        }
        None => {}
    }
}

/// The harness gives each test a thread of its own, with its name.
fn note_first_use(place: &Place) {
    let thread = std::thread::current();
    if let Some(name) = thread.name().filter(|name| *name != "main") {
        let first = (name.to_owned(), OutsideUse::at(place));
        // As above.
        let _ = FIRST.try_with(|at_end| at_end.0.set(first).is_ok());
    }
}

/// The name of a thread and the first operation that it did outside of any program: told when it ends without having run one.
struct AtEnd(OnceCell<(String, OutsideUse)>);

impl Drop for AtEnd {
    fn drop(&mut self) {
        static IS_TOLD: AtomicBool = AtomicBool::new(false);
        let has_run = HAS_RUN.try_with(Cell::get).unwrap_or(true);
        let Some((name, first)) = self.0.get().filter(|_| !has_run && is_on()) else { return };
        if !IS_TOLD.swap(true, Relaxed) {
            process::write_note(&text(name, *first));
        }
    }
}

fn is_on() -> bool {
    !std::env::var_os(NOTE_VARIABLE).is_some_and(|value| value == "0" || value == "false")
}

fn text(name: &str, first: OutsideUse) -> String {
    format!(
        "cdsspec: note: `{name}` used instrumented types outside of any model, first by `{}` at {}: nothing was explored there. \
         A test that is to be explored is a `#[cdsspec::test]`, not a `#[test]` ({NOTE_VARIABLE}=0 switches this note off)",
        first.operation, first.source
    )
}

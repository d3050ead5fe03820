//! The body of a thread of the program, as engines run it.

use super::{Execution, Notice, with};
use crate::heap::{self, Running};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Runs the body of a thread of the program, and then destroys what it has in `thread_local!`s. Engines run the program's main
/// thread in this; the bodies of others come wrapped.
///
/// # Panics
/// As `body` does.
pub fn run_body(body: impl FnOnce()) {
    /// Unwinding out of an execution that was cut.
    struct OnCut;
    impl Drop for OnCut {
        fn drop(&mut self) {
            // No engine says that a thread unwinds when std says that none does.
            if !std::thread::panicking() {
                return;
            }
            with(|execution| {
                let port = execution.port();
                if port.is_panicking() && port.is_unobserved() {
                    destroy(execution);
                }
            });
        }
    }
    // What the body puts on the stack is below this.
    let top = std::hint::black_box(0_usize);
    with(|execution| execution.heap().note_stack(std::ptr::from_ref(&top).addr()));
    let result = catch_unwind(AssertUnwindSafe(|| {
        let _on_cut = OnCut;
        heap::during(Running::Program, body);
    }));
    with(|execution| {
        execution.port().note(Notice::BodyEnd);
        destroy(execution);
    });
    if let Err(payload) = result {
        resume_unwind(payload);
    }
}

fn destroy(execution: &Execution) {
    // Few programs have any.
    if !execution.locals().is_empty() {
        execution.locals().destroy(execution.port().thread());
    }
}

//! loom's API, and what it needs of the runtime.

use super::super::Mutant;
use super::super::suite::Test;

const CELL: &str = "cell/access.rs";
const COHERENCE: &str = "memory_model/coherence.rs";
const FAULT: &str = "run/fault.rs";
const SIGNAL: &str = "future/signal.rs";

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "plain-access-races-with-none",
        text: "an atomic access is not held against what is not atomic, nor the other way round",
        file: COHERENCE,
        changes: &[
            ("let atomic = is_cell.then(", "let atomic = (is_cell && false).then("),
            ("if !is_cell && location.cells.is_empty() {", "if !is_cell {"),
        ],
        tests: &[Test::of_loom("api", "is_not_atomic")],
    },
    Mutant {
        name: "stale-read-races-with-none",
        text: "an atomic access is held against what is not atomic with its maximal choice alone",
        file: "run/port.rs",
        changes: &[("if self.is_sampling || !run.has_mixed ||", "if true || !run.has_mixed ||")],
        tests: &[Test::of_loom("api", "where_a_stale_store_is_read")],
    },
    Mutant {
        name: "access-ends-where-it-begins",
        text: "what a thread releases while it accesses a cell lets others access it",
        file: CELL,
        changes: &[("progress.position != position", "progress.position != position && false")],
        tests: &[Test::of_loom("api", "a_pointer_into_a_cell")],
    },
    Mutant {
        name: "nothing-is-left",
        text: "an object that is left when the execution ends is none",
        file: FAULT,
        changes: &[("if !classes.objects ||", "if !classes.objects || true ||")],
        tests: &[Test::of_loom("api", "what_is_left_is_a_leak")],
    },
    Mutant {
        name: "wake-up-orders-nothing",
        text: "what happens before a wake-up need not happen before the end of the wait",
        file: SIGNAL,
        changes: &[("order: Ordering::Release", "order: Ordering::Relaxed")],
        tests: &[Test::of("futures", "what_is_before_a_wake_up")],
    },
    Mutant {
        name: "no-poll-without-a-reason",
        text: "a future is polled when it was woken, and not else",
        file: SIGNAL,
        changes: &[("if port.wakes_spuriously(place) {", "if port.wakes_spuriously(place) && false {")],
        tests: &[Test::of_loom("future", "also_polled_without_a_reason")],
    },
];

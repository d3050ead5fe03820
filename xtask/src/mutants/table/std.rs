//! What std promises.

use super::super::Mutant;
use super::super::suite::Test;

const CALLER: &str = "port/caller.rs";
const THREAD: &str = "run/thread.rs";
const STATE: &str = "run/state.rs";

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "unwinding-hides-a-panic",
        text: "a thread that panics while another one is suspended in its unwinding is taken not to",
        file: "run/coroutine.rs",
        changes: &[(
            "worker.has_panicked.get() || self.panics_before",
            "worker.has_panicked.get() && self.panics_before",
        )],
        tests: &[Test::of("std_semantics", "while_another_one_unwinds")],
    },
    Mutant {
        name: "writer-during-downgrade",
        text: "outside of executions, one who waits to write gets in while a guard is downgraded",
        file: "sync/downgrade.rs",
        changes: &[("            if !self.0.load(SeqCst) {", "            if true {")],
        tests: &[Test::of_runtime("who_comes_to_write_while_a_guard_is_downgraded_waits")],
    },
    Mutant {
        name: "downgrade-releases-nothing",
        text: "a guard that is downgraded does not release what it wrote",
        file: "sync/lock/word.rs",
        changes: &[(
            "access(place, Release, |port, access| port.update(access, downgrade))",
            "access(place, Relaxed, |port, access| port.update(access, downgrade))",
        )],
        tests: &[Test::of("std_semantics", "who_reads_beside_a_downgraded_guard")],
    },
    Mutant {
        name: "thread-end-is-no-store",
        text: "the end of a thread is no store",
        file: THREAD,
        changes: &[(
            "        if self.is_looked_at() || !self.run.borrow().has_ends {",
            "        if self.is_looked_at() || !self.run.borrow().has_ends || true {",
        )],
        tests: &[Test::of("std_semantics", "a_thread_may_have_ended_before")],
    },
    Mutant {
        name: "reader-behind-idle-writer",
        text: "a reader waits behind a writer that does not wait",
        file: STATE,
        changes: &[(
            "if thread.is_behind_writer && !self.has_waiting_writer(location) {",
            "if thread.is_behind_writer && false {",
        )],
        tests: &[Test::of("std_semantics", "recursive_read_beside_one_who")],
    },
    Mutant {
        name: "panic-before-its-joiner",
        text: "a panic counts before its joiner has gone on",
        file: STATE,
        changes: &[("            (Some(_), ending @ Ending::ByProduct { reached: None }) => ending,\n", "")],
        tests: &[Test::of("std_semantics", "joiner_waited_for_something_else_that")],
    },
    Mutant {
        name: "stack-outlives-thread",
        text: "the objects on the stack of a thread outlive it",
        file: "run/lent.rs",
        changes: &[(
            "            object.ended.get_or_insert(position);\n",
            "            let _ = (object, position);\n",
        )],
        tests: &[Test::of("std_semantics", "what_is_on_the_stack_of_a_thread")],
    },
    Mutant {
        name: "top-is-a-callees",
        text: "the stack pointer of who calls an operation is taken for a lower one",
        file: CALLER,
        changes: &[(
            "BEGINNING.with(|beginning| beginning.caller.get())",
            "BEGINNING.with(|beginning| Caller { top: beginning.caller.get().top - 4096, ..beginning.caller.get() })",
        )],
        tests: &[Test::of_runtime("port::caller")],
    },
    Mutant {
        name: "caller-of-any-operation",
        text: "who called an operation is taken for the caller of the next",
        file: CALLER,
        changes: &[("(*name, *source) == (place.name, place.source)", "true")],
        tests: &[Test::of_runtime("port::caller")],
    },
    Mutant {
        name: "registers-keep-nothing",
        text: "what a thread keeps in registers is not compared",
        file: "run/frames.rs",
        changes: &[("        add(&mut hash, register);\n", "        let _ = register;\n")],
        tests: &[Test::of_runtime("run::frames")],
    },
];

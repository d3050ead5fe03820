//! One execution again: what a schedule says, what is done by it, and which orders it is asked about.

use super::super::Mutant;
use super::super::suite::Test;

const PLAY: &str = "run/play.rs";
const PLAYBACK: &str = "run/playback.rs";
const SCRIPT: &str = "explore/script.rs";
const CAUSE: &str = "model/cause.rs";

const KINDS: Test = Test::of("replay", "kinds::");
const SMALL: Test = Test::of("replay", "random::small_programs");
const MENDED: Test = Test::of("replay", "a_program_that_was_mended");
const LINE: Test = Test::of("replay", "the_line_of_a_report");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "replay-reads-the-newest",
        text: "a read reads the newest store, whatever it read",
        file: PLAY,
        changes: &[(
            "StepChoice::Store(known) => Prescribed::Store { store: store(known), is_spurious: false }",
            "StepChoice::Store(_) => Prescribed::Newest",
        )],
        tests: &[SMALL],
    },
    Mutant {
        name: "replay-never-fails-spuriously",
        text: "a spurious failure is a success",
        file: PLAY,
        changes: &[(
            "Prescribed::Store { store: store(known), is_spurious: true }",
            "Prescribed::Store { store: store(known), is_spurious: false }",
        )],
        tests: &[KINDS],
    },
    Mutant {
        name: "replay-reads-what-was-overwritten",
        text: "a read reads a store that it knows to be overwritten",
        file: SCRIPT,
        changes: &[("if is_overwritten || is_spurious", "if is_overwritten && is_spurious || is_spurious")],
        tests: &[MENDED],
    },
    Mutant {
        name: "replay-goes-on-after-a-departure",
        text: "an event that cannot choose what it chose takes another choice, and nobody says so",
        file: SCRIPT,
        changes: &[("            self.is_departed = true;\n", "")],
        tests: &[MENDED],
    },
    Mutant {
        name: "replay-without-begins",
        text: "a thread begins when its first operation comes",
        file: PLAY,
        changes: &[(
            "if let Some(thread) = run.next_begin()",
            "if let Some(thread) = run.next_begin().filter(|_| false)",
        )],
        tests: &[KINDS],
    },
    Mutant {
        name: "replay-without-counts",
        text: "no count of handles has operations",
        file: PLAYBACK,
        changes: &[(
            "self.steps.counts.contains(&(thread, change))",
            "self.steps.counts.iter().filter(|_| false).any(|known| *known == (thread, change))",
        )],
        tests: &[KINDS],
    },
    Mutant {
        name: "replay-without-spins",
        text: "a thread that ended in a loop goes on in it",
        file: PLAYBACK,
        changes: &[(
            "spin.thread == thread && index >= count",
            "spin.thread == thread && index > usize::MAX - count",
        )],
        tests: &[KINDS],
    },
    Mutant {
        name: "replay-without-ends",
        text: "the ends of threads are no operations",
        file: PLAY,
        changes: &[("        self.has_ends = steps.has_ends;\n", "")],
        tests: &[KINDS],
    },
    Mutant {
        name: "replay-of-any-program",
        text: "each program that the test checks is run by the schedule",
        file: "model/replay.rs",
        changes: &[(
            "builder.number == Some(schedule.program)",
            "builder.number.is_some() && schedule.program > 0",
        )],
        tests: &[LINE],
    },
    Mutant {
        name: "cause-of-the-strongest",
        text: "the strongest orders are named, and not the weakest that are enough",
        file: CAUSE,
        changes: &[(
            "self.stronger().into_iter().find(takes_away)",
            "self.stronger().into_iter().rfind(takes_away)",
        )],
        tests: &[LINE],
    },
    Mutant {
        name: "cause-that-has-the-fault",
        text: "an order is to blame if the execution is one with a stronger one as well",
        file: CAUSE,
        changes: &[(
            "== RerunResult::NoFault;\n        let orders",
            "!= RerunResult::NoFault;\n        let orders",
        )],
        tests: &[LINE],
    },
    Mutant {
        name: "replay-believes-loops",
        text: "a thread that ended in a loop is not followed",
        file: PLAY,
        changes: &[(
            "let mut is_confirmed = !port.run.borrow().has_futile_spins();",
            "let mut is_confirmed = port.limits.branches_max > 0;",
        )],
        tests: &[Test::of("replay", "a_loop_that_was_mended")],
    },
    Mutant {
        name: "replay-ends-early",
        text: "a run that ends before all steps were taken is one of them",
        file: PLAY,
        changes: &[("            port.run.borrow_mut().depart_at_end();\n", "")],
        tests: &[Test::of("replay", "a_schedule_that_fits_no_execution")],
    },
];

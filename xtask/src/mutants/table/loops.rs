//! Which rounds of loops are left out, what a loop that nobody can end is, and the bound on rounds.

use super::super::Mutant;
use super::super::suite::Test;

const ROUNDS: &str = "run/rounds.rs";
const REPEAT: &str = "run/repeat.rs";
const SPIN: &str = "run/spin.rs";
const ASSUME: &str = "run/assume.rs";
const LOOPS: &str = "run/loops.rs";
const STATE: &str = "run/state.rs";
const ACTION: &str = "port/action.rs";

const SEEN: Test = Test::of("seen_rounds", "");
const ORACLE: Test = Test::of("loops", "rc11_agrees_with_the_oracle_on_every_test");
const UNBOUNDED: Test = Test::of("loops", "without_a_bound_rc11_finds");
const STUCK: Test = Test::of("loops", "rc11_knows_which_programs_go_on_for_ever");
const WAITING: Test = Test::of("waiting", "");
const STAGES: Test = Test::of_runtime("run::loops::tests");
const ROWS: Test = Test::of("rounds", "");

const ASSUMED: Test = Test::of("seen_rounds", "assumed");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "failure-order-not-compared",
        text: "a failed exchange is taken for a read of another order",
        file: ASSUME,
        changes: &[("read.label.order(read.is_write) == Some(failure)", "Some(failure).is_some()")],
        tests: &[ASSUMED],
    },
    Mutant {
        name: "guess-taken-for-a-read",
        text: "a failed exchange is left out though nobody read what it expected",
        file: ASSUME,
        changes: &[("graph.value_of(location, read.reads_from) == expected", "expected == expected")],
        tests: &[ASSUMED],
    },
    Mutant {
        name: "assumed-wait-for-ever",
        text: "a loop that is taken to wait waits for ever",
        file: ASSUME,
        changes: &[("!assumed.is_empty() && matches!", "assumed.len() > 9 && matches!")],
        tests: &[ASSUMED],
    },
    // (a) of the module's argument.
    Mutant {
        name: "stack-not-compared",
        text: "a round is left out whatever the thread keeps",
        file: ROUNDS,
        changes: &[(
            "|before: Head| before.fingerprint == head.fingerprint;",
            "|before: Head| before.fingerprint.is_some();",
        )],
        tests: &[WAITING, ORACLE, SEEN],
    },
    Mutant {
        name: "first-round-left-out",
        text: "the first round of a loop is left out",
        file: ROUNDS,
        changes: &[(
            "head.fingerprint.is_some() && before.is_some_and(is_as_before)",
            "head.fingerprint.is_some() && before.is_none_or(is_as_before)",
        )],
        tests: &[WAITING, ORACLE, SEEN],
    },
    Mutant {
        name: "every-round-without-effect",
        text: "every round is taken to be without effect",
        file: ROUNDS,
        changes: &[(
            "        changes_nothing(graph, &graph.threads[self.now.current][start..end], may_change)\n",
            "        changes_nothing(graph, &[], may_change) || start > end\n",
        )],
        tests: &[ORACLE, SEEN],
    },
    Mutant {
        name: "call-without-effect",
        text: "a call is no effect",
        file: ROUNDS,
        changes: &[(
            "        rounds.effect > start || !rounds.changed.is_empty()\n",
            "        rounds.effect > start && !self.loops.has_calls || !rounds.changed.is_empty()\n",
        )],
        tests: &[SEEN],
    },
    Mutant {
        name: "data-without-effect",
        text: "data of a lock that were borrowed to be changed are no effect",
        file: ROUNDS,
        changes: &[(
            "        rounds.effect > start || !rounds.changed.is_empty()\n",
            "        rounds.effect > start && self.loops.has_calls\n",
        )],
        tests: &[SEEN],
    },
    Mutant {
        name: "store-without-effect",
        text: "a round with a plain store is without effect, if it stores what is there",
        file: REPEAT,
        changes: &[(
            "Label::Create { .. } | Label::Join { .. } | Label::Access(Action::Store { .. }) => false,",
            "Label::Create { .. } | Label::Join { .. } => false,",
        )],
        tests: &[SEEN],
    },
    Mutant {
        name: "cell-write-without-effect",
        text: "a round that writes to a cell is without effect",
        file: REPEAT,
        changes: &[(
            "Label::Access(Action::BeginCell { is_write }) => !is_write,",
            "Label::Access(Action::BeginCell { .. }) => true,",
        )],
        tests: &[WAITING, ORACLE, SEEN],
    },
    Mutant {
        name: "atomic-changed-back",
        text: "a round that changes an atomic of the program's and changes it back is without effect",
        file: ROUNDS,
        changes: &[(
            "!self.loops.keeps_writing_rounds && self.is_internal(location);",
            "!self.loops.keeps_writing_rounds && (self.is_internal(location) || true);",
        )],
        tests: &[ORACLE, SEEN],
    },
    Mutant {
        name: "change-without-change-back",
        text: "a round that changes an internal word, and does not change it back, is without effect",
        file: REPEAT,
        changes: &[("changes.iter().all(|&(_, sum)| sum == 0)", "changes.len() < 4")],
        tests: &[SEEN],
    },
    Mutant {
        name: "look-before-left-out-round-ignored",
        text: "who looked at a lock before a round on it was left out does not matter",
        file: ROUNDS,
        changes: &[(
            "graph.location(location).reads.iter().any(|&read| is_look(graph, read));",
            "false && is_look(graph, graph.location(location).reads[0]);",
        )],
        tests: &[SEEN],
    },
    Mutant {
        name: "stops-between-unlock-and-lock",
        text: "a round that gives a lock back and takes it again is without effect",
        file: REPEAT,
        changes: &[(
            "comes_to_nothing(graph, round, may_change, |sum| sum.cast_signed() >= 0)",
            "comes_to_nothing(graph, round, may_change, |_| true)",
        )],
        tests: &[SEEN],
    },
    Mutant {
        name: "rounds-on-end-with-an-effect",
        text: "of rounds on end after which a thread is as it was, one may have an effect",
        file: ROUNDS,
        changes: &[(
            "let before = find(last.start).filter(|_| last.is_quiet)?;",
            "let before = find(last.start)?;",
        )],
        tests: &[SEEN, WAITING, ORACLE],
    },
    Mutant {
        name: "spin-not-followed",
        text: "what a loop keeps in the heap is taken for nothing",
        file: SPIN,
        changes: &[(
            "let comes_back = self.goes_round(thread, &round);",
            "let comes_back = self.goes_round(thread, &round) || true;",
        )],
        tests: &[WAITING, SEEN],
    },
    Mutant {
        name: "idle-not-followed",
        text: "what a loop that only yields keeps in the heap is taken for nothing",
        file: SPIN,
        changes: &[(
            "let comes_back = self.yields_on(thread);",
            "let comes_back = self.yields_on(thread) || true;",
        )],
        tests: &[WAITING, SEEN],
    },
    Mutant {
        name: "kept-loop-left-out",
        text: "a round of a loop that was seen to leave by itself is left out",
        file: ROUNDS,
        changes: &[("if !self.loops.is_kept(&place)\n", "if (!self.loops.is_kept(&place) || true)\n")],
        // It starts again for ever.
        tests: &[Test::of("seen_rounds", "a_loop_that_counts_in_the_heap_and_gives_up")],
    },
    // (b).
    Mutant {
        name: "calls-ignored",
        text: "rounds are judged as if no call were recorded",
        file: ROUNDS,
        changes: &[(
            "if !self.loops.has_calls {\n            let from = if is_one",
            "if !self.loops.has_calls || head.count > 0 {\n            let from = if is_one",
        )],
        tests: &[SEEN, ROWS],
    },
    Mutant {
        name: "two-equal-rounds-are-enough",
        text: "of rounds with several operations two equal ones are enough",
        file: ROUNDS,
        changes: &[(
            "head.equal_count >= if has_one_operation { 1 } else { 2 }",
            "head.equal_count >= if has_one_operation { 1 } else { 1 }",
        )],
        tests: &[SEEN],
    },
    Mutant {
        name: "late-call-forgives",
        text: "a call that is recorded late does not bring back what was left out",
        file: ROUNDS,
        changes: &[(
            "            if self.loops.has_judged_without_calls {\n                self.start_again();\n            }\n",
            "",
        )],
        tests: &[SEEN],
    },
    // Livelocks.
    Mutant {
        name: "every-loop-for-ever",
        text: "every thread that waits in a loop does so for ever",
        file: SPIN,
        changes: &[(
            "spin.comes_back && round.iter().all(is_again)",
            "(spin.comes_back && round.iter().all(is_again) || true)",
        )],
        tests: &[STUCK],
    },
    Mutant {
        name: "changed-thread-for-ever",
        text: "a thread that is after its round not what it was goes on for ever",
        file: SPIN,
        changes: &[("spin.comes_back && round.iter().all(is_again)", "round.iter().all(is_again)")],
        tests: &[WAITING, STUCK],
    },
    Mutant {
        name: "newer-values-ignored",
        text: "a loop goes on for ever also if it would read other values",
        file: SPIN,
        changes: &[(
            "graph.value_of(location, event.reads_from) == *now\n",
            "(graph.value_of(location, event.reads_from) == *now || true)\n",
        )],
        tests: &[STUCK],
    },
    Mutant {
        name: "newer-data-ignored",
        text: "a loop goes on for ever also if the data under its lock have changed",
        file: SPIN,
        changes: &[(
            "                    && !self.has_newer_effect(thread, location, event.reads_from);",
            "                    && (!self.has_newer_effect(thread, location, event.reads_from) || true);",
        )],
        tests: &[SEEN],
    },
    Mutant {
        name: "changed-values-for-ever",
        text: "a loop goes on for ever also if its round leaves other values behind",
        file: SPIN,
        changes: &[(" && values.iter().all(|(_, newest, now)| newest == now)", "")],
        tests: &[SEEN],
    },
    Mutant {
        name: "rounds-of-others-are-news",
        text: "what other threads write in rounds without an effect ends a loop",
        file: SPIN,
        changes: &[(
            "event.thread != thread && !self.is_in_round(event.thread, event.index as usize)",
            "event.thread != thread && (!self.is_in_round(event.thread, event.index as usize) || true)",
        )],
        tests: &[STUCK, ROWS],
    },
    Mutant {
        name: "rounds-of-others-satisfy-nobody",
        text: "who waits for a lock that another thread has, where that one stops in a loop, waits for ever",
        file: SPIN,
        changes: &[(
            "Some(spin) => graph.threads[index][spin.from..].iter().any(satisfies),",
            "Some(spin) => graph.threads[index][spin.from..].iter().any(satisfies) && false,",
        )],
        tests: &[SEEN],
    },
    // The bound.
    Mutant {
        name: "bound-kept-for-another-loop",
        text: "the bound of one loop is the first one of the next that gets one",
        file: LOOPS,
        changes: &[("has_hints });\n        self.bound = 1;\n", "has_hints });\n")],
        tests: &[STAGES],
    },
    Mutant {
        name: "bound-beyond-setting",
        text: "the bound is doubled beyond the setting",
        file: LOOPS,
        changes: &[("(2 * self.bound).min(max)", "2 * self.bound")],
        tests: &[STAGES],
    },
    Mutant {
        name: "bound-raised-unreached",
        text: "the bound is raised where no thread has reached it",
        file: LOOPS,
        changes: &[("let must_raise = is_reached && ", "let must_raise = (is_reached || true) && ")],
        tests: &[STAGES],
    },
    Mutant {
        name: "bound-raised-at-any-cost",
        text: "a bound that nobody has set is raised also if that costs much",
        file: LOOPS,
        changes: &[("|| execution_count < STAGE_EXECUTIONS_MAX;", "|| execution_count < u64::MAX;")],
        tests: &[STAGES],
    },
    Mutant {
        name: "bound-one-too-high-with-hints",
        text: "of a loop with hints one round more than the bound is explored",
        file: ROUNDS,
        changes: &[("true => head.hinted_count >= bound ||", "true => head.hinted_count > bound ||")],
        tests: &[ORACLE],
    },
    Mutant {
        name: "bound-one-too-high-without-hints",
        text: "of a loop without hints one round more than the bound is explored",
        file: ROUNDS,
        changes: &[("false => head.count >= bound,", "false => head.count > bound,")],
        tests: &[ORACLE],
    },
    Mutant {
        name: "bound-not-noted",
        text: "the bound is not raised when it is reached",
        file: ROUNDS,
        changes: &[("                    self.loops.is_bound_reached = true;\n", "")],
        tests: &[ORACLE, UNBOUNDED],
    },
    Mutant {
        name: "bound-not-reported",
        text: "nothing is said of a bound that was reached",
        file: STATE,
        changes: &[(
            "let reached = self.reached_bound();",
            "let reached = self.reached_bound().filter(|_| false);",
        )],
        tests: &[WAITING],
    },
    // The exchange of what was just read.
    Mutant {
        name: "failures-left-out-after-any-event",
        text: "the failures of an exchange are left out if its thread has read at that place, whatever it read",
        file: ROUNDS,
        changes: &[("                && last.location == self.now.locations[location.index()].bound\n", "")],
        tests: &[SEEN],
    },
    Mutant {
        name: "failures-left-out-beside-calls",
        text: "the failures of an exchange are left out also where calls are recorded",
        file: ROUNDS,
        changes: &[("has_read && !self.loops.has_calls;", "has_read;")],
        tests: &[SEEN],
    },
    Mutant {
        name: "left-out-failure-is-no-judgement",
        text: "a call that is recorded after failures were left out does not bring them back",
        file: ROUNDS,
        changes: &[(
            "self.loops.has_judged_without_calls |= may_leave_out;",
            "self.loops.has_judged_without_calls |= false;",
        )],
        tests: &[SEEN],
    },
    Mutant {
        name: "left-out-failure-is-a-deadlock",
        text: "an exchange whose failures are left out waits for ever",
        file: ACTION,
        changes: &[("self.is_timed() || matches!(self, Self::ExchangeRead { .. })", "self.is_timed()")],
        tests: &[Test::of("rounds", "updates_that_fail")],
    },
    Mutant {
        name: "no-execution-is-delayed",
        text: "executions in which a thread waited for some rounds are not counted apart",
        file: ROUNDS,
        changes: &[(
            "thread.rounds.heads.iter().filter(is_waiting).any(|head| !is_last(head))",
            "thread.rounds.heads.iter().filter(is_waiting).any(|head| !is_last(head)) && false",
        )],
        tests: &[Test::of("closed_forms", "spinlock")],
    },
    Mutant {
        name: "stack-of-a-known-round-never-needed",
        text: "the stack is not looked at where the graph knows an operation, though it is the last of its kind",
        file: ROUNDS,
        changes: &[("events.iter().skip(index + 1).any(", "events.iter().skip(index).any(")],
        tests: &[SEEN, WAITING, ROWS],
    },
];

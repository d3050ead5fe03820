//! Serial witnesses, and the order of calls in time.

use super::super::Mutant;
use super::super::suite::Test;

const WALK: &str = "lineup/walk.rs";
const INTERVAL: &str = "lineup/interval.rs";
const OBSERVATION: &str = "lineup/observation.rs";
const HISTORY: &str = "lineup/history.rs";
const ENUMERATE: &str = "scenario/enumerate.rs";
const GATHERED: &str = "lineup/gathered.rs";
const PROGRESS_FILE: &str = "lineup/progress.rs";
const RUN_PORT: &str = "run/port.rs";
const SOURCE: &str = "lineup/source.rs";
const STILL: &str = "lineup/still.rs";
const SEARCH: &str = "model/search.rs";
const SHARD: &str = "model/shard.rs";

const WALKED: Test = Test::of_runtime("lineup::tests");
const TWIN: Test = Test::of_runtime("lineup::twin_tests");
const LINED_UP: Test = Test::of("lineup", "");
const MATRICES: Test = Test::of_runtime("scenario::tests");
const ORDERED: Test = Test::of_runtime("lineup::gathered");
const SMALLEST: Test = Test::of("smallest", "");
const SETTINGS: Test = Test::of_runtime("model::search");
const PROGRESS: Test = Test::of("lineup", "progress");
const SPLIT: Test = Test::of("lineup", "split");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "smaller-test-fails-of-anything",
        text: "a test that breaks another condition, once statements are left out, counts as failing alike",
        file: "model/smaller.rs",
        changes: &[(
            "Some(Self { verdict, broken: Some((method, broken.place)) })",
            "Some(Self { verdict, broken: Some((method, broken.place)).filter(|_| false) })",
        )],
        tests: &[SMALLEST],
    },
    Mutant {
        name: "smaller-test-leaves-nothing-out",
        text: "statements that are left out are made all the same",
        file: "port/written.rs",
        changes: &[(
            "!= Some(&true)).unwrap_or(true)",
            "!= Some(&true)).unwrap_or(true) || statement < usize::MAX",
        )],
        tests: &[SMALLEST],
    },
    Mutant {
        name: "invocation-is-passed-at-once",
        text: "the walk passes an invocation as soon as it may, and a return as late as that leaves it",
        file: WALK,
        changes: &[("Boundary::Return(_));", "Boundary::Invocation(_));")],
        tests: &[WALKED],
    },
    Mutant {
        name: "call-is-taken-before-it-begins",
        text: "a serial order may take a call that has not begun",
        file: WALK,
        changes: &[("begun.contains(*next)", "begun.len() < usize::MAX || begun.contains(*next)")],
        tests: &[WALKED],
    },
    Mutant {
        name: "walk-ignores-forced-order",
        text: "boundaries are passed in any order",
        file: WALK,
        changes: &[(
            "passed & 1 << next == 0 && self.before[next] & !passed == 0",
            "passed & 1 << next == 0",
        )],
        tests: &[WALKED],
    },
    Mutant {
        name: "walk-remembers-down-sets-alone",
        text: "what is carried to a down-set of boundaries is not looked at if something else was before",
        file: WALK,
        changes: &[(
            "self.known.insert((passed, nodes.clone()))",
            "self.known.insert((passed, BTreeSet::new()))",
        )],
        tests: &[WALKED],
    },
    Mutant {
        name: "reads-are-not-before-overwrites",
        text: "a read is not before the store that overwrites what it read",
        file: INTERVAL,
        changes: &[(
            "            before[overwriter].push(operation.id.index());\n",
            "            before[overwriter].extend(None::<usize>);\n",
        )],
        tests: &[TWIN],
    },
    Mutant {
        name: "return-is-before-its-last-operation",
        text: "a return is before all that knows the last operation of its call",
        file: INTERVAL,
        changes: &[(
            "second.known.get(first.thread) > first.position",
            "second.known.get(first.thread) >= first.position",
        )],
        tests: &[TWIN, LINED_UP],
    },
    Mutant {
        name: "one-order-of-time-is-enough",
        text: "a serial order that keeps one order of time does for all",
        file: INTERVAL,
        changes: &[("!self.is_before(begun, returned)", "self.is_before(returned, begun)")],
        tests: &[TWIN],
    },
    Mutant {
        name: "witness-need-not-keep-the-order",
        text: "a serial history with the same results is a witness, whatever its order",
        file: OBSERVATION,
        changes: &[("!precedes[later.index()][earlier.index()]", "later != earlier || precedes.is_empty()")],
        tests: &[LINED_UP],
    },
    Mutant {
        name: "pending-calls-excuse-each-other",
        text: "a pending call of a stuck history counts as not made",
        file: HISTORY,
        changes: &[(
            "Made::Pending if pending != Some(Slot::new(index)) => Made::Not,",
            "Made::Pending => Made::Not,",
        )],
        tests: &[LINED_UP],
    },
    Mutant {
        name: "renamed-matrices-come-again",
        text: "matrices that differ in the names of arguments are different",
        file: ENUMERATE,
        changes: &[(
            "columns.is_sorted() && first_of(columns, renamings) == columns",
            "columns.is_sorted() && !first_of(columns, renamings).is_empty()",
        )],
        tests: &[MATRICES],
    },
    Mutant {
        name: "test-that-ends-first-counts-first",
        text: "tests count in the order in which they end",
        file: GATHERED,
        changes: &[(
            "self.waiting.remove(&self.next_turn)",
            "self.waiting.pop_first().map(|(_, ended)| ended)",
        )],
        tests: &[ORDERED],
    },
    Mutant {
        name: "tests-behind-a-failure-count",
        text: "what was begun beside a test that fails counts as well",
        file: GATHERED,
        changes: &[("self.is_over = self.stops && check.verdict.is_fault();", "self.is_over = false;")],
        tests: &[ORDERED],
    },
    Mutant {
        name: "parts-overlap",
        text: "a test is in several parts",
        file: SHARD,
        changes: &[(
            "test % self.count as u64 == self.index as u64 - 1",
            "test % self.count as u64 <= self.index as u64 - 1",
        )],
        tests: &[SETTINGS, SPLIT],
    },
    Mutant {
        name: "pipeline-counts-from-zero",
        text: "the first job of a pipeline has the number 0",
        file: SEARCH,
        changes: &[(
            "in_range(Shard::new(index, total), (INDEX, form), lookup).map(Some)",
            "in_range(Shard::new(index + 1, total), (INDEX, form), lookup).map(Some)",
        )],
        tests: &[SETTINGS],
    },
    Mutant {
        name: "array-counts-from-zero",
        text: "the first task of an array has the number 0",
        file: SEARCH,
        changes: &[("let offset = id.checked_sub(min)", "let offset = Some(id)")],
        tests: &[SETTINGS],
    },
    Mutant {
        name: "sizes-forget-what-was-left-out",
        text: "tests that were passed over count for the last size alone",
        file: SOURCE,
        changes: &[(
            "Some(matrices) => left_out.and(matrices.left_out()),",
            "Some(matrices) => matrices.left_out(),",
        )],
        tests: &[SPLIT],
    },
    Mutant {
        name: "every-second-stop-is-tried",
        text: "threads stand still before every second of their operations",
        file: STILL,
        changes: &[("event_count| event_count + 1", "event_count| event_count + 2")],
        tests: &[PROGRESS],
    },
    Mutant {
        name: "threads-go-one-event-too-far",
        text: "a thread stands still behind the operation before which it was to",
        file: RUN_PORT,
        changes: &[(
            "current.still_at.is_some_and(|still_at| current.next >= still_at)",
            "current.still_at.is_some_and(|still_at| current.next > still_at)",
        )],
        tests: &[PROGRESS],
    },
    Mutant {
        name: "who-waits-waits-for-itself",
        text: "a thread that waits in a swap waits for what it stored itself",
        file: PROGRESS_FILE,
        changes: &[("makers.find(|maker| *maker != Some(waits.thread))", "makers.next()")],
        tests: &[PROGRESS],
    },
    Mutant {
        name: "one-step-more-than-declared",
        text: "a call may have one step more than it was declared to",
        file: PROGRESS_FILE,
        changes: &[("waits.is_none() && steps <= steps_max", "waits.is_none() && steps <= steps_max + 1")],
        tests: &[PROGRESS],
    },
    Mutant {
        name: "who-stands-still-is-stuck",
        text: "a call whose thread stands still waits for others",
        file: PROGRESS_FILE,
        changes: &[(
            "waiting.thread == call.thread && !stands_still(waiting)",
            "waiting.thread == call.thread && !waiting.place.source.file.is_empty()",
        )],
        tests: &[PROGRESS],
    },
    Mutant {
        name: "nonblocking-counts-from-the-call",
        text: "steps of a nonblocking call count that it did before what others have read of it",
        file: PROGRESS_FILE,
        changes: &[("(steps, last_read_by_others(recording, call.thread))", "(steps, 0)")],
        tests: &[PROGRESS],
    },
    Mutant {
        name: "failures-in-vain-are-no-steps",
        text: "rounds that fail in vain are left out where steps are counted",
        file: "scenario/concurrent.rs",
        changes: &[(
            "is_of_positions: !matrix.calls().any(",
            "is_of_positions: matrix.call_count() > 0 || !matrix.calls().any(",
        )],
        tests: &[PROGRESS],
    },
    Mutant {
        name: "twin-a-past-is-what-was-read",
        text: "two points of a program are the same to the twin whatever calls precede which",
        file: "lineup/twin/machine.rs",
        changes: &[(
            "memory: state.memory.clone(), seen };",
            "memory: state.memory.clone(), seen: std::mem::size_of_val(&seen) };",
        )],
        tests: &[TWIN],
    },
    Mutant {
        name: "twin-a-past-is-what-is-seen",
        text: "two points of a program are the same to the twin whatever its threads were told",
        file: "lineup/twin/machine.rs",
        changes: &[(
            "            state.tell(thread, Told::Read(stored));\n",
            "            let _ = stored;\n",
        )],
        tests: &[TWIN],
    },
];

//! What a run, and a search over many tests, goes by.

/// A setting: a method of the builder, an argument of a test, and an environment variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The name of the method, and of the argument.
    pub name: &'static str,
    /// Its type, in a word: `Name`, `Count`, `Size`, `Bytes`, `Milliseconds`, `Switch`, `Path`, or the name of a type of the runtime.
    pub kind: &'static str,
    /// The environment variable.
    pub variable: &'static str,
    /// What holds if nothing is said.
    pub default: &'static str,
    /// What it means.
    pub text: &'static str,
}

/// The settings: hands `docs name: Kind "variable" loom "loom's variable" "default"` to the macro of this name; `loom` with what follows it
/// may be missing.
#[macro_export]
macro_rules! settings {
    ($callback:path) => {
        $callback! {
            /// Which engine runs the program: an [`EngineKind`](crate::model::EngineKind), or its name: `rc11`, which explores all executions and is the default, `random`, which draws
            /// some, or `loom`.
            engine: Name "CDSSPEC_ENGINE" "`default`";
            /// Which executions there are: a [`MemoryModel`](crate::model::MemoryModel), or its name. RC11 if nothing says otherwise: the language's own model, which covers
            /// every compiler and machine, but for load buffering. The others say what a kind of machine does, as if the compiler changed nothing: an
            /// error that is found under `Sc` has nothing to do with memory orders, and what holds under `Tso` alone must not be ported from x86.
            /// The engine loom has no others.
            memory_model: Name "CDSSPEC_MEMORY_MODEL" "`rc11`";
            /// How many executions the engine `random` draws. Other engines have no use for it: an argument of a test is refused there, the variable is for those tests that are run by `random`.
            runs: Count "CDSSPEC_RUNS" "10,000";
            /// How the engine `random` draws executions: a [`Strategy`](crate::model::Strategy). In the variable `uniform`, `pos`, `pct:3` or `dpct:3`, where 3 is the depth.
            strategy: Strategy "CDSSPEC_STRATEGY" "`uniform`";
            /// How many executions to explore, at most. Reached: `inconclusive`, unless a fault was found. Those count that were explored before
            /// the exploration had to start again, which [`Outcome::executions`](crate::model::Outcome::executions) leaves out.
            executions_max: Count "CDSSPEC_EXECUTIONS_MAX" loom "LOOM_MAX_PERMUTATIONS" "no limit";
            /// How long to explore, at most. Reached: `inconclusive`, unless a fault was found.
            duration_max: Milliseconds "CDSSPEC_DURATION_MAX_MS" loom "LOOM_MAX_DURATION" "no limit";
            /// How long the program may stand still before what each of its threads did last is printed to stderr; zero: that is never printed. A
            /// lock of std that a thread holds while another one runs cannot be seen, and blocks the run for ever.
            watchdog: Milliseconds "CDSSPEC_WATCHDOG_MS" "10 s";
            /// How long the program may stand still before the process is ended, with exit code 101; zero: for ever, which is the default. What
            /// each thread did last is printed to stderr first. Nothing but the end of the process can end such a run.
            watchdog_exit: Milliseconds "CDSSPEC_WATCHDOG_EXIT_MS" "never";
            /// How many preemptions one execution may have: a bound on what is explored, so that the best verdict is `holds_within`.
            preemptions_max: Size "CDSSPEC_PREEMPTIONS_MAX" loom "LOOM_MAX_PREEMPTIONS" "no bound";
            /// How many operations one execution may have, spins included. An execution that has more is cut: `inconclusive`, unless
            /// a fault was found.
            branches_max: Size "CDSSPEC_BRANCHES_MAX" loom "LOOM_MAX_BRANCHES" "10,000";
            /// How many operations are recorded of one execution. An execution that has more is cut: `inconclusive`, unless a fault
            /// was found.
            recording_max: Size "CDSSPEC_RECORDING_MAX" "100,000";
            /// How many sequential histories and justifying subhistories of one execution are looked at. Reached: `inconclusive`, unless a fault was found.
            histories_max: Count "CDSSPEC_HISTORIES_MAX" "1,000,000";
            /// Which sequential histories are checked: with a random choice the best verdict is `holds_within`.
            histories: Histories "CDSSPEC_HISTORIES" "all";
            /// Which orders of the `SeqCst` operations executions are checked under. [`Total`](crate::check::SeqCstOrder::Total): every total order that extends
            /// the partial one of RC11, as far as it matters to the specification. A fault under one is a fault, and an execution is inadmissible if it
            /// is so under all. [`Partial`](crate::check::SeqCstOrder::Partial): the partial one itself; less is checked, so that the best verdict is `holds_within`.
            sc_order: SeqCstOrder "CDSSPEC_SC_ORDER" "total";
            /// The seed of everything that is random.
            seed: Count "CDSSPEC_SEED" "0";
            /// Whether each call begins with an operation on one hidden location. On loom it brings outcomes back that loom misses
            /// without it, at several times the executions.
            call_clock: Switch "CDSSPEC_CALL_CLOCK" "on";
            /// Whether a run that would hold is `inconclusive` if there is a [`Note`](crate::check::Note) about it: it checked less than it seems
            /// to.
            strict: Switch "CDSSPEC_STRICT" "off";
            /// Whether a failing `#[cdsspec::test]` is made smaller: statements that call a method, and whole threads, are left out as long as it fails alike, and whole
            /// numbers among arguments become small. Only where the verdict is `violated`, `unjustified` or `cyclic`: what an assertion of the program says
            /// depends on its calls. The report ends with the smallest test. All runs for it together have at most 20 times the executions of the failing one, and 50,000.
            shrink: Switch "CDSSPEC_SHRINK" "on";
            /// Whether a `#[cdsspec::test]` that passes says so on the standard error output of the process, past the harness: its verdict, how many executions, shapes
            /// and sequential histories there were, within which bounds, and in how many seconds. Without it that line is a part of what the test prints, which a harness
            /// shows with `--nocapture`.
            verbose: Switch "CDSSPEC_VERBOSE" "off";
            /// One execution to run again, alone: what the row `replay` of a report says, or the path of a file with that. The test must be the one that the report is about, and
            /// its program must do the same operations as then; else the verdict is `inconclusive`, and says where the program departed. An execution without a fault is
            /// `inconclusive` as well: nothing else was looked at.
            replay: Name "CDSSPEC_REPLAY" "none";
            /// Whether the exploration ends at the first fault.
            stop_at_first: Switch "CDSSPEC_STOP_AT_FIRST" "on";
            /// Whether a weak compare-exchange may fail spuriously, once per place and thread in an execution. rc11 models it, loom does not.
            spurious_failures: Switch "CDSSPEC_SPURIOUS_FAILURES" "on";
            /// Whether a wait on a `Condvar` and `park` may end without a reason, once per place and thread in an execution. rc11 models it, loom
            /// does not. Programs that wait in a loop, as std asks for, have a few executions less without it.
            spurious_wakeups: Switch "CDSSPEC_SPURIOUS_WAKEUPS" "on";
            /// How many rounds of one loop rc11 explores, for each place, thread and call, where they are not without effect: a loop that
            /// changes nothing from round to round is known to wait after a few. Loops that have more rounds are explored with a bound of 1, 2, 4
            /// and so on up to this one; if a thread reaches the last bound, the best verdict is `holds_within`, and the row `bounds` names the
            /// loop. By default the bound is raised up to 128, as long as the executions are few.
            loop_rounds_max: Size "CDSSPEC_LOOP_ROUNDS_MAX" "as many as are cheap, up to 128";
            /// Whether a round of a loop that waits is left out at once, the first one as well: as if the loop kept nothing of it. Such a round has a
            /// hint (`spin_loop`, `yield_now`), or is a compare-exchange that failed, and what it writes it takes back. Without this rc11 explores first
            /// rounds, since a fault may need one: what the loop counts, or memory that only a round that failed has used. Programs in which
            /// threads wait for locks have far fewer executions with it, and the best verdict is `holds_within`.
            spin_assume: Switch "CDSSPEC_SPIN_ASSUME" "off";
            /// Whether a use of an object that is not ordered after the allocation of its memory, or after
            /// [`initialized`](crate::heap::initialized), is the verdict `uninitialised`. Seen only with
            /// [`allocator!`](macro@crate::allocator).
            uninitialised: Switch "CDSSPEC_UNINITIALISED" "on";
            /// Whether a use of an object that is not ordered before the free of its memory, and a second free, are the verdict `freed`. Seen
            /// only with [`allocator!`](macro@crate::allocator).
            freed: Switch "CDSSPEC_FREED" "on";
            /// Whether memory that the program never frees is the verdict `leak`: blocks with an instrumented object that was used, or that such an
            /// object pointed to, which are there when the execution is complete, and to which no pointer leads from a block that the program still
            /// has, or from an instrumented object that outlives the execution. What only memory from before the
            /// execution holds, such as a plain static, is not seen to be held. Seen only with [`allocator!`](macro@crate::allocator).
            leaks: Switch "CDSSPEC_LEAKS" "off";
            /// Whether all violations of contracts in an execution are found and listed, and not the first alone.
            contract_continue: Switch "CDSSPEC_CONTRACT_CONTINUE" "off";
            /// Whether an event of a contract is before another if its invocation happens before the other's, as in the CSV paper; otherwise its return must.
            contract_invocations: Switch "CDSSPEC_CONTRACT_INVOCATIONS" "off";
            /// The highest level of the conditions of contracts that are looked at: a [`ContractLevel`](crate::model::ContractLevel), or its name.
            contract_level: ContractLevel "CDSSPEC_CONTRACT_LEVEL" "`axiom`: all of them";
            /// The stack of each thread of the program.
            stack_bytes: Bytes "CDSSPEC_STACK_BYTES" "256 KiB";
        }
    };
}

/// The settings of a search over many tests: hands `docs name: Kind "variable" "default"` to the macro of this name.
#[macro_export]
macro_rules! search_settings {
    ($callback:path) => {
        $callback! {
            /// How many tests are checked at a time; 0: as many as there are cores. Nothing but the time depends on it, unless a limit on time is set. A harness runs tests
            /// side by side, and so keeps all cores busy already: there it is 1, unless `RUST_TEST_THREADS=1` says that it does not.
            jobs: Size "CDSSPEC_JOBS" "in a `#[test]` 1, elsewhere as many as there are cores";
            /// Which part of the tests this machine checks, `2/3`: every third one, from the second on. Other machines check the others, and `cargo
            /// cdsspec merge` puts together what they wrote to `results`. A part that passes is no whole pass, and says so. Where nothing is said, the environment is asked, in this order:
            /// `NEXTEST_PARTITION`; `SLURM_ARRAY_TASK_ID`, with `_COUNT`, `_MIN`, and `_STEP`; `JOB_COMPLETION_INDEX` of Kubernetes, if `shards` says how many there are; `CI_NODE_INDEX` and
            /// `CI_NODE_TOTAL`. `1/1` is all of them, whatever the environment says.
            shard: Shard "CDSSPEC_SHARD" "what the environment says, else `1/1`";
            /// How many machines there are, where the environment numbers them and does not say: for indexed jobs of Kubernetes.
            shards: Size "CDSSPEC_SHARDS" "nothing";
            /// The file to which each search adds what its tests came to, as a line of JSON. It takes the feature `json`.
            results: Path "CDSSPEC_RESULTS" "nothing";
        }
    };
}

macro_rules! rows {
    ($(
        $(#[doc = $text:literal])*
        $name:ident: $kind:ident $variable:literal $(loom $loom:literal)? $default:literal;
    )*) => {
        &[$(Setting {
            name: stringify!($name),
            kind: stringify!($kind),
            variable: $variable,
            default: $default,
            text: concat!($($text, "\n"),*),
        }),*]
    };
}

macro_rules! of_runs {
    ($($row:tt)*) => {
        /// The settings of a run.
        pub const SETTINGS: &[Setting] = rows!($($row)*);
    };
}

macro_rules! of_searches {
    ($($row:tt)*) => {
        /// The settings of a search over many tests.
        pub const SEARCH_SETTINGS: &[Setting] = rows!($($row)*);
    };
}

settings!(of_runs);
search_settings!(of_searches);

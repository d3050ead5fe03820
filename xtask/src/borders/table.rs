//! The list: who may name whom, and why.

/// A room of the runtime: a folder of `cdsspec-runtime/src`.
pub(super) struct Room {
    pub(super) name: &'static str,
    /// The rooms that it may name, each with the reason; `*` is every room above it.
    edges: &'static [(&'static str, &'static str)],
}

/// The one module that may name the crate loom.
pub(super) const LOOM_MODULE: [&str; 2] = ["engine", "loom"];

/// Parts of rooms, rooms that they may not name although theirs may, and why.
pub(super) const HIDDEN: &[(&[&str], &[&str], &str)] = &[(
    &["report", "text"],
    &["relation", "history"],
    "it puts the value `Report` into words, and derives nothing",
)];

const ASKS_THE_ENGINE: (&str, &str) =
    ("port", "every operation is a question to the engine of the execution");
const SPEAKS_OF_OPERATIONS: (&str, &str) =
    ("record", "places, locations and threads are named by their record");
const READS: (&str, &str) = ("record", "a pure function of the recording");
const RUNS_CLAUSES: (&str, &str) =
    ("specification", "states, steps and rules are those of the specification");
const ORDERS: (&str, &str) = ("relation", "histories are linear extensions of the order of calls");

/// Every room, in the order of the data flow. Later rooms, beside `model`, name it and what is before it.
pub(super) const ROOMS: &[Room] = &[
    Room { name: "process", edges: &[] },
    Room { name: "random", edges: &[] },
    Room {
        name: "record",
        edges: &[("specification", "types only: the table of objects says what each one is specified by")],
    },
    Room {
        name: "specification",
        edges: &[("record", "ids of calls and methods, and source locations, are those of the record")],
    },
    Room {
        name: "heap",
        edges: &[("record", "allocations and frees are by threads, objects are locations")],
    },
    Room {
        name: "port",
        edges: &[
            ("heap", "whose code runs is known at the port; an execution has a heap"),
            ("process", "what a test does outside of any program is told once a process"),
            ("record", "operations and calls go into the record"),
            ("specification", "a call names the specification of its object"),
        ],
    },
    Room { name: "sync", edges: &[ASKS_THE_ENGINE, SPEAKS_OF_OPERATIONS] },
    Room { name: "thread", edges: &[ASKS_THE_ENGINE, SPEAKS_OF_OPERATIONS] },
    Room { name: "cell", edges: &[ASKS_THE_ENGINE, SPEAKS_OF_OPERATIONS] },
    Room { name: "hint", edges: &[ASKS_THE_ENGINE, SPEAKS_OF_OPERATIONS] },
    Room {
        name: "future",
        edges: &[
            ASKS_THE_ENGINE,
            SPEAKS_OF_OPERATIONS,
            ("sync", "a waker is kept under a lock"),
            ("thread", "who registers a waker beside a wake-up lets that go on"),
        ],
    },
    Room {
        name: "graph",
        edges: &[
            ("port", "what an operation makes of a value is said by who asks for it"),
            ("record", "events have places"),
        ],
    },
    Room { name: "memory_model", edges: &[("graph", "which graphs are consistent")] },
    Room {
        name: "explore",
        edges: &[
            ("graph", "which graphs come next"),
            ("memory_model", "of those that are consistent"),
            ("random", "or choices are drawn"),
            ("record", "events have places"),
        ],
    },
    Room {
        name: "run",
        edges: &[
            ("explore", "programs run under the graphs that it brings"),
            ("graph", "what is in the graph is replayed, and events are added to it"),
            ("memory_model", "says which orders are in force"),
            ("port", "implements it"),
            ("record", "a run is recorded"),
            ("heap", "what the heap shows is held against happens-before"),
            ("process", "a panic of our own ends the execution"),
            ("random", "samples are drawn"),
        ],
    },
    Room {
        name: "engine",
        edges: &[
            ("run", "limits, visitors; one engine is that of the runs under graphs"),
            ("memory_model", "an engine goes by the name of one"),
            ("port", "an engine implements it"),
            ("record", "an engine fills the recording"),
            ("heap", "an engine holds what the heap shows against happens-before"),
            ("process", "a panic of our own ends the execution"),
        ],
    },
    Room {
        name: "relation",
        edges: &[
            READS,
            ("specification", "tests only: a recording made by hand has objects, which are specified"),
        ],
    },
    Room { name: "history", edges: &[READS, ORDERS, RUNS_CLAUSES, ("random", "histories are drawn")] },
    Room { name: "contract", edges: &[READS] },
    Room {
        name: "check",
        edges: &[
            READS,
            ORDERS,
            RUNS_CLAUSES,
            ("history", "the searches that decide a verdict"),
            ("contract", "how objects are used is a part of the verdict"),
        ],
    },
    Room {
        name: "report",
        edges: &[
            READS,
            ORDERS,
            RUNS_CLAUSES,
            ("history", "shows histories"),
            ("check", "shows findings"),
            ("contract", "shows what a contract rules out"),
            ("process", "says how a process ended, and what of ours panicked"),
        ],
    },
    Room { name: "model", edges: &[("*", "ties the rooms together")] },
    Room {
        name: "weaken",
        edges: &[
            ("model", "runs programs with other memory orders"),
            ("port", "overrides orders by place, and gets the places that are reached"),
            ("record", "places are those of the record"),
            ("check", "what a run comes to is a verdict"),
            ("report", "lays out its tables"),
            ("process", "a panic of our own is never silent"),
            ("sync", "tests only: programs that are weakened"),
            ("thread", "tests only: their threads"),
            ("cell", "tests only: what they hand over"),
        ],
    },
    Room {
        name: "scenario",
        edges: &[
            ("engine", "a matrix is a program"),
            ("port", "notes when calls begin and return, and hands turns on"),
            ("record", "moments are those of the record"),
            ("thread", "the threads of a matrix"),
        ],
    },
    Room {
        name: "lineup",
        edges: &[
            ("scenario", "checks its tests"),
            ("model", "explores programs"),
            ("engine", "looks at executions itself"),
            ("record", "precedence is that of operations"),
            ("port", "the naive twin is an engine to the program"),
            ("heap", "which asks an engine how far it is"),
            ("run", "the naive twin has its coroutines"),
            ("check", "what a test comes to is a verdict"),
            ("report", "lays out its texts"),
            ("process", "a pass of a part of the tests is told past the harness, which would keep it back"),
            ("sync", "tests only: what is checked"),
        ],
    },
    Room {
        name: "localize",
        edges: &[
            ("scenario", "histories are runs of its matrices"),
            ("lineup", "explores test cases, and makes them smaller"),
            ("model", "runs programs"),
            ("engine", "looks at executions itself"),
            ("record", "when calls began and returned"),
            ("specification", "judges histories by its sequential side"),
            ("history", "what a clause panicked with"),
            ("port", "runs keep to recorded steps"),
            ("random", "how far they do is drawn"),
            ("check", "what histories come to is a verdict"),
            ("report", "lays out its texts"),
        ],
    },
    Room { name: "example", edges: &[("*", "one command line for all that can be done with a program")] },
];

/// Exported macros live at the root of the crate, whichever room they are in: the macro, and its room.
const ROOT_MACROS: &[(&str, &str)] = &[
    ("__can_show", "specification"),
    ("__key", "specification"),
    ("__operation_name", "record"),
    ("__show", "specification"),
    ("allocator", "heap"),
    ("thread_local", "thread"),
];

/// The room that an item at the root of the crate belongs to, by its name: a room itself, or an exported macro's.
pub(super) fn room_of(name: &str) -> Option<&str> {
    let of_macro = ROOT_MACROS.iter().find(|(known, _)| *known == name).map(|(_, room)| *room);
    of_macro.or_else(|| room(name).map(|room| room.name))
}

/// The room of this name.
pub(super) fn room(name: &str) -> Option<&'static Room> {
    ROOMS.iter().find(|room| room.name == name)
}

/// The rooms that `from` may name beside itself.
pub(super) fn allowed(from: &str) -> Vec<&'static str> {
    let names = ROOMS.iter().map(|room| room.name);
    names.filter(|name| *name != from && is_allowed(from, name)).collect()
}

/// Whether `from` may name `to`. Both are rooms.
pub(super) fn is_allowed(from: &str, to: &str) -> bool {
    let Some(room) = room(from) else { return false };
    let is_before = || ROOMS.iter().take_while(|room| room.name != from).any(|room| room.name == to);
    room.edges.iter().any(|(name, _)| *name == to || (*name == "*" && is_before()))
}

//! What the CDSSpec paper has measured (Ou and Demsky, PPoPP 2017).

/// What the paper has measured of a structure (figure 7).
pub(crate) struct Published {
    pub(crate) structure: &'static str,
    /// Its program, as it is called here.
    pub(crate) program: &'static str,
    /// All, and those that are feasible.
    pub(crate) executions: [u32; 2],
    pub(crate) seconds: f64,
}

/// A row of the figure.
const fn published(
    structure: &'static str,
    program: &'static str,
    executions: [u32; 2],
    seconds: f64,
) -> Published {
    Published { structure, program, executions, seconds }
}

/// Figure 7, in its order.
pub(crate) const FIGURE_7: [Published; 10] = [
    published("chase_lev_deque", "main", [893, 158], 0.10),
    published("spsc_queue", "enq__deq", [18, 15], 0.01),
    published("rcu", "three", [47, 18], 0.01),
    published("hashmap", "empty", [6, 6], 0.01),
    published("mcs_lock", "twice", [21_126, 13_786], 3.00),
    published("mpmc_queue", "both", [2_911, 1_274], 4.83),
    published("ms_queue", "enq_deq__enq_deq", [296, 150], 0.03),
    published("linux_rwlock", "both", [69_386, 1_822], 13.71),
    published("seqlock", "write__read", [89, 36], 0.01),
    published("ticket_lock", "twice", [1_790, 978], 0.17),
];

/// What the paper's tool has found (figure 8): built-in, inadmissible, assertions, of all.
pub(crate) const FIGURE_8: [(&str, [u32; 4]); 10] = [
    ("chase_lev_deque", [3, 0, 4, 7]),
    ("spsc_queue", [0, 0, 2, 2]),
    ("rcu", [3, 0, 0, 3]),
    ("hashmap", [2, 0, 2, 4]),
    ("mcs_lock", [4, 0, 4, 8]),
    ("mpmc_queue", [0, 4, 0, 8]),
    ("ms_queue", [3, 0, 7, 10]),
    ("linux_rwlock", [0, 0, 8, 8]),
    ("seqlock", [0, 0, 5, 5]),
    ("ticket_lock", [0, 0, 2, 2]),
];

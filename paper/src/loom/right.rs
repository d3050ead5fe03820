//! Who is right where a test comes to something else here than under loom: by hand, by RC11 or by std.

/// A test, by its crate and its name, and what decides it.
pub(super) struct Judgement {
    pub(super) suite: &'static str,
    /// What the name of the test ends with.
    pub(super) test: &'static str,
    pub(super) right: &'static str,
}

const fn judged(suite: &'static str, test: &'static str, right: &'static str) -> Judgement {
    Judgement { suite, test, right }
}

const JUDGEMENTS: &[Judgement] = &[
    judged("loom", "initial_thread", "ours: the main thread is called `main` (std)"),
    judged(
        "loom",
        "try_unwrap_multithreaded",
        "ours: `Notify::wait` may wake up without a reason (loom's does, and lets the other thread run first), and the test relies on its not doing so",
    ),
    judged(
        "loom",
        "compare_exchange_weak",
        "ours: it may fail without a reason (std); loom ignores the test",
    ),
    judged("loom", "test_seq_cst", "ours: SeqCst accesses are in one order (RC11); loom ignores the test"),
];

/// What decides a test whose results differ; `open`, if nobody has said.
pub(super) fn right(suite: &str, test: &str) -> &'static str {
    let is_it = |judged: &&Judgement| judged.suite == suite && test.ends_with(judged.test);
    JUDGEMENTS.iter().find(is_it).map_or("open", |judged| judged.right)
}

//! What a run is called.

/// What a run is called.
#[derive(Clone, Default)]
pub(super) struct Identity {
    pub(super) program: String,
    /// The name of the test that runs it, if it is one.
    pub(super) test: Option<String>,
    /// The memory orders that are not as written, in words; empty if all are.
    pub(super) overrides: String,
    /// Which one it is of the programs that this OS thread has checked, from 1; `None` for one of a search, which runs many, on threads that share the work.
    pub(super) number: Option<usize>,
}

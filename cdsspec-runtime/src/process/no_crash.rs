//! Where there are no signals of Unix, a crash says nothing of its own.

/// How a process ends before its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(dead_code, reason = "nobody tells here how it ends")]
pub(crate) enum Crash {
    /// Memory that may not be accessed.
    Segmentation,
    /// Memory that cannot be accessed.
    Bus,
    /// An instruction that does not exist.
    Illegal,
    /// It was told to.
    Abort,
}

/// Runs `f`.
pub(crate) fn during<R>(_line: impl Fn(Crash) -> String, f: impl FnOnce() -> R) -> R {
    f()
}

//! The closed list of verdicts.

use std::fmt;

/// What an execution, or a run, comes to. Worst first: the smaller one wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Verdict {
    /// The specification is wrong in itself: a clause panicked, an ordering point has no operation.
    SpecError,
    /// On replay the program left its path.
    Nondeterministic,
    /// Two conflicting accesses are not ordered.
    Race,
    /// The allocation or initialisation of memory does not happen before a use of it.
    Uninitialised,
    /// A use of memory does not happen before its free, in whichever order the two ran; or it was freed twice.
    Freed,
    /// A panic that nobody joined.
    Panic,
    /// Threads wait for each other, for ever.
    Deadlock,
    /// A thread spins, and nobody can ever end it.
    Livelock,
    /// The order of the calls has a cycle.
    Cyclic,
    /// A sequential history breaks a condition.
    Violated,
    /// A call has no justifying subhistory.
    Unjustified,
    /// Memory was never freed, and nothing leads to it any more. Looked for only where that is switched on.
    Leak,
    /// A limit was reached before anything was found.
    Inconclusive,
    /// Every execution was inadmissible: nothing was checked.
    Inadmissible,
    /// No fault within bounds that the user set, or that the engine has.
    HoldsWithin,
    /// No fault in any behaviour that the memory model allows.
    Holds,
}

impl Verdict {
    /// The word that reports and JSON use.
    pub fn word(self) -> &'static str {
        match self {
            Self::SpecError => "spec_error",
            Self::Nondeterministic => "nondeterministic",
            Self::Race => "race",
            Self::Uninitialised => "uninitialised",
            Self::Freed => "freed",
            Self::Panic => "panic",
            Self::Deadlock => "deadlock",
            Self::Livelock => "livelock",
            Self::Cyclic => "cyclic",
            Self::Violated => "violated",
            Self::Unjustified => "unjustified",
            Self::Leak => "leak",
            Self::Inconclusive => "inconclusive",
            Self::Inadmissible => "inadmissible",
            Self::HoldsWithin => "holds_within",
            Self::Holds => "holds",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

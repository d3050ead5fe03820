//! What is expected of a program.

use crate::check::Verdict;
use std::fmt;

/// The verdicts that a program may have.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Expected {
    /// `holds`, or `holds_within` the bounds of the engine.
    Holds,
    /// Exactly this one.
    Verdict(Verdict),
    /// One of these: which of them shows first is up to the engine.
    OneOf(Vec<Verdict>),
}

impl Expected {
    /// Whether the verdict is one of those expected.
    pub fn includes(&self, verdict: Verdict) -> bool {
        self.verdicts().contains(&verdict)
    }

    fn verdicts(&self) -> Vec<Verdict> {
        match self {
            Self::Holds => vec![Verdict::Holds, Verdict::HoldsWithin],
            Self::Verdict(verdict) => vec![*verdict],
            Self::OneOf(verdicts) => verdicts.clone(),
        }
    }
}

impl From<Verdict> for Expected {
    fn from(verdict: Verdict) -> Self {
        Self::Verdict(verdict)
    }
}

/// One of several.
impl<const COUNT: usize> From<[Verdict; COUNT]> for Expected {
    fn from(verdicts: [Verdict; COUNT]) -> Self {
        Self::OneOf(verdicts.into())
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.verdicts().into_iter().map(Verdict::word).collect();
        f.write_str(&words.join(" or "))
    }
}

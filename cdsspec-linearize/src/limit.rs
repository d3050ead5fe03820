//! How far a search may go.

/// Limits of one judgement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many steps of the specification are tried, at most, over all searches of the judgement.
    pub steps_max: u64,
    /// How many bytes a search may keep, at most. What tables have in reserve, and twice while they grow, is in it.
    pub bytes_max: usize,
}

impl Default for Limits {
    /// A thousand million steps, a gibibyte.
    fn default() -> Self {
        Self { steps_max: 1_000_000_000, bytes_max: 1 << 30 }
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::steps_max`], with its value.
    Steps(u64),
    /// [`Limits::bytes_max`], with its value.
    Bytes(usize),
}

/// What is left of the limits.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    steps: u64,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, steps: 0 }
    }

    /// How many steps were tried.
    pub(crate) fn step_count(&self) -> u64 {
        self.steps
    }

    /// Counts a step.
    pub(crate) fn step(&mut self) -> Result<(), Limit> {
        self.steps += 1;
        if self.steps > self.limits.steps_max { Err(Limit::Steps(self.limits.steps_max)) } else { Ok(()) }
    }

    /// Looks whether a search may keep so many bytes.
    pub(crate) fn keep(&self, bytes: usize) -> Result<(), Limit> {
        if bytes > self.limits.bytes_max { Err(Limit::Bytes(self.limits.bytes_max)) } else { Ok(()) }
    }
}

/// At most how many bytes a growing table keeps for so many entries of this size: a `Vec` doubles, and holds the old and the new one meanwhile.
pub(crate) fn vec_bytes(count: usize, entry_bytes: usize) -> usize {
    3 * count.max(4) * entry_bytes
}

/// The same of an `IndexSet`: the entries with their hashes, and a table of indices that is at most 7/8 full.
pub(crate) fn set_bytes(count: usize, entry_bytes: usize) -> usize {
    vec_bytes(count, entry_bytes + size_of::<u64>()) + 32 * count.max(4)
}

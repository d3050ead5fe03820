//! What is chosen for a run that is no limit.

use crate::memory_model::MemoryModel;

/// What is chosen for a run that is no limit.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which graphs are consistent.
    pub memory_model: MemoryModel,
    /// A weak compare-exchange may fail spuriously, once per place and thread in an execution.
    pub has_spurious_failures: bool,
    /// An execution goes on after a data race and is reported as one at its end. Only for programs whose races are harmless.
    pub goes_on_after_race: bool,
    /// Which enabled thread goes on is drawn at random, from this seed, at every operation. No count depends on it.
    pub scheduling_seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory_model: MemoryModel::default(),
            has_spurious_failures: true,
            goes_on_after_race: false,
            scheduling_seed: None,
        }
    }
}

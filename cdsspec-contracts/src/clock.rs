//! Vector clocks.

/// A thread, numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadIndex(pub u32);

/// A moment of a thread: how many steps it had done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Epoch {
    /// Whose moment it is.
    pub thread: ThreadIndex,
    /// How many steps the thread had done, from 1.
    pub step: u64,
}

/// For each thread, how many of its steps happen before. A thread that is not named counts as 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// By [`ThreadIndex`]; the last is not 0.
    steps: Vec<u64>,
}

impl Clock {
    /// The clock that nothing happens before.
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// How many steps of `thread` happen before.
    pub fn get(&self, thread: ThreadIndex) -> u64 {
        self.steps.get(thread.0 as usize).copied().unwrap_or(0)
    }

    /// Whether `epoch` happens before.
    pub fn includes(&self, epoch: Epoch) -> bool {
        epoch.step <= self.get(epoch.thread)
    }

    /// Makes `epoch` happen before as well.
    pub fn include(&mut self, epoch: Epoch) {
        let index = epoch.thread.0 as usize;
        if epoch.step > self.get(epoch.thread) {
            if self.steps.len() <= index {
                self.steps.resize(index + 1, 0);
            }
            self.steps[index] = epoch.step;
        }
    }

    /// Makes everything happen before that happens before `other`. Cost: the number of threads.
    pub fn join(&mut self, other: &Self) {
        if self.steps.len() < other.steps.len() {
            self.steps.resize(other.steps.len(), 0);
        }
        for (mine, theirs) in self.steps.iter_mut().zip(&other.steps) {
            *mine = (*mine).max(*theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_includes_what_was_included_and_what_was_joined() {
        let epoch = |thread, step| Epoch { thread: ThreadIndex(thread), step };
        let (mut first, mut second) = (Clock::new(), Clock::new());
        first.include(epoch(2, 3));
        second.include(epoch(0, 1));
        assert!(first.includes(epoch(2, 2)) && first.includes(epoch(2, 3)));
        assert!(!first.includes(epoch(2, 4)) && !first.includes(epoch(0, 1)));
        second.join(&first);
        assert!(second.includes(epoch(2, 3)) && second.includes(epoch(0, 1)));
        assert_eq!(second.get(ThreadIndex(1)), 0);
    }
}

//! Vector clocks.

use super::ThreadId;
use smallvec::SmallVec;

/// For each thread, how many of its operations are included. A thread that is not named counts as 0.
#[derive(Clone, Default, Debug)]
pub struct Clock(SmallVec<[u32; 6]>);

impl Clock {
    /// The clock that includes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many operations of `thread` are included.
    pub fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    /// Includes the first `count` operations of `thread` as well.
    pub fn include(&mut self, thread: ThreadId, count: u32) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        let entry = &mut self.0[thread.index()];
        *entry = (*entry).max(count);
    }

    /// Includes everything that `other` includes. Cost: the number of threads.
    pub fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Whether everything that `self` includes is included in `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        self.0.iter().enumerate().all(|(index, count)| *count <= other.0.get(index).copied().unwrap_or(0))
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        self.is_within(other) && other.is_within(self)
    }
}

impl Eq for Clock {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_is_the_least_clock_above_both() {
        let (a, b) = (ThreadId::new(0), ThreadId::new(3));
        let (mut left, mut right) = (Clock::new(), Clock::new());
        left.include(a, 2);
        right.include(b, 5);
        assert!(!left.is_within(&right) && !right.is_within(&left));
        let mut both = left.clone();
        both.join(&right);
        assert!(left.is_within(&both) && right.is_within(&both));
        assert_eq!((both.get(a), both.get(b), both.get(ThreadId::new(1))), (2, 5, 0));
    }

    #[test]
    fn trailing_zeros_do_not_matter() {
        let mut long = Clock::new();
        long.include(ThreadId::new(4), 0);
        assert_eq!(long, Clock::new());
    }
}

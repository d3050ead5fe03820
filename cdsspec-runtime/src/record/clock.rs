//! Vector clocks.

use super::ThreadId;

/// For each thread, how many of its operations are included. A thread that is not named counts as 0.
///
/// The first threads are kept inline, so that the clocks of most programs are copied without an allocation.
#[derive(Clone, Default, Debug)]
pub struct Clock {
    first: [u32; INLINE_COUNT],
    /// Of the threads from `INLINE_COUNT` on.
    more: Vec<u32>,
}

const INLINE_COUNT: usize = 8;

impl Clock {
    /// The clock that includes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many operations of `thread` are included.
    pub fn get(&self, thread: ThreadId) -> u32 {
        match self.first.get(thread.index()) {
            Some(count) => *count,
            None => self.more.get(thread.index() - INLINE_COUNT).copied().unwrap_or(0),
        }
    }

    /// Includes the first `count` operations of `thread` as well.
    pub fn include(&mut self, thread: ThreadId, count: u32) {
        let entry = match self.first.get_mut(thread.index()) {
            Some(entry) => entry,
            None => {
                let index = thread.index() - INLINE_COUNT;
                if self.more.len() <= index {
                    self.more.resize(index + 1, 0);
                }
                &mut self.more[index]
            }
        };
        *entry = (*entry).max(count);
    }

    /// Includes everything that `other` includes. Cost: the number of threads.
    pub fn join(&mut self, other: &Self) {
        if self.more.len() < other.more.len() {
            self.more.resize(other.more.len(), 0);
        }
        let theirs = other.first.iter().chain(&other.more);
        for (mine, theirs) in self.first.iter_mut().chain(&mut self.more).zip(theirs) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Whether everything that `self` includes is included in `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        let more = self.more.iter().enumerate();
        self.first.iter().zip(&other.first).all(|(mine, theirs)| mine <= theirs)
            && more.into_iter().all(|(index, count)| *count <= other.more.get(index).copied().unwrap_or(0))
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.first = [0; INLINE_COUNT];
        self.more.clear();
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
        let (a, b) = (ThreadId::new(0), ThreadId::new(10));
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
        long.include(ThreadId::new(12), 0);
        assert_eq!(long, Clock::new());
    }
}

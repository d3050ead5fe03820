//! Narrow vector clocks: how many events of each thread are included.

use smallvec::SmallVec;

/// For each thread of a graph, how many of its events are included; a thread that is not named counts as 0.
#[derive(Clone, Default, Debug)]
pub(super) struct Clock(SmallVec<[u16; 12]>);

impl Clock {
    pub(super) fn get(&self, thread: usize) -> u16 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, thread: usize, count: u16) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = count;
    }

    pub(super) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

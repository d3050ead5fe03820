//! Narrow vector clocks: how many events of each thread are included.

/// For each thread of a graph, how many of its events are included.
///
/// The first threads are kept inline, so that the clocks of most programs are copied without an allocation.
#[derive(Clone, Default, Debug)]
pub(super) struct Clock {
    first: [u16; INLINE_COUNT],
    /// Of the threads from `INLINE_COUNT` on; one that is not named counts as 0.
    #[expect(clippy::box_collection, reason = "a clock is small, and most have no more threads")]
    more: Option<Box<Vec<u16>>>,
}

const INLINE_COUNT: usize = 12;

impl Clock {
    #[inline]
    pub(super) fn get(&self, thread: usize) -> u16 {
        match self.first.get(thread) {
            Some(count) => *count,
            None => self.more.as_ref().and_then(|more| more.get(thread - INLINE_COUNT).copied()).unwrap_or(0),
        }
    }

    pub(super) fn set(&mut self, thread: usize, count: u16) {
        if let Some(entry) = self.first.get_mut(thread) {
            *entry = count;
            return;
        }
        let more = self.more.get_or_insert_default();
        if more.len() <= thread - INLINE_COUNT {
            more.resize(thread - INLINE_COUNT + 1, 0);
        }
        more[thread - INLINE_COUNT] = count;
    }

    #[inline]
    pub(super) fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.first.iter_mut().zip(&other.first) {
            *mine = (*mine).max(*theirs);
        }
        if let Some(more) = &other.more {
            for (index, count) in more.iter().enumerate() {
                if *count > self.get(INLINE_COUNT + index) {
                    self.set(INLINE_COUNT + index, *count);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_threads_are_joined_like_few() {
        let (mut left, mut right) = (Clock::default(), Clock::default());
        left.set(1, 3);
        left.set(20, 5);
        right.set(1, 2);
        right.set(13, 7);
        right.set(20, 6);
        left.join(&right);
        assert_eq!([1, 13, 20, 40].map(|thread| left.get(thread)), [3, 7, 6, 0]);
    }
}

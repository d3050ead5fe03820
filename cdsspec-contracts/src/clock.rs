//! Vector clocks.

/// A thread, numbered from 0. On real threads a number goes from one thread to a later one: what that does to clocks is said at [`Epoch::step`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadIndex(pub u32);

/// How many bits of a step count; those above are the generation.
pub(crate) const COUNT_BITS: u32 = 38;

/// Which generation of its thread index a step is of.
pub(crate) const fn generation(step: u64) -> u64 {
    step >> COUNT_BITS
}

/// A moment of a thread: how many steps it had done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Epoch {
    /// Whose moment it is.
    pub thread: ThreadIndex,
    /// How many steps the thread had done, from 1, in the lower 38 bits. The bits above are a *generation*: 0, unless the index was taken
    /// from a thread that had ended by one that does not come after it. Then nothing is known of the former one's steps to whoever knows
    /// of the later one's: [`Clock::includes`] is false across generations.
    pub step: u64,
}

/// For each thread, how many of its steps happen before. A thread that is not named counts as 0.
#[derive(PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// By [`ThreadIndex`]; the last is not 0.
    steps: Vec<u64>,
}

impl Clone for Clock {
    fn clone(&self) -> Self {
        Self { steps: self.steps.clone() }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.steps.clone_from(&source.steps);
    }
}

impl Clock {
    /// The clock that nothing happens before.
    pub const fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// How many steps of `thread` happen before.
    #[inline]
    pub fn get(&self, thread: ThreadIndex) -> u64 {
        self.steps.get(thread.0 as usize).copied().unwrap_or(0)
    }

    /// Whether `epoch` happens before. Of another generation than the one that is known, it does not.
    #[inline]
    pub fn includes(&self, epoch: Epoch) -> bool {
        let known = self.get(epoch.thread);
        epoch.step <= known && generation(epoch.step) == generation(known)
    }

    /// Makes `epoch` happen before as well. Earlier generations of its thread are forgotten.
    #[inline]
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

#[cfg(feature = "threads")]
impl Clock {
    /// One more step of `thread`, which has done some; how many these are now.
    #[inline]
    pub(crate) fn advance(&mut self, thread: ThreadIndex) -> u64 {
        let step = &mut self.steps[thread.0 as usize];
        *step += 1;
        *step
    }

    /// By thread.
    #[inline]
    pub(crate) fn steps(&self) -> &[u64] {
        &self.steps
    }

    /// These steps, by thread.
    #[inline]
    pub(crate) fn set_steps(&mut self, steps: &[u64]) {
        let length = steps.iter().rposition(|step| *step > 0).map_or(0, |last| last + 1);
        self.steps.clear();
        self.steps.extend_from_slice(&steps[..length]);
    }

    /// Whether nothing happens before.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Forgets everything.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epoch(thread: u32, step: u64) -> Epoch {
        Epoch { thread: ThreadIndex(thread), step }
    }

    #[test]
    fn a_clock_includes_what_was_included_and_what_was_joined() {
        let (mut first, mut second) = (Clock::new(), Clock::new());
        first.include(epoch(2, 3));
        second.include(epoch(0, 1));
        assert!(first.includes(epoch(2, 2)) && first.includes(epoch(2, 3)));
        assert!(!first.includes(epoch(2, 4)) && !first.includes(epoch(0, 1)));
        second.join(&first);
        assert!(second.includes(epoch(2, 3)) && second.includes(epoch(0, 1)));
        assert_eq!(second.get(ThreadIndex(1)), 0);
    }

    #[test]
    fn a_later_generation_says_nothing_of_an_earlier_one() {
        let later = 1 << COUNT_BITS;
        let (mut first, mut second) = (Clock::new(), Clock::new());
        first.include(epoch(1, 7));
        second.include(epoch(1, later + 2));
        assert!(!second.includes(epoch(1, 7)));
        assert!(second.includes(epoch(1, later + 2)) && !first.includes(epoch(1, later + 1)));
        first.join(&second);
        assert!(!first.includes(epoch(1, 7)) && first.includes(epoch(1, later + 1)));
    }
}

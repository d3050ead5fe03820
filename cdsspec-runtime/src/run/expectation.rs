//! How many operations are still to come, as far as the source of the calls tells (D-PCT).
//!
//! Calls that have not begun, and what is left of those that run, make the assumption. A run leaves it by an operation more than a call was to have, as in a further round of a loop, or by a call that was not expected; then what is
//! still to come is counted again. That a call has done less than it might changes nothing by itself.
//!
//! # Paper
//! Zhang, Wu, Zhang, *Localization of linearizability faults on the coarse-grained level* (CGVT), III.B, figure 5.

use crate::graph::ThreadIndex;

/// What a run is expected to do.
#[derive(Default)]
pub(crate) struct Expectation {
    /// Whether anybody asks.
    pub(super) is_wanted: bool,
    /// In calls that have not begun.
    unbegun: u64,
    of_threads: Vec<Running>,
    /// Whether the run has left the assumption since that was asked.
    is_left: bool,
    /// In all calls that have begun, as was expected of each.
    begun: u64,
}

/// The call that a thread runs; calls in it are part of it.
#[derive(Clone, Copy, Default)]
struct Running {
    depth: u32,
    expected: u64,
    left: u64,
}

impl Expectation {
    /// A run begins whose calls do so much; nothing, if nobody asks.
    pub(crate) fn begin(&mut self, unbegun: Option<u64>) {
        self.of_threads.clear();
        (self.is_wanted, self.unbegun) = (unbegun.is_some(), unbegun.unwrap_or(0));
        (self.is_left, self.begun) = (false, 0);
    }

    /// The calls from here on are known: they do so much.
    pub(crate) fn plan(&mut self, unbegun: u64) {
        (self.unbegun, self.is_left) = (unbegun, true);
    }

    /// A thread begins a call that does so much.
    pub(crate) fn begin_call(&mut self, thread: ThreadIndex, expected: u64) {
        if self.of_threads.len() <= thread {
            self.of_threads.resize(thread + 1, Running::default());
        }
        let running = &mut self.of_threads[thread];
        running.depth += 1;
        if running.depth > 1 {
            return;
        }
        (running.expected, running.left) = (expected, expected);
        self.begun = self.begun.saturating_add(expected);
        self.is_left |= self.unbegun < expected;
        self.unbegun = self.unbegun.saturating_sub(expected);
    }

    /// A thread's call returns.
    pub(crate) fn end_call(&mut self, thread: ThreadIndex) {
        if let Some(running) = self.of_threads.get_mut(thread) {
            running.depth = running.depth.saturating_sub(1);
            running.left = if running.depth == 0 { 0 } else { running.left };
        }
    }

    /// A thread has done an operation; whether in a call.
    pub(crate) fn note_step(&mut self, thread: ThreadIndex) -> bool {
        let Some(running) = self.of_threads.get_mut(thread).filter(|running| running.depth > 0) else {
            return false;
        };
        if running.left == 0 {
            (running.left, self.is_left) = (running.expected, true);
        }
        running.left -= 1;
        true
    }

    /// How much is still to come, if the run has left the assumption since this was asked last.
    pub(crate) fn counted_again(&mut self) -> Option<u64> {
        let all =
            || self.of_threads.iter().fold(self.unbegun, |sum, running| sum.saturating_add(running.left));
        let count = self.is_left.then(all);
        self.is_left = false;
        count
    }

    /// What all calls that have begun were expected to do.
    pub(crate) fn begun(&self) -> u64 {
        self.begun
    }
}

#[cfg(test)]
mod tests {
    use super::Expectation;

    #[test]
    fn what_comes_as_expected_leaves_nothing() {
        let mut expectation = Expectation::default();
        expectation.begin(Some(5));
        expectation.begin_call(1, 2);
        expectation.begin_call(0, 3);
        // A call in a call is part of it.
        expectation.begin_call(0, 9);
        let steps = [1, 0, 1, 0, 0, 2].map(|thread| expectation.note_step(thread));
        assert_eq!(steps, [true, true, true, true, true, false]);
        expectation.end_call(0);
        expectation.end_call(0);
        assert!(!expectation.note_step(0));
        assert_eq!((expectation.counted_again(), expectation.begun()), (None, 5));
    }

    #[test]
    fn a_further_round_and_a_further_call_are_counted_again() {
        let mut expectation = Expectation::default();
        expectation.begin(Some(10));
        expectation.begin_call(0, 2);
        expectation.begin_call(1, 4);
        (0..3).for_each(|_| assert!(expectation.note_step(0)));
        // Four that have not begun, one more of the first thread, four of the second.
        assert_eq!((expectation.counted_again(), expectation.counted_again()), (Some(9), None));
        expectation.end_call(1);
        expectation.begin_call(1, 6);
        assert_eq!((expectation.counted_again(), expectation.begun()), (Some(7), 12));
        expectation.plan(20);
        assert_eq!(expectation.counted_again(), Some(27));
    }
}

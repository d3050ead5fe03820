//! What is known of loops from one run to the next, and from one start of the exploration to the next: bounds, and what rounds are taken for.

use super::rounds::Head;
use crate::graph::is_same_place;
use crate::record::Place;

/// A loop without a hint is taken to be without end after so many times as many rounds as one with hints: it may just have much to do.
pub(crate) const UNHINTED_FACTOR: usize = 8;

/// A thread with so many events has gone round its loop for long.
const LONG_THREAD: usize = 2_000;

/// The rounds that are explored of a loop without end, if the setting says nothing.
pub(crate) const ROUNDS_MAX: usize = 128;

/// A bound is not raised any more, unless the setting says so, once the exploration has come to so many executions within it.
const STAGE_EXECUTIONS_MAX: u64 = 2_000;

/// A loop whose rounds are bounded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoundedLoop {
    place: Place,
    pub(crate) has_hints: bool,
}

/// What is known of loops from one run to the next, and from one start of the exploration to the next.
#[derive(Debug)]
pub(crate) struct Loops {
    /// The setting; `None`: as many as are cheap.
    rounds_max: Option<usize>,
    bounded: Vec<BoundedLoop>,
    /// The bound now.
    pub(crate) bound: usize,
    /// Whether method calls are recorded.
    pub(crate) has_calls: bool,
    /// Whether a round was judged as if none were.
    pub(crate) has_judged_without_calls: bool,
    /// Whether rounds that write to internal words are kept.
    pub(crate) keeps_writing_rounds: bool,
    /// The loops that were followed for many rounds, and came back.
    pub(crate) confirmed: Vec<Place>,
    /// The loops that left after some rounds, although their thread was as before: they keep something elsewhere. None of their rounds is
    /// left out.
    pub(crate) kept: Vec<Place>,
    /// Whether rounds of loops that wait are taken to be futile.
    pub(crate) assumes_spins: bool,
    /// The loops of which that is not so.
    pub(crate) unassumed: Vec<Place>,
    /// Whether what was assumed is wrong, so that the exploration must start again.
    pub(crate) must_start_again: bool,
    /// Whether a thread has reached the bound since the exploration started.
    pub(crate) is_bound_reached: bool,
}

impl Loops {
    pub(crate) fn new(rounds_max: Option<usize>, assumes_spins: bool) -> Self {
        Self {
            assumes_spins,
            unassumed: Vec::new(),
            rounds_max,
            bounded: Vec::new(),
            bound: 1,
            has_calls: false,
            has_judged_without_calls: false,
            keeps_writing_rounds: false,
            confirmed: Vec::new(),
            kept: Vec::new(),
            must_start_again: false,
            is_bound_reached: false,
        }
    }

    /// Whether method calls are recorded.
    pub(crate) fn has_calls(&self) -> bool {
        self.has_calls
    }

    /// The bound now, for what is said of it.
    pub(crate) fn bound(&self) -> usize {
        self.bound
    }

    /// Everything was explored within the bound, in so many executions. Whether the exploration must start again with a higher one.
    pub(crate) fn raise(&mut self, execution_count: u64) -> bool {
        let is_reached = std::mem::take(&mut self.is_bound_reached);
        let max = self.rounds_max.unwrap_or(ROUNDS_MAX);
        let is_cheap = self.rounds_max.is_some() || execution_count < STAGE_EXECUTIONS_MAX;
        let must_raise = is_reached && self.bound < max && is_cheap;
        if must_raise {
            self.bound = (2 * self.bound).min(max);
        }
        must_raise
    }

    /// The exploration starts again.
    pub(crate) fn start_again(&mut self) {
        self.must_start_again = false;
        self.has_judged_without_calls = false;
        self.is_bound_reached = false;
    }

    /// The loop with this head gets a bound, and all begin with the lowest.
    pub(crate) fn add(&mut self, place: Place, has_hints: bool) {
        self.bounded.push(BoundedLoop { place, has_hints });
        self.bound = 1;
    }

    /// Whether no round of the loop with this head is left out.
    pub(crate) fn is_kept(&self, place: &Place) -> bool {
        self.kept.iter().any(|kept| is_same_place(kept, place))
    }

    pub(crate) fn is_confirmed(&self, place: &Place) -> bool {
        self.confirmed.iter().any(|known| is_same_place(known, place))
    }

    pub(crate) fn find(&self, place: &Place) -> Option<BoundedLoop> {
        self.bounded.iter().copied().find(|bounded| is_same_place(&bounded.place, place))
    }

    /// Whether so many rounds on end are those of a loop that may have no end; if so, whether it has hints.
    pub(crate) fn is_endless(&self, head: &Head) -> Option<bool> {
        let max = self.rounds_max.unwrap_or(ROUNDS_MAX);
        let unhinted_max = if self.rounds_max.is_some() { max } else { UNHINTED_FACTOR * max };
        if head.hinted_count >= max {
            return Some(true);
        }
        let is_long = head.count >= max && head.index >= LONG_THREAD;
        (head.count >= unhinted_max || is_long).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::Loops;
    use crate::record::{Orders, Place, SourceLocation};

    fn place(line: u32) -> Place {
        let source = SourceLocation { file: "loop.rs", line, column: 1 };
        Place { source, name: crate::record::operation_name!("load", Load), orders: Orders::None }
    }

    /// The bounds, one after the other, each of which is reached.
    fn bounds(loops: &mut Loops, execution_count: u64) -> Vec<usize> {
        let mut bounds = vec![loops.bound()];
        loops.is_bound_reached = true;
        while loops.raise(execution_count) {
            bounds.push(loops.bound());
            loops.is_bound_reached = true;
        }
        bounds
    }

    #[test]
    fn a_bound_is_doubled_up_to_the_setting() {
        assert_eq!(bounds(&mut Loops::new(Some(1), false), 0), [1]);
        assert_eq!(bounds(&mut Loops::new(Some(5), false), 0), [1, 2, 4, 5]);
        assert_eq!(bounds(&mut Loops::new(None, false), 0), [1, 2, 4, 8, 16, 32, 64, 128]);
    }

    #[test]
    fn a_bound_is_raised_only_where_it_was_reached_and_that_is_cheap_or_set() {
        assert!(!Loops::new(Some(5), false).raise(0));
        assert_eq!(bounds(&mut Loops::new(None, false), 2_000), [1]);
        assert_eq!(bounds(&mut Loops::new(Some(3), false), 2_000), [1, 2, 3]);
    }

    #[test]
    fn with_one_more_loop_all_begin_with_the_lowest_bound() {
        let mut loops = Loops::new(Some(8), false);
        loops.add(place(1), true);
        assert_eq!(bounds(&mut loops, 0), [1, 2, 4, 8]);
        loops.add(place(2), false);
        assert_eq!(bounds(&mut loops, 0), [1, 2, 4, 8]);
        assert_eq!(
            [1, 2, 3].map(|line| loops.find(&place(line)).map(|known| known.has_hints)),
            [Some(true), Some(false), None]
        );
    }
}

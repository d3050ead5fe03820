//! Which of the threads that can go on does.

use super::sampling::{Length, Strategy, points};
use super::state::RunState;
use crate::graph::ThreadIndex;
use crate::random::Random;
use crate::record::LocationId;
use fixedbitset::FixedBitSet;

/// Who goes on next, in one execution after the other.
pub(super) enum Scheduler {
    /// The running thread while it can, else the one with the lowest number. No result depends on it where everything is explored.
    Lowest,
    /// Any of them.
    Any(Random),
    /// The one with the highest priority; whether steps are counted by what calls are expected to do.
    Pct(Priorities, bool),
    /// The one whose next operation has the highest priority.
    Pos(Pending),
}

/// Priorities of threads (PCT).
pub(super) struct Priorities {
    random: Random,
    /// By thread: the highest one goes on.
    of_threads: Vec<u64>,
    /// The change points: after so many steps the thread that has done the last one gets the priority [`FIRST_CHANGED`] and as much more as is the
    /// number of the point.
    points: Vec<u64>,
    steps: u64,
    /// The thread that has done the last step, and how many on end.
    last: (ThreadIndex, u64),
    /// What the next thread gets that is put behind all others.
    lowest: u64,
}

/// Priorities of the operations that threads are about to do (POS).
pub(super) struct Pending {
    random: Random,
    of_threads: Vec<Option<u64>>,
}

/// An access that a thread is about to do: where, and whether it may write.
pub(super) type NextAccess = (LocationId, bool);

/// A thread that does so many steps on end is put behind the others, since a program may be unfair to them.
const ON_END_MAX: u64 = 1_000;

/// A change point that is not drawn yet.
const UNKNOWN: u64 = u64::MAX;

/// The lowest priority that a change point gives. Those that are drawn are above all of these, those of threads that were put behind below.
const FIRST_CHANGED: u64 = 1 << 32;
const FIRST_DRAWN: u64 = 1 << 48;

impl Scheduler {
    /// The running thread goes on while it can.
    pub(super) fn lowest() -> Self {
        Self::Lowest
    }

    /// Any thread goes on after each operation, by this seed; or the running one while it can.
    pub(super) fn seeded(seed: Option<u64>) -> Self {
        seed.map_or(Self::Lowest, |seed| Self::Any(Random::new(seed)))
    }

    /// The scheduler of a sample.
    pub(super) fn of(strategy: Strategy, mut random: Random, length: Length) -> Self {
        match strategy {
            Strategy::Uniform => Self::Any(random),
            Strategy::Pct { depth } | Strategy::Dpct { depth } => {
                // Where no method is annotated, calls tell nothing.
                let counts_calls =
                    matches!(strategy, Strategy::Dpct { .. }) && (length.expected > 0 || length.steps == 0);
                let points = match length {
                    // Before the first call nothing is known.
                    Length { expected: 0, .. } if counts_calls => vec![UNKNOWN; depth.saturating_sub(1)],
                    _ => {
                        let steps = if counts_calls { length.expected } else { length.steps };
                        points(&mut random, depth, steps).map(|point| point + 1).collect()
                    }
                };
                let lowest = FIRST_CHANGED;
                let of_threads = Vec::new();
                let priorities = Priorities { random, of_threads, points, steps: 0, last: (0, 0), lowest };
                Self::Pct(priorities, counts_calls)
            }
            Strategy::Pos => Self::Pos(Pending { random, of_threads: Vec::new() }),
        }
    }

    /// Whether another thread may go on after each operation.
    pub(super) fn is_random(&self) -> bool {
        !matches!(self, Self::Lowest)
    }

    #[inline]
    pub(super) fn choose(&mut self, run: &mut RunState) -> Option<ThreadIndex> {
        if let Some(following) = &mut run.now.following {
            match following.choose(&run.now.ready) {
                Some(thread) => {
                    // Priorities are drawn when a thread can first go on.
                    self.choose_ready(run);
                    return Some(thread);
                }
                None => run.now.following = None,
            }
        }
        let ready = self.choose_ready(run);
        ready.or_else(|| {
            (run.wake_yielded() || run.wake_first_held()).then(|| self.choose_ready(run)).flatten()
        })
    }

    #[inline]
    fn choose_ready(&mut self, run: &RunState) -> Option<ThreadIndex> {
        let ready = run.ready();
        match self {
            Self::Lowest if ready.contains(run.now.current) => Some(run.now.current),
            // Few programs have more threads than a word has bits.
            Self::Lowest => match ready.as_slice().first() {
                Some(&word) if word != 0 => Some(word.trailing_zeros() as usize),
                _ => ready.minimum(),
            },
            Self::Any(random) => match ready.count_ones(..) {
                0 => None,
                1 => ready.minimum(),
                count => ready.ones().nth(random.below(count)),
            },
            Self::Pct(priorities, _) => priorities.choose(ready),
            Self::Pos(pending) => pending.choose(ready),
        }
    }

    /// Whether it counts the steps that calls are expected to do, and no others.
    #[inline]
    pub(super) fn counts_calls(&self) -> bool {
        matches!(self, Self::Pct(_, true))
    }

    /// So many of these steps are still to come, by another count than before.
    pub(super) fn draw_again(&mut self, count: Option<u64>) {
        if let (Self::Pct(priorities, _), Some(count)) = (self, count) {
            priorities.draw_again(count);
        }
    }

    /// Whether it goes by what threads are about to do.
    pub(super) fn looks_ahead(&self) -> bool {
        matches!(self, Self::Pos(_))
    }

    /// A thread has gone on: it has begun, or done an operation, this access if it was one. `next` is what another one is about to do.
    #[inline]
    pub(super) fn note_step(
        &mut self,
        thread: ThreadIndex,
        is_operation: bool,
        done: Option<NextAccess>,
        next: impl Fn(ThreadIndex) -> Option<NextAccess>,
    ) {
        match self {
            Self::Pct(priorities, _) if is_operation => priorities.note_step(thread),
            Self::Pos(pending) => pending.note_step(thread, done, next),
            _ => {}
        }
    }
}

impl Priorities {
    fn choose(&mut self, ready: &FixedBitSet) -> Option<ThreadIndex> {
        for thread in ready.ones() {
            while self.of_threads.len() <= thread {
                self.of_threads.push(FIRST_DRAWN + (self.random.next() >> 1));
            }
        }
        ready.ones().max_by_key(|&thread| self.of_threads[thread])
    }

    /// The change points that have not come yet are among so many steps from here on.
    fn draw_again(&mut self, count: u64) {
        let ahead = self.points.iter_mut().filter(|point| **point > self.steps);
        for (point, drawn) in ahead.zip(points(&mut self.random, usize::MAX, count)) {
            *point = (self.steps + 1).saturating_add(drawn);
        }
    }

    fn note_step(&mut self, thread: ThreadIndex) {
        self.steps += 1;
        for (number, _) in (0..).zip(&self.points).filter(|&(_, &point)| point == self.steps) {
            self.of_threads[thread] = FIRST_CHANGED + number;
        }
        let count = if self.last.0 == thread { self.last.1 + 1 } else { 1 };
        self.last = (thread, count);
        // It may wait for what others do. They go on first from here on.
        if count.is_multiple_of(ON_END_MAX) {
            self.lowest -= 1;
            self.of_threads[thread] = self.lowest;
        }
    }
}

impl Pending {
    fn choose(&mut self, ready: &FixedBitSet) -> Option<ThreadIndex> {
        for thread in ready.ones() {
            if self.of_threads.len() <= thread {
                self.of_threads.resize(thread + 1, None);
            }
            let random = &mut self.random;
            self.of_threads[thread].get_or_insert_with(|| random.next());
        }
        ready.ones().max_by_key(|&thread| self.of_threads[thread])
    }

    fn note_step(
        &mut self,
        thread: ThreadIndex,
        done: Option<NextAccess>,
        next: impl Fn(ThreadIndex) -> Option<NextAccess>,
    ) {
        self.of_threads[thread] = None;
        let Some((location, is_write)) = done else { return };
        for other in 0..self.of_threads.len() {
            let conflicts = |(there, writes)| there == location && (is_write || writes);
            if next(other).is_some_and(conflicts) {
                self.of_threads[other] = None;
            }
        }
    }
}

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
    /// The one with the highest priority.
    Pct(Priorities),
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

/// The lowest priority that a change point gives. Those that are drawn are above all of these, those of threads that were put behind below.
const FIRST_CHANGED: u64 = 1 << 32;
const FIRST_DRAWN: u64 = 1 << 48;

impl Scheduler {
    /// Any thread goes on after each operation, by this seed; or the running one while it can.
    pub(super) fn seeded(seed: Option<u64>) -> Self {
        seed.map_or(Self::Lowest, |seed| Self::Any(Random::new(seed)))
    }

    /// The scheduler of a sample.
    pub(super) fn of(strategy: Strategy, mut random: Random, length: Length) -> Self {
        match strategy {
            Strategy::Uniform => Self::Any(random),
            Strategy::Pct { depth } => {
                let points = points(&mut random, depth, length.steps).map(|point| point + 1).collect();
                let lowest = FIRST_CHANGED;
                Self::Pct(Priorities {
                    random,
                    of_threads: Vec::new(),
                    points,
                    steps: 0,
                    last: (0, 0),
                    lowest,
                })
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
        self.choose_ready(run).or_else(|| run.wake_yielded().then(|| self.choose_ready(run)).flatten())
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
            Self::Pct(priorities) => priorities.choose(ready),
            Self::Pos(pending) => pending.choose(ready),
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
            Self::Pct(priorities) if is_operation => priorities.note_step(thread),
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

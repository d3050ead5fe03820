//! Random programs, as data.

use std::sync::atomic::Ordering::{self, AcqRel, Acquire, Relaxed, Release, SeqCst};

/// A number of locations, and so on.
pub(crate) const ATOMICS: usize = 2;
pub(crate) const MUTEXES: usize = 2;
pub(crate) const CHANNELS: usize = 2;
/// Of the second channel; the first one has none.
pub(crate) const BOUND: usize = 1;

/// What a thread does.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Load(usize, Ordering),
    Store(usize, Ordering),
    Swap(usize, Ordering),
    CompareExchange(usize, Ordering, Ordering),
    Fence(Ordering),
    Locked(usize, Vec<Statement>),
    Reading(Vec<Statement>),
    Writing(Vec<Statement>),
    Send(usize),
    /// By the first thread, which has the receivers.
    Receive(usize),
    Initialise,
    Get,
    Wait,
    Spawn(usize),
    Join(usize),
    Yield,
}

/// Threads by number; 0 is the one that begins.
#[derive(Debug)]
pub(crate) struct Program {
    pub threads: Vec<Vec<Statement>>,
    /// How many wait at the barrier, each as often.
    pub waiting: usize,
}

/// splitmix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

impl Program {
    pub(crate) fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        // With five, clocks are longer than what stands beside an atomic.
        let count = 2 + random.below(4);
        let has_barrier = random.below(4) == 0;
        let mut threads: Vec<Vec<_>> =
            (0..count).map(|thread| statements(&mut random, thread, 6 + thread.min(1) * 6, 1)).collect();
        if has_barrier {
            with_barrier(&mut random, &mut threads);
        }
        let mut waiting = 0;
        for child in 1..count {
            // Those that wait at the barrier must not wait for each other's ends before.
            let parent = if has_barrier { 0 } else { random.below(child) };
            let begin = if has_barrier { 0 } else { random.below(threads[parent].len() + 1) };
            threads[parent].insert(begin, Statement::Spawn(child));
            if random.below(4) > 0 {
                let end = threads[parent].len();
                let place = if has_barrier { end } else { begin + 1 + random.below(end - begin) };
                threads[parent].insert(place, Statement::Join(child));
            }
        }
        if has_barrier {
            waiting = count;
        }
        Self { threads, waiting }
    }
}

fn with_barrier(random: &mut Random, threads: &mut [Vec<Statement>]) {
    let rounds = 1 + random.below(2);
    for statements in threads {
        for _ in 0..rounds {
            let place = random.below(statements.len() + 1);
            statements.insert(place, Statement::Wait);
        }
    }
}

fn statements(random: &mut Random, thread: usize, count: usize, depth: usize) -> Vec<Statement> {
    (0..count).map(|_| statement(random, thread, depth)).collect()
}

fn statement(random: &mut Random, thread: usize, depth: usize) -> Statement {
    let atomic = random.below(ATOMICS);
    match random.below(if depth > 0 { 26 } else { 19 }) {
        0..=4 => Statement::Load(atomic, random.of(&[Relaxed, Relaxed, Acquire, SeqCst])),
        5..=7 => Statement::Store(atomic, random.of(&[Relaxed, Relaxed, Release, SeqCst])),
        8..=9 => Statement::Swap(atomic, random.of(&[Relaxed, Relaxed, Acquire, Release, AcqRel, SeqCst])),
        10 => {
            let success = random.of(&[Relaxed, Acquire, Release, AcqRel, SeqCst]);
            Statement::CompareExchange(atomic, success, random.of(&[Relaxed, Acquire, SeqCst]))
        }
        11..=13 => Statement::Fence(random.of(&[Acquire, Release, AcqRel, SeqCst])),
        14 => Statement::Get,
        15 => Statement::Initialise,
        16..=17 if thread == 0 => Statement::Receive(random.below(CHANNELS)),
        16..=17 => Statement::Send(random.below(CHANNELS)),
        18 => Statement::Yield,
        19..=22 => {
            let mutex = random.below(MUTEXES);
            Statement::Locked(mutex, statements(random, thread, 1, 0))
        }
        23..=24 => Statement::Reading(statements(random, thread, 1, 0)),
        _ => Statement::Writing(statements(random, thread, 1, 0)),
    }
}

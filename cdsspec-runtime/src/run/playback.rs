//! The steps that a run keeps to.

use crate::record::{ScheduledStep, SpinEnd, SpinReason, StepKind, Steps, ThreadId};

/// The steps that a run keeps to.
pub(crate) struct Playback {
    steps: Steps,
    /// How many each thread has.
    counts: Vec<usize>,
    /// Where the program departed.
    departed: Option<String>,
}

impl Playback {
    pub(super) fn new(steps: Steps) -> Self {
        let thread_count = steps.steps.iter().map(|step| step.thread.index() + 1).max().unwrap_or(0);
        let mut counts = vec![0; thread_count];
        steps.steps.iter().for_each(|step| counts[step.thread.index()] += 1);
        Self { steps, counts, departed: None }
    }

    /// Whether a thread ends in a loop that was taken to go on for ever.
    pub(super) fn has_futile_spins(&self) -> bool {
        self.steps.spins.iter().any(|spin| spin.reason == SpinReason::Futile)
    }

    /// The step with this number; `None` if they are over.
    pub(super) fn step(&self, position: usize) -> Option<ScheduledStep> {
        self.steps.steps.get(position).copied()
    }

    /// The kind of the step of a thread that has this number among its own.
    pub(super) fn kind(&self, thread: ThreadId, index: usize) -> Option<StepKind> {
        let own = self.steps.steps.iter().filter(|step| step.thread == thread);
        own.map(|step| step.kind).nth(index)
    }

    /// The threads that begin before the step with this number, although none of theirs comes.
    pub(super) fn begins(&self, position: usize) -> impl Iterator<Item = ThreadId> {
        let now = self.steps.begins.iter().filter(move |(_, moment)| *moment as usize == position);
        now.map(|(thread, _)| *thread)
    }

    /// How a thread ends of which so many events have run, if those are all and it ends in a loop.
    pub(super) fn spin(&self, thread: ThreadId, index: usize) -> Option<SpinEnd> {
        let count = self.counts.get(thread.index()).copied().unwrap_or(0);
        let spin = self.steps.spins.iter().find(|spin| spin.thread == thread && index >= count);
        // A text may say anything.
        spin.filter(|spin| spin.from <= count).copied()
    }

    /// Whether this change of a count makes known that the count has operations.
    pub(super) fn makes_count_known(&self, thread: ThreadId, change: u32) -> bool {
        self.steps.counts.contains(&(thread, change))
    }

    /// The program does something else at the step with this number; in words.
    pub(super) fn depart(&mut self, position: usize, message: &str) -> String {
        let text = format!("at step {position} of {}, {message}", self.steps.steps.len());
        self.departed.get_or_insert(text).clone()
    }

    /// Where the program departed first, if it has.
    pub(super) fn departed(&self) -> Option<&str> {
        self.departed.as_deref()
    }
}

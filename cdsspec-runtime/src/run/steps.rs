//! The steps of a run that has ended, by which it can be run again.

use super::spin::Spin;
use super::state::RunState;
use super::thread_run::Status;
use crate::graph::{Action, EventId, Label, ReadsFrom, ThreadIndex};
use crate::record::{
    Ending, ScheduledStep, SourceLocation, SpinEnd, StepChoice, StepKind, StepStore, Steps, ThreadId,
};

impl RunState {
    /// The steps of the run, which has ended. `None` if it cannot be run again by them: the program is not the same each time.
    ///
    /// Those that have not run are waits, which come last.
    pub(super) fn steps(&self, ending: &Ending) -> Option<Steps> {
        if matches!(ending, Ending::Nondeterministic(_) | Ending::EngineFailed(_)) {
            return None;
        }
        let waits = self.now.threads.iter().filter_map(|thread| match thread.status {
            Status::Waiting { event } => Some(event),
            _ => None,
        });
        let order: Vec<EventId> = self.now.ran.iter().copied().chain(waits).collect();
        let mut numbers = vec![None; self.explorer.graph().events.len()];
        let mut steps = Vec::with_capacity(order.len());
        for (&id, number) in order.iter().zip(0..) {
            numbers[id as usize] = Some(number);
            let event = self.explorer.graph().event(id);
            let thread = self.thread(event.thread).id;
            steps.push(ScheduledStep {
                thread,
                kind: kind(&event.label),
                choice: self.choice(id, &numbers)?,
            });
        }
        let spins = self.now.threads.iter().filter_map(|thread| {
            let &Spin { from, comes_back, reason, .. } = thread.spin()?;
            Some(SpinEnd { thread: thread.id, from, reason, comes_back })
        });
        let counts = self.now.counted.iter().map(|(thread, change, _)| (*thread, *change));
        Some(Steps {
            steps,
            spins: spins.collect(),
            counts: counts.collect(),
            begins: self.early_begins(),
            has_ends: self.has_ends,
        })
    }

    /// What an event has chosen among those that have numbers.
    fn choice(&self, id: EventId, numbers: &[Option<u32>]) -> Option<StepChoice> {
        let graph = self.explorer.graph();
        let event = graph.event(id);
        let number = |store| -> Option<StepStore> {
            match store {
                ReadsFrom::Event(store) => Some(Some(numbers[store as usize]?)),
                ReadsFrom::Initial | ReadsFrom::Bottom => Some(None),
            }
        };
        let Some(location) = event.location else {
            let is_other = event.choice != 0;
            return Some(if is_other { StepChoice::Choice(event.choice) } else { StepChoice::Newest });
        };
        let writes = &graph.location(location).writes;
        let is_there = |&&write: &&EventId| write != id && numbers[write as usize].is_some();
        let newest =
            writes.iter().rev().find(is_there).map_or(ReadsFrom::Initial, |&write| ReadsFrom::Event(write));
        let chosen = match event.label {
            Label::Access(Action::BeginCell { .. }) => return Some(StepChoice::Newest),
            Label::Access(Action::Store { .. }) => {
                let position = graph.position(location, ReadsFrom::Event(id)) - 1;
                let before = writes[..position].iter().rev().find(is_there);
                before.map_or(ReadsFrom::Initial, |&write| ReadsFrom::Event(write))
            }
            _ => event.reads_from,
        };
        Some(match number(chosen)? {
            store if event.is_spurious => StepChoice::Spurious(store),
            _ if chosen == newest => StepChoice::Newest,
            store => StepChoice::Store(store),
        })
    }

    /// A thread that has asked for nothing goes on: it begins, if it has not.
    pub(super) fn note_begun(&mut self, index: ThreadIndex) {
        let thread = &mut self.now.threads[index];
        if !std::mem::replace(&mut thread.has_begun, true) {
            self.now.begun.push((index, self.now.ran.len() as u32));
        }
    }

    /// The threads that began before their first operation came, but for the main thread, which begins first.
    fn early_begins(&self) -> Vec<(ThreadId, u32)> {
        let first_of = |thread| {
            let is_its = |&id: &EventId| self.explorer.graph().event(id).thread == thread;
            self.now.ran.iter().position(is_its)
        };
        let is_early = |&&(thread, moment): &&(ThreadIndex, u32)| {
            thread != 0 && first_of(thread) != Some(moment as usize)
        };
        let early = self.now.begun.iter().filter(is_early);
        early.map(|&(thread, moment)| (self.thread(thread).id, moment)).collect()
    }

    /// The running thread has changed a count of handles that has operations: its number among that one's changes, if it is the first of those of what was
    /// made there.
    pub(super) fn note_counted(&mut self, change: u32, made: SourceLocation) {
        if !self.now.counted.iter().any(|(_, _, known)| *known == made) {
            let thread: ThreadId = self.thread(self.now.current).id;
            self.now.counted.push((thread, change, made));
        }
    }
}

/// What kind of operation a label is.
pub(super) fn kind(label: &Label) -> StepKind {
    match label {
        Label::Access(Action::Load { .. }) => StepKind::Load,
        Label::Access(Action::Store { .. }) => StepKind::Store,
        Label::Access(Action::Update { .. }) => StepKind::Update,
        Label::Access(Action::CompareExchange { .. }) => StepKind::CompareExchange,
        Label::Access(Action::ExchangeRead { .. }) => StepKind::ExchangeRead,
        Label::Access(Action::WaitLoad { .. }) => StepKind::WaitLoad,
        Label::Access(Action::WaitUpdate { .. }) => StepKind::WaitUpdate,
        Label::Access(Action::BeginCell { is_write: false }) => StepKind::ReadCell,
        Label::Access(Action::BeginCell { is_write: true }) => StepKind::WriteCell,
        Label::Fence { .. } => StepKind::Fence,
        Label::Create { .. } => StepKind::Create,
        Label::Join { .. } => StepKind::Join,
        Label::Choice { .. } => StepKind::Choice,
    }
}

//! Threads of a run: creation, end, join, spinning.

use super::event::{Event, Label, ThreadIndex, is_same_place};
use super::port::{Rc11Port, Request};
use super::state::{PanicRun, RunState};
use crate::port::Body;
use crate::process;
use crate::record::{Ending, Limit, LimitKind, Panic, Place, ThreadId};
use std::any::Any;
use std::sync::Arc;

impl Rc11Port {
    pub(super) fn spawn_thread(
        &self,
        place: Place,
        name: Option<String>,
        stack_bytes: Option<usize>,
        body: Arc<dyn Body>,
    ) -> ThreadId {
        let request = Request { label: Label::Create { child: 0 }, place: &place, location: None, value: 0 };
        let Some(event) = self.operate(&request) else { return ThreadId::new(0) };
        let mut run = self.run.borrow_mut();
        let Label::Create { child } = run.explorer.graph().event(event).label else {
            unreachable!("cdsspec bug: the event of a creation is one")
        };
        let id = run.add_thread(child, name);
        if run.is_recording {
            super::recording::record(&mut run, &mut self.recorder.borrow_mut(), event);
        }
        drop(run);
        self.coroutines.create(child, stack_bytes, body);
        id
    }

    pub(super) fn join_thread(&self, place: Place, thread: ThreadId) -> std::thread::Result<()> {
        let child = self.run.borrow().thread_indices[thread.index()];
        let request = Request { label: Label::Join { child }, place: &place, location: None, value: 0 };
        if self.operate(&request).is_none() {
            return Ok(());
        }
        let mut run = self.run.borrow_mut();
        match &mut run.thread_mut(child).panic {
            Some(panic) => {
                panic.is_joined = true;
                Err(panic.payload.take().unwrap_or_else(|| Box::new("the payload was taken before")))
            }
            None => Ok(()),
        }
    }

    /// A thread has run to its end.
    pub(super) fn end_thread(&self, thread: ThreadIndex, result: Result<(), Box<dyn Any + Send>>) {
        let mut run = self.run.borrow_mut();
        let run = &mut *run;
        if run.pass() {
            return;
        }
        let next = run.thread(thread).next;
        if next < run.explorer.graph().threads[thread].len() && run.cut.is_none() {
            let event = run.explorer.graph().threads[thread][next];
            let place = run.explorer.graph().event(event).place;
            let message = format!("a thread ended where it had done {place}");
            self.cut(run, Ending::Nondeterministic(message));
        }
        if let Err(payload) = result {
            let id = run.thread(thread).id;
            let graph = run.explorer.graph();
            let last = next.checked_sub(1).map(|last| graph.threads[thread][last]);
            let after = last.map(|last| graph.event(last).place.source);
            let panic = Panic { thread: id, message: crate::engine::panic_message(&*payload), after };
            process::note_caught(&panic.message);
            let number = run.panic_count;
            run.panic_count += 1;
            run.thread_mut(thread).panic =
                Some(Box::new(PanicRun { panic, payload: Some(payload), is_joined: false, number }));
        }
        if process::has_bug() && run.cut.is_none() {
            self.cut(run, Ending::EngineFailed("the checker panicked".to_owned()));
        }
        run.end_thread(thread);
    }

    /// Counts a yield against the limit of the execution.
    pub(super) fn count_yield(&self, run: &mut RunState) {
        run.yield_count += 1;
        if run.cut.is_none() && run.yield_count > self.limits.branches_max {
            let value = self.limits.branches_max as u64;
            self.cut(run, Ending::Limit(Limit { kind: LimitKind::Branches, value }));
        }
    }
}

/// Loops of up to so many reads a round are noticed without a yield.
const SPIN_READS_MAX: usize = 8;

/// After so many rounds.
const SPIN_ROUNDS: usize = 4;

#[inline]
fn only_reads(event: &Event) -> bool {
    match event.label {
        Label::Fence { .. } => true,
        label => label.is_read() && !event.is_write && !event.is_spurious,
    }
}

impl RunState {
    /// Whether the last event of the running thread only read, or is a fence.
    #[inline]
    pub(super) fn has_only_read(&self) -> bool {
        let graph = self.explorer.graph();
        graph.threads[self.current].last().is_some_and(|&last| only_reads(graph.event(last)))
    }

    /// How many reads and fences the running thread has done over and over, to the store, for a few rounds on end, and the place of the first.
    pub(super) fn repeated_reads(&self) -> Option<(usize, Place)> {
        let graph = self.explorer.graph();
        let events = &graph.threads[self.current];
        let last = graph.event(*events.last()?);
        if !only_reads(last) {
            return None;
        }
        // There may be a fence on either side of each read.
        let count_max = if last.label.is_read() { SPIN_READS_MAX } else { 3 * SPIN_READS_MAX };
        let is_same = |&first: &u32, &second: &u32| {
            let (first, second) = (graph.event(first), graph.event(second));
            only_reads(second)
                && is_same_place(&first.place, &second.place)
                && first.reads_from == second.reads_from
                && first.location == second.location
        };
        (1..=count_max).find_map(|reads| {
            let begin = events.len().checked_sub(reads * SPIN_ROUNDS)?;
            let rounds = &events[begin..];
            let mut pairs = rounds.iter().zip(&rounds[reads..]).rev();
            let is_repeated = pairs.all(|(first, second)| is_same(first, second));
            let has_read = || rounds[..reads].iter().any(|&id| graph.event(id).label.is_read());
            (is_repeated && has_read()).then(|| (reads, graph.event(rounds[0]).place))
        })
    }
}

//! Threads of a run: creation, end, join, spinning.

use super::port::{Request, RunPort};
use super::state::RunState;
use super::thread_run::{PanicRun, Status};
use crate::graph::{Label, ThreadIndex, is_same_place};
use crate::port::{Access, Body, Port};
use crate::process;
use crate::record::{
    Ending, Limit, LimitKind, LocationId, Orders, Panic, Place, ThreadId, ValueKind, operation_name,
};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl RunPort {
    pub(crate) fn spawn_thread(
        &self,
        place: Place,
        name: Option<String>,
        stack_bytes: Option<usize>,
        body: Arc<dyn Body>,
    ) -> ThreadId {
        let request = Request { label: Label::Create { child: 0 }, place: &place, location: None };
        let Some(answer) = self.operate(&request) else { return ThreadId::new(0) };
        let child = answer.value as ThreadIndex;
        let mut run = self.run.borrow_mut();
        let id = run.add_thread(child, name);
        if run.now.is_recording {
            let creation = run.explorer.graph().creators[child];
            let event = creation.expect("cdsspec bug: a new thread was created");
            super::recording::record(&mut run, &mut self.recorder.borrow_mut(), event);
        }
        drop(run);
        self.coroutines.create(child, stack_bytes, body);
        id
    }

    pub(crate) fn join_thread(&self, place: Place, thread: ThreadId) -> std::thread::Result<()> {
        let child = self.run.borrow().now.thread_indices[thread.index()];
        let request = Request { label: Label::Join { child }, place: &place, location: None };
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

    /// Whether a thread has ended: what a relaxed load of a hidden location says, which the thread stores to when it has left its body. Few
    /// programs ask, so there are no such stores until one does: then the exploration starts again, with them.
    pub(crate) fn thread_has_ended(&self, place: Place, thread: ThreadId) -> bool {
        let thread = self.run.borrow().now.thread_indices[thread.index()];
        if self.is_looked_at() {
            return self.run.borrow().has_ended(thread);
        }
        if !self.run.borrow_mut().ask_for_ends() {
            self.stop_thread();
            return true;
        }
        let location = self.end_location(thread);
        <dyn Port>::load(self, Access { place, location, order: Ordering::Relaxed }) == 1
    }

    /// The running thread has left its body.
    pub(crate) fn note_end(&self) {
        let (thread, creation) = {
            let run = self.run.borrow();
            (run.now.current, run.explorer.graph().creators[run.now.current])
        };
        let Some(creation) = creation else { return };
        if self.is_looked_at() || !self.run.borrow().has_ends {
            return;
        }
        let source = self.run.borrow().explorer.graph().event(creation).place.source;
        let place = Place { source, name: operation_name!("end"), orders: Orders::None };
        let location = self.end_location(thread);
        <dyn Port>::store(self, Access { place, location, order: Ordering::Relaxed }, 1);
    }

    /// The location that a thread stores to at its end.
    fn end_location(&self, thread: ThreadIndex) -> LocationId {
        if let Some(location) = self.run.borrow().thread(thread).end {
            return location;
        }
        let location = self.new_location(ValueKind::Internal, 0);
        self.run.borrow_mut().thread_mut(thread).end = Some(location);
        location
    }

    /// A thread has run to its end.
    pub(crate) fn end_thread(&self, thread: ThreadIndex, result: Result<(), Box<dyn Any + Send>>) {
        let mut run = self.run.borrow_mut();
        let run = &mut *run;
        let next = run.thread(thread).next;
        if next < run.explorer.graph().threads[thread].len() && run.now.cut.is_none() {
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
            let panic = Panic { thread: id, message: super::panic_message(&*payload), after };
            process::note_caught(&panic.message);
            let number = run.now.panic_count;
            run.now.panic_count += 1;
            run.thread_mut(thread).panic =
                Some(Box::new(PanicRun { panic, payload: Some(payload), is_joined: false, number }));
        }
        if process::has_bug() && run.now.cut.is_none() {
            self.cut(run, Ending::EngineFailed("the checker panicked".to_owned()));
        }
        run.end_thread(thread);
    }

    /// Counts a yield against the limit of the execution.
    pub(crate) fn count_yield(&self, run: &mut RunState) {
        run.now.yield_count += 1;
        if run.now.cut.is_none() && run.now.yield_count.is_multiple_of(1024) && self.is_late() {
            self.cut(run, Ending::Limit(self.limits.duration()));
        }
        if run.now.cut.is_none() && run.now.yield_count > self.limits.branches_max {
            let value = self.limits.branches_max as u64;
            self.cut(run, Ending::Limit(Limit { kind: LimitKind::Branches, value }));
        }
    }
}

impl RunState {
    /// Whether the ends of threads are events. If not, the running thread stops, and the exploration starts again with them.
    fn ask_for_ends(&mut self) -> bool {
        if !self.has_ends {
            self.wants_ends = true;
            self.suspend(Status::Cut);
        }
        self.has_ends
    }

    /// Whether the running thread has woken up for nothing at this place.
    pub(crate) fn has_woken(&self, place: &Place) -> bool {
        let graph = self.explorer.graph();
        let done = &graph.threads[self.now.current][..self.thread(self.now.current).next];
        done.iter().map(|&id| graph.event(id)).any(|event| {
            matches!(event.label, Label::Choice { .. })
                && event.choice == 1
                && is_same_place(&event.place, place)
        })
    }
}

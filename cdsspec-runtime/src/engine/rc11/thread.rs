//! Threads of a run: creation, end, join, spinning.

use super::event::{Label, ThreadIndex};
use super::port::{Rc11Port, Request};
use super::state::{PanicRun, RunState};
use crate::port::Body;
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
        let Some(answer) = self.operate(&request) else { return ThreadId::new(0) };
        let child = answer.value as ThreadIndex;
        let mut run = self.run.borrow_mut();
        let id = run.add_thread(child, name);
        if run.is_recording {
            let creation = run.explorer.graph().creators[child];
            let event = creation.expect("cdsspec bug: a new thread was created");
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
            let number = run.panic_count;
            run.panic_count += 1;
            run.thread_mut(thread).panic =
                Some(Box::new(PanicRun { panic, payload: Some(payload), is_joined: false, number }));
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

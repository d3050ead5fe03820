//! The loop of the run serves what threads ask for while they are suspended.

use super::frames::fingerprint;
use super::port::{Reply, Request, RunPort};
use super::request::{Answer, Asked};
use super::thread_run::Status;
use crate::graph::{Action, EventId, Label, ThreadIndex};
use crate::port::{Caller, take_caller};
use crate::record::Place;

impl RunPort {
    /// Has a request of the running thread carried out. `None` if nobody observes operations, now or when the thread goes on: an execution
    /// may end while it waits.
    ///
    /// The thread suspends itself, and the loop of the run serves it ([`serve`](Self::serve)): so nothing of what the engine does is left
    /// on the thread's stack, where it would change what the stack looks like from round to round of a loop.
    pub(crate) fn operate(&self, request: &Request<'_>) -> Option<Answer> {
        if self.is_looked_at() {
            return None;
        }
        let caller = take_caller(request.place);
        let request = self.in_force(request);
        self.requests.ask(Asked::Operation(std::ptr::from_ref(&request).cast(), caller));
        self.wait_for_answer();
        self.requests.take_answer()
    }

    /// The thread is suspended until its request is served, or nobody observes operations. It is asked for its stack meanwhile.
    pub(crate) fn wait_for_answer(&self) {
        let thread = self.thread_index();
        loop {
            self.coroutines.suspend(thread);
            if !self.requests.is_stack_wanted() {
                break;
            }
            let base = self.coroutines.base(thread);
            self.requests.give_stack(Caller::this_one().map(|caller| fingerprint(&caller, base)));
        }
    }

    /// The running thread does not go on in this run, unless to leave its unwinding when that has ended.
    pub(crate) fn stop_thread(&self) {
        let thread = self.thread_index();
        while !self.is_looked_at() {
            self.coroutines.suspend(thread);
        }
    }

    #[inline(never)]
    fn thread_index(&self) -> ThreadIndex {
        self.run.borrow().now.current
    }

    /// Serves the current thread, which is about to go on: whether it does.
    #[inline]
    pub(crate) fn serve(&self, thread: ThreadIndex) -> bool {
        match self.requests.asked(thread) {
            None => true,
            Some(Asked::Yield(place)) => self.serve_yield(thread, place),
            Some(Asked::Operation(request, caller)) => {
                self.note_top(caller.map_or(request.addr(), |caller| caller.top));
                // SAFETY: the thread that asks is suspended, with the request on its stack.
                let request = unsafe { &*request };
                match self.step(request, true) {
                    Reply::Done(event) => self.answer(thread, event),
                    Reply::Head => self.serve_head(thread, request),
                    Reply::Suspend => false,
                }
            }
        }
    }

    /// Serves a request with which a round of a loop may begin.
    #[inline(never)]
    fn serve_head(&self, thread: ThreadIndex, request: &Request<'_>) -> bool {
        let fingerprint = self.look_at_stack(thread);
        if self.begin_round(request, fingerprint) {
            // The request goes when the thread does.
            self.confirm_spin(thread, *request.place);
            return false;
        }
        match self.step(request, false) {
            Reply::Done(event) => self.answer(thread, event),
            _ => false,
        }
    }

    /// The stack of a thread that asks for something, as a number.
    pub(crate) fn look_at_stack(&self, thread: ThreadIndex) -> Option<u64> {
        if let Some(Asked::Operation(_, Some(caller))) = self.requests.asked(thread) {
            return Some(fingerprint(&caller, self.coroutines.base(thread)));
        }
        self.requests.want_stack();
        let result = self.coroutines.resume(thread);
        debug_assert!(result.is_none(), "cdsspec bug: a thread that is looked at does not end");
        self.requests.take_stack()
    }

    /// A request was carried out: the thread goes on.
    #[inline]
    pub(crate) fn answer(&self, thread: ThreadIndex, event: EventId) -> bool {
        let run = self.run.borrow();
        let graph = run.explorer.graph();
        let known = graph.event(event);
        let value = match (known.label, known.location) {
            (Label::Create { child }, _) => child as u64,
            (Label::Choice { .. }, _) => u64::from(known.choice),
            (Label::Access(Action::BeginCell { .. }) | Label::Fence { .. }, _) | (_, None) => 0,
            (_, Some(location)) => graph.value_of(location, known.reads_from),
        };
        let operation = if matches!(known.label, Label::Access(Action::BeginCell { .. })) {
            run.operation(event)
        } else {
            None
        };
        self.requests.answer(thread, Answer { value, is_write: known.is_write, operation });
        true
    }

    /// A thread yields. It waits if it would yield for ever, or until others went on.
    #[inline(never)]
    fn serve_yield(&self, thread: ThreadIndex, place: Place) -> bool {
        self.requests.forget(thread);
        let fingerprint = {
            let run = &mut *self.run.borrow_mut();
            self.count_yield(run);
            if run.now.cut.is_some() {
                run.suspend(Status::Cut);
                return false;
            }
            run.may_be_idle()
        };
        let fingerprint = fingerprint.then(|| self.look_at_stack(thread)).flatten();
        let goes_on = self.run.borrow_mut().yield_current(place, fingerprint);
        if !goes_on {
            self.confirm_idle(thread, &place);
        }
        goes_on
    }
}

//! The loop of the run serves what threads ask for while they are suspended.

use super::frames::{fingerprint, with_word};
use super::port::RunPort;
use super::request::{Answer, Asked, New, Reply, Request};
use super::schedule::NextAccess;
use super::state::RunState;
use super::thread_run::Status;
use crate::graph::{Action, EventId, Label, ThreadIndex};
use crate::port::{Caller, last_top, take_beginning};
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
        let has_caller = take_beginning(request.place);
        let other = self.in_force(request);
        let request = std::ptr::from_ref(other.as_ref().unwrap_or(request)).cast();
        self.requests.ask(New::Operation { request, has_caller });
        self.wait_for_answer();
        self.requests.take_answer()
    }

    /// The thread is suspended until its request is served, or nobody observes operations. It is asked for its stack meanwhile.
    pub(crate) fn wait_for_answer(&self) {
        loop {
            self.coroutines.suspend();
            if !self.requests.is_stack_wanted() {
                break;
            }
            let base = self.coroutines.base(self.thread_index());
            self.requests.give_stack(Caller::this_one().map(|caller| fingerprint(&caller, base)));
        }
    }

    /// The running thread does not go on in this run, unless to leave its unwinding when that has ended.
    pub(crate) fn stop_thread(&self) {
        while !self.is_looked_at() {
            self.coroutines.suspend();
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
            None => {
                self.run.borrow_mut().note_begun(thread);
                true
            }
            Some(Asked::Yield(place)) => self.serve_yield(thread, place),
            Some(Asked::Operation(request, caller)) => {
                self.note_top(caller.map_or(request.addr(), |caller| caller.top));
                // SAFETY: the thread that asks is suspended, with the request on its stack.
                let request = unsafe { &*request };
                let reply = self.step(&mut self.run.borrow_mut(), request, true);
                match reply {
                    Reply::Done(event) => self.answer(thread, event),
                    Reply::Head => self.serve_head(thread, request),
                    Reply::GivenUp => self.give_up(thread),
                    Reply::Suspend => false,
                }
            }
        }
    }

    /// Serves what a thread asks for that has just suspended itself: whether it goes on. If not, its request is kept.
    #[inline]
    pub(crate) fn serve_new(&self, thread: ThreadIndex) -> bool {
        let Some((request, has_caller)) = self.requests.new_operation() else {
            self.requests.note_suspended(thread);
            return false;
        };
        let mut guard = self.run.borrow_mut();
        let run = &mut *guard;
        if run.has_lent() {
            run.look_at_stack(if has_caller { last_top() } else { request.addr() });
        }
        // SAFETY: the thread that asks is suspended, with the request on its stack.
        let request = unsafe { &*request };
        let reply = self.step(run, request, true);
        if let Reply::Done(event) = reply {
            self.requests.answer_new(run.answer(event));
            return !run.now.must_run_again;
        }
        if let Reply::GivenUp = reply {
            self.requests.answer_new(Answer::GIVEN_UP);
            return true;
        }
        drop(guard);
        self.requests.note_suspended(thread);
        matches!(reply, Reply::Head) && self.serve_head(thread, request)
    }

    /// The access that a thread is about to do, if it is suspended before one.
    pub(crate) fn next_access(&self, thread: ThreadIndex) -> Option<NextAccess> {
        let Some(Asked::Operation(request, _)) = self.requests.asked(thread) else { return None };
        // SAFETY: the thread that asks is suspended, with the request on its stack.
        let request = unsafe { &*request };
        let Label::Access(action) = request.label else { return None };
        let only_reads = matches!(
            action,
            Action::Load { .. } | Action::WaitLoad { .. } | Action::BeginCell { is_write: false }
        );
        request.location.map(|location| (location, !only_reads))
    }

    /// Serves a request with which a round of a loop may begin.
    #[inline(never)]
    fn serve_head(&self, thread: ThreadIndex, request: &Request<'_>) -> bool {
        let is_stack_needed = self.run.borrow().needs_stack(request);
        let fingerprint = is_stack_needed.then(|| self.look_at_stack(thread)).flatten();
        // Behind an operation, what that has read is still on its way to the caller.
        let fingerprint = match request.place.is_added_fence() {
            true => fingerprint.map(|number| with_word(number, self.run.borrow().last_value(thread))),
            false => fingerprint,
        };
        if self.begin_round(request, fingerprint) {
            // The request goes when the thread does.
            self.confirm_spin(thread, *request.place);
            return false;
        }
        let reply = self.step(&mut self.run.borrow_mut(), request, false);
        match reply {
            Reply::Done(event) => self.answer(thread, event),
            Reply::GivenUp => self.give_up(thread),
            Reply::Head | Reply::Suspend => false,
        }
    }

    /// A timeout has ended the wait of a thread, which goes on.
    fn give_up(&self, thread: ThreadIndex) -> bool {
        self.requests.answer(thread, Answer::GIVEN_UP);
        true
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
        self.requests.answer(thread, self.run.borrow().answer(event));
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

impl RunState {
    /// What the last event of a thread has read, and whether it wrote; 0 without one.
    fn last_value(&self, thread: ThreadIndex) -> u64 {
        let last = self.thread(thread).next.checked_sub(1);
        let answer = last.map(|last| self.answer(self.explorer.graph().threads[thread][last]));
        answer.map_or(0, |answer| answer.value ^ u64::from(answer.is_write).rotate_right(1))
    }

    /// What the thread gets whose event this is.
    #[inline]
    fn answer(&self, event: EventId) -> Answer {
        let graph = self.explorer.graph();
        let known = graph.event(event);
        let (mut value, mut operation) = (0, None);
        match known.label {
            Label::Create { child } => value = child as u64,
            Label::Choice { .. } => value = u64::from(known.choice),
            Label::Access(Action::BeginCell { .. }) => operation = self.operation(event),
            Label::Fence { .. } => {}
            _ => {
                if let Some(location) = known.location {
                    value = graph.value_of(location, known.reads_from);
                }
            }
        }
        Answer { value, is_write: known.is_write, operation, is_given_up: false }
    }
}

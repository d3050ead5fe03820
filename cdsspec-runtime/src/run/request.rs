//! What threads ask for, and the answers: the post between coroutines and the loop of the run.

use crate::graph::{EventId, Label, ThreadIndex};
use crate::port::{Caller, last_caller};
use crate::record::{LocationId, OperationId, Place};
use std::cell::{Cell, RefCell};

/// What a thread asks for, about a location of this run.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    pub(crate) label: Label,
    pub(crate) place: &'a Place,
    pub(crate) location: Option<LocationId>,
}

/// What became of a request.
pub(crate) enum Reply {
    Done(EventId),
    /// The thread cannot go on now; its status says when.
    Suspend,
    /// The thread may be about to begin a round of a loop.
    Head,
    /// The wait was not over, and a timeout has ended it.
    GivenUp,
}

/// What a thread asks for.
#[derive(Clone, Copy)]
pub(crate) enum Asked {
    /// To carry out this request, which is on its stack; and who calls the operation, if it was noted.
    Operation(*const Request<'static>, Option<Caller>),
    /// To let others go on first.
    Yield(Place),
}

/// What a thread gets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The value read; of a creation the number of the new thread, of a choice what was chosen.
    pub(crate) value: u64,
    /// Whether a read wrote, too.
    pub(crate) is_write: bool,
    /// The operation with which an access of a cell begins, if it was recorded.
    pub(crate) operation: Option<OperationId>,
    /// Whether nothing was done: a timeout has ended the wait.
    pub(crate) is_given_up: bool,
}

impl Answer {
    /// A timeout has ended the wait.
    pub(crate) const GIVEN_UP: Self = Self { value: 0, is_write: false, operation: None, is_given_up: true };
}

/// What a thread asks for that has just suspended itself. Nobody else has begun an operation since, so who called this one is
/// [`last_caller`], if it was noted.
#[derive(Clone, Copy)]
pub(crate) enum New {
    Operation { request: *const Request<'static>, has_caller: bool },
    Yield(Place),
}

impl New {
    /// To be kept until the thread can go on.
    fn kept(self) -> Asked {
        match self {
            Self::Operation { request, has_caller } => {
                Asked::Operation(request, has_caller.then(last_caller))
            }
            Self::Yield(place) => Asked::Yield(place),
        }
    }
}

/// The requests of all threads. One thread runs at a time, and none while its request is served.
#[derive(Default)]
pub(crate) struct Requests {
    /// By number of the thread.
    asked: RefCell<Vec<Option<Asked>>>,
    /// What the thread that is suspended next asks for.
    new: Cell<Option<New>>,
    /// For the thread that goes on next.
    answer: Cell<Option<Answer>>,
    is_stack_wanted: Cell<bool>,
    stack: Cell<Option<u64>>,
}

impl Requests {
    /// A run begins, with no requests.
    pub(crate) fn begin(&self) {
        self.asked.borrow_mut().clear();
        self.new.set(None);
        self.answer.set(None);
        self.is_stack_wanted.set(false);
    }

    /// The running thread asks, and is about to suspend itself.
    #[inline]
    pub(crate) fn ask(&self, new: New) {
        self.new.set(Some(new));
    }

    /// A thread has suspended itself: what it asked for is kept under its number.
    #[inline]
    pub(crate) fn note_suspended(&self, thread: ThreadIndex) {
        let Some(new) = self.new.take() else { return };
        let mut asked = self.asked.borrow_mut();
        if asked.len() <= thread {
            asked.resize(thread + 1, None);
        }
        asked[thread] = Some(new.kept());
    }

    /// The operation that a thread asks for which has just suspended itself, and whether it is known who called it.
    #[inline]
    pub(crate) fn new_operation(&self) -> Option<(*const Request<'static>, bool)> {
        match self.new.get() {
            Some(New::Operation { request, has_caller }) => Some((request, has_caller)),
            _ => None,
        }
    }

    /// The thread that has just suspended itself has got what it asked for: it goes on next.
    #[inline]
    pub(crate) fn answer_new(&self, answer: Answer) {
        self.new.set(None);
        self.answer.set(Some(answer));
    }

    /// What a thread asks for.
    #[inline]
    pub(crate) fn asked(&self, thread: ThreadIndex) -> Option<Asked> {
        self.asked.borrow().get(thread).copied().flatten()
    }

    /// A thread has got what it asked for.
    #[inline]
    pub(crate) fn forget(&self, thread: ThreadIndex) {
        self.asked.borrow_mut()[thread] = None;
    }

    /// The same, with an answer: it goes on next.
    #[inline]
    pub(crate) fn answer(&self, thread: ThreadIndex, answer: Answer) {
        self.forget(thread);
        self.answer.set(Some(answer));
    }

    /// The answer for the running thread; `None` if its request was not served.
    #[inline]
    pub(crate) fn take_answer(&self) -> Option<Answer> {
        self.answer.take()
    }

    /// The thread that goes on next is to say what its stack looks like.
    pub(crate) fn want_stack(&self) {
        self.is_stack_wanted.set(true);
    }

    /// Whether the running thread is to do so.
    #[inline]
    pub(crate) fn is_stack_wanted(&self) -> bool {
        self.is_stack_wanted.get()
    }

    /// The running thread does.
    pub(crate) fn give_stack(&self, stack: Option<u64>) {
        self.stack.set(stack);
        self.is_stack_wanted.set(false);
    }

    /// What it said.
    pub(crate) fn take_stack(&self) -> Option<u64> {
        self.stack.take()
    }
}

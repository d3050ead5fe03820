//! Objects on the stacks of the program, which other threads may use for too long.
//!
//! Nothing tells when an object on a stack ends: atomics have no destructor. It shows at the next operation of the stack's thread, if who
//! calls that has its frame above the object (`port::caller`), or if the object's hint is another one, which only an operation on it changes
//! while it is there; and an object does not outlive the thread. So an object is taken to end when that shows first: that may be too late,
//! never too early. (An object that was moved away, or replaced, is not at its place any more: whoever used it there must have done so
//! before.)

use super::lent::LentUse;
use super::port::RunPort;
use super::state::RunState;
use crate::graph::EventId;
use crate::heap::{Fault, FaultKind, Happened, Progress};
use crate::port::LocationHint;

impl RunPort {
    /// The running thread is about to use the object with this hint.
    #[inline]
    pub(crate) fn note_use(&self, hint: &LocationHint) {
        if self.coroutines.may_be_on_stack(std::ptr::from_ref(hint).addr()) {
            self.note_use_on_stack(hint);
        }
    }

    #[inline(never)]
    fn note_use_on_stack(&self, hint: &LocationHint) {
        let Some(owner) = self.coroutines.stack_of(std::ptr::from_ref(hint).addr()) else { return };
        let run = &mut *self.run.borrow_mut();
        let user = run.now.current;
        if owner != user && !self.is_looked_at() {
            let position = run.thread(user).next;
            run.now.lent.note(hint, owner, user, position);
            if run.has_ended(owner) {
                run.now.lent.end(owner, run.thread(owner).next);
            }
        }
    }
}

impl RunPort {
    /// The current thread is about to do an operation; below `top` nothing on its stack is the program's.
    #[inline]
    pub(crate) fn note_top(&self, top: usize) {
        let run = &mut *self.run.borrow_mut();
        if !run.now.lent.is_empty() {
            run.look_at_stack(top);
        }
    }
}

impl RunState {
    /// Whether a thread has used what is on the stack of another one.
    #[inline]
    pub(crate) fn has_lent(&self) -> bool {
        !self.now.lent.is_empty()
    }

    #[inline(never)]
    pub(crate) fn look_at_stack(&mut self, top: usize) {
        let (current, position) = (self.now.current, self.thread(self.now.current).next);
        self.now.lent.look(current, position, top);
    }

    /// The uses of objects on stacks that do not happen before these end, of each object the first.
    pub(crate) fn stack_faults(&self, happened: &dyn Happened) -> Vec<Fault> {
        let mut found: Vec<(usize, Fault)> = Vec::new();
        for usage in &self.now.lent.uses {
            let object = &self.now.lent.objects[usage.object];
            let Some((sequence, ended)) = self.sequence(usage).zip(object.ended) else { continue };
            let [owner, user] = [object.owner, usage.user].map(|index| self.thread(index).id);
            let known = happened.before_moment(owner, ended as u32, user);
            if usage.position < known as usize || found.iter().any(|(object, _)| *object == usage.object) {
                continue;
            }
            let by = Progress {
                thread: owner,
                position: ended as u32,
                sequence: 0,
                is_observed: true,
                is_in_round: false,
            };
            let kind = FaultKind::Freed { usage: sequence, by };
            found.push((usage.object, Fault { kind, bytes: 0, allocated: None }));
        }
        found.into_iter().map(|(_, fault)| fault).collect()
    }

    /// When a use ran, if it did.
    fn sequence(&self, usage: &LentUse) -> Option<u32> {
        let graph = self.explorer.graph();
        let event: EventId = graph.threads.get(usage.user, usage.position)?;
        let sequence = self.now.ran.iter().position(|&ran| ran == event)?;
        u32::try_from(sequence).ok()
    }
}

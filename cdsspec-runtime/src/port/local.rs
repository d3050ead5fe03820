//! What `thread_local!` keeps for the threads of an execution.

use crate::heap::{self, Running};
use crate::record::ThreadId;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// A value of a thread.
#[derive(Clone)]
pub(crate) enum Local {
    Alive(Rc<dyn Any>),
    Destroyed,
}

/// The values of all threads of the current execution, each thread's in the order in which they were made, by the address of
/// their key.
#[derive(Default)]
pub(crate) struct Locals(RefCell<Vec<Vec<(usize, Local)>>>);

impl Locals {
    /// No thread runs any more. Threads that were left without unwinding have left values: these are forgotten, as those on their
    /// stacks are.
    pub(super) fn forget(&self) {
        if self.is_empty() {
            return;
        }
        self.0.take().into_iter().flatten().for_each(std::mem::forget);
    }

    /// Whether no thread has any.
    pub(super) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    pub(crate) fn get(&self, thread: ThreadId, key: usize) -> Option<Local> {
        let locals = self.0.borrow();
        let (_, local) = locals.get(thread.index())?.iter().find(|(known, _)| *known == key)?;
        Some(local.clone())
    }

    /// Sets a value; returns the one before.
    pub(crate) fn set(&self, thread: ThreadId, key: usize, local: Local) -> Option<Local> {
        let mut locals = self.0.borrow_mut();
        if locals.len() <= thread.index() {
            locals.resize_with(thread.index() + 1, Vec::new);
        }
        let known = &mut locals[thread.index()];
        match known.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => Some(std::mem::replace(old, local)),
            None => {
                known.push((key, local));
                None
            }
        }
    }

    /// Destroys the values of a thread, from the last that was made, as std does, and those that come to be meanwhile.
    pub(super) fn destroy(&self, thread: ThreadId) {
        loop {
            let next = self.0.borrow().get(thread.index()).and_then(|locals| {
                locals.iter().rfind(|(_, local)| matches!(local, Local::Alive(_))).map(|(key, _)| *key)
            });
            let Some(key) = next else { return };
            let value = self.set(thread, key, Local::Destroyed);
            // Dropped while nothing is borrowed: it may use other keys.
            heap::during(Running::Program, || drop(value));
        }
    }
}

impl Drop for Locals {
    fn drop(&mut self) {
        self.forget();
    }
}

//! An order of steps that the threads of a program are to keep, as far as they can.

use std::sync::atomic::{AtomicU32, Ordering};

/// A step that comes next: of which thread, and in which of its calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GuideStep {
    /// The thread: the threads are numbered from 0 in the order in which they are created after [`Notice::Follow`](crate::port::Notice::Follow).
    pub thread: u16,
    /// Which of its calls, from 0.
    pub call: u16,
}

/// Steps in order; and which call each of the threads makes, which the program says.
#[derive(Debug)]
pub struct Guide {
    steps: Vec<GuideStep>,
    calls: Vec<AtomicU32>,
}

impl Guide {
    /// These steps, of so many threads.
    pub fn new(steps: Vec<GuideStep>, thread_count: usize) -> Self {
        Self { steps, calls: (0..thread_count).map(|_| AtomicU32::new(0)).collect() }
    }

    /// The step with this number; `None` behind the last one.
    pub fn step(&self, number: usize) -> Option<GuideStep> {
        self.steps.get(number).copied()
    }

    /// A thread is at its call with this number, from 0.
    pub fn note_call(&self, thread: usize, call: usize) {
        self.calls[thread].store(u32::try_from(call).unwrap_or(u32::MAX), Ordering::Relaxed);
    }

    /// The call that a thread is at.
    pub fn call(&self, thread: u16) -> u32 {
        self.calls[usize::from(thread)].load(Ordering::Relaxed)
    }
}

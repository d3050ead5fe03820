//! What is remembered of a thread as long as it runs, or an event of it is kept.

use super::index::Generation;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Of a thread, for reports; and what keeps its index from threads that do not come after it.
#[derive(Debug)]
pub(crate) struct ThreadFacts {
    generation: Generation,
    name: Option<String>,
    origin: Origin,
}

/// Who made a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// This crate.
    Known,
    /// Nobody that is seen; but it is the first one.
    First,
    /// Nobody that is seen.
    Foreign,
}

impl ThreadFacts {
    /// Of the running thread.
    pub(crate) fn new(generation: Generation, has_creator: bool) -> Self {
        static HAS_FIRST: AtomicBool = AtomicBool::new(false);
        let origin = match has_creator {
            true => Origin::Known,
            false if !HAS_FIRST.swap(true, Relaxed) => Origin::First,
            false => Origin::Foreign,
        };
        let name = std::thread::current().name().map(str::to_owned);
        Self { generation, name, origin }
    }

    /// The same thread, which has been another index until now.
    pub(crate) fn of_same_thread(&self, before: &Self) -> Self {
        Self { generation: self.generation.clone(), name: before.name.clone(), origin: before.origin }
    }

    pub(crate) fn generation(&self) -> &Generation {
        &self.generation
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }
}

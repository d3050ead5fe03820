//! When the time is over.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Tells how much time has gone by since some moment.
#[derive(Clone)]
pub(super) struct Timer(pub(super) Arc<dyn Fn() -> Duration + Send + Sync>);

impl Timer {
    /// The time of the machine, from now on.
    pub(super) fn new() -> Self {
        let begin = Instant::now();
        Self(Arc::new(move || begin.elapsed()))
    }
}

impl fmt::Debug for Timer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timer").finish_non_exhaustive()
    }
}

/// When the time is over, if ever.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    clock: Timer,
    end: Option<Duration>,
}

impl Deadline {
    /// So long from now.
    pub(super) fn new(clock: Timer, duration_max: Option<Duration>) -> Self {
        let end = duration_max.map(|max| (clock.0)().saturating_add(max));
        Self { clock, end }
    }

    /// How much time is left; `None`: there is no limit.
    pub(super) fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub((self.clock.0)()))
    }

    /// Whether none is left.
    pub(super) fn is_over(&self) -> bool {
        self.left() == Some(Duration::ZERO)
    }
}

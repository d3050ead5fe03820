//! Says so when a run does not move: a lock of std that is held while another thread waits for it cannot be seen, and blocks the OS
//! thread that explores.

use crate::engine::Watch;
use crate::report;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// A run that is watched until this is dropped.
pub(super) struct Watched(Arc<Watch>);

struct Run {
    watch: Arc<Watch>,
    program: String,
    patience: Duration,
    /// Its beats when it was last seen to move, and when that was.
    beats: u64,
    moved: Instant,
    has_been_told: bool,
}

static RUNS: Mutex<Vec<Run>> = Mutex::new(Vec::new());

/// How often all runs are looked at.
const PERIOD: Duration = Duration::from_millis(50);

/// Watches a run: when it has not moved for `patience`, what each of its threads did last is printed. One OS thread watches all runs.
pub(super) fn watch(watch: Arc<Watch>, program: String, patience: Duration) -> Watched {
    static START: Once = Once::new();
    START.call_once(|| {
        // Without such a thread nothing is watched, and nothing else changes.
        drop(std::thread::Builder::new().name("cdsspec watchdog".to_owned()).spawn(look_on));
    });
    let beats = watch.beats();
    let run =
        Run { watch: watch.clone(), program, patience, beats, moved: Instant::now(), has_been_told: false };
    runs().push(run);
    Watched(watch)
}

impl Drop for Watched {
    fn drop(&mut self) {
        runs().retain(|run| !Arc::ptr_eq(&run.watch, &self.0));
    }
}

fn runs() -> MutexGuard<'static, Vec<Run>> {
    RUNS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn look_on() {
    loop {
        std::thread::sleep(PERIOD);
        for run in &mut *runs() {
            if let Some(text) = run.look() {
                eprintln!("{text}");
            }
        }
    }
}

impl Run {
    /// What there is to tell now.
    fn look(&mut self) -> Option<String> {
        let beats = self.watch.beats();
        if beats != self.beats {
            (self.beats, self.moved, self.has_been_told) = (beats, Instant::now(), false);
            return None;
        }
        if self.has_been_told || self.moved.elapsed() < self.patience {
            return None;
        }
        self.has_been_told = true;
        Some(report::stuck(&self.program, self.patience, &self.watch.last_operations()))
    }
}

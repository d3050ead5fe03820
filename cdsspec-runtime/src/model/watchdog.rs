//! Says so when a run does not move: a lock of std that is held while another thread waits for it cannot be seen, and blocks the OS
//! thread that explores.

use crate::engine::Watch;
use crate::{process, report};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

/// A run that is watched until this is dropped.
pub(super) struct Watched(Arc<Watch>);

/// How long a run may stand still. `None`: for ever.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Patience {
    /// Before that is said.
    pub(super) before_telling: Option<Duration>,
    /// Before the process is ended.
    pub(super) before_exit: Option<Duration>,
}

impl Patience {
    /// Whether anything ever happens to a run that stands still.
    pub(super) fn ends(self) -> bool {
        self.before_telling.is_some() || self.before_exit.is_some()
    }
}

struct WatchedRun {
    watch: Arc<Watch>,
    program: String,
    patience: Patience,
    /// Its beats when it was last seen to move, and when that was.
    beats: u64,
    moved: Instant,
    has_been_told: bool,
}

/// What is to be done about a run that stands still.
#[derive(PartialEq, Eq, Debug)]
enum Measure {
    /// To say so.
    Tell(String),
    /// To say so, and end the process.
    Exit(String),
}

static RUNS: Mutex<Vec<WatchedRun>> = Mutex::new(Vec::new());

/// How often all runs are looked at.
const PERIOD: Duration = Duration::from_millis(50);

/// That of a process in which a test failed.
const EXIT_CODE: i32 = 101;

/// Watches a run: when it has not moved for long, what each of its threads did last is printed. One OS thread watches all runs.
pub(super) fn watch(watch: Arc<Watch>, program: String, patience: Patience) -> Watched {
    static START: Once = Once::new();
    START.call_once(|| {
        // Without such a thread nothing is watched, and nothing else changes.
        drop(std::thread::Builder::new().name("cdsspec watchdog".to_owned()).spawn(look_on));
    });
    let beats = watch.beats();
    let run = WatchedRun {
        watch: watch.clone(),
        program,
        patience,
        beats,
        moved: Instant::now(),
        has_been_told: false,
    };
    runs().push(run);
    Watched(watch)
}

impl Drop for Watched {
    fn drop(&mut self) {
        runs().retain(|run| !Arc::ptr_eq(&run.watch, &self.0));
    }
}

fn runs() -> MutexGuard<'static, Vec<WatchedRun>> {
    RUNS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn look_on() {
    loop {
        std::thread::sleep(PERIOD);
        for run in &mut *runs() {
            match run.look(Instant::now()) {
                Some(Measure::Tell(text)) => process::write_line(&text),
                Some(Measure::Exit(text)) => {
                    process::write_line(&text);
                    std::process::exit(EXIT_CODE);
                }
                None => {}
            }
        }
    }
}

impl WatchedRun {
    /// What there is to do now.
    fn look(&mut self, now: Instant) -> Option<Measure> {
        let beats = self.watch.beats();
        if beats != self.beats {
            (self.beats, self.moved, self.has_been_told) = (beats, now, false);
            return None;
        }
        let still = now.duration_since(self.moved);
        let is_over = |patience: Option<Duration>| patience.filter(|&patience| still >= patience);
        if let Some(patience) = is_over(self.patience.before_exit) {
            return Some(Measure::Exit(self.text(patience, true)));
        }
        let patience = is_over(self.patience.before_telling).filter(|_| !self.has_been_told)?;
        self.has_been_told = true;
        Some(Measure::Tell(self.text(patience, false)))
    }

    fn text(&self, patience: Duration, is_exit: bool) -> String {
        report::stuck(&self.program, patience, &self.watch.last_operations(), is_exit, process::columns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done at each of these milliseconds of standing still: nothing, `t`ell, `e`xit.
    fn steps(tell: Option<u64>, exit: Option<u64>, at: &[u64]) -> String {
        let patience = Patience {
            before_telling: tell.map(Duration::from_millis),
            before_exit: exit.map(Duration::from_millis),
        };
        let moved = Instant::now();
        let watch = Arc::new(Watch::default());
        let mut run =
            WatchedRun { watch, program: String::new(), patience, beats: 0, moved, has_been_told: false };
        let step = |&ms: &u64| match run.look(moved + Duration::from_millis(ms)) {
            None => '-',
            Some(Measure::Tell(_)) => 't',
            Some(Measure::Exit(_)) => 'e',
        };
        at.iter().map(step).collect()
    }

    #[test]
    fn a_run_that_stands_still_is_told_of_once_and_ends_the_process_later() {
        let at = [0, 99, 100, 150, 299, 300];
        assert_eq!(steps(Some(100), None, &at), "--t---");
        assert_eq!(steps(Some(100), Some(300), &at), "--t--e");
        assert_eq!(steps(None, Some(300), &at), "-----e");
        assert_eq!(steps(Some(300), Some(100), &at[..3]), "--e");
        assert_eq!(steps(None, None, &at), "------");
    }

    #[test]
    fn a_run_that_moves_is_told_of_anew() {
        let watch = Arc::new(Watch::default());
        let patience = Patience { before_telling: Some(Duration::from_millis(100)), before_exit: None };
        let moved = Instant::now();
        let mut run = WatchedRun {
            watch: watch.clone(),
            program: String::new(),
            patience,
            beats: 0,
            moved,
            has_been_told: false,
        };
        let mut is_told = |ms| run.look(moved + Duration::from_millis(ms)).is_some();
        assert_eq!([is_told(100), is_told(200)], [true, false]);
        watch.begin();
        assert_eq!([is_told(300), is_told(399), is_told(400)], [false, false, true]);
    }
}

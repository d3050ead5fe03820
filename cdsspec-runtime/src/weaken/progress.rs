//! How far the work is, for who waits for it: on the standard error output.

use crate::{process, report};
#[cfg(feature = "progress")]
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
#[cfg(feature = "progress")]
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often something moves, however long a single run takes.
const PERIOD: Duration = Duration::from_secs(1);

/// How progress is told.
#[derive(Clone)]
pub(super) enum Teller {
    /// Not at all.
    Silent,
    /// By a bar of a terminal, with the time that has gone by. With the feature `progress`; without it by lines.
    #[cfg(feature = "progress")]
    Bar,
    /// By a line a period.
    Lines(LineTeller),
}

/// Where lines go, and when.
#[derive(Clone)]
pub(super) struct LineTeller {
    /// Writes a line.
    pub(super) write: Arc<dyn Fn(&str) + Send + Sync>,
    /// Waits until a period is over, or the work; whether it is the period.
    pub(super) pause: Arc<dyn Fn(&End) -> bool + Send + Sync>,
}

impl Teller {
    /// What fits the standard error output.
    pub(super) fn new(is_on: bool) -> Self {
        match is_on {
            false => Self::Silent,
            #[cfg(feature = "progress")]
            true if std::io::stderr().is_terminal() => Self::Bar,
            true => Self::Lines(LineTeller {
                write: Arc::new(|line| eprintln!("{}", report::paragraph(line, process::columns()))),
                pause: Arc::new(|end| end.is_not_in(PERIOD)),
            }),
        }
    }

    /// Tells how far `work` is with `count` items while it runs.
    pub(super) fn during<R>(&self, title: &str, count: usize, work: impl FnOnce(&Headway) -> R) -> R {
        match self {
            Self::Silent => work(&Headway::default()),
            #[cfg(feature = "progress")]
            Self::Bar => {
                let bar = bar(title, count);
                let result = work(&Headway { done: AtomicUsize::new(0), bar: Some(bar.clone()) });
                bar.finish_and_clear();
                result
            }
            Self::Lines(teller) => teller.during(title, count, work),
        }
    }
}

impl LineTeller {
    fn during<R>(&self, title: &str, count: usize, work: impl FnOnce(&Headway) -> R) -> R {
        let (progress, end) = (Headway::default(), End::default());
        let tell = || {
            let mut period_count = 0;
            while (self.pause)(&end) {
                period_count += 1;
                let (done, seconds) =
                    (progress.done.load(Ordering::Relaxed), period_count * PERIOD.as_secs());
                (self.write)(&format!("{title}: {done} of {count}, {seconds} s"));
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(tell);
            let _end = EndWhenDropped(&end);
            work(&progress)
        })
    }
}

#[cfg(feature = "progress")]
fn bar(title: &str, count: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{wide_msg} [{bar:20}] {pos} of {len}, {elapsed}");
    bar.set_style(style.expect("the template is well-formed"));
    bar.set_message(title.to_owned());
    bar.enable_steady_tick(PERIOD / 4);
    bar
}

/// How far the work is.
#[derive(Default)]
pub(super) struct Headway {
    done: AtomicUsize,
    #[cfg(feature = "progress")]
    bar: Option<ProgressBar>,
}

impl Headway {
    /// One more item is done.
    pub(super) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        #[cfg(feature = "progress")]
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }
}

/// Whether the work has ended.
#[derive(Default)]
pub(super) struct End {
    is_over: Mutex<bool>,
    changed: Condvar,
}

impl End {
    /// Waits so long, or until the end; whether it has not come.
    fn is_not_in(&self, period: Duration) -> bool {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(is_over, period, |is_over| !*is_over);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Ends the telling, also where the work panics.
struct EndWhenDropped<'a>(&'a End);

impl Drop for EndWhenDropped<'_> {
    fn drop(&mut self) {
        *self.0.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_line_comes_each_period_while_a_single_item_takes_long() {
        let (send_period, periods) = mpsc::channel::<()>();
        let (send_line, lines) = mpsc::channel::<String>();
        let periods = Mutex::new(periods);
        let teller = Teller::Lines(LineTeller {
            write: Arc::new(move |line| send_line.send(line.to_owned()).expect("the test listens")),
            // A period is over whenever the test says so.
            pause: Arc::new(move |_| periods.lock().expect("nobody panicked").recv().is_ok()),
        });
        let mut seen = Vec::new();
        teller.during("queue: weakening", 2, |progress| {
            let mut period = || {
                send_period.send(()).expect("the teller waits");
                seen.push(lines.recv().expect("a line comes before the item is done"));
            };
            period();
            period();
            progress.step();
            period();
            // The end.
            drop(send_period);
        });
        let expected = ["0 of 2, 1 s", "0 of 2, 2 s", "1 of 2, 3 s"];
        assert_eq!(seen, expected.map(|text| format!("queue: weakening: {text}")));
    }

    #[test]
    fn the_end_is_not_waited_out() {
        let end = End::default();
        assert!(end.is_not_in(Duration::ZERO));
        drop(EndWhenDropped(&end));
        assert!(!end.is_not_in(Duration::MAX), "it has ended");
    }
}

//! Independent pieces of work, on several OS threads.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How the work is done.
#[derive(Clone, Copy)]
pub(super) struct Pool<'a> {
    /// On so many threads.
    pub(super) jobs: usize,
    /// Nothing is begun after this.
    pub(super) deadline: Option<Instant>,
    /// What the bar is called, if there is to be one.
    pub(super) title: Option<&'a str>,
}

impl Pool<'_> {
    /// Whether the deadline is over.
    pub(super) fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Does `work` on every item; the results in the order of the items, `None` for those that were not begun by the deadline.
    pub(super) fn run<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<Option<R>> {
        let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let progress = Progress::new(self.title, items.len());
        let take = || {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return };
                if self.is_over() {
                    return;
                }
                let result = work(item);
                *results[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                progress.step();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(items.len()) {
                scope.spawn(take);
            }
        });
        progress.end();
        results
            .into_iter()
            .map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }
}

/// How far the work is, on the standard error output: a bar on a terminal, else a line once a second.
enum Progress<'a> {
    Silent,
    Bar(ProgressBar),
    Lines { title: &'a str, count: usize, done: Mutex<(usize, Instant)> },
}

const PERIOD: Duration = Duration::from_secs(1);

impl<'a> Progress<'a> {
    fn new(title: Option<&'a str>, count: usize) -> Self {
        let Some(title) = title else { return Self::Silent };
        if !std::io::stderr().is_terminal() {
            return Self::Lines { title, count, done: Mutex::new((0, Instant::now())) };
        }
        let bar = ProgressBar::with_draw_target(Some(count as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {pos} of {len}, {elapsed}");
        bar.set_style(style.expect("the template is well-formed"));
        bar.set_message(title.to_owned());
        bar.enable_steady_tick(PERIOD / 4);
        Self::Bar(bar)
    }

    fn step(&self) {
        match self {
            Self::Silent => {}
            Self::Bar(bar) => bar.inc(1),
            Self::Lines { title, count, done } => {
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                done.0 += 1;
                if done.1.elapsed() >= PERIOD {
                    eprintln!("{title}: {} of {count}", done.0);
                    done.1 = Instant::now();
                }
            }
        }
    }

    fn end(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(jobs: usize, deadline: Option<Instant>) -> Vec<Option<u32>> {
        let items: Vec<u32> = (0..20).collect();
        Pool { jobs, deadline, title: None }.run(&items, |item| item * item)
    }

    #[test]
    fn results_stand_in_the_order_of_the_items_whatever_the_number_of_threads() {
        let expected: Vec<_> = (0..20).map(|item| Some(item * item)).collect();
        for jobs in [1, 2, 7, 100] {
            assert_eq!(squares(jobs, None), expected);
        }
    }

    #[test]
    fn what_is_not_begun_by_the_deadline_has_no_result() {
        assert_eq!(squares(2, Some(Instant::now())), vec![None; 20]);
    }
}

//! Independent pieces of work, on several OS threads.

use super::deadline::Deadline;
use super::progress::{Headway, Teller};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How the work is done.
#[derive(Clone)]
pub(super) struct Pool {
    /// On so many threads.
    pub(super) jobs: usize,
    /// Nothing is begun after this.
    pub(super) deadline: Deadline,
    /// What the whole is called, for who waits.
    pub(super) title: String,
    /// Who tells how far it is.
    pub(super) teller: Teller,
}

impl Pool {
    /// Does `work` on every item; the results in the order of the items, `None` for those that were not begun by the deadline.
    pub(super) fn run<T: Sync, R: Send>(
        &self,
        phase: &str,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
    ) -> Vec<Option<R>> {
        self.follow(phase, items.len(), |progress| self.run_each(items, work, |_| false, progress))
    }

    /// The same, telling nothing, until a result `is_end`: all items before the first such one are done, and few behind it.
    pub(super) fn run_until<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
        is_end: impl Fn(&R) -> bool + Sync,
    ) -> Vec<Option<R>> {
        self.run_each(items, work, is_end, &Headway::default())
    }

    /// Tells how far `work` is with so many items.
    pub(super) fn follow<R>(&self, phase: &str, count: usize, work: impl FnOnce(&Headway) -> R) -> R {
        self.teller.during(&format!("{}: {phase}", self.title), count, work)
    }

    fn run_each<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
        is_end: impl Fn(&R) -> bool + Sync,
        progress: &Headway,
    ) -> Vec<Option<R>> {
        let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
        let (next, has_ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let take = || {
            while !has_ended.load(Ordering::Relaxed) && !self.deadline.is_over() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(index) else { return };
                let result = work(item);
                has_ended.fetch_or(is_end(&result), Ordering::Relaxed);
                *results[index].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                progress.step();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(items.len()) {
                scope.spawn(take);
            }
        });
        results
            .into_iter()
            .map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::deadline::Timer;
    use super::*;
    use std::time::Duration;

    fn pool(jobs: usize, duration_max: Option<Duration>) -> Pool {
        let deadline = Deadline::new(Timer::new(), duration_max);
        Pool { jobs, deadline, title: String::new(), teller: Teller::Silent }
    }

    fn squares(jobs: usize, duration_max: Option<Duration>) -> Vec<Option<u32>> {
        let items: Vec<u32> = (0..20).collect();
        pool(jobs, duration_max).run("", &items, |item| item * item)
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
        assert_eq!(squares(2, Some(Duration::ZERO)), vec![None; 20]);
    }

    #[test]
    fn what_comes_before_the_first_end_is_done() {
        let items: Vec<u32> = (0..200).collect();
        for jobs in [1, 2, 7] {
            let results = pool(jobs, None).run_until(&items, |item| *item, |item| *item >= 20);
            let expected: Vec<_> = (0..=20).map(Some).collect();
            assert_eq!(results[..=20], expected);
            assert!(jobs > 1 || results[21..].iter().all(Option::is_none), "one thread stops at once");
        }
    }
}

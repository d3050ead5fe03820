//! What completes, and what is cancelled.

use super::Monitor;
use cdsspec_runtime::scenario::Scenario;

/// How a task has completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Completion {
    Result(u32),
    Exception,
    Canceled,
}

/// A task that somebody completes.
#[derive(Default)]
pub(in super::super) struct Source {
    completion: Monitor<Option<Completion>>,
    /// The result, where it is kept apart.
    result: Monitor<u32>,
}

impl Source {
    /// Error F, of our choice: whether it is complete is looked at before it is completed, and not with it.
    fn try_set(&self, completion: Completion, looks_first: bool) -> bool {
        if looks_first && self.completion.look(Option::is_some) {
            return false;
        }
        self.completion.change(|known| {
            let is_first = looks_first || known.is_none();
            if is_first {
                *known = Some(completion);
            }
            is_first
        })
    }

    /// Error G, of our choice: it is complete before the result is there.
    fn try_set_result(&self, result: u32, error: Error) -> bool {
        let is_set = self.try_set(Completion::Result(result), error == Error::LooksFirst);
        if is_set && error == Error::CompletesEarly {
            self.result.change(|kept| *kept = result);
        }
        is_set
    }

    fn result(&self, error: Error) -> Option<u32> {
        match self.completion.look(|completion| *completion)? {
            Completion::Result(_) if error == Error::CompletesEarly => {
                Some(self.result.look(|result| *result))
            }
            Completion::Result(result) => Some(result),
            _ => None,
        }
    }
}

/// What is wrong with the task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Error {
    None,
    LooksFirst,
    CompletesEarly,
}

/// A task, with an error or without.
pub(in super::super) fn completion_source(error: Error) -> Scenario<Source> {
    let looks_first = error == Error::LooksFirst;
    let must = |is_set: bool| if is_set { Ok(()) } else { Err("it is complete") };
    Scenario::new(Source::default)
        .name("TaskCompletionSource")
        .op("exception()", |task| task.completion.look(|known| *known == Some(Completion::Exception)).into())
        .op("try_set_canceled()", move |task| task.try_set(Completion::Canceled, looks_first).into())
        .op("try_set_exception()", move |task| task.try_set(Completion::Exception, looks_first).into())
        .op("try_set_result(10)", move |task| task.try_set_result(10, error).into())
        .op("set_canceled()", move |task| must(task.try_set(Completion::Canceled, looks_first)).into())
        .op("set_exception()", move |task| must(task.try_set(Completion::Exception, looks_first)).into())
        .op("set_result(20)", move |task| must(task.try_set_result(20, error)).into())
        .op("wait()", |task| task.completion.wait(|known| known.map(|_| ())).into())
        .op("try_result()", move |task| task.result(error).into())
}

/// A count, which a cancellation stops.
pub(in super::super) fn cancellation_source() -> Scenario<Monitor<(u32, bool)>> {
    Scenario::new(|| Monitor::new((0, false)))
        .name("CancellationTokenSource")
        .op("increment()", |source| {
            source
                .change(|(count, is_cancelled)| {
                    *count += u32::from(!*is_cancelled);
                    *count
                })
                .into()
        })
        .op("cancel()", |source| source.change(|state| std::mem::replace(&mut state.1, true)).into())
}

//! Histories of any length that are linearizable by how they are made: some threads call, and each call takes effect at a moment between its invocation and its return. And ways to break one that
//! leave no doubt.

use cdsspec_linearize::{Call, CallId, History, SequentialSpecification};

/// Numbers from a seed (xorshift).
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// One below this.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// How a history is made.
pub(crate) struct Plan {
    pub(crate) threads: usize,
    pub(crate) calls: usize,
    /// Of a thousand calls so many stay pending; a new thread goes on.
    pub(crate) pending: usize,
}

/// Where a thread is.
enum Place<R> {
    Idle,
    Invoked(usize),
    TookEffect(usize, R),
}

/// A history that is linearizable. `operation` draws what is called, given how many calls there are.
pub(crate) fn history<S: SequentialSpecification>(
    specification: &S,
    plan: &Plan,
    numbers: &mut Numbers,
    mut operation: impl FnMut(usize, &mut Numbers) -> S::Operation,
) -> History<S::Operation, S::Result> {
    let mut calls: Vec<Call<S::Operation, S::Result>> = Vec::new();
    let mut state = specification.initial();
    let mut places: Vec<Place<S::Result>> = (0..plan.threads).map(|_| Place::Idle).collect();
    for moment in 1.. {
        let is_over = calls.len() == plan.calls;
        if is_over && places.iter().all(|place| matches!(place, Place::Idle)) {
            break;
        }
        let thread = numbers.below(plan.threads);
        places[thread] = match std::mem::replace(&mut places[thread], Place::Idle) {
            Place::Idle if is_over => Place::Idle,
            Place::Idle => {
                let operation = operation(calls.len(), numbers);
                calls.push(Call {
                    thread: thread as u64,
                    operation,
                    result: None,
                    invoked: moment,
                    returned: None,
                });
                Place::Invoked(calls.len() - 1)
            }
            Place::Invoked(call) => {
                if numbers.below(1_000) < plan.pending {
                    continue;
                }
                let mut steps: Vec<_> =
                    specification.step(&state, &calls[call].operation).into_iter().collect();
                if steps.is_empty() {
                    // It cannot take effect yet; at the end, never.
                    places[thread] = if is_over { Place::Idle } else { Place::Invoked(call) };
                    continue;
                }
                let (result, next) = steps.swap_remove(numbers.below(steps.len()));
                state = next;
                Place::TookEffect(call, result)
            }
            Place::TookEffect(call, result) => {
                if numbers.below(1_000) >= plan.pending {
                    (calls[call].result, calls[call].returned) = (Some(result), Some(moment));
                }
                Place::Idle
            }
        };
    }
    History::new(calls).expect("it is one")
}

/// Two calls that returned, with their results changed for each other.
pub(crate) fn swapped<O: Clone, R: Clone>(
    history: &History<O, R>,
    one: CallId,
    other: CallId,
) -> History<O, R> {
    let mut calls = history.calls().to_vec();
    let result = calls[one.index()].result.clone();
    calls[one.index()].result = calls[other.index()].result.clone();
    calls[other.index()].result = result;
    History::new(calls).expect("it is one")
}

/// The same calls, one with another result.
pub(crate) fn with_result<O: Clone, R: Clone>(
    history: &History<O, R>,
    call: CallId,
    result: R,
) -> History<O, R> {
    let mut calls = history.calls().to_vec();
    calls[call.index()].result = Some(result);
    History::new(calls).expect("it is one")
}

//! Sequential histories: every one, or a random sample, must run with its conditions true (CDSSpec, definitions 2, 5, 6).

use super::replay::{replay, unstable};
use super::search::{Search, Stop, Walker};
use super::state::{State, States};
use super::{Budget, Histories, ObjectCalls, SearchEnd, SearchOptions};
use crate::random::Random;
use crate::record::{CallId, SpecificationError};
use crate::specification::{Broken, ClauseKind, StepMode};
use fixedbitset::FixedBitSet;
use std::ops::ControlFlow;

/// What the sequential histories of an object came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryCheck {
    /// How many were complete: run to the end, or known to be good from a (down-set, state) pair on that was seen before.
    pub count: u64,
    /// Stopped at the first that breaks a condition; finished if none does.
    pub end: SearchEnd<BrokenHistory>,
}

/// A sequential history that breaks a condition: its beginning, up to there, is the certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenHistory {
    /// The call whose condition is broken.
    pub call: CallId,
    /// Which one.
    pub clause: ClauseKind,
    /// The calls before it.
    pub before: Vec<CallId>,
    /// The state before the call, where it can be shown.
    pub state: Option<String>,
    /// What the side effect returned, where it was run and can be shown.
    pub specified: Option<String>,
}

/// Checks the sequential histories of an object. Deterministic: the first broken one, in lexical order of calls, is found.
///
/// Cost: of all, at most calls times the number of (down-set, state) pairs, or calls times the number of histories where states cannot
/// be compared; of a random one, O(calls²).
pub fn check_histories(
    calls: &ObjectCalls<'_>,
    options: &SearchOptions,
    budget: &mut Budget,
) -> HistoryCheck {
    let states = States::new(calls);
    let (count, end) = match options.histories {
        Histories::All => {
            let mut members = FixedBitSet::with_capacity(calls.len());
            members.insert_range(..);
            let mut search = Search::new(calls, members, options.memo_bytes_max, budget, Sequential);
            let end = search.run(&states);
            (search.count, end)
        }
        Histories::Random(count) => {
            let seed = options.seed.wrapping_add(calls.object.index() as u64);
            sample(&states, count, &mut Random::new(seed), budget)
        }
    };
    HistoryCheck { count, end: certify(calls, end) }
}

/// Where the search stopped.
struct Certificate {
    before: Vec<usize>,
    slot: usize,
    broken: Broken,
}

struct Sequential;

impl Walker for Sequential {
    type Found = Certificate;

    fn step(
        &mut self,
        before: &[usize],
        slot: usize,
        state: &mut State<'_>,
    ) -> ControlFlow<Stop<Certificate>> {
        match state.step(slot, StepMode::Sequential) {
            Ok(Ok(())) => ControlFlow::Continue(()),
            Ok(Err(broken)) => {
                ControlFlow::Break(Stop::Found(Certificate { before: before.to_vec(), slot, broken }))
            }
            Err(error) => ControlFlow::Break(error.into()),
        }
    }

    fn end(&mut self, _order: &[usize], _state: State<'_>) -> ControlFlow<Stop<Certificate>> {
        ControlFlow::Continue(())
    }
}

/// Runs random histories, or the only one there is.
fn sample(
    states: &States<'_>,
    count: u64,
    random: &mut Random,
    budget: &mut Budget,
) -> (u64, SearchEnd<Certificate>) {
    let count = if states.calls.relation().is_total() { count.min(1) } else { count };
    for done in 0..count {
        if !budget.take() {
            return (done, SearchEnd::Limit);
        }
        let end = match sample_one(states, random) {
            Ok(None) => continue,
            Ok(Some(certificate)) => SearchEnd::Stopped(certificate),
            Err(error) => SearchEnd::Failed(error),
        };
        return (done, end);
    }
    (count, states.failure().map_or(SearchEnd::Finished, SearchEnd::Failed))
}

fn sample_one(states: &States<'_>, random: &mut Random) -> Result<Option<Certificate>, SpecificationError> {
    let calls = states.calls;
    let mut state = states.initial()?;
    let mut done = FixedBitSet::with_capacity(calls.len());
    let mut before = Vec::with_capacity(calls.len());
    while before.len() < calls.len() {
        let ready: Vec<usize> = (0..calls.len())
            .filter(|&slot| !done.contains(slot) && calls.relation().is_slot_ready(slot, &done))
            .collect();
        let slot = ready[random.below(ready.len())];
        if let Err(broken) = state.step(slot, StepMode::Sequential)? {
            return Ok(Some(Certificate { before, slot, broken }));
        }
        done.insert(slot);
        before.push(slot);
    }
    Ok(None)
}

/// Runs the certificate again, for the state before the call.
fn certify(calls: &ObjectCalls<'_>, end: SearchEnd<Certificate>) -> SearchEnd<BrokenHistory> {
    let Certificate { before, slot, broken } = match end {
        SearchEnd::Finished => return SearchEnd::Finished,
        SearchEnd::Limit => return SearchEnd::Limit,
        SearchEnd::Failed(error) => return SearchEnd::Failed(error),
        SearchEnd::Stopped(certificate) => certificate,
    };
    match replay(calls, (&before, StepMode::Sequential), (slot, StepMode::Sequential)) {
        Err(error) => SearchEnd::Failed(error),
        Ok(again) if again.result.as_ref().err().map(|again| again.clause) != Some(broken.clause) => {
            SearchEnd::Failed(unstable(calls, slot, broken.clause))
        }
        Ok(again) => SearchEnd::Stopped(BrokenHistory {
            call: calls.calls()[slot].id,
            clause: broken.clause,
            before: calls.ids(&before),
            state: again.state,
            specified: broken.specified,
        }),
    }
}

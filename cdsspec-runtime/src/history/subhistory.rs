//! Justifying subhistories: some order of the predecessors of a call must explain what it did (CDSSpec, definitions 3, 4).

use super::replay::{replay, unstable};
use super::search::{Search, Stop, Walker};
use super::state::{State, States};
use super::{Budget, ObjectCalls, SearchEnd, SearchOptions};
use crate::record::{CallId, SpecificationError};
use crate::specification::{Broken, ClauseKind, StepMode};
use fixedbitset::FixedBitSet;
use std::ops::ControlFlow;

/// Whether a call is justified by its own subhistories; that its predecessors are justified is asked of each of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Justification {
    /// By this order of its predecessors.
    Justified(Vec<CallId>),
    /// No subhistory does.
    Unjustified {
        /// How many there are: all orders of the predecessors that extend r.
        subhistory_count: u64,
        /// The first, without the call itself.
        example: Vec<CallId>,
        /// The clause that the example breaks.
        clause: ClauseKind,
        /// The state before the call in the example, where it can be shown.
        state: Option<String>,
        /// What the side effect returned in the example, where it was run and can be shown.
        specified: Option<String>,
    },
    /// The budget is used up.
    Limit,
    /// The specification failed.
    Failed(SpecificationError),
}

/// Looks for a justifying subhistory of the call at `slot`. Deterministic: the first one, in lexical order of calls, is found.
///
/// Cost: at most predecessors times the number of (down-set, state) pairs below the call, or times the number of orders of the
/// predecessors where states cannot be compared.
pub fn justify(
    calls: &ObjectCalls<'_>,
    slot: usize,
    options: &SearchOptions,
    budget: &mut Budget,
) -> Justification {
    let mut members = FixedBitSet::with_capacity(calls.len());
    members.extend(calls.relation().slot_predecessors(slot));
    let states = States::new(calls);
    let visitor = Justifying { slot, first_broken: None };
    let mut search = Search::new(calls, members, options.memo_bytes_max, budget, visitor);
    match search.run(&states) {
        SearchEnd::Stopped(order) => certify_justified(calls, slot, &order),
        SearchEnd::Limit => Justification::Limit,
        SearchEnd::Failed(error) => Justification::Failed(error),
        SearchEnd::Finished => {
            let (order, broken) =
                search.visitor.first_broken.expect("cdsspec bug: every order has a subhistory");
            certify_unjustified(calls, slot, search.count, (&order, broken))
        }
    }
}

struct Justifying {
    slot: usize,
    first_broken: Option<(Vec<usize>, Broken)>,
}

impl Walker for Justifying {
    type Found = Vec<usize>;

    fn step(
        &mut self,
        _before: &[usize],
        slot: usize,
        state: &mut State<'_>,
    ) -> ControlFlow<Stop<Vec<usize>>> {
        match state.step(slot, StepMode::EffectOnly) {
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error.into()),
        }
    }

    fn end(&mut self, order: &[usize], mut state: State<'_>) -> ControlFlow<Stop<Vec<usize>>> {
        match state.step(self.slot, StepMode::Justifying) {
            Ok(Ok(())) => ControlFlow::Break(Stop::Found(order.to_vec())),
            Ok(Err(broken)) => {
                self.first_broken.get_or_insert_with(|| (order.to_vec(), broken));
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error.into()),
        }
    }
}

/// The certificate; run again in debug builds.
fn certify_justified(calls: &ObjectCalls<'_>, slot: usize, order: &[usize]) -> Justification {
    if cfg!(debug_assertions) {
        match replay(calls, (order, StepMode::EffectOnly), (slot, StepMode::Justifying)) {
            Err(error) => return Justification::Failed(error),
            Ok(again) => {
                if let Err(broken) = again.result {
                    return Justification::Failed(unstable(calls, slot, broken.clause));
                }
            }
        }
    }
    Justification::Justified(calls.ids(order))
}

/// Runs the example again, for the state before the call.
fn certify_unjustified(
    calls: &ObjectCalls<'_>,
    slot: usize,
    subhistory_count: u64,
    (order, broken): (&[usize], Broken),
) -> Justification {
    match replay(calls, (order, StepMode::EffectOnly), (slot, StepMode::Justifying)) {
        Err(error) => Justification::Failed(error),
        Ok(again) if again.result.as_ref().err().map(|again| again.clause) != Some(broken.clause) => {
            Justification::Failed(unstable(calls, slot, broken.clause))
        }
        Ok(again) => Justification::Unjustified {
            subhistory_count,
            example: calls.ids(order),
            clause: broken.clause,
            state: again.state,
            specified: broken.specified,
        },
    }
}

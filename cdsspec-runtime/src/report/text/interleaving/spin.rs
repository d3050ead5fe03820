//! Spins: a thread that reads the same over and over. The repetitions are counted instead of shown.

use super::super::super::data::{ReadsFrom, ReportedExecution, ReportedOperation};
use crate::record::{OperationId, OperationKind, Place, ThreadId};
use std::collections::BTreeMap;

/// A spin has at most this many operations a round.
const ROUND_MAX: usize = 8;

/// Which operations are repetitions.
pub(super) struct Spins {
    hidden: Vec<bool>,
    after: BTreeMap<OperationId, Repeated>,
}

/// A round of operations that the thread does again.
#[derive(Clone, Copy)]
pub(super) struct Repeated {
    round: usize,
    times: usize,
}

impl Repeated {
    pub(super) fn text(self, thread: ThreadId) -> String {
        let times =
            if self.times == 1 { "once more".to_owned() } else { format!("{} more times", self.times) };
        match self.round {
            1 => format!("t{}  … {times}", thread.index()),
            round => format!("t{}  … these {round} operations {times}", thread.index()),
        }
    }
}

/// What an operation must have in common with another to be its repetition.
type Signature<'a> = (Place, Option<&'a str>, Option<ReadsFrom>);

impl Spins {
    /// Finds them, thread by thread. Cost: O(operations · (round + threads)).
    pub(super) fn of(execution: &ReportedExecution) -> Self {
        let mut spins = Self { hidden: vec![false; execution.interleaving.len()], after: BTreeMap::new() };
        for thread in &execution.threads {
            let ids: Vec<_> = execution
                .interleaving
                .iter()
                .filter(|operation| operation.thread == thread.id)
                .map(|operation| (operation.id, signature(operation)))
                .collect();
            spins.find(&ids);
        }
        spins
    }

    pub(super) fn is_hidden(&self, operation: OperationId) -> bool {
        self.hidden[operation.index()]
    }

    /// The repetitions that follow this operation.
    pub(super) fn after(&self, operation: OperationId) -> Option<Repeated> {
        self.after.get(&operation).copied()
    }

    fn find(&mut self, operations: &[(OperationId, Option<Signature<'_>>)]) {
        let mut begin = 0;
        while begin < operations.len() {
            let found = (1..=ROUND_MAX)
                .map(|round| (round, repetitions(operations, begin, round)))
                .find(|(_, times)| *times > 0);
            let Some((round, times)) = found else {
                begin += 1;
                continue;
            };
            let end = begin + round * (times + 1);
            for (operation, _) in &operations[begin + round..end] {
                self.hidden[operation.index()] = true;
            }
            self.after.insert(operations[begin + round - 1].0, Repeated { round, times });
            begin = end;
        }
    }
}

/// How often the round that begins here is done again right after.
fn repetitions(operations: &[(OperationId, Option<Signature<'_>>)], begin: usize, round: usize) -> usize {
    let Some(first) = operations.get(begin..begin + round) else { return 0 };
    if first.iter().any(|(_, signature)| signature.is_none()) {
        return 0;
    }
    operations[begin + round..]
        .chunks_exact(round)
        .take_while(|next| next.iter().zip(first).all(|(next, first)| next.1 == first.1))
        .count()
}

/// Nothing for an operation that changes something, or that is an ordering point. A location and who wrote there are one store.
fn signature(operation: &ReportedOperation) -> Option<Signature<'_>> {
    let is_idle = matches!(operation.kind, OperationKind::Load | OperationKind::Fence);
    (is_idle && operation.ordering_point_of.is_empty()).then_some((
        operation.place,
        operation.location.as_deref(),
        operation.reads_from,
    ))
}

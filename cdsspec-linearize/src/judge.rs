//! From a history to a verdict: part by part, and to the smallest prefix that is at fault.

use crate::history::{CallId, History, Precedence};
use crate::limit::{Budget, Limits};
use crate::problem::Problem;
use crate::search::{Found, search};
use crate::specification::SequentialSpecification;
use crate::verdict::{Refusal, Stopped, Verdict, Witness};
use std::collections::BTreeMap;

/// The moment behind all others.
const END: u64 = u64::MAX - 1;

/// Judges whether a history is linearizable.
///
/// Cost: that of one search, if it is; of some more for shorter prefixes, if it is not. A search has at most as many configurations as there are cuts, which are `n * 2^(t-1)` for `t` calls
/// at a time, times states. Each pending call can double that. Of stacks and queues ([`Discipline`](crate::Discipline)) there may be exponentially many states; their searches have none, and take
/// at most about the square of the number of cuts, most often a small multiple of it.
pub fn judge<S: SequentialSpecification>(
    specification: &S,
    history: &History<S::Operation, S::Result>,
    limits: Limits,
) -> Verdict {
    let mut budget = Budget::new(limits);
    let (mut fault, mut stopped) = (None, None);
    let mut witnesses = Vec::new();
    for ids in parts(specification, history) {
        let mut part = Part { specification, history, ids: &ids };
        match part.judge(fault.as_ref(), &mut budget) {
            PartVerdict::Holds(witness) => witnesses.push(witness),
            PartVerdict::Fails(found) => fault = Some(found),
            PartVerdict::Stopped(found) => stopped = stopped.or(Some(found)),
        }
    }
    match (fault, stopped) {
        (None, None) => {
            let order = merge(history, witnesses);
            Verdict::Linearizable(Witness { order, step_count: budget.step_count() })
        }
        (None, Some(stopped)) => {
            Verdict::Inconclusive(Stopped { step_count: budget.step_count(), ..stopped })
        }
        (Some(fault), stopped) => {
            let is_smallest = fault.is_smallest && stopped.is_none();
            Verdict::NotLinearizable(Refusal { is_smallest, step_count: budget.step_count(), ..fault })
        }
    }
}

/// The calls of each part of the object, in the order of the parts.
///
/// A partial order that is not that of intervals has one part: its linearizations do not compose. Let `a` precede `b` and `c` precede `d`, with `a` and `d` of one part, and `b` and `c` of the other. `d`, then `a`, and `b`, then `c`, may be the
/// only linearizations of the parts, and there is no order of all four. Of intervals `a` precedes `d`, or `c` precedes `b`.
fn parts<S: SequentialSpecification>(
    specification: &S,
    history: &History<S::Operation, S::Result>,
) -> Vec<Vec<usize>> {
    if matches!(history.precedence, Precedence::Partial(_)) {
        return vec![(0..history.calls.len()).collect()];
    }
    let mut parts: BTreeMap<S::Part, Vec<usize>> = BTreeMap::new();
    for (id, call) in history.calls.iter().enumerate() {
        parts.entry(specification.part(&call.operation)).or_default().push(id);
    }
    parts.into_values().collect()
}

/// One order of the calls of all parts, in real time: each call takes effect at the last invocation of those that come up to it in its part. That is not after its return, since a
/// call that began after the return would not stand before it.
fn merge<O, R>(history: &History<O, R>, mut witnesses: Vec<Vec<CallId>>) -> Vec<CallId> {
    if witnesses.len() == 1 {
        return witnesses.remove(0);
    }
    let mut points = Vec::new();
    for witness in &witnesses {
        let mut moment = 0;
        for &call in witness {
            moment = history.call(call).invoked.max(moment);
            points.push((moment, call));
        }
    }
    // Calls of one part at one moment stay as they are: the sort is stable.
    points.sort_by_key(|&(moment, _)| moment);
    points.into_iter().map(|(_, call)| call).collect()
}

enum PartVerdict {
    Holds(Vec<CallId>),
    Fails(Refusal),
    Stopped(Stopped),
}

/// What a prefix of a part came to.
enum Prefix {
    Holds(Vec<CallId>),
    Fails,
    Stopped,
}

/// The calls of a part of the object.
struct Part<'s, S: SequentialSpecification> {
    specification: &'s S,
    history: &'s History<S::Operation, S::Result>,
    ids: &'s [usize],
}

impl<S: SequentialSpecification> Part<'_, S> {
    /// Whether the part is linearizable: if a fault is known already, up to that, where an earlier one would be.
    fn judge(&mut self, known: Option<&Refusal>, budget: &mut Budget) -> PartVerdict {
        let end = known.map_or(END, |known| known.moment.saturating_sub(1));
        let problem = Problem::new(self.specification, self.history, self.ids, end);
        match search(self.specification, &problem, budget) {
            Found::Witness(order) => PartVerdict::Holds(problem.ids(&order)),
            Found::Nothing(furthest) => PartVerdict::Fails(self.localize(end, furthest.first_return, budget)),
            Found::Stopped(limit, furthest) => PartVerdict::Stopped(Stopped {
                limit,
                part: self.part(),
                furthest: problem.ids(&furthest.order),
                moment: (furthest.first_return > 0).then_some(furthest.first_return),
                step_count: 0,
            }),
        }
    }

    fn part(&self) -> Vec<CallId> {
        self.ids.iter().map(|&id| CallId(id as u32)).collect()
    }

    fn prefix(&self, end: u64, budget: &mut Budget) -> Prefix {
        let problem = Problem::new(self.specification, self.history, self.ids, end);
        match search(self.specification, &problem, budget) {
            Found::Witness(order) => Prefix::Holds(problem.ids(&order)),
            Found::Nothing(_) => Prefix::Fails,
            Found::Stopped(..) => Prefix::Stopped,
        }
    }

    /// The smallest prefix that is not linearizable, of one that is not. A prefix of a linearizable history is one (theorem 1 of CGVT), so it can be sought by halves; but it is
    /// most often the one that ends with the first return which the search could not pass, so that is where it begins. What the search reached is a lower bound, and no more: it knew what calls return behind the
    /// prefix, and a prefix leaves that open.
    fn localize(&self, end: u64, first_return: u64, budget: &mut Budget) -> Refusal {
        let returns = self.returns(end);
        // The first `good` returns are linearizable, the first `bad` are not.
        let mut good = returns.partition_point(|&moment| moment < first_return);
        let (mut bad, mut witness, mut width, mut is_smallest) = (returns.len(), None, 1, true);
        while good + 1 < bad {
            let middle = if good + width < bad { good + width } else { good.midpoint(bad) };
            match self.prefix(returns[middle - 1], budget) {
                Prefix::Holds(order) => {
                    (good, witness, width) = (middle, Some(order), width * 2);
                }
                Prefix::Fails => bad = middle,
                Prefix::Stopped => {
                    is_smallest = false;
                    break;
                }
            }
        }
        let witness = witness.unwrap_or_else(|| self.witness(&returns[..good], budget));
        self.refusal(returns[bad - 1], is_smallest, witness)
    }

    /// The moments at which calls of the part return, ascending.
    fn returns(&self, end: u64) -> Vec<u64> {
        let returned = self.ids.iter().filter_map(|&id| self.history.calls[id].returned);
        let mut returns: Vec<u64> = returned.filter(|&returned| returned <= end).collect();
        returns.sort_unstable();
        returns.dedup();
        returns
    }

    /// A witness of a prefix that is known to have one; nothing if a limit is reached.
    fn witness(&self, returns: &[u64], budget: &mut Budget) -> Vec<CallId> {
        match returns.last().map(|&end| self.prefix(end, budget)) {
            Some(Prefix::Holds(order)) => order,
            _ => Vec::new(),
        }
    }

    fn refusal(&self, moment: u64, is_smallest: bool, prefix: Vec<CallId>) -> Refusal {
        let calls = &self.history.calls;
        let call = self.ids.iter().find(|&&id| calls[id].returned == Some(moment));
        let call = *call.expect("the prefix ends with a return of the part");
        let events = calls.iter().flat_map(|call| [Some(call.invoked), call.returned]).flatten();
        Refusal {
            call: CallId(call as u32),
            moment,
            is_smallest,
            event_count: events.filter(|&event| event < moment).count(),
            part: self.part(),
            prefix,
            step_count: 0,
        }
    }
}

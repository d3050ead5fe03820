//! Queues: depth first, and with a guide where every value that is observed is put in once.
//!
//! Then the call that takes a value out is known before it is put in, and says where the value must stand. In what follows calls are in real time; `x < y` is their precedence; `in(v)` puts the value
//! `v` in, `out(v)` takes it out; and `e` finds the queue empty.
//!
//! *Forbidden.* `in(x)` must not come next while a value `y` is not in yet with `out(y) < out(x)`: `y` would stand behind `x` and come out later. Nor while an `e` is left with `e < out(x)`: `x` would be
//! in the queue at `e`. Values that are not observed come behind all that are, and behind each `e`, but for as many as pending calls may take out before.
//!
//! *`out(v)` can come at once*, when `v` is in front and the call is enabled. Let a linearization go on with `u out(v)`. While `v` is in front nothing comes out and nothing finds the queue empty, so `u` puts values in and
//! does nothing else, which it can as well behind `out(v)`.
//!
//! *`in(x)` can come at once*, when it is enabled and not forbidden, and `out(x)` is a call that returned, and each `e` that is left has `out(x) < e`. Let a linearization go on with `u in(x)`; move `in(x)` to the front, past the
//! values that `u` puts in, beginning with the last one, `y`. If `out(x)` comes before all else that could tell, nothing is to be done. Else `y` and `x` are neighbours in the queue, `out(y)` comes before `out(x)`, and they
//! must change places. (If `y` is not observed, a pending call takes it out: that is `out(y)`.) Between them nothing comes out, since they are neighbours; and nothing finds the queue empty, since each `e` is behind `out(x)`. So what is between them puts values in. Let A be those of
//! these with `out(y) < a`, and B those with `b < out(x)`. Not `out(y) < out(x)`, since `in(x)` was not forbidden. So `b < out(x)`, which began before `out(y)` returned, which was before `a` began: all of B precede all of A, and are in front of
//! them in the linearization. `out(x)` moves left to the place between B and A, `out(y)` right to the same place, behind `out(x)`. (Calls in a partial order that is no interval order have no such place: there is no
//! guide for these.) If `out(y)` is pending, the same holds, with no A.
//!
//! So a queue without calls that find it empty is judged without a choice, where depth first alone has a configuration for each order in which values that overlap can stand in the queue.

use super::depth_first::{Guide, NoGuide, depth_first};
use super::found::Found;
use super::unobserved::UNOBSERVED;
use crate::limit::Budget;
use crate::model::Sequence;
use crate::order::{NEVER, Order};
use crate::problem::Problem;
use crate::specification::{Access, SequentialSpecification};
use std::collections::HashMap;

/// What accesses do to a queue.
struct Fifo;

impl SequentialSpecification for Fifo {
    type Operation = Access;
    type Result = ();
    type State = Sequence<u32>;
    type Part = ();

    fn initial(&self) -> Sequence<u32> {
        Sequence::new()
    }

    fn step(&self, state: &Sequence<u32>, access: &Access) -> impl IntoIterator<Item = ((), Sequence<u32>)> {
        let next = match *access {
            Access::Insert(value) => Some(state.with_back(value)),
            Access::Remove(value) => {
                state.without_front().filter(|(front, _)| *front == value).map(|(_, rest)| rest)
            }
            Access::FindEmpty => state.without_front().is_none().then(|| state.clone()),
            Access::RemoveAny => Some(state.without_front().map_or_else(|| state.clone(), |(_, rest)| rest)),
        };
        next.map(|next| ((), next))
    }

    fn part(&self, _: &Access) {}

    fn is_read_only(&self, access: &Access, _: Option<&()>) -> bool {
        *access == Access::FindEmpty
    }

    fn heap_bytes(&self, state: &Sequence<u32>) -> usize {
        state.own_bytes()
    }
}

/// Searches for a linearization of a queue.
pub(super) fn search(problem: &Problem<'_, Access, ()>, budget: &mut Budget) -> Found {
    match FifoGuide::new(problem) {
        Some(guide) => depth_first(&Fifo, problem, &guide, budget),
        None => depth_first(&Fifo, problem, &NoGuide, budget),
    }
}

/// For each call of a problem what it does, and what is known of all from there on, in the order of invocations.
struct FifoGuide<'p> {
    order: &'p Order,
    accesses: Vec<Access>,
    /// For each call that puts a value in, when the call that takes it out is invoked, and returns. Both are never if there is none.
    out: Vec<(u64, u64)>,
    /// How many pending calls may take something out.
    pending_removals: usize,
    /// How many of the calls before this one put in what is not observed.
    unobserved: Vec<usize>,
    /// By when something must have happened that must come before a value which is taken out later: the first of all calls from this one on.
    deadlines: Vec<u64>,
    /// When a call that finds the queue empty is invoked: the first of all calls from this one on.
    empties: Vec<u64>,
}

/// When each value is taken out; `None` if one that is observed is put in twice, or taken out twice.
fn removals(accesses: &[Access], moments: impl Fn(usize) -> (u64, u64)) -> Option<HashMap<u32, (u64, u64)>> {
    let (mut inserted, mut removed) = (HashMap::new(), HashMap::new());
    for (call, access) in accesses.iter().enumerate() {
        let is_twice = match *access {
            Access::Insert(UNOBSERVED) | Access::FindEmpty | Access::RemoveAny => false,
            Access::Insert(value) => inserted.insert(value, ()).is_some(),
            Access::Remove(value) => removed.insert(value, moments(call)).is_some(),
        };
        if is_twice {
            return None;
        }
    }
    Some(removed)
}

impl<'p> FifoGuide<'p> {
    /// `None` if an observed value is put in twice, or taken out twice, or nobody knows what a call returned that did, or calls are not in real time.
    fn new(problem: &'p Problem<'_, Access, ()>) -> Option<Self> {
        let Order::Intervals { invoked, returned } = &problem.order else { return None };
        let is_unknown = |call: &crate::problem::ProblemCall<'_, Access, ()>| {
            call.has_returned && *call.operation == Access::RemoveAny
        };
        if problem.calls.iter().any(is_unknown) {
            return None;
        }
        let accesses: Vec<Access> = problem.calls.iter().map(|call| *call.operation).collect();
        let removed = removals(&accesses, |call| (invoked[call], returned[call]))?;
        let out_of = |access: &Access| match access {
            Access::Insert(value) => removed.get(value).copied().unwrap_or((NEVER, NEVER)),
            _ => (NEVER, NEVER),
        };
        let count = accesses.len();
        let mut guide = Self {
            order: &problem.order,
            out: accesses.iter().map(out_of).collect(),
            pending_removals: accesses.iter().filter(|&&access| access == Access::RemoveAny).count(),
            accesses,
            unobserved: vec![0; count + 1],
            deadlines: vec![NEVER; count + 1],
            empties: vec![NEVER; count + 1],
        };
        for call in 0..count {
            guide.unobserved[call + 1] =
                guide.unobserved[call] + usize::from(guide.is_unobserved(call as u32));
        }
        for call in (0..count).rev() {
            guide.deadlines[call] = guide.deadlines[call + 1].min(guide.deadline(call));
            guide.empties[call] = guide.empties[call + 1].min(guide.empty(call));
        }
        Some(guide)
    }

    fn is_unobserved(&self, call: u32) -> bool {
        self.accesses[call as usize] == Access::Insert(UNOBSERVED)
    }

    /// How many calls of the cut put in what is not observed.
    fn unobserved_in(&self, enabled: &[u32]) -> usize {
        let left = enabled.iter().filter(|&&call| self.is_unobserved(call)).count();
        self.unobserved[self.order.begun(enabled)] - left
    }

    /// By when the call must have come, if the queue has a value that is taken out later.
    fn deadline(&self, call: usize) -> u64 {
        match self.accesses[call] {
            Access::Insert(_) => self.out[call].1,
            Access::FindEmpty => self.order.return_of(call as u32),
            Access::Remove(_) | Access::RemoveAny => NEVER,
        }
    }

    fn empty(&self, call: usize) -> u64 {
        let Order::Intervals { invoked, .. } = self.order else { return NEVER };
        if self.accesses[call] == Access::FindEmpty { invoked[call] } else { NEVER }
    }

    /// The first of something, of all calls that are not in the cut, but for this one.
    fn first(&self, enabled: &[u32], call: u32, later: &[u64], of: impl Fn(&Self, usize) -> u64) -> u64 {
        let others = enabled.iter().filter(|&&other| other != call);
        let first = others.map(|&other| of(self, other as usize)).min().unwrap_or(NEVER);
        first.min(later[self.order.begun(enabled)])
    }
}

impl Guide for FifoGuide<'_> {
    fn forbids(&self, enabled: &[u32], call: u32) -> bool {
        let (invoked, _) = self.out[call as usize];
        let may_be_taken = self.is_unobserved(call) && self.unobserved_in(enabled) < self.pending_removals;
        matches!(self.accesses[call as usize], Access::Insert(_))
            && !may_be_taken
            && self.first(enabled, call, &self.deadlines, Self::deadline) < invoked
    }

    fn commits(&self, enabled: &[u32], call: u32) -> bool {
        match self.accesses[call as usize] {
            Access::Remove(_) => true,
            Access::Insert(_) => {
                let (_, returned) = self.out[call as usize];
                returned != NEVER && self.first(enabled, call, &self.empties, Self::empty) > returned
            }
            Access::FindEmpty | Access::RemoveAny => false,
        }
    }
}

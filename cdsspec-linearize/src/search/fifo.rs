//! What is known of a queue in which every value is put in once at most.
//!
//! Then the call that takes a value out is known before it is put in, and says where the value must stand. In what follows calls are in real time; `x < y` is their precedence; `in(v)` puts the value
//! `v` in, `out(v)` takes it out; and `e` finds the queue empty.
//!
//! *Forbidden.* `in(x)` must not come next while a value `y` is not in yet with `out(y) < out(x)`: `y` would stand behind `x` and come out later. Nor while an `e` is left with `e < out(x)`: `x` would be
//! in the queue at `e`. A value that nobody takes out, which no pending call can take out either, comes behind all that are taken out: as if it were taken out at the end of time.
//!
//! *`out(v)` can come at once*, when `v` is in front and the call is enabled. Let a linearization go on with `u out(v)`. While `v` is in front nothing comes out and nothing finds the queue empty, so `u` puts values in and
//! does nothing else, which it can as well behind `out(v)`.
//!
//! *`in(x)` can come at once*, when it is enabled and not forbidden, and `out(x)` is a call that returned, and each `e` that is left has `out(x) < e`. Let a linearization go on with `u in(x)`; move `in(x)` to the front, past the
//! values that `u` puts in, beginning with the last one, `y`. If `out(x)` comes before all else that could tell, nothing is to be done. Else `y` and `x` are neighbours in the queue, `out(y)` comes before `out(x)`, and they
//! must change places. Between them nothing comes out, since they are neighbours; and nothing finds the queue empty, since each `e` is behind `out(x)`. So what is between them puts values in. Let A be those of
//! these with `out(y) < a`, and B those with `b < out(x)`. Not `out(y) < out(x)`, since `in(x)` was not forbidden. So `b < out(x)`, which began before `out(y)` returned, which was before `a` began: all of B precede all of A, and are in front of
//! them in the linearization. `out(x)` moves left to the place between B and A, `out(y)` right to the same place, behind `out(x)`. (Calls in a partial order that is no interval order have no such place: there is no
//! guide for these.) If `out(y)` is pending, the same holds, with no A.
//!
//! So a queue without calls that find it empty is judged without a choice, where depth first alone has a configuration for each order in which values that overlap can stand in the queue.

use super::depth_first::Guide;
use crate::order::{NEVER, Order};
use crate::problem::Problem;
use crate::specification::Access;

/// For each call of a problem what it does, and what is known of all from there on, in the order of invocations.
pub(crate) struct FifoGuide<'p> {
    order: &'p Order,
    accesses: Vec<Access>,
    /// For each call that puts a value in, when the call that takes it out is invoked, and returns. Both are never if there is none.
    out: Vec<(u64, u64)>,
    has_pending_removal: bool,
    /// By when something must have happened that must come before a value which is taken out later: the first of all calls from this one on.
    deadlines: Vec<u64>,
    /// When a call that finds the queue empty is invoked: the first of all calls from this one on.
    empties: Vec<u64>,
}

impl<'p> FifoGuide<'p> {
    /// `None` if a value is put in twice, or taken out twice, or nobody knows what a call returned that did, or calls are not in real time.
    pub(crate) fn new<O, R>(problem: &'p Problem<'_, O, R>, accesses: &[Access]) -> Option<Self> {
        let Order::Intervals { invoked, returned } = &problem.order else { return None };
        let value_of = |access: &Access| match *access {
            Access::Insert(value) | Access::Remove(value) => value as usize + 1,
            Access::FindEmpty | Access::RemoveAny => 0,
        };
        let count = accesses.iter().map(value_of).max().unwrap_or(0);
        let is_unknown = |(call, access): (usize, &Access)| problem.calls[call].has_returned && access == &Access::RemoveAny;
        if accesses.iter().enumerate().any(is_unknown) {
            return None;
        }
        let (mut inserted, mut removed) = (vec![false; count], vec![(NEVER, NEVER); count]);
        for (call, access) in accesses.iter().enumerate() {
            match *access {
                Access::Insert(value) if std::mem::replace(&mut inserted[value as usize], true) => return None,
                Access::Remove(value) => {
                    let moments = (invoked[call], returned[call]);
                    if std::mem::replace(&mut removed[value as usize], moments) != (NEVER, NEVER) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        let out_of = |access: &Access| match *access {
            Access::Insert(value) => removed[value as usize],
            _ => (NEVER, NEVER),
        };
        let mut guide = Self {
            order: &problem.order,
            accesses: accesses.to_vec(),
            out: accesses.iter().map(out_of).collect(),
            has_pending_removal: accesses.contains(&Access::RemoveAny),
            deadlines: vec![NEVER; accesses.len() + 1],
            empties: vec![NEVER; accesses.len() + 1],
        };
        for call in (0..accesses.len()).rev() {
            guide.deadlines[call] = guide.deadlines[call + 1].min(guide.deadline(call));
            guide.empties[call] = guide.empties[call + 1].min(guide.empty(call));
        }
        Some(guide)
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
    fn first(
        &self,
        enabled: &[u32],
        call: u32,
        later: &[u64],
        of: impl Fn(&Self, usize) -> u64,
    ) -> u64 {
        let others = enabled.iter().filter(|&&other| other != call);
        let first = others.map(|&other| of(self, other as usize)).min().unwrap_or(NEVER);
        first.min(later[self.order.begun(enabled)])
    }
}

impl Guide for FifoGuide<'_> {
    fn forbids(&self, enabled: &[u32], call: u32) -> bool {
        let (invoked, _) = self.out[call as usize];
        let is_known = invoked != NEVER || !self.has_pending_removal;
        matches!(self.accesses[call as usize], Access::Insert(_))
            && is_known
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

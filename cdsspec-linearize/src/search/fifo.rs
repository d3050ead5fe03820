//! Queues, without a state: in time that is polynomial in the number of cuts, whatever the values are.
//!
//! Depth first over cuts and states has a configuration for each order in which values that overlap can stand in the queue: exponentially many, if they stay there for long. But in which order they stand need
//! not be known before they come out. So calls are not placed one by one; calls that put in and take out are placed in *pairs*: the `k`th pair is the `k`th value that goes in, and the `k`th that comes out. What is reached is how far both have come: the calls that put
//! in and are paired, and the calls that take out and are paired. Of intervals alone (`x < y`: `x` returned before `y` began; `in(k)` and `out(k)` are the `k`th pair, `e` finds the queue empty):
//!
//! 1. `in(k)` is paired after all `in`, `out` and `e` that precede it. `out(k)` is paired after all `out` and `e` that precede it, but not after all `in` that do: these may come out later.
//! 2. `e` is placed after all that precedes it, and when no `in` is left that precedes an `out` which was paired: it would be in the queue.
//!
//! *These are needed.* In a linearization let `k` be the place of a pair, and `e` stand after the pairs that are before it. 1 for `in(k)`: if `out(j) < in(k)` then `j < k`, since what comes out after `k` went in behind
//! `in(k)`; and if `e < in(k)`, or `e < out(k)`, then `in(k)` is behind `e`, which finds nothing in the queue. 2: an `in` that is left and precedes an `out` before `e` is before `e`, and not taken out by then.
//!
//! *They are enough.* Let the order be that of the pairs: `out(k)` and `e` as they were placed, `in(k)` before `in(k + 1)` and before `out(k)`, at last what is never taken out, by the invocations. With the precedence there is no circle. One needs
//! `in(j) < out(k)`, `k < j`, since all else goes along with the order of the pairs, and a way back from `out(k)` to `in(j)`. If that goes by some `e`, this was placed when `in(j)` was left, against 2. Else it goes along `out(k), …, out(m) < in(i), …, in(j)` with `k <= m`, `i <= j`. Not `in(j) < in(i)`, since
//! `in(i)` was paired first; so `in(i)` began before `in(j)` returned. Then `out(m)` returned before `in(i)` began, which was before `in(j)` returned, which was before `out(k)` began: `out(m) < out(k)`, against 1. (In other partial orders this step fails: queues in these are searched with their states.)
//!
//! A call of which nobody knows what it returned takes out any value; if it returned, it may find nothing as well. With `c` cuts there are at most `c²` pairs of these, and fewer where values are different: then each `out` has its `in`.

use super::cuts::{CutId, Cuts};
use super::depth_first::depth_first;
use super::found::{Found, Furthest};
use crate::limit::{Budget, Limit, set_bytes, vec_bytes};
use crate::model::Sequence;
use crate::order::{Enabled, NEVER, Order};
use crate::problem::Problem;
use crate::specification::{Access, SequentialSpecification};
use indexmap::IndexSet;
use std::collections::HashSet;

/// What accesses do to a queue, with its state.
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
    let Order::Intervals { invoked, .. } = &problem.order else {
        return depth_first(&Fifo, problem, budget);
    };
    let is_insert = |&call: &u32| matches!(problem.calls[call as usize].operation, Access::Insert(_));
    let (inserts, others): (Vec<u32>, Vec<u32>) = (0..problem.calls.len() as u32).partition(is_insert);
    let orders = [&inserts, &others].map(|calls| problem.order.restricted(calls));
    let mut search = Search {
        problem,
        invoked,
        cuts: [Cuts::new(&orders[0]), Cuts::new(&orders[1])],
        orders: &orders,
        calls: [&inserts, &others],
        reached: IndexSet::new(),
        origins: Vec::new(),
        waiting: Vec::new(),
        first_return: 0,
        deepest: 0,
    };
    search.reach((CutId(0), CutId(0)), (ROOT, None, 0));
    match search.run(budget) {
        Ok(Some(last)) => Found::Witness(search.order(last)),
        Ok(None) => Found::Nothing(search.furthest()),
        Err(limit) => Found::Stopped(limit, search.furthest()),
    }
}

/// Where the first one comes from.
const ROOT: u32 = u32::MAX;

/// From which one something was reached; which call that puts in, and which other one was placed, each by its number among its like.
type Origin = (u32, Option<u32>, u32);

struct Search<'p> {
    problem: &'p Problem<'p, Access, ()>,
    invoked: &'p [u64],
    /// Of the calls that put in, and of all others: which they are, their order, and how far they have come.
    calls: [&'p [u32]; 2],
    orders: &'p [Order; 2],
    cuts: [Cuts<'p>; 2],
    reached: IndexSet<(CutId, CutId)>,
    origins: Vec<Origin>,
    waiting: Vec<u32>,
    first_return: u64,
    deepest: u32,
}

/// The calls that put in.
const INSERTS: usize = 0;
/// All others.
const OTHERS: usize = 1;

impl Search<'_> {
    fn run(&mut self, budget: &mut Budget) -> Result<Option<u32>, Limit> {
        while let Some(place) = self.waiting.pop() {
            let (inserts, others) = self.reached[place as usize];
            let (inserts, others) =
                (self.cuts[INSERTS].enabled(inserts).clone(), self.cuts[OTHERS].enabled(others).clone());
            // What is put in and never taken out is no matter.
            if others.iter().all(|&call| !self.has_returned(call)) {
                return Ok(Some(place));
            }
            self.first_return = self.first_return.max(self.orders[OTHERS].first_return(&others));
            if self.size(place) > self.size(self.deepest) {
                self.deepest = place;
            }
            self.expand(place, &inserts, &others, budget)?;
        }
        Ok(None)
    }

    fn size(&self, place: u32) -> u32 {
        let (inserts, others) = self.reached[place as usize];
        self.cuts[INSERTS].size(inserts) + self.cuts[OTHERS].size(others)
    }

    fn access(&self, kind: usize, call: u32) -> Access {
        *self.problem.calls[self.calls[kind][call as usize] as usize].operation
    }

    fn invoked(&self, kind: usize, call: u32) -> u64 {
        self.invoked[self.calls[kind][call as usize] as usize]
    }

    fn has_returned(&self, other: u32) -> bool {
        self.problem.calls[self.calls[OTHERS][other as usize] as usize].has_returned
    }

    /// Places what may come next: one call that finds the queue empty, if one can; or pairs.
    fn expand(
        &mut self,
        place: u32,
        inserts: &Enabled,
        others: &Enabled,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let can_be_empty = self.orders[INSERTS].first_return(inserts) >= self.last_begin(others);
        let finds_empty = |search: &Self, call: u32| {
            can_be_empty && search.orders[INSERTS].first_return(inserts) >= search.invoked(OTHERS, call)
        };
        // It changes nothing for what comes after: it can be placed now in whatever goes on from here.
        let is_known =
            |&&call: &&u32| self.access(OTHERS, call) == Access::FindEmpty && finds_empty(self, call);
        if let Some(&call) = others.iter().find(is_known) {
            budget.step()?;
            self.place(place, None, call);
            return budget.keep(self.bytes());
        }
        let limit = self.orders[OTHERS].first_return(others);
        let mut by_urgency = others.to_vec();
        by_urgency.sort_by_key(|&call| std::cmp::Reverse((self.orders[OTHERS].return_of(call), call)));
        // Of pending calls all do the same: the first that began is as good as any.
        let first_pending = others.iter().copied().find(|&call| !self.has_returned(call));
        let tried = self.tried(inserts);
        for call in by_urgency {
            let access = self.access(OTHERS, call);
            if access == Access::FindEmpty || !self.has_returned(call) && first_pending != Some(call) {
                continue;
            }
            if access == Access::RemoveAny && self.has_returned(call) && finds_empty(self, call) {
                budget.step()?;
                self.place(place, None, call);
                budget.keep(self.bytes())?;
            }
            for &insert in tried.iter().rev() {
                budget.step()?;
                let is_it = match (self.access(INSERTS, insert), access) {
                    (Access::Insert(value), Access::Remove(expected)) => value == expected,
                    _ => true,
                };
                if is_it && self.invoked(INSERTS, insert) <= limit {
                    self.place(place, Some(insert), call);
                    // As often as it grows: with n calls that may come next this makes n cuts, each of which has n - 1.
                    budget.keep(self.bytes())?;
                }
            }
        }
        Ok(())
    }

    /// The calls that put in, and are tried: of pending ones with the same value the first alone. It can change places with one that began later in whatever is to come: nothing comes after either of them, and where
    /// one can stand that began later it can as well. So `n` pending calls with one value make one cut and not `n`, each of which has `n - 1` calls.
    fn tried(&self, inserts: &Enabled) -> Vec<u32> {
        let (mut values, order) = (HashSet::new(), &self.orders[INSERTS]);
        let is_tried =
            |call: &u32| order.return_of(*call) != NEVER || values.insert(self.access(INSERTS, *call));
        inserts.iter().copied().filter(is_tried).collect()
    }

    /// When the last of the other calls began that are placed.
    fn last_begin(&self, others: &Enabled) -> u64 {
        let begun = self.orders[OTHERS].begun(others);
        let is_placed = |call: &u32| !others.contains(call);
        (0..begun as u32).rev().find(is_placed).map_or(0, |call| self.invoked(OTHERS, call))
    }

    fn place(&mut self, from: u32, insert: Option<u32>, other: u32) {
        let (inserts, others) = self.reached[from as usize];
        let inserts = insert.map_or(inserts, |insert| self.cuts[INSERTS].after(inserts, insert));
        let others = self.cuts[OTHERS].after(others, other);
        self.reach((inserts, others), (from, insert, other));
    }

    fn reach(&mut self, cuts: (CutId, CutId), origin: Origin) {
        let (place, is_new) = self.reached.insert_full(cuts);
        if is_new {
            self.origins.push(origin);
            self.waiting.push(place as u32);
        }
    }

    /// At most how many bytes it keeps.
    fn bytes(&self) -> usize {
        let count = self.reached.len();
        let of_reached = set_bytes(count, size_of::<(CutId, CutId)>());
        let of_lists = vec_bytes(count, size_of::<Origin>() + size_of::<u32>());
        self.cuts[INSERTS].bytes() + self.cuts[OTHERS].bytes() + of_reached + of_lists
    }

    /// All calls up to something that was reached: those that put in each as late as it can be.
    fn order(&self, last: u32) -> Vec<u32> {
        let mut moves: Vec<Origin> = Vec::new();
        let mut place = last;
        while self.origins[place as usize].0 != ROOT {
            moves.push(self.origins[place as usize]);
            place = self.origins[place as usize].0;
        }
        moves.reverse();
        let mut inserts: Vec<u32> = moves.iter().filter_map(|&(_, insert, _)| insert).collect();
        let mut is_paired = vec![false; self.calls[INSERTS].len()];
        for &insert in &inserts {
            is_paired[insert as usize] = true;
        }
        // What is not taken out: such a call that is pending need not have had an effect.
        inserts.extend((0..is_paired.len() as u32).filter(|&insert| {
            let call = self.calls[INSERTS][insert as usize];
            !is_paired[insert as usize] && self.problem.calls[call as usize].has_returned
        }));
        self.interleaved(&inserts, &moves)
    }

    /// The calls of all moves, and before each what goes with it, and what precedes it.
    fn interleaved(&self, inserts: &[u32], moves: &[Origin]) -> Vec<u32> {
        let mut first_return = vec![u64::MAX; inserts.len() + 1];
        for index in (0..inserts.len()).rev() {
            first_return[index] = first_return[index + 1].min(self.orders[INSERTS].return_of(inserts[index]));
        }
        let (mut calls, mut next, mut paired) = (Vec::new(), 0, 0);
        for &(_, insert, other) in moves {
            paired += usize::from(insert.is_some());
            while next < paired || first_return[next] < self.invoked(OTHERS, other) {
                calls.push(self.calls[INSERTS][inserts[next] as usize]);
                next += 1;
            }
            calls.push(self.calls[OTHERS][other as usize]);
        }
        calls.extend(inserts[next..].iter().map(|&insert| self.calls[INSERTS][insert as usize]));
        calls
    }

    fn furthest(&self) -> Furthest {
        Furthest { first_return: self.first_return, order: self.order(self.deepest) }
    }
}

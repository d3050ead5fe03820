//! Stacks, by summaries: in time that is polynomial in the number of cuts, whatever the values are.
//!
//! Depth first alone has a configuration for each order in which values that overlap can lie on the stack: exponentially many, if they stay there for long. But a stack is a pushdown system: its
//! control is the cut, and what an element is worth to the calls that come after does not depend on what lies below it, until it is popped. So elements that were pushed with the same value into the same cut are
//! one *element*, whatever lies below; and what is reached is a *fact*, a cut and the element on top. (Post* of pushdown systems, Bouajjani, Esparza and Maler 1997; the stacks that share their tails of Tomita's parsers.)
//!
//! - A push of `v` leads from a fact to the element of the new cut and `v`; the fact lies *below* it then.
//! - A pop leads from an element to every fact that lies below it at some time, with the new cut. So it is noted at the element, for the facts that come to lie there later.
//! - The element at the bottom is none, and on top when the stack is empty.
//!
//! What waits is a stack, and what is reached from a fact has more calls than it. So when a second fact comes to lie below an element, which has as many calls as the first one, all that was reached from the
//! first one was looked at: each pop of the element is noted by then, and while there are pops to come, one fact is below.
//!
//! With `c` cuts there are at most `c` elements of each value that is pushed, and `c²` facts; each pair of a fact below and a pop of one element is a step. A fact keeps how it was
//! first reached, from facts with fewer calls. So a witness can be written down: what is done from the push of the element on, and that of what lies below before it.

use super::cuts::{CutId, Cuts};
use super::found::{Found, Furthest};
use crate::limit::{Budget, Limit, set_bytes, vec_bytes};
use crate::order::Enabled;
use crate::problem::Problem;
use crate::specification::Access;
use indexmap::IndexSet;

/// The element at the bottom.
const BOTTOM: u32 = 0;

/// How a fact was first reached. Facts by their numbers.
#[derive(Clone, Copy)]
enum Origin {
    /// It is the first one, or its element was just pushed: onto the first fact below it.
    Pushed,
    /// A call found the stack empty.
    FoundEmpty { from: u32, call: u32 },
    /// The element `push` was pushed onto the fact `below`, and was popped at `top`.
    Popped { below: u32, push: u32, top: u32, pop: u32 },
}

/// What is noted at an element.
#[derive(Clone, Default)]
struct Element {
    /// The first fact onto which it was pushed, with the call; none at the bottom.
    below: Option<(u32, u32)>,
    /// Facts at which it was popped, each with the call and the new cut.
    pops: Vec<(u32, u32, CutId)>,
}

struct Search<'p> {
    problem: &'p Problem<'p, Access, ()>,
    cuts: Cuts<'p>,
    /// The cut in which it was pushed, and its value.
    names: IndexSet<(CutId, u32)>,
    elements: Vec<Element>,
    pop_count: usize,
    /// A cut, and the element on top.
    facts: IndexSet<(CutId, u32)>,
    origins: Vec<Origin>,
    waiting: Vec<u32>,
    first_return: u64,
    deepest: u32,
}

/// Searches for a linearization of a stack.
pub(super) fn search(problem: &Problem<'_, Access, ()>, budget: &mut Budget) -> Found {
    let mut search = Search {
        problem,
        cuts: Cuts::new(&problem.order),
        names: IndexSet::from([(CutId(0), u32::MAX)]),
        elements: vec![Element::default()],
        pop_count: 0,
        facts: IndexSet::new(),
        origins: Vec::new(),
        waiting: Vec::new(),
        first_return: 0,
        deepest: 0,
    };
    search.reach(CutId(0), BOTTOM, Origin::Pushed);
    match search.run(budget) {
        Ok(Some(last)) => Found::Witness(search.order(last)),
        Ok(None) => Found::Nothing(search.furthest()),
        Err(limit) => Found::Stopped(limit, search.furthest()),
    }
}

impl Search<'_> {
    /// Looks at one fact after the other, up to a complete one.
    fn run(&mut self, budget: &mut Budget) -> Result<Option<u32>, Limit> {
        while let Some(fact) = self.waiting.pop() {
            let (cut, _) = self.facts[fact as usize];
            let enabled = self.cuts.enabled(cut).clone();
            if self.problem.is_complete(&enabled) {
                return Ok(Some(fact));
            }
            self.first_return = self.first_return.max(self.problem.order.first_return(&enabled));
            let (deepest, _) = self.facts[self.deepest as usize];
            if self.cuts.size(cut) > self.cuts.size(deepest) {
                self.deepest = fact;
            }
            self.expand(fact, &enabled, budget)?;
        }
        Ok(None)
    }

    fn expand(&mut self, fact: u32, enabled: &Enabled, budget: &mut Budget) -> Result<(), Limit> {
        let (cut, top) = self.facts[fact as usize];
        // It leaves the stack as it is: it can be moved to the front of whatever goes on from here.
        let is_empty = |&&call: &&u32| top == BOTTOM && self.access(call) == Access::FindEmpty;
        if let Some(&call) = enabled.iter().find(is_empty) {
            budget.step()?;
            let cut = self.cuts.after(cut, call);
            self.reach(cut, BOTTOM, Origin::FoundEmpty { from: fact, call });
            return budget.keep(self.bytes());
        }
        for call in self.problem.by_urgency(enabled) {
            if self.problem.is_twin(enabled, call) {
                continue;
            }
            budget.step()?;
            match self.access(call) {
                Access::Insert(value) => self.push(fact, call, value, budget)?,
                Access::Remove(value) if self.names[top as usize].1 == value && top != BOTTOM => {
                    self.pop(fact, call, budget)?;
                }
                Access::RemoveAny if top != BOTTOM => self.pop(fact, call, budget)?,
                Access::RemoveAny => {
                    let cut = self.cuts.after(cut, call);
                    self.reach(cut, BOTTOM, Origin::FoundEmpty { from: fact, call });
                }
                Access::Remove(_) | Access::FindEmpty => {}
            }
            // As often as it grows: with n calls that may come next this makes n cuts, each of which has n - 1.
            budget.keep(self.bytes())?;
        }
        Ok(())
    }

    fn access(&self, call: u32) -> Access {
        *self.problem.calls[call as usize].operation
    }

    fn push(&mut self, below: u32, push: u32, value: u32, budget: &mut Budget) -> Result<(), Limit> {
        let (cut, _) = self.facts[below as usize];
        let cut = self.cuts.after(cut, push);
        let (element, is_new) = self.names.insert_full((cut, value));
        if is_new {
            self.elements.push(Element::default());
        }
        self.elements[element].below.get_or_insert((below, push));
        self.reach(cut, element as u32, Origin::Pushed);
        for index in 0..self.elements[element].pops.len() {
            budget.step()?;
            let (top, pop, cut) = self.elements[element].pops[index];
            self.uncover(cut, Origin::Popped { below, push, top, pop });
            budget.keep(self.bytes())?;
        }
        Ok(())
    }

    fn pop(&mut self, top: u32, pop: u32, budget: &mut Budget) -> Result<(), Limit> {
        let (cut, element) = self.facts[top as usize];
        let cut = self.cuts.after(cut, pop);
        let element = element as usize;
        self.elements[element].pops.push((top, pop, cut));
        self.pop_count += 1;
        if let Some((below, push)) = self.elements[element].below {
            budget.step()?;
            self.uncover(cut, Origin::Popped { below, push, top, pop });
        }
        Ok(())
    }

    /// Reaches what lay below an element that was popped.
    fn uncover(&mut self, cut: CutId, origin: Origin) {
        let Origin::Popped { below, .. } = origin else { unreachable!("it was popped") };
        let (_, element) = self.facts[below as usize];
        self.reach(cut, element, origin);
    }

    /// Has a fact wait, unless it was reached before.
    fn reach(&mut self, cut: CutId, element: u32, origin: Origin) {
        let (fact, is_new) = self.facts.insert_full((cut, element));
        if is_new {
            self.origins.push(origin);
            self.waiting.push(fact as u32);
        }
    }

    /// At most how many bytes it keeps. A short list of pops has room for four.
    fn bytes(&self) -> usize {
        let of_elements = set_bytes(self.names.len(), size_of::<(CutId, u32)>())
            + vec_bytes(self.elements.len(), size_of::<Element>())
            + vec_bytes(self.pop_count, size_of::<(u32, u32, CutId)>())
            + self.elements.len() * 4 * size_of::<(u32, u32, CutId)>();
        let count = self.facts.len();
        let of_facts = set_bytes(count, size_of::<(CutId, u32)>())
            + vec_bytes(count, size_of::<Origin>() + size_of::<u32>());
        self.cuts.bytes() + of_elements + of_facts
    }

    /// The calls up to a fact, from the last one on: what is still to be written is a stack.
    fn order(&self, last: u32) -> Vec<u32> {
        enum Piece {
            /// All that leads to the fact.
            All(u32),
            /// What leads to it from where its element was pushed.
            Above(u32),
            Call(u32),
        }
        let mut calls = Vec::new();
        let mut pieces = vec![Piece::All(last)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Call(call) => calls.push(call),
                Piece::All(fact) => {
                    let (_, element) = self.facts[fact as usize];
                    if let Some((below, push)) = self.elements[element as usize].below {
                        pieces.extend([Piece::All(below), Piece::Call(push)]);
                    }
                    pieces.push(Piece::Above(fact));
                }
                Piece::Above(fact) => match self.origins[fact as usize] {
                    Origin::Pushed => {}
                    Origin::FoundEmpty { from, call } => {
                        pieces.extend([Piece::Above(from), Piece::Call(call)]);
                    }
                    Origin::Popped { below, push, top, pop } => pieces.extend([
                        Piece::Above(below),
                        Piece::Call(push),
                        Piece::Above(top),
                        Piece::Call(pop),
                    ]),
                },
            }
        }
        calls.reverse();
        calls
    }

    fn furthest(&self) -> Furthest {
        Furthest { first_return: self.first_return, order: self.order(self.deepest) }
    }
}

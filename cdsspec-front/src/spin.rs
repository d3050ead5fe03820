//! Which loops only wait: rounds that repeat them change nothing, so that a solver need only look at the last round.
//!
//! All ways through one round are followed, and through what it calls. A way that repeats the loop must neither store, allocate nor call; and what it sets must not
//! be read by a later round before that sets it, nor behind the loop unless the last round sets it on each way out. A failed
//! compare-exchange does not store: conditions that a way has taken are kept, so that ways that contradict themselves are none.
//!
//! Such a round can be taken out of an execution: it has loads and fences alone, and an execution without them is consistent if that with them is. An
//! error in it is found all the same: the solver counts errors of rounds that repeat the loop.

use crate::code::{Node, Procedure, Statement, is_constant};
use std::collections::{BTreeMap, BTreeSet};

/// So many steps at most: a loop with more ways than these can have is unrolled.
const STEPS_MAX: usize = 20_000;

/// A way through a round, so far.
#[derive(Clone, Default)]
struct Way {
    has_effect: bool,
    set: BTreeSet<String>,
    /// Registers that are known to be true or false here.
    known: BTreeMap<String, bool>,
    /// What a register is the negation or a copy of.
    same: BTreeMap<String, (String, bool)>,
}

/// How a way goes on.
#[derive(Clone, PartialEq, Eq)]
enum End {
    /// Behind these statements.
    Falls,
    /// Behind a block around them, or at its beginning again.
    Jumps { tag: String, is_continue: bool },
}

struct Rounds<'p> {
    /// Those that may be called.
    procedures: &'p [Procedure],
    steps: usize,
    /// Registers that some way reads before it sets them.
    read_first: BTreeSet<String>,
}

/// Whether rounds that repeat the block of this tag change nothing. `outside` is what the procedure reads outside of it.
pub(crate) fn is_spin(
    tag: &str,
    body: &[Node],
    outside: &BTreeSet<String>,
    procedures: &[Procedure],
) -> bool {
    let mut rounds = Rounds { procedures, steps: 0, read_first: BTreeSet::new() };
    let Some(ways) = rounds.body(body, Way::default()) else { return false };
    let repeats = |end: &End| *end == End::Jumps { tag: tag.to_owned(), is_continue: true };
    let (repeating, leaving): (Vec<_>, Vec<_>) = ways.into_iter().partition(|(_, end)| repeats(end));
    let changed: BTreeSet<&String> = repeating.iter().flat_map(|(way, _)| &way.set).collect();
    let is_lost = |register: &&String| {
        outside.contains(*register) && leaving.iter().any(|(way, _)| !way.set.contains(*register))
    };
    !repeating.is_empty()
        && !repeating.iter().any(|(way, _)| way.has_effect)
        && !changed.iter().any(|register| rounds.read_first.contains(*register) || is_lost(register))
}

impl Way {
    /// What a register is, in terms of one that nothing defines further, and whether turned round.
    fn base(&self, register: &str) -> (String, bool) {
        let mut base = (register.to_owned(), true);
        while let Some((of, is_same)) = self.same.get(&base.0) {
            base = (of.clone(), base.1 == *is_same);
        }
        base
    }

    fn truth(&self, register: &str) -> Option<bool> {
        match register {
            "number.0" => return Some(false),
            "number.1" => return Some(true),
            _ => {}
        }
        let (base, is_same) = self.base(register);
        match base.as_str() {
            "number.0" => Some(!is_same),
            "number.1" => Some(is_same),
            base => self.known.get(base).map(|known| *known == is_same),
        }
    }

    /// The way on which a register has this truth, if there is one.
    fn with(&self, register: &str, truth: bool) -> Option<Self> {
        match self.truth(register) {
            Some(known) => (known == truth).then(|| self.clone()),
            None => {
                let (base, is_same) = self.base(register);
                let mut way = self.clone();
                way.known.insert(base, truth == is_same);
                Some(way)
            }
        }
    }

    fn define(&mut self, register: &str, operation: &str, reads: &[String]) {
        // What was the same as the value before is so no longer.
        self.same.retain(|_, (of, _)| of != register);
        self.known.remove(register);
        self.same.remove(register);
        self.set.insert(register.to_owned());
        match (operation.split('(').next(), reads) {
            (Some("not"), [of]) if of != register => {
                self.same.insert(register.to_owned(), (of.clone(), false));
            }
            (Some("copy"), [of]) if of != register => {
                self.same.insert(register.to_owned(), (of.clone(), true));
            }
            _ => {}
        }
    }
}

type Ways = Vec<(Way, End)>;

impl Rounds<'_> {
    fn body(&mut self, body: &[Node], way: Way) -> Option<Ways> {
        let mut ended = Vec::new();
        let mut here = vec![way];
        for node in body {
            let mut on = Vec::new();
            for way in here {
                for (way, end) in self.statement(&node.statement, way)? {
                    if end == End::Falls { on.push(way) } else { ended.push((way, end)) }
                }
            }
            here = on;
        }
        ended.extend(here.into_iter().map(|way| (way, End::Falls)));
        Some(ended)
    }

    fn statement(&mut self, statement: &Statement, mut way: Way) -> Option<Ways> {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            return None;
        }
        let (reads, sets) = statement.registers();
        self.read_first.extend(reads.into_iter().filter(|read| !way.set.contains(*read)).cloned());
        match statement {
            Statement::Set { register, operation, reads } => way.define(register, operation, reads),
            Statement::Call { procedure, arguments, results, has_effect: true } => {
                return self.call(procedure, arguments, results, way);
            }
            Statement::Store { .. } | Statement::New { .. } | Statement::Call { .. } => {
                way.has_effect |= !matches!(statement, Statement::Call { .. });
                sets.into_iter().for_each(|register| way.define(register, "", &[]));
            }
            Statement::Fence { .. } | Statement::Assert { .. } => {}
            Statement::Assume { condition } => {
                let kept = way.with(condition, true);
                return Some(kept.into_iter().map(|way| (way, End::Falls)).collect());
            }
            Statement::Jump { condition, is_continue, tag } => {
                let jumps = End::Jumps { tag: tag.clone(), is_continue: *is_continue };
                let ways = [(way.with(condition, true), jumps), (way.with(condition, false), End::Falls)];
                return Some(ways.into_iter().filter_map(|(way, end)| Some((way?, end))).collect());
            }
            Statement::Atomic { body } => return self.body(body, way),
            Statement::Block { tag, is_spin, body } => return self.block(tag, *is_spin, body, way),
        }
        Some(vec![(way, End::Falls)])
    }

    /// A block inside of the round. Rounds of it are not followed, unless they only wait: then it is as if they were not there.
    fn block(&mut self, own: &str, is_spin: bool, body: &[Node], way: Way) -> Option<Ways> {
        let mut ways = self.body(body, way)?;
        let repeats = |end: &End| *end == End::Jumps { tag: own.to_owned(), is_continue: true };
        if !is_spin && ways.iter().any(|(_, end)| repeats(end)) {
            return None;
        }
        ways.retain(|(_, end)| !repeats(end));
        for (_, end) in &mut ways {
            if matches!(end, End::Jumps { tag, .. } if tag == own) {
                *end = End::Falls;
            }
        }
        Some(ways)
    }

    /// A call, as if the procedure stood here: with names of its own, its parameters set before, and the results behind it.
    fn call(
        &mut self,
        procedure: &str,
        arguments: &[String],
        results: &[String],
        mut way: Way,
    ) -> Option<Ways> {
        let called = self.procedures.iter().find(|known| known.name == procedure)?;
        let own = |name: &String| {
            if is_constant(name) {
                name.clone()
            } else {
                format!("{procedure}({})/{name}", results.join(" "))
            }
        };
        for (parameter, argument) in called.parameters.iter().zip(arguments) {
            way.define(&own(parameter), "copy", std::slice::from_ref(argument));
        }
        let body: Vec<Node> = called
            .body
            .iter()
            .map(|node| Node { statement: node.statement.renamed(&own), span: node.span })
            .collect();
        let mut ways = self.body(&body, way)?;
        for (way, _) in &mut ways {
            for (result, returned) in results.iter().zip(&called.results) {
                way.define(result, "copy", &[own(returned)]);
            }
        }
        Some(ways)
    }
}

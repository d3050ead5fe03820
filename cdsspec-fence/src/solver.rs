//! The solver: literals with constants, gates, and limits.

use rustsat::solvers::{Solve, SolveIncremental, SolveStats, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal, Var};
use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Not;
use std::time::{Duration, Instant};

/// How far the solver goes in one question. A check asks it several, each with these limits anew: one for each time that loops get more rounds, each
/// observation that is mined, and each set of fences that is looked at, at least.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// How many conflicts there may be in one question.
    pub conflicts_max: Option<u64>,
    /// How long one question may take.
    pub duration_max: Option<Duration>,
}

/// What the solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a solution.
    Satisfiable,
    /// There is none.
    Unsatisfiable,
    /// A limit was reached: nothing is known.
    GaveUp,
}

/// A truth value: a constant, or a literal of the solver.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bit {
    /// A constant.
    Constant(bool),
    /// A literal.
    Literal(Lit),
}

impl Bit {
    /// False.
    pub const FALSE: Self = Self::Constant(false);
    /// True.
    pub const TRUE: Self = Self::Constant(true);
}

impl Not for Bit {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Constant(truth) => Self::Constant(!truth),
            Self::Literal(literal) => Self::Literal(!literal),
        }
    }
}

/// Counts conflicts and looks at the clock, for the solver to stop.
#[derive(Debug, Default)]
struct Budget {
    conflicts: u64,
    conflicts_max: Option<u64>,
    deadline: Option<Instant>,
    /// Asking for the time takes longer than most steps of the solver.
    looks: Cell<u32>,
    is_late: Cell<bool>,
}

impl batsat::Callbacks for Budget {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: batsat::ClauseKind) {
        self.conflicts += u64::from(kind == batsat::ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        let looks = self.looks.get();
        self.looks.set(looks.wrapping_add(1));
        if looks.is_multiple_of(256) && self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.is_late.set(true);
        }
        self.is_late.get() || self.conflicts_max.is_some_and(|limit| self.conflicts >= limit)
    }
}

/// A formula that grows, and its solver.
#[derive(Default)]
pub struct Solver {
    solver: rustsat_batsat::Solver<Budget>,
    variables: u32,
    clauses: usize,
    /// Gates that are there already. Only looked up, never gone through.
    gates: HashMap<(Gate, Bit, Bit), Bit>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And,
    Xor,
}

impl Solver {
    /// An empty formula.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many variables it has.
    pub fn variable_count(&self) -> usize {
        self.variables as usize
    }

    /// How many clauses were added.
    pub fn clause_count(&self) -> usize {
        self.clauses
    }

    /// How many questions were asked.
    pub fn question_count(&self) -> usize {
        let stats = self.solver.stats();
        stats.n_sat + stats.n_unsat + stats.n_terminated
    }

    /// A new variable.
    pub fn variable(&mut self) -> Bit {
        let variable = Var::new(self.variables);
        self.variables += 1;
        self.solver.reserve(variable).expect("batsat takes any variable");
        Bit::Literal(variable.pos_lit())
    }

    /// One of these is true.
    pub fn clause(&mut self, bits: &[Bit]) {
        let mut clause = Clause::new();
        for bit in bits {
            match *bit {
                Bit::Constant(true) => return,
                Bit::Constant(false) => {}
                Bit::Literal(literal) => clause.add(literal),
            }
        }
        self.clauses += 1;
        self.solver.add_clause(clause).expect("batsat takes any clause");
    }

    /// If all of these are true, then that.
    pub fn implies(&mut self, conditions: &[Bit], conclusion: Bit) {
        let clause: Vec<Bit> = conditions.iter().map(|&bit| !bit).chain([conclusion]).collect();
        self.clause(&clause);
    }

    /// Both are true.
    pub fn and(&mut self, left: Bit, right: Bit) -> Bit {
        match (left, right) {
            (Bit::Constant(false), _) | (_, Bit::Constant(false)) => Bit::FALSE,
            (Bit::Constant(true), other) | (other, Bit::Constant(true)) => other,
            _ if left == right => left,
            _ if left == !right => Bit::FALSE,
            _ => {
                let key = (Gate::And, left.min(right), left.max(right));
                if let Some(&bit) = self.gates.get(&key) {
                    return bit;
                }
                let both = self.variable();
                self.clause(&[!both, left]);
                self.clause(&[!both, right]);
                self.clause(&[both, !left, !right]);
                self.gates.insert(key, both);
                both
            }
        }
    }

    /// One of both is true.
    pub fn or(&mut self, left: Bit, right: Bit) -> Bit {
        !self.and(!left, !right)
    }

    /// Both are different.
    pub fn xor(&mut self, left: Bit, right: Bit) -> Bit {
        match (left, right) {
            (Bit::Constant(truth), other) | (other, Bit::Constant(truth)) => {
                if truth {
                    !other
                } else {
                    other
                }
            }
            _ if left == right => Bit::FALSE,
            _ if left == !right => Bit::TRUE,
            _ => {
                let key = (Gate::Xor, left.min(right), left.max(right));
                if let Some(&bit) = self.gates.get(&key) {
                    return bit;
                }
                let differ = self.variable();
                self.clause(&[!differ, left, right]);
                self.clause(&[!differ, !left, !right]);
                self.clause(&[differ, !left, right]);
                self.clause(&[differ, left, !right]);
                self.gates.insert(key, differ);
                differ
            }
        }
    }

    /// The one or the other.
    pub fn select(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        if then == otherwise {
            return then;
        }
        let yes = self.and(condition, then);
        let no = self.and(!condition, otherwise);
        self.or(yes, no)
    }

    /// All of them.
    pub fn all(&mut self, bits: &[Bit]) -> Bit {
        let mut left: Vec<Bit> = bits.iter().copied().filter(|&bit| bit != Bit::TRUE).collect();
        left.sort_unstable();
        left.dedup();
        match left.as_slice() {
            [] => Bit::TRUE,
            [one] => *one,
            [one, other] => self.and(*one, *other),
            many if many.contains(&Bit::FALSE) => Bit::FALSE,
            many => {
                let every = self.variable();
                many.iter().for_each(|&bit| self.clause(&[!every, bit]));
                self.implies(many, every);
                every
            }
        }
    }

    /// Any of them.
    pub fn any(&mut self, bits: &[Bit]) -> Bit {
        let negated: Vec<Bit> = bits.iter().map(|&bit| !bit).collect();
        !self.all(&negated)
    }

    /// Whether there is a solution in which these are true.
    pub fn solve(&mut self, assumptions: &[Bit], limits: Limits) -> Answer {
        let mut literals = Vec::new();
        for bit in assumptions {
            match *bit {
                Bit::Constant(true) => {}
                Bit::Constant(false) => return Answer::Unsatisfiable,
                Bit::Literal(literal) => literals.push(literal),
            }
        }
        *self.solver.batsat_mut().cb_mut() = Budget {
            conflicts_max: limits.conflicts_max,
            deadline: limits.duration_max.and_then(|duration| Instant::now().checked_add(duration)),
            ..Budget::default()
        };
        match self.solver.solve_assumps(&literals).expect("batsat answers") {
            SolverResult::Sat => Answer::Satisfiable,
            SolverResult::Unsat => Answer::Unsatisfiable,
            SolverResult::Interrupted => Answer::GaveUp,
        }
    }

    /// Which of these assumptions of the last question cannot all be true: a subset, not always the least one.
    ///
    /// # Panics
    /// If the last answer was another than [`Answer::Unsatisfiable`].
    pub fn core(&mut self, assumptions: &[Bit]) -> Vec<Bit> {
        let core = self.solver.core().expect("the last answer was that there is no solution");
        // The core is of negated assumptions.
        let is_in = |bit: &&Bit| matches!(**bit, Bit::Literal(literal) if core.contains(&!literal));
        assumptions.iter().filter(is_in).copied().collect()
    }

    /// What this is in the last solution. What the formula leaves open is false.
    ///
    /// # Panics
    /// If the last answer was another than [`Answer::Satisfiable`].
    pub fn is_true(&self, bit: Bit) -> bool {
        match bit {
            Bit::Constant(truth) => truth,
            Bit::Literal(literal) => {
                self.solver.lit_val(literal).expect("there is a solution") == TernaryVal::True
            }
        }
    }
}

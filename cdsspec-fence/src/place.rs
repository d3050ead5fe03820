//! Which fences a data type needs: minimal sets of candidates with which all tests hold (section 4.2 of the paper).
//!
//! More fences allow fewer executions. So a set that is not enough has, however it is grown while it stays so, a complement of which each set that is enough
//! has a fence. [`minimal_sets`] collects such complements, takes a least set that has a fence of each, and asks whether it is enough. If it
//! is, no subset is, since a subset misses a complement; if it is not, it is grown, which gives another complement. When no set
//! is left that has a fence of each and none of those found as a subset, all minimal sets were found.

use crate::explore::{Exploration, GaveUp, Settings, Verdict};
use crate::flat::Site;
use crate::lsl::syntax::{FenceKind, Procedure, Program, Statement};
use crate::observation::ObservationSet;
use crate::solver::{Answer, Bit, Limits, Solver};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The program with a candidate for each of these fences before each access, atomic block and call of the procedures for which this says so, instead
/// of the candidates that they have.
#[must_use]
pub fn with_candidates(
    program: &Program,
    kinds: &[FenceKind],
    is_open: impl Fn(&Procedure) -> bool,
) -> Program {
    let mut changed = program.clone();
    for procedure in changed.procedures.iter_mut().filter(|procedure| is_open(procedure)) {
        procedure.body = opened(&procedure.body, kinds);
    }
    changed
}

fn opened(body: &[Statement], kinds: &[FenceKind]) -> Vec<Statement> {
    let mut changed = Vec::new();
    for statement in body {
        if matches!(statement, Statement::Fence { is_candidate: true, .. }) {
            continue;
        }
        let is_place = matches!(
            statement,
            Statement::Load { .. } | Statement::Store { .. } | Statement::Atomic(_) | Statement::Call { .. }
        );
        if is_place {
            changed.extend(kinds.iter().map(|&kind| Statement::Fence { kind, is_candidate: true }));
        }
        changed.push(match statement {
            Statement::Block { tag, is_spin, body } => {
                Statement::Block { tag: tag.clone(), is_spin: *is_spin, body: opened(body, kinds) }
            }
            other => other.clone(),
        });
    }
    changed
}

/// A test, and the observations that it may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// With candidate fences, at the same sites as all other tests.
    pub program: Program,
    /// What its executions may show.
    pub observations: ObservationSet,
}

/// What is known of the fences that tests need.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    /// Minimal sets: each is enough, and none without any one of its fences.
    pub sets: Vec<BTreeSet<Site>>,
    /// Whether there are no others.
    pub is_complete: bool,
    /// Whether a set is enough only for executions within [`Settings::rounds_max`].
    pub is_bounded: bool,
    /// How often a set was looked at.
    pub questions: usize,
}

/// Why nothing is said about sets of fences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unplaced {
    /// There is no test.
    NoTest,
    /// A test allows no observation, or has no execution with some set: any set would be enough for it.
    NoExecution,
    /// The solver gave up.
    GaveUp,
}

impl fmt::Display for Unplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTest => f.write_str("there is no test that fences could be needed for"),
            Self::NoExecution => f.write_str("a test has no execution: nothing was checked"),
            Self::GaveUp => GaveUp.fmt(f),
        }
    }
}

impl std::error::Error for Unplaced {}

impl From<GaveUp> for Unplaced {
    fn from(_: GaveUp) -> Self {
        Self::GaveUp
    }
}

/// Finds up to so many minimal sets of fences with which all tests hold. There are none if even all candidates are not enough.
///
/// # Errors
/// That the solver gave up, or that there is nothing to check.
pub fn minimal_sets(tests: &[Test], settings: &Settings, sets_max: usize) -> Result<Placement, Unplaced> {
    if tests.is_empty() {
        return Err(Unplaced::NoTest);
    }
    if tests.iter().any(|test| test.observations.observations.is_empty()) {
        return Err(Unplaced::NoExecution);
    }
    let mut asked = Asked::new(tests, settings);
    let all = asked.candidates();
    let mut placement = Placement::default();
    if !asked.is_enough(&all)? {
        placement.is_complete = true;
        placement.questions = asked.questions;
        return Ok(placement);
    }
    let mut map = Map::new(&all);
    loop {
        if placement.sets.len() == sets_max {
            break;
        }
        let Some(set) = map.least() else {
            placement.is_complete = true;
            break;
        };
        if asked.is_enough(&set)? {
            map.forbid(&set);
            placement.sets.push(set);
        } else {
            let grown = asked.grown(&set, &all)?;
            map.require(&all - &grown);
        }
    }
    placement.is_bounded = asked.is_bounded;
    placement.questions = asked.questions;
    Ok(placement)
}

/// Tests that are asked about sets of fences.
struct Asked<'t> {
    tests: Vec<(Exploration<'t>, &'t ObservationSet)>,
    is_bounded: bool,
    questions: usize,
}

impl<'t> Asked<'t> {
    fn new(tests: &'t [Test], settings: &Settings) -> Self {
        let exploration = |test: &'t Test| Exploration::new(&test.program, settings.clone());
        let tests = tests.iter().map(|test| (exploration(test), &test.observations)).collect();
        Self { tests, is_bounded: false, questions: 0 }
    }

    fn candidates(&self) -> BTreeSet<Site> {
        self.tests.iter().flat_map(|(exploration, _)| exploration.candidates()).collect()
    }

    /// Whether all tests hold with these fences. A test that fails is asked first the next time.
    fn is_enough(&mut self, fences: &BTreeSet<Site>) -> Result<bool, Unplaced> {
        self.questions += 1;
        let mut is_bounded = false;
        for index in 0..self.tests.len() {
            let (exploration, observations) = &mut self.tests[index];
            exploration.set_fences(fences.clone());
            match exploration.check_inclusion(observations) {
                Verdict::Holds => {}
                Verdict::HoldsWithin => is_bounded = true,
                Verdict::Violated(_) => {
                    self.tests.swap(0, index);
                    return Ok(false);
                }
                Verdict::NoExecution => return Err(Unplaced::NoExecution),
                Verdict::Inconclusive => return Err(Unplaced::GaveUp),
            }
        }
        self.is_bounded |= is_bounded;
        Ok(true)
    }

    /// A set that is not enough, with as many fences more as it can have.
    fn grown(&mut self, fences: &BTreeSet<Site>, all: &BTreeSet<Site>) -> Result<BTreeSet<Site>, Unplaced> {
        let mut grown = fences.clone();
        for &fence in all.difference(fences) {
            grown.insert(fence);
            if self.is_enough(&grown)? {
                grown.remove(&fence);
            }
        }
        Ok(grown)
    }
}

/// Which sets may still be minimal and enough.
struct Map {
    solver: Solver,
    fences: BTreeMap<Site, Bit>,
    required: Vec<BTreeSet<Site>>,
}

impl Map {
    fn new(all: &BTreeSet<Site>) -> Self {
        let mut solver = Solver::new();
        let fences = all.iter().map(|&fence| (fence, solver.variable())).collect();
        Self { solver, fences, required: Vec::new() }
    }

    /// A set that is enough has one of these.
    fn require(&mut self, fences: BTreeSet<Site>) {
        let bits: Vec<Bit> = fences.iter().map(|fence| self.fences[fence]).collect();
        self.solver.clause(&bits);
        self.required.push(fences);
    }

    /// A set that has all of these is not minimal, or was found.
    fn forbid(&mut self, fences: &BTreeSet<Site>) {
        let bits: Vec<Bit> = fences.iter().map(|fence| !self.fences[fence]).collect();
        self.solver.clause(&bits);
    }

    /// A set that has one of all that is required, none without which it still has, and none forbidden one as a subset.
    fn least(&mut self) -> Option<BTreeSet<Site>> {
        if self.solver.solve(&[], Limits::default()) != Answer::Satisfiable {
            return None;
        }
        let is_in = |(_, bit): &(&Site, &Bit)| self.solver.is_true(**bit);
        let mut set: BTreeSet<Site> = self.fences.iter().filter(is_in).map(|(&fence, _)| fence).collect();
        // A subset has no forbidden subset either.
        for fence in set.clone() {
            set.remove(&fence);
            if !self.required.iter().all(|required| !required.is_disjoint(&set)) {
                set.insert(fence);
            }
        }
        Some(set)
    }
}

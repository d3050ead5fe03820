//! Questions about a test: which observations there are, and whether there are others than these (section 3.2 of the paper).
//!
//! Loops are unrolled lazily (section 3.3): one round of each at first. When nothing is found, the solver is asked for an execution that
//! needs more rounds; if there is one, the loops concerned get one more, and all is asked again.
//!
//! An execution that needs more rounds is one in which some thread comes to the end of a loop that is unrolled, and others stop anywhere that an assumption is false: they
//! might have been helped by what comes later. Under SC this finds each loop that needs more: cut an execution at the first such place in memory order, and let
//! the other threads run on alone, until they end or stop. Where stores may take effect before loads that precede them, there may be no such part: what
//! comes behind the rounds may be why there are more. Then a loop of a thread that stores is within a bound ([`Verdict::HoldsWithin`]).

use crate::encode::{Encoding, encode};
use crate::flat::{Flat, Instance, Site, Unrolling, flatten};
use crate::lsl::syntax::Program;
use crate::memory_model::MemoryModel;
use crate::observation::{Observation, ObservationSet};
use crate::range::Ranges;
use crate::solver::{Answer, Bit, Limits};
use crate::trace::Trace;
use std::collections::BTreeSet;
use std::fmt;

/// How a test is looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Which executions there are.
    pub memory_model: MemoryModel,
    /// Whether ranges are analysed first.
    pub has_range_analysis: bool,
    /// How far the solver goes in one question, of the several that a check asks.
    pub limits: Limits,
    /// How many rounds of a loop there are at most, each time that it is entered. There is always one: 0 is as 1.
    pub rounds_max: usize,
    /// Which candidate fences are there.
    pub fences: BTreeSet<Site>,
}

impl Settings {
    /// Under this memory model, with range analysis, no limits but 16 rounds of each loop, and no candidate fence.
    pub fn new(memory_model: MemoryModel) -> Self {
        Self {
            memory_model,
            has_range_analysis: true,
            limits: Limits::default(),
            rounds_max: 16,
            fences: BTreeSet::new(),
        }
    }
}

/// The solver reached a limit, or the memory model does not say what an atomic block is: nothing is known. RC11 and Armv8 know read-modify-writes, and no
/// block of two loads or two stores, or of two locations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GaveUp;

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "inconclusive: the solver reached its limit of conflicts or of time, or, under RC11 or Armv8, an atomic block is no read-modify-write",
        )
    }
}

impl std::error::Error for GaveUp {}

/// How large a formula is, and what was asked of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Loads and stores of the unrolled test.
    pub accesses: usize,
    /// Variables of the last formula.
    pub variables: usize,
    /// Its clauses.
    pub clauses: usize,
    /// How many formulas there were: one each time that loops got more rounds.
    pub formulas: usize,
}

/// What an inclusion check comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every complete execution has one of the observations: one in which each assumption is true and each loop ends. Of a thread that never ends
    /// this says nothing.
    Holds,
    /// Every complete execution in which no loop has more than [`Settings::rounds_max`] rounds; or, where a store may come before a load that precedes it, which
    /// is so under Relaxed and Armv8, in which no loop is repeated because of a store behind the rounds that were needed. In
    /// `LOOP d 0 { R d x - ; IF c 1 { W y 1 - ; MOV d 0 } ; MOV c 1 }` beside `R s y - ; W x s -` the second round would write to `y` what the
    /// first one waits for: no execution of the first round alone needs another one, and `s=1` is not found. So a loop in a thread that stores is within a bound there.
    HoldsWithin,
    /// An execution has another one, or an error.
    Violated(Box<Trace>),
    /// No execution is complete, or no thread has an operation: nothing was checked.
    NoExecution,
    /// The solver gave up.
    Inconclusive,
}

impl Verdict {
    /// The verdict in a word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::HoldsWithin => "holds_within",
            Self::Violated(_) => "violated",
            Self::NoExecution => "no_execution",
            Self::Inconclusive => "inconclusive",
        }
    }
}

/// The observations of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mined {
    /// All of them.
    pub set: ObservationSet,
    /// Whether there are, or may be, executions with more rounds of a loop, which were not looked at: [`Verdict::HoldsWithin`].
    pub is_bounded: bool,
}

/// A test that questions are asked about.
pub struct Exploration<'p> {
    program: &'p Program,
    settings: Settings,
    unrolling: Unrolling,
    flat: Flat,
    encoding: Encoding,
    /// What an observation must not be in the formula, the literal under which it is none of them, and that under which it is so or there is an error.
    excluded: Option<(ObservationSet, [Bit; 2])>,
    formulas: usize,
}

fn encoded(program: &Program, settings: &Settings, unrolling: &Unrolling) -> (Flat, Encoding) {
    let flat = flatten(program, unrolling);
    let ranges = if settings.has_range_analysis { Ranges::analyse(&flat) } else { Ranges::unknown(&flat) };
    let encoding = encode(&flat, &ranges, settings.memory_model);
    (flat, encoding)
}

impl<'p> Exploration<'p> {
    /// Makes the formula of a test with one round of each loop.
    ///
    /// # Panics
    /// If the program is not one that [`check`](crate::lsl::check::check) accepts.
    pub fn new(program: &'p Program, settings: Settings) -> Self {
        let unrolling = Unrolling::default();
        let (flat, encoding) = encoded(program, &settings, &unrolling);
        Self { program, settings, unrolling, flat, encoding, excluded: None, formulas: 1 }
    }

    /// How large the formula is.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            accesses: self.flat.accesses.len(),
            variables: self.encoding.solver.variable_count(),
            clauses: self.encoding.solver.clause_count(),
            formulas: self.formulas,
        }
    }

    /// The candidate fences of the test.
    pub fn candidates(&self) -> BTreeSet<Site> {
        self.encoding.candidates.keys().copied().collect()
    }

    /// Other candidate fences are there from now on.
    pub fn set_fences(&mut self, fences: BTreeSet<Site>) {
        self.settings.fences = fences;
    }

    /// Which candidate fences are there.
    fn fences(&self) -> Vec<Bit> {
        let is_there = |site: &Site| self.settings.fences.contains(site);
        let candidates = self.encoding.candidates.iter();
        candidates.map(|(site, &bit)| if is_there(site) { bit } else { !bit }).collect()
    }

    /// Executions that keep to assumptions, and in which no loop has more rounds than there are.
    fn within(&self) -> Vec<Bit> {
        let overruns = self.encoding.overruns.iter().map(|&overrun| !overrun);
        [self.encoding.is_complete].into_iter().chain(overruns).collect()
    }

    fn ask(&mut self, assumptions: &[Bit]) -> Result<bool, GaveUp> {
        if self.settings.memory_model.axioms().is_none() && !self.flat.has_updates_alone() {
            return Err(GaveUp);
        }
        match self.encoding.solver.solve(assumptions, self.settings.limits) {
            Answer::Satisfiable => Ok(true),
            Answer::Unsatisfiable => Ok(false),
            Answer::GaveUp => Err(GaveUp),
        }
    }

    /// Whether an execution needs more rounds of one of these loops; the loops of which it does.
    fn overrun(&mut self, is_asked: impl Fn(&Instance) -> bool) -> Result<Vec<Instance>, GaveUp> {
        let asked: Vec<usize> = (0..self.flat.overruns.len())
            .filter(|&index| is_asked(&self.flat.overruns[index].instance))
            .collect();
        let bits: Vec<Bit> = asked.iter().map(|&index| self.encoding.overruns[index]).collect();
        let some = self.encoding.solver.any(&bits);
        let mut assumptions = self.fences();
        assumptions.push(some);
        if !self.ask(&assumptions)? {
            return Ok(Vec::new());
        }
        let happens = |index: &&usize| self.encoding.solver.is_true(self.encoding.overruns[**index]);
        Ok(asked.iter().filter(happens).map(|&index| self.flat.overruns[index].instance.clone()).collect())
    }

    /// Gives a round more to loops that need it: whether some do.
    fn grow(&mut self) -> Result<bool, GaveUp> {
        let (unrolling, rounds_max) = (self.unrolling.clone(), self.settings.rounds_max.max(1));
        let needed = self.overrun(|instance| unrolling.rounds(instance) < rounds_max)?;
        for instance in &needed {
            *self.unrolling.0.entry(instance.clone()).or_insert(1) += 1;
        }
        if !needed.is_empty() {
            (self.flat, self.encoding) = encoded(self.program, &self.settings, &self.unrolling);
            self.excluded = None;
            self.formulas += 1;
        }
        Ok(!needed.is_empty())
    }

    /// Whether an execution needs more rounds of a loop that has all that it may have, or may do so unseen.
    fn is_bounded(&mut self) -> Result<bool, GaveUp> {
        Ok(self.may_overrun_unseen() || !self.overrun(|_| true)?.is_empty())
    }

    /// Whether a loop may be repeated because of a store that comes behind the rounds that there are, and takes effect before them: such an execution has no
    /// part that needs one round more.
    fn may_overrun_unseen(&self) -> bool {
        let is_storing: Vec<bool> =
            self.program.sequences().map(|operations| self.program.may_store(operations)).collect();
        let mut overruns = self.flat.overruns.iter();
        self.settings.memory_model.has_early_stores() && overruns.any(|overrun| is_storing[overrun.sequence])
    }

    /// All observations: specification mining, by clauses that exclude each one that was found.
    ///
    /// # Errors
    /// That the solver gave up.
    pub fn observations(&mut self) -> Result<Mined, GaveUp> {
        while self.grow()? {}
        let mut set = ObservationSet::default();
        let mut assumptions = self.within();
        assumptions.extend(self.fences());
        set.has_error = self.ask(&[assumptions.as_slice(), &[self.encoding.has_error]].concat())?;
        let is_new = self.encoding.solver.variable();
        assumptions.extend([!self.encoding.has_error, is_new]);
        while self.ask(&assumptions)? {
            let observation = self.encoding.observation();
            self.encoding.exclude(&observation, is_new);
            set.observations.insert(observation.renamed(self.program.first_object()));
        }
        Ok(Mined { set, is_bounded: self.is_bounded()? })
    }

    /// Whether all executions have one of these observations, and no error: the inclusion check. That there is no execution is not a pass.
    pub fn check_inclusion(&mut self, set: &ObservationSet) -> Verdict {
        self.included(set).unwrap_or(Verdict::Inconclusive)
    }

    fn included(&mut self, set: &ObservationSet) -> Result<Verdict, GaveUp> {
        let first_object = self.program.first_object();
        let renamed = |observation: &Observation| observation.renamed(first_object);
        let allowed: BTreeSet<Observation> = set.observations.iter().map(renamed).collect();
        loop {
            let [is_other, is_bad] = self.is_bad(set);
            let mut assumptions = self.within();
            assumptions.extend(self.fences());
            assumptions.push(is_bad);
            if self.ask(&assumptions)? {
                let observation = self.encoding.observation();
                let has_error = self.encoding.solver.is_true(self.encoding.has_error);
                if !has_error && allowed.contains(&renamed(&observation)) {
                    // One of the set, but for the names of objects.
                    self.encoding.exclude(&observation, is_other);
                    continue;
                }
                return Ok(Verdict::Violated(Box::new(Trace::of(self.program, &self.flat, &self.encoding))));
            }
            if !self.grow()? {
                break;
            }
        }
        if !self.has_execution()? {
            return Ok(Verdict::NoExecution);
        }
        Ok(if self.is_bounded()? { Verdict::HoldsWithin } else { Verdict::Holds })
    }

    /// Whether some thread does something, and an execution is complete.
    fn has_execution(&mut self) -> Result<bool, GaveUp> {
        let assumptions = [self.within(), self.fences()].concat();
        Ok(self.program.threads.iter().any(|thread| !thread.is_empty()) && self.ask(&assumptions)?)
    }

    /// Whether an execution has none of these observations; whether it has an error, or none of them.
    fn is_bad(&mut self, set: &ObservationSet) -> [Bit; 2] {
        if let Some((_, bits)) = self.excluded.as_ref().filter(|(excluded, _)| excluded == set) {
            return *bits;
        }
        let is_other = self.encoding.solver.variable();
        set.observations.iter().for_each(|observation| self.encoding.exclude(observation, is_other));
        let has_error = self.encoding.has_error;
        let is_bad = self.encoding.solver.or(is_other, has_error);
        self.excluded = Some((set.clone(), [is_other, is_bad]));
        [is_other, is_bad]
    }
}

//! A flat program and a memory model as a formula, whose solutions are the executions (section 3.2.1 of the paper).
//!
//! | module | what is there |
//! |---|---|
//! | `word` | values as bits |
//! | `shape` | how many of them, where the range analysis says nothing |
//! | `order` | the memory order |
//! | `thread` | which accesses of a thread keep their order there |
//! | `flow` | which store a load reads |
//! | `rc11` | RC11, instead of the last three |

mod flow;
mod order;
mod rc11;
mod shape;
mod thread;
mod word;

use crate::flat::{AccessId, Definition, Fault, Flat, Guard, GuardId, Site, ValueId};
use crate::lsl::value::Value;
use crate::memory_model::MemoryModel;
use crate::observation::Observation;
use crate::range::Ranges;
use crate::solver::{Bit, Solver};
use order::MemoryOrder;
use std::collections::BTreeMap;
use word::Word;

/// The formula of a flat program.
pub struct Encoding {
    /// The formula, and its solver.
    pub solver: Solver,
    /// True in an execution that keeps to all assumptions; else threads stop where they do not.
    pub is_complete: Bit,
    /// Whether an execution has an error.
    pub has_error: Bit,
    /// For each check, whether it finds an error.
    pub faults: Vec<Bit>,
    /// For each pair of accesses that may race, whether they do. Only RC11 knows races.
    pub races: Vec<Bit>,
    /// For each overrun, whether it happens.
    pub overruns: Vec<Bit>,
    /// For each candidate fence, whether it is there.
    pub candidates: BTreeMap<Site, Bit>,
    guards: Vec<Option<Bit>>,
    words: Vec<Word>,
    /// For each access, whether it is done.
    executed: Vec<Bit>,
    order: MemoryOrder,
    /// For each load, the stores that it may read, and whether it does.
    flows: BTreeMap<AccessId, Vec<(AccessId, Bit)>>,
    observed: Vec<ValueId>,
}

/// Makes the formula of a flat program under a memory model.
pub fn encode(flat: &Flat, ranges: &Ranges, memory_model: MemoryModel) -> Encoding {
    let mut solver = Solver::new();
    let is_complete = solver.variable();
    let mut encoding = Encoding {
        solver,
        is_complete,
        has_error: Bit::FALSE,
        faults: Vec::new(),
        races: Vec::new(),
        overruns: Vec::new(),
        candidates: BTreeMap::new(),
        guards: vec![None; flat.guards.len()],
        words: Vec::new(),
        executed: Vec::new(),
        order: MemoryOrder::default(),
        flows: BTreeMap::new(),
        observed: flat.observed.clone(),
    };
    encoding.add_values(flat, ranges);
    encoding.add_fences(flat);
    for access in &flat.accesses {
        let guard = encoding.guard(flat, access.guard);
        let is_pointer = encoding.words[access.address.0].is_pointer;
        let executed = encoding.solver.and(guard, is_pointer);
        encoding.executed.push(executed);
    }
    if let Some(axioms) = memory_model.axioms() {
        encoding.order = MemoryOrder::new(flat, axioms, &mut encoding.solver);
        encoding.order_threads(flat, ranges, axioms);
        encoding.add_flows(flat, ranges, axioms);
    } else if memory_model == MemoryModel::Rc11 {
        encoding.add_rc11(flat, ranges);
    } else {
        encoding.order = MemoryOrder::of_accesses(flat, &mut encoding.solver);
        encoding.add_armv8(flat, ranges, memory_model == MemoryModel::Armv8NoLoadBuffering);
    }
    encoding.add_checks(flat);
    encoding
}

impl Encoding {
    /// The thread-local formulae: how values come about.
    fn add_values(&mut self, flat: &Flat, ranges: &Ranges) {
        let shape = shape::of_loads(flat);
        for (index, definition) in flat.values.iter().enumerate() {
            let range = ranges.of(ValueId(index));
            let word = match definition {
                Definition::Constant(value) => Word::constant(value),
                Definition::Choice(values) => {
                    Word::one_of(&values.iter().cloned().collect(), &mut self.solver)
                }
                Definition::Primitive(primitive, arguments) => {
                    let arguments: Vec<Word> =
                        arguments.iter().map(|argument| self.words[argument.0].clone()).collect();
                    let arguments: Vec<&Word> = arguments.iter().collect();
                    Word::apply(*primitive, &arguments, &mut self.solver)
                }
                Definition::Load(_) => self.loaded(range, &shape),
                Definition::Select(guard, value, otherwise) => {
                    let guard = self.guard(flat, *guard);
                    let (value, otherwise) = (&self.words[value.0], &self.words[otherwise.0]);
                    Word::select(guard, value, otherwise, &mut self.solver)
                }
            };
            self.words.push(word);
        }
    }

    /// What a load reads: any value, or one of its range.
    fn loaded(&mut self, range: Option<&std::collections::BTreeSet<Value>>, shape: &word::Shape) -> Word {
        let Some(values) = range else { return Word::any(shape, &mut self.solver) };
        let word = Word::any(&word::Shape::of(values), &mut self.solver).narrowed(values);
        let mut is_one = Vec::new();
        for value in values {
            is_one.push(word.equals(&Word::constant(value), &mut self.solver));
        }
        if !is_one.is_empty() {
            self.solver.clause(&is_one);
        }
        word
    }

    /// When a thread comes by.
    fn guard(&mut self, flat: &Flat, guard: GuardId) -> Bit {
        if let Some(bit) = self.guards[guard.0] {
            return bit;
        }
        let bit = match flat.guards[guard.0] {
            Guard::Always => Bit::TRUE,
            Guard::Never => Bit::FALSE,
            Guard::And(before, value, is_true) => {
                let before = self.guard(flat, before);
                let truth = self.words[value.0].truth(&mut self.solver);
                self.solver.and(before, if is_true { truth } else { !truth })
            }
            Guard::Or(left, right) => {
                let (left, right) = (self.guard(flat, left), self.guard(flat, right));
                self.solver.or(left, right)
            }
        };
        self.guards[guard.0] = Some(bit);
        bit
    }

    fn add_fences(&mut self, flat: &Flat) {
        for fence in flat.fences.iter().filter(|fence| fence.is_candidate) {
            let solver = &mut self.solver;
            self.candidates.entry(fence.site).or_insert_with(|| solver.variable());
        }
    }

    /// Errors, assumptions, and loops that need more rounds.
    fn add_checks(&mut self, flat: &Flat) {
        for check in &flat.checks {
            let guard = self.guard(flat, check.guard);
            let solver = &mut self.solver;
            let is_right = match check.fault {
                Fault::Assertion(value) => self.words[value.0].truth(solver),
                Fault::Condition(value) | Fault::Operation(value) => self.words[value.0].is_defined(solver),
                Fault::Address(address) => self.words[address.0].is_pointer,
            };
            let fault = solver.and(guard, !is_right);
            self.faults.push(fault);
        }
        let errors: Vec<Bit> = self.faults.iter().chain(&self.races).copied().collect();
        self.has_error = self.solver.any(&errors);
        for &excluded in &flat.excluded {
            let excluded = self.guard(flat, excluded);
            self.solver.implies(&[self.is_complete], !excluded);
        }
        for &repeated in &flat.repeated {
            let repeated = self.guard(flat, repeated);
            self.solver.implies(&[self.is_complete, repeated], self.has_error);
        }
        for overrun in &flat.overruns {
            let overrun = self.guard(flat, overrun.guard);
            self.overruns.push(overrun);
        }
    }

    /// The observation of the last solution.
    pub fn observation(&self) -> Observation {
        Observation(self.observed.iter().map(|value| self.words[value.0].value(&self.solver)).collect())
    }

    /// If the condition holds, the execution has another observation than this one.
    pub fn exclude(&mut self, observation: &Observation, condition: Bit) {
        let mut differs = vec![!condition];
        for (id, value) in self.observed.iter().zip(&observation.0) {
            let word = &self.words[id.0];
            let is_same = word.equals(&Word::constant(value), &mut self.solver);
            differs.push(!is_same);
        }
        self.solver.clause(&differs);
    }

    /// What a value is in the last solution.
    pub fn value(&self, value: ValueId) -> Value {
        self.words[value.0].value(&self.solver)
    }

    /// Whether an access is done in the last solution.
    pub fn is_executed(&self, access: AccessId) -> bool {
        self.solver.is_true(self.executed[access.0])
    }

    /// Whether one access comes before another in memory order in the last solution.
    pub fn is_before(&self, access: AccessId, other: AccessId) -> bool {
        self.solver.is_true(self.order.before(access, other))
    }

    /// The store that a load reads in the last solution; none if it reads what was there at first.
    pub fn source(&self, load: AccessId) -> Option<AccessId> {
        let flows = self.flows.get(&load)?;
        flows.iter().find(|(_, flow)| self.solver.is_true(*flow)).map(|(store, _)| *store)
    }
}

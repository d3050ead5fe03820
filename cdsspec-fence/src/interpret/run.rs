//! Runs the operations of one thread by itself, in all ways that its loads and choices can go.

use crate::lsl::syntax::{
    AccessKind, Argument, FenceKind, Jump, Operation, Procedure, Program, Register, Statement, Tag,
};
use crate::lsl::value::{Path, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Values by location.
pub(super) type Memory = BTreeMap<Path, Value>;

/// What locations may hold.
pub(super) type Domain = BTreeMap<Path, BTreeSet<Value>>;

/// An access that was done.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) kind: AccessKind,
    pub(super) address: Path,
    pub(super) value: Value,
    /// Which operation of its thread.
    pub(super) operation: usize,
    /// Which atomic block of its thread.
    pub(super) block: Option<usize>,
    /// The loads of its thread, by their index among its accesses, on which depends that it is done, where, and what it stores.
    pub(super) depends_on: BTreeSet<usize>,
}

/// What a thread did.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// In program order.
    pub(super) accesses: Vec<Access>,
    /// Each fence, and how many accesses come before it.
    pub(super) fences: Vec<(usize, FenceKind)>,
    pub(super) observed: Vec<Value>,
    pub(super) has_error: bool,
}

impl Trace {
    pub(super) fn stores(&self) -> impl Iterator<Item = (&Path, &Value)> + Clone {
        let stores = self.accesses.iter().filter(|access| access.kind == AccessKind::Store);
        stores.map(|access| (&access.address, &access.value))
    }

    pub(super) fn load_count(&self) -> usize {
        self.accesses.iter().filter(|access| access.kind == AccessKind::Load).count()
    }
}

/// One way to run.
pub(super) struct Run {
    /// What was done, up to where the thread stopped.
    pub(super) trace: Trace,
    /// Whether it ends. Else it is none of an execution: an assumption is false, or a loop has too many rounds.
    pub(super) has_ended: bool,
    /// Whether a loop has too many rounds.
    pub(super) is_cut: bool,
    /// The memory at the end, where loads read it.
    pub(super) memory: Memory,
}

/// Where loads have their values from.
pub(super) enum Source<'d> {
    /// From memory, for code that runs alone.
    Memory(Memory),
    /// Any of these; a location that is not there is undefined.
    Guess(&'d Domain),
}

/// Runs code of this program.
pub(super) struct Runner<'p> {
    pub(super) program: &'p Program,
    pub(super) rounds_max: usize,
}

/// Why a run goes no further.
enum Stop<'p> {
    /// To the end of a block, or to its beginning.
    Jump(Jump, &'p Tag),
    /// It is no execution.
    Excluded,
    /// A loop has too many rounds.
    Cut,
}

type Step<'p> = Result<(), Stop<'p>>;

impl Runner<'_> {
    /// All ways to run these operations: depth first over the choices, each way from the beginning.
    pub(super) fn all(&self, thread: usize, code: &[Operation], source: &mut Source<'_>) -> Vec<Run> {
        let mut runs = Vec::new();
        let mut script: Vec<(usize, usize)> = Vec::new();
        loop {
            let memory = match source {
                Source::Memory(memory) => Source::Memory(memory.clone()),
                Source::Guess(domain) => Source::Guess(domain),
            };
            let mut machine = Machine::new(self, thread, memory, script);
            runs.push(machine.run(code));
            script = machine.script;
            while script.last().is_some_and(|(choice, count)| choice + 1 == *count) {
                script.pop();
            }
            match script.last_mut() {
                Some((choice, _)) => *choice += 1,
                None => return runs,
            }
        }
    }
}

/// A value, and the loads that it depends on.
type Tainted = (Value, BTreeSet<usize>);

type Frame = BTreeMap<Register, Tainted>;

struct Machine<'p, 'd> {
    runner: &'p Runner<'p>,
    thread: usize,
    source: Source<'d>,
    /// What was chosen so far, and out of how many.
    script: Vec<(usize, usize)>,
    next: usize,
    trace: Trace,
    /// The loads that decided which way the thread went.
    control: BTreeSet<usize>,
    operation: usize,
    block: Option<usize>,
    block_count: usize,
    object_count: u32,
    is_primed: bool,
}

/// Objects of a thread have bases from here on, so far from those of other threads.
const OBJECTS: u32 = 1_000;

impl<'p, 'd> Machine<'p, 'd> {
    fn new(runner: &'p Runner<'p>, thread: usize, source: Source<'d>, script: Vec<(usize, usize)>) -> Self {
        Self {
            runner,
            thread,
            source,
            script,
            next: 0,
            trace: Trace::default(),
            control: BTreeSet::new(),
            operation: 0,
            block: None,
            block_count: 0,
            object_count: 0,
            is_primed: false,
        }
    }

    fn run(&mut self, code: &[Operation]) -> Run {
        let outcome = code.iter().try_for_each(|operation| self.operation(operation));
        let is_cut = matches!(outcome, Err(Stop::Cut));
        let trace = std::mem::take(&mut self.trace);
        let memory = match &mut self.source {
            Source::Memory(memory) => std::mem::take(memory),
            Source::Guess(_) => Memory::new(),
        };
        Run { trace, has_ended: outcome.is_ok(), is_cut, memory }
    }

    fn choose(&mut self, count: usize) -> usize {
        if self.next == self.script.len() {
            self.script.push((0, count));
        }
        self.next += 1;
        self.script[self.next - 1].0
    }

    fn operation(&mut self, operation: &Operation) -> Step<'p> {
        let procedure = self.procedure(&operation.procedure);
        self.is_primed = operation.is_primed;
        let mut arguments = Vec::new();
        for argument in &operation.arguments {
            let value = match argument {
                Argument::Fixed(value) => value.clone(),
                Argument::Open(values) => {
                    let value = values[self.choose(values.len())].clone();
                    self.trace.observed.push(value.clone());
                    value
                }
            };
            arguments.push((value, BTreeSet::new()));
        }
        let results = self.call(procedure, arguments)?;
        self.trace.observed.extend(results.into_iter().map(|(value, _)| value));
        self.operation += 1;
        Ok(())
    }

    fn procedure(&self, name: &crate::lsl::syntax::ProcedureName) -> &'p Procedure {
        self.runner.program.procedure(name).expect("a checked program has the procedure")
    }

    fn call(&mut self, procedure: &'p Procedure, arguments: Vec<Tainted>) -> Result<Vec<Tainted>, Stop<'p>> {
        let mut frame: Frame = procedure.parameters.iter().cloned().zip(arguments).collect();
        self.body(&procedure.body, &mut frame)?;
        Ok(procedure.results.iter().map(|register| read(&frame, register)).collect())
    }

    fn body(&mut self, body: &'p [Statement], frame: &mut Frame) -> Step<'p> {
        body.iter().try_for_each(|statement| self.statement(statement, frame))
    }

    fn statement(&mut self, statement: &'p Statement, frame: &mut Frame) -> Step<'p> {
        match statement {
            Statement::Constant { register, value } => {
                frame.insert(register.clone(), (value.clone(), BTreeSet::new()));
            }
            Statement::Choose { register, values } => {
                let value = values[self.choose(values.len())].clone();
                frame.insert(register.clone(), (value, BTreeSet::new()));
            }
            Statement::New { register } => {
                let thread = u32::try_from(self.thread).expect("few threads");
                let base = (thread + 1) * OBJECTS + self.object_count;
                self.object_count += 1;
                frame.insert(register.clone(), (Path::of_base(base).into(), BTreeSet::new()));
            }
            Statement::Primitive { register, primitive, arguments } => {
                let arguments: Vec<Tainted> = arguments.iter().map(|one| read(frame, one)).collect();
                let values: Vec<Value> = arguments.iter().map(|(value, _)| value.clone()).collect();
                let taint = arguments.into_iter().flat_map(|(_, taint)| taint).collect();
                let value = primitive.apply(&values).unwrap_or_else(|_| self.error());
                frame.insert(register.clone(), (value, taint));
            }
            Statement::Load { register, address, .. } => {
                let value = self.load(&read(frame, address));
                frame.insert(register.clone(), value);
            }
            Statement::Store { address, value, .. } => self.store(&read(frame, address), &read(frame, value)),
            Statement::Fence { kind, is_candidate } => {
                if !is_candidate {
                    self.trace.fences.push((self.trace.accesses.len(), *kind));
                }
            }
            Statement::Atomic(body) => return self.atomic(body, frame),
            Statement::Call { procedure, arguments, results } => {
                let arguments = arguments.iter().map(|one| read(frame, one)).collect();
                let returned = self.call(self.procedure(procedure), arguments)?;
                frame.extend(results.iter().cloned().zip(returned));
            }
            Statement::Block { tag, body, .. } => return self.block(tag, body, frame),
            Statement::Jump { condition, jump, tag } => {
                if self.condition(&read(frame, condition)) == Some(true) {
                    return Err(Stop::Jump(*jump, tag));
                }
            }
            Statement::Assert(condition) => {
                if self.condition(&read(frame, condition)) == Some(false) {
                    self.error();
                }
            }
            Statement::Assume(condition) => {
                if self.condition(&read(frame, condition)) == Some(false) {
                    return Err(Stop::Excluded);
                }
            }
        }
        Ok(())
    }

    fn error(&mut self) -> Value {
        self.trace.has_error = true;
        Value::Undefined
    }

    /// Whether it is true; an undefined one is an error.
    fn condition(&mut self, (value, taint): &Tainted) -> Option<bool> {
        self.control.extend(taint);
        let truth = value.truth();
        if truth.is_none() {
            self.error();
        }
        truth
    }

    fn atomic(&mut self, body: &'p [Statement], frame: &mut Frame) -> Step<'p> {
        let outer = self.block;
        if outer.is_none() {
            self.block = Some(self.block_count);
            self.block_count += 1;
        }
        let outcome = self.body(body, frame);
        self.block = outer;
        outcome
    }

    fn block(&mut self, tag: &'p Tag, body: &'p [Statement], frame: &mut Frame) -> Step<'p> {
        let mut rounds = 0;
        loop {
            match self.body(body, frame) {
                Err(Stop::Jump(Jump::Break, to)) if to == tag => return Ok(()),
                Err(Stop::Jump(Jump::Continue, to)) if to == tag => rounds += 1,
                outcome => return outcome,
            }
            if self.is_primed {
                return Err(Stop::Excluded);
            }
            if rounds == self.runner.rounds_max {
                return Err(Stop::Cut);
            }
        }
    }

    fn load(&mut self, (address, taint): &Tainted) -> Tainted {
        let Some(path) = address.path() else { return (self.error(), BTreeSet::new()) };
        let value = match &self.source {
            Source::Memory(memory) => memory.get(path).cloned().unwrap_or_default(),
            Source::Guess(domain) => match domain.get(path) {
                None => Value::Undefined,
                Some(values) => {
                    let values: Vec<Value> = values.iter().cloned().collect();
                    values[self.choose(values.len())].clone()
                }
            },
        };
        self.control.extend(taint);
        let load = self.trace.accesses.len();
        self.access(AccessKind::Load, path, &value, BTreeSet::new());
        (value, BTreeSet::from([load]))
    }

    fn store(&mut self, (address, address_taint): &Tainted, (value, taint): &Tainted) {
        let Some(path) = address.path() else {
            self.error();
            return;
        };
        if let Source::Memory(memory) = &mut self.source {
            memory.insert(path.clone(), value.clone());
        }
        self.access(AccessKind::Store, path, value, address_taint | taint);
    }

    fn access(&mut self, kind: AccessKind, address: &Path, value: &Value, taint: BTreeSet<usize>) {
        self.trace.accesses.push(Access {
            kind,
            address: address.clone(),
            value: value.clone(),
            operation: self.operation,
            block: self.block,
            depends_on: &taint | &self.control,
        });
    }
}

fn read(frame: &Frame, register: &Register) -> Tainted {
    frame.get(register).cloned().unwrap_or_default()
}

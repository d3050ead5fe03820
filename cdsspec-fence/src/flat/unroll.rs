//! Inlining and unrolling: from the statements of a test to its flat form.

use super::{
    Access, AccessId, Branch, Check, Definition, Fault, Fence, Flat, Guard, GuardId, Instance, Overrun, Site,
    Unrolling, ValueId,
};
use crate::lsl::primitive::Primitive;
use crate::lsl::syntax::{
    AccessKind, Argument, FenceKind, Jump, Operation, Order, Procedure, ProcedureName, Program, Register,
    Statement, Tag,
};
use crate::lsl::value::{Path, Value};
use std::collections::BTreeMap;

/// The flat form of a program with so many rounds of its loops.
///
/// # Panics
/// If the program is not one that [`check`](crate::lsl::check::check) accepts.
pub fn flatten(program: &Program, unrolling: &Unrolling) -> Flat {
    let mut flattener = Flattener {
        program,
        unrolling,
        flat: Flat { globals: program.globals.clone(), ..Flat::default() },
        first_object: program.first_object(),
        constants: BTreeMap::new(),
        blocks: Vec::new(),
        way: Vec::new(),
        sequence: 0,
        operation: 0,
        position: 0,
        atomic: None,
        atomic_count: 0,
        is_primed: false,
    };
    for (sequence, operations) in program.sequences().enumerate() {
        flattener.sequence(sequence, operations);
    }
    flattener.flat
}

type Frame = BTreeMap<Register, ValueId>;

/// Where a thread is: when it comes here, and what its registers hold then.
#[derive(Clone)]
struct State {
    guard: GuardId,
    frame: Frame,
}

/// A block that is being unrolled, and who leaves this round of it.
struct Open<'p> {
    tag: &'p Tag,
    breaks: Vec<State>,
    continues: Vec<State>,
}

struct Flattener<'p> {
    program: &'p Program,
    unrolling: &'p Unrolling,
    flat: Flat,
    first_object: u32,
    /// Constants that are there already.
    constants: BTreeMap<Value, ValueId>,
    blocks: Vec<Open<'p>>,
    way: Vec<usize>,
    sequence: usize,
    operation: usize,
    position: usize,
    atomic: Option<usize>,
    atomic_count: usize,
    is_primed: bool,
}

impl<'p> Flattener<'p> {
    fn sequence(&mut self, sequence: usize, operations: &'p [Operation]) {
        self.flat.sequence_count += 1;
        self.sequence = sequence;
        self.position = 0;
        let mut guard = self.guard(Guard::Always);
        for (index, operation) in operations.iter().enumerate() {
            self.operation = index;
            self.way = vec![sequence, index];
            guard = self.call_operation(operation, guard);
        }
    }

    /// One operation of the test; when the thread comes behind it.
    fn call_operation(&mut self, operation: &'p Operation, guard: GuardId) -> GuardId {
        self.is_primed = operation.is_primed;
        let mut arguments = Vec::new();
        for argument in &operation.arguments {
            arguments.push(match argument {
                Argument::Fixed(value) => self.constant(value.clone()),
                Argument::Open(values) => {
                    let value = self.value(Definition::Choice(values.clone()));
                    self.flat.observed.push(value);
                    value
                }
            });
        }
        let (results, guard) = self.call(&operation.procedure, arguments, guard);
        self.flat.observed.extend(results);
        guard
    }

    fn value(&mut self, definition: Definition) -> ValueId {
        self.flat.values.push(definition);
        ValueId(self.flat.values.len() - 1)
    }

    fn constant(&mut self, value: Value) -> ValueId {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let id = self.value(Definition::Constant(value.clone()));
        self.constants.insert(value, id);
        id
    }

    fn guard(&mut self, guard: Guard) -> GuardId {
        let known = self.flat.guards.iter().rposition(|other| *other == guard);
        GuardId(known.unwrap_or_else(|| {
            self.flat.guards.push(guard);
            self.flat.guards.len() - 1
        }))
    }

    fn is_never(&self, guard: GuardId) -> bool {
        self.flat.guards[guard.0] == Guard::Never
    }

    /// When the guard holds, and the value is true or is not.
    fn and(&mut self, guard: GuardId, value: ValueId, is_true: bool) -> GuardId {
        if let Some(constant) = self.flat.constant(value) {
            let holds = (constant.truth() == Some(true)) == is_true;
            return if holds { guard } else { self.guard(Guard::Never) };
        }
        if self.is_never(guard) { guard } else { self.guard(Guard::And(guard, value, is_true)) }
    }

    /// When one of both holds. Where the two ways part by one condition, that is when the way before them is taken.
    fn or(&mut self, left: GuardId, right: GuardId) -> GuardId {
        match (self.flat.guards[left.0], self.flat.guards[right.0]) {
            (Guard::Never, _) => right,
            (_, Guard::Never) => left,
            (Guard::And(before, value, yes), Guard::And(other, same, no))
                if before == other && value == same && yes != no =>
            {
                before
            }
            _ => self.guard(Guard::Or(left, right)),
        }
    }

    fn read(&mut self, state: &State, register: &Register) -> ValueId {
        match state.frame.get(register) {
            Some(&value) => value,
            None => self.constant(Value::Undefined),
        }
    }

    /// Where these ways meet; the last to part are merged first.
    fn merge(&mut self, mut states: Vec<State>) -> State {
        let mut merged = states.pop().expect("some way leads on");
        while let Some(state) = states.pop() {
            merged = self.merge_two(state, merged);
        }
        merged
    }

    fn merge_two(&mut self, state: State, other: State) -> State {
        if self.is_never(state.guard) {
            return other;
        }
        if self.is_never(other.guard) {
            return state;
        }
        let mut frame = Frame::new();
        for register in state.frame.keys().chain(other.frame.keys()) {
            let (value, otherwise) = (self.read(&state, register), self.read(&other, register));
            let merged = match frame.get(register) {
                Some(&merged) => merged,
                None if value == otherwise => value,
                None => self.value(Definition::Select(state.guard, value, otherwise)),
            };
            frame.insert(register.clone(), merged);
        }
        State { guard: self.or(state.guard, other.guard), frame }
    }

    fn call(
        &mut self,
        name: &ProcedureName,
        arguments: Vec<ValueId>,
        guard: GuardId,
    ) -> (Vec<ValueId>, GuardId) {
        let index = self.program.procedures.iter().position(|procedure| procedure.name == *name);
        let index = index.expect("a checked program has the procedure");
        let procedure: &'p Procedure = &self.program.procedures[index];
        let frame = procedure.parameters.iter().cloned().zip(arguments).collect();
        let site = Site { procedure: index, statement: 0 };
        let state = self.body(&procedure.body, State { guard, frame }, site);
        let results = procedure.results.iter().map(|register| self.read(&state, register)).collect();
        (results, state.guard)
    }

    fn body(&mut self, body: &'p [Statement], mut state: State, mut site: Site) -> State {
        for statement in body {
            if self.is_never(state.guard) {
                return state;
            }
            state = self.statement(statement, state, site);
            site.statement += size(statement);
        }
        state
    }

    fn statement(&mut self, statement: &'p Statement, mut state: State, site: Site) -> State {
        let inner = Site { statement: site.statement + 1, ..site };
        match statement {
            Statement::Constant { register, value } => {
                let value = self.constant(value.clone());
                state.frame.insert(register.clone(), value);
            }
            Statement::Choose { register, values } => {
                let value = self.value(Definition::Choice(values.clone()));
                state.frame.insert(register.clone(), value);
            }
            Statement::New { register } => {
                let value = self.object();
                state.frame.insert(register.clone(), value);
            }
            Statement::Primitive { register, primitive, arguments } => {
                let arguments = arguments.iter().map(|one| self.read(&state, one)).collect();
                let value = self.primitive(*primitive, arguments, &state, site);
                state.frame.insert(register.clone(), value);
            }
            Statement::Load { register, address, order } => {
                let address = self.read(&state, address);
                let value = self.value(Definition::Load(AccessId(self.flat.accesses.len())));
                self.access(AccessKind::Load, [address, value], *order, &state, site);
                state.frame.insert(register.clone(), value);
            }
            Statement::Store { address, value, order } => {
                let operands = [self.read(&state, address), self.read(&state, value)];
                self.access(AccessKind::Store, operands, *order, &state, site);
            }
            Statement::Fence { kind, is_candidate } => self.fence(*kind, *is_candidate, &state, site),
            Statement::Atomic(body) => {
                let outer = self.atomic;
                self.atomic = outer.or(Some(self.atomic_count));
                self.atomic_count += usize::from(outer.is_none());
                state = self.body(body, state, inner);
                self.atomic = outer;
            }
            Statement::Call { procedure, arguments, results } => {
                let arguments = arguments.iter().map(|one| self.read(&state, one)).collect();
                self.way.push(site.statement);
                let (returned, guard) = self.call(procedure, arguments, state.guard);
                self.way.pop();
                state.frame.extend(results.iter().cloned().zip(returned));
                state.guard = guard;
            }
            Statement::Block { tag, is_spin, body } => {
                self.way.push(site.statement);
                state = self.block(tag, *is_spin, body, state, inner);
                self.way.pop();
            }
            Statement::Jump { condition, jump, tag } => {
                let condition = self.condition(condition, &state, site);
                state = self.jump(condition, *jump, tag, state);
            }
            Statement::Assert(condition) => {
                let condition = self.read(&state, condition);
                self.check(&state, Fault::Assertion(condition), site);
            }
            Statement::Assume(condition) => {
                let condition = self.condition(condition, &state, site);
                state.guard = self.assume(condition, state.guard);
            }
        }
        state
    }

    /// When the thread comes behind an assumption. It stops where the condition is false; an undefined one is an error, behind which it
    /// goes on as behind a jump.
    fn assume(&mut self, condition: ValueId, guard: GuardId) -> GuardId {
        let is_false = match self.flat.constant(condition).map(Value::truth) {
            Some(Some(true) | None) => return guard,
            Some(Some(false)) => self.constant(1.into()),
            None => self.value(Definition::Primitive(Primitive::Not, vec![condition])),
        };
        let excluded = self.and(guard, is_false, true);
        self.exclude(excluded);
        self.and(guard, is_false, false)
    }

    /// A pointer to an object that nothing else points to.
    fn object(&mut self) -> ValueId {
        let object = Path::of_base(self.first_object + self.flat.object_count);
        self.flat.object_count += 1;
        self.constant(object.into())
    }

    fn fence(&mut self, kind: FenceKind, is_candidate: bool, state: &State, site: Site) {
        let (sequence, position, guard) = (self.sequence, self.position, state.guard);
        self.flat.fences.push(Fence { kind, guard, sequence, position, is_candidate, site });
        self.position += 1;
    }

    fn primitive(
        &mut self,
        primitive: Primitive,
        mut arguments: Vec<ValueId>,
        state: &State,
        site: Site,
    ) -> ValueId {
        if primitive == Primitive::Copy {
            return arguments[0];
        }
        if primitive == Primitive::Select {
            return self.select([arguments[0], arguments[1], arguments[2]], state, site);
        }
        if primitive == Primitive::Offset {
            arguments[1] = self.fitting(arguments[1], state.guard);
        }
        let constants: Option<Vec<Value>> =
            arguments.iter().map(|&argument| self.flat.constant(argument).cloned()).collect();
        if let Some(Ok(value)) = constants.map(|values| primitive.apply(&values)) {
            return self.constant(value);
        }
        let value = self.value(Definition::Primitive(primitive, arguments));
        self.check(state, Fault::Operation(value), site);
        value
    }

    /// One value or the other, by a condition that must not be undefined.
    fn select(&mut self, [condition, then, otherwise]: [ValueId; 3], state: &State, site: Site) -> ValueId {
        match self.flat.constant(condition).map(Value::truth) {
            Some(Some(is_true)) => return if is_true { then } else { otherwise },
            _ => self.check(state, Fault::Condition(condition), site),
        }
        let guard = self.and(state.guard, condition, true);
        self.value(Definition::Select(guard, then, otherwise))
    }

    /// An offset, or undefined if it is more than a component of a pointer can be: an error of the operation then.
    fn fitting(&mut self, offset: ValueId, guard: GuardId) -> ValueId {
        let end = i64::from(u32::MAX) + 1;
        match self.flat.constant(offset) {
            Some(constant) if constant.number().is_none_or(|number| number < end) => offset,
            Some(_) => self.constant(Value::Undefined),
            None => {
                let (end, undefined) = (self.constant(end.into()), self.constant(Value::Undefined));
                let fits = self.value(Definition::Primitive(Primitive::Less, vec![offset, end]));
                let guard = self.and(guard, fits, true);
                self.value(Definition::Select(guard, offset, undefined))
            }
        }
    }

    fn check(&mut self, state: &State, fault: Fault, site: Site) {
        self.flat.checks.push(Check { guard: state.guard, fault, sequence: self.sequence, site });
    }

    /// The value of a condition, which must not be undefined.
    fn condition(&mut self, register: &Register, state: &State, site: Site) -> ValueId {
        let value = self.read(state, register);
        if self.flat.constant(value).is_none_or(|constant| constant.truth().is_none()) {
            self.check(state, Fault::Condition(value), site);
        }
        value
    }

    fn access(
        &mut self,
        kind: AccessKind,
        [address, value]: [ValueId; 2],
        order: Option<Order>,
        state: &State,
        site: Site,
    ) {
        if self.flat.constant(address).is_none_or(|constant| constant.path().is_none()) {
            self.check(state, Fault::Address(address), site);
        }
        self.flat.accesses.push(Access {
            kind,
            guard: state.guard,
            address,
            value,
            order,
            sequence: self.sequence,
            operation: self.operation,
            block: self.atomic,
            position: self.position,
            site,
        });
        self.position += 1;
    }

    fn exclude(&mut self, guard: GuardId) {
        if !self.is_never(guard) {
            self.flat.excluded.push(guard);
        }
    }

    fn jump(&mut self, condition: ValueId, jump: Jump, tag: &Tag, state: State) -> State {
        if self.atomic.is_none() && self.flat.constant(condition).is_none() {
            let (sequence, position) = (self.sequence, self.position);
            self.flat.branches.push(Branch { guard: state.guard, condition, sequence, position });
        }
        let taken = State { guard: self.and(state.guard, condition, true), frame: state.frame.clone() };
        let guard = self.and(state.guard, condition, false);
        let block = self.blocks.iter_mut().rfind(|block| block.tag == tag);
        let block = block.expect("a checked program jumps to enclosing blocks");
        match jump {
            Jump::Break => block.breaks.push(taken),
            Jump::Continue => block.continues.push(taken),
        }
        State { guard, ..state }
    }

    /// Unrolls a block: a round for those who repeat it, as long as there is one for them.
    fn block(
        &mut self,
        tag: &'p Tag,
        is_spin: bool,
        body: &'p [Statement],
        mut state: State,
        site: Site,
    ) -> State {
        let instance = Instance(self.way.clone());
        let rounds = self.unrolling.rounds(&instance);
        let mut left = Vec::new();
        for round in 1.. {
            self.blocks.push(Open { tag, breaks: Vec::new(), continues: Vec::new() });
            self.way.push(round);
            let end = self.body(body, state, site);
            self.way.pop();
            let open = self.blocks.pop().expect("it was pushed above");
            left.extend(open.breaks);
            left.push(end);
            if open.continues.is_empty() {
                break;
            }
            state = self.merge(open.continues);
            if self.is_never(state.guard) {
                break;
            }
            if self.is_primed {
                self.exclude(state.guard);
                break;
            }
            if is_spin {
                self.flat.repeated.push(state.guard);
                break;
            }
            if round == rounds {
                self.flat.overruns.push(Overrun { guard: state.guard, instance, sequence: self.sequence });
                break;
            }
        }
        self.merge(left)
    }
}

/// How many statements this one is, with those in it.
fn size(statement: &Statement) -> usize {
    match statement {
        Statement::Atomic(body) | Statement::Block { body, .. } => 1 + body.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

//! Builds procedures by code, with a type for each kind of name.

use super::primitive::Primitive;
use super::syntax::{FenceKind, Jump, Order, Procedure, ProcedureName, Register, Statement, Tag};
use super::value::Value;

/// The statements of a procedure or of a block, as far as they are built. Registers and tags get names that no other has.
#[derive(Debug, Default)]
pub struct Code {
    statements: Vec<Statement>,
    names: usize,
}

impl Code {
    /// No statements yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn fresh(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn setting(&mut self, statement: impl FnOnce(Register) -> Statement) -> Register {
        let register = Register(self.fresh('r'));
        self.statements.push(statement(register.clone()));
        register
    }

    /// A register for an argument.
    pub fn parameter(&mut self) -> Register {
        Register(self.fresh('r'))
    }

    /// A constant.
    pub fn constant(&mut self, value: impl Into<Value>) -> Register {
        let value = value.into();
        self.setting(|register| Statement::Constant { register, value })
    }

    /// Any of these values.
    pub fn choose(&mut self, values: &[Value]) -> Register {
        let values = values.to_vec();
        self.setting(|register| Statement::Choose { register, values })
    }

    /// A new object.
    pub fn new_object(&mut self) -> Register {
        self.setting(|register| Statement::New { register })
    }

    /// A primitive operation.
    pub fn compute(&mut self, primitive: Primitive, arguments: &[&Register]) -> Register {
        let arguments = arguments.iter().copied().cloned().collect();
        self.setting(|register| Statement::Primitive { register, primitive, arguments })
    }

    /// Sets a register again.
    pub fn assign(&mut self, register: &Register, from: &Register) {
        self.statements.push(Statement::Primitive {
            register: register.clone(),
            primitive: Primitive::Copy,
            arguments: vec![from.clone()],
        });
    }

    /// A pointer to a field.
    pub fn field(&mut self, pointer: &Register, offset: i64) -> Register {
        let offset = self.constant(offset);
        self.compute(Primitive::Offset, &[pointer, &offset])
    }

    /// A load.
    pub fn load(&mut self, address: &Register, order: Option<Order>) -> Register {
        let address = address.clone();
        self.setting(|register| Statement::Load { register, address, order })
    }

    /// A store.
    pub fn store(&mut self, address: &Register, value: &Register, order: Option<Order>) {
        self.statements.push(Statement::Store { address: address.clone(), value: value.clone(), order });
    }

    /// A fence.
    pub fn fence(&mut self, kind: FenceKind) {
        self.statements.push(Statement::Fence { kind, is_candidate: false });
    }

    /// A call with so many results.
    pub fn call(
        &mut self,
        procedure: &ProcedureName,
        arguments: &[&Register],
        results: usize,
    ) -> Vec<Register> {
        let results: Vec<_> = (0..results).map(|_| Register(self.fresh('r'))).collect();
        self.statements.push(Statement::Call {
            procedure: procedure.clone(),
            arguments: arguments.iter().copied().cloned().collect(),
            results: results.clone(),
        });
        results
    }

    /// An error if this is false.
    pub fn assert(&mut self, condition: &Register) {
        self.statements.push(Statement::Assert(condition.clone()));
    }

    /// No such execution if this is false.
    pub fn assume(&mut self, condition: &Register) {
        self.statements.push(Statement::Assume(condition.clone()));
    }

    /// What `build` adds to it stands in a body of its own.
    fn inner<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> (Vec<Statement>, T) {
        let outer = std::mem::take(&mut self.statements);
        let result = build(self);
        (std::mem::replace(&mut self.statements, outer), result)
    }

    /// An atomic block.
    pub fn atomic<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        let (body, result) = self.inner(build);
        self.statements.push(Statement::Atomic(body));
        result
    }

    /// A block with a tag of its own.
    pub fn block<T>(&mut self, build: impl FnOnce(&mut Self, &Tag) -> T) -> T {
        self.tagged(false, build)
    }

    /// A block whose repeated rounds have no effect.
    pub fn spin<T>(&mut self, build: impl FnOnce(&mut Self, &Tag) -> T) -> T {
        self.tagged(true, build)
    }

    fn tagged<T>(&mut self, is_spin: bool, build: impl FnOnce(&mut Self, &Tag) -> T) -> T {
        let tag = Tag(self.fresh('t'));
        let (body, result) = self.inner(|code| build(code, &tag));
        self.statements.push(Statement::Block { tag, is_spin, body });
        result
    }

    /// `if (condition) break tag`.
    pub fn break_if(&mut self, condition: &Register, tag: &Tag) {
        self.jump(condition, Jump::Break, tag);
    }

    /// `if (condition) continue tag`.
    pub fn continue_if(&mut self, condition: &Register, tag: &Tag) {
        self.jump(condition, Jump::Continue, tag);
    }

    fn jump(&mut self, condition: &Register, jump: Jump, tag: &Tag) {
        self.statements.push(Statement::Jump { condition: condition.clone(), jump, tag: tag.clone() });
    }

    /// The body only if the condition is true: a block that is left otherwise.
    pub fn when<T>(&mut self, condition: &Register, build: impl FnOnce(&mut Self) -> T) -> T {
        self.block(|code, tag| {
            let skipped = code.compute(Primitive::Not, &[condition]);
            code.break_if(&skipped, tag);
            build(code)
        })
    }

    /// The procedure with these statements.
    pub fn procedure(self, name: &str, parameters: &[Register], results: &[Register]) -> Procedure {
        Procedure {
            name: ProcedureName::from(name),
            parameters: parameters.to_vec(),
            results: results.to_vec(),
            body: self.statements,
        }
    }
}

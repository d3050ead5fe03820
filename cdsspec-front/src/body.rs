//! The body of one procedure while it is translated: what was emitted, which variables there are, where jumps go.

use crate::code::{Node, Operand, RESERVED, Statement, constant_register};
use crate::message::{self, Fail, fail};
use crate::module::FunctionId;
use crate::translator::Translator;
use crate::types::{Integer, Names, Type, UNIT, mismatch};
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned;

/// A value: its words, in the order of [`Type::words`].
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) ty: Type,
    pub(crate) words: Vec<Operand>,
}

/// Where something is.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Behind a pointer, and then by a path.
    Memory { base: Operand, path: Vec<u32>, ty: Type },
    /// Some words of a variable.
    Local { variable: usize, first: usize, ty: Type },
    /// A value that is nowhere.
    Value(Typed),
}

/// A variable that is in scope, or was.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) value: Typed,
    pub(crate) is_mutable: bool,
}

/// Names in scope, innermost last.
pub(crate) type Scopes = Vec<BTreeMap<String, usize>>;

/// A closure: written where it is called.
#[derive(Clone)]
pub(crate) struct Closure {
    pub(crate) expression: syn::ExprClosure,
    pub(crate) scopes: Scopes,
    pub(crate) names: Names,
}

/// What a `break` leaves, and a `continue` repeats.
pub(crate) struct Loop {
    pub(crate) label: Option<String>,
    pub(crate) exit: String,
    /// The tag, and whether it is a block that is repeated or one that is left.
    pub(crate) repeat: Option<(String, bool)>,
    /// What `break value` sets.
    pub(crate) slot: Option<Typed>,
}

/// What a `return` leaves.
pub(crate) struct Return {
    pub(crate) tag: String,
    pub(crate) slot: Typed,
    pub(crate) is_used: bool,
    /// Whether some way has filled the slot, whose type is known then.
    pub(crate) is_filled: bool,
    /// How many loops are around it.
    pub(crate) loops: usize,
}

/// The body of a procedure.
pub(crate) struct Body<'t, 'm> {
    pub(crate) translator: &'t mut Translator<'m>,
    pub(crate) code: Vec<Node>,
    /// Registers and tags.
    pub(crate) used: BTreeSet<String>,
    pub(crate) numbers: BTreeSet<i64>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) scopes: Scopes,
    pub(crate) closures: Vec<Closure>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) returns: Vec<Return>,
    pub(crate) names: Names,
    /// Functions that are being written out in place.
    pub(crate) inlined: Vec<FunctionId>,
    /// What is being translated: where a statement that has no tokens of its own stands.
    pub(crate) span: Span,
}

impl Typed {
    pub(crate) fn word(operand: Operand, ty: Type) -> Self {
        Self { ty, words: vec![operand] }
    }

    pub(crate) fn number(number: i64, ty: Type) -> Self {
        Self::word(Operand::Number(number), ty)
    }

    pub(crate) fn unit() -> Self {
        Self { ty: UNIT, words: Vec::new() }
    }

    /// What comes of an expression behind which nothing is.
    pub(crate) fn never() -> Self {
        Self { ty: Type::Never, words: Vec::new() }
    }

    /// The only word. Undefined, if there is none.
    pub(crate) fn operand(&self) -> Operand {
        self.words.first().cloned().unwrap_or(Operand::Undefined)
    }

    /// The value, if it is a number that is known.
    pub(crate) fn constant(&self) -> Option<i64> {
        match self.words.as_slice() {
            [Operand::Number(number)] => Some(*number),
            _ => None,
        }
    }
}

impl<'t, 'm> Body<'t, 'm> {
    pub(crate) fn new(translator: &'t mut Translator<'m>, names: Names) -> Self {
        Self {
            translator,
            code: Vec::new(),
            used: RESERVED.iter().map(|word| (*word).to_owned()).collect(),
            numbers: BTreeSet::new(),
            variables: Vec::new(),
            scopes: vec![BTreeMap::new()],
            closures: Vec::new(),
            loops: Vec::new(),
            returns: Vec::new(),
            names,
            inlined: Vec::new(),
            span: Span::call_site(),
        }
    }

    /// A register or tag that there is not yet.
    pub(crate) fn fresh(&mut self, name: &str) -> String {
        let mut fresh = name.trim_start_matches("r#").to_owned();
        let mut count = 1;
        while !self.used.insert(fresh.clone()) {
            count += 1;
            fresh = format!("{name}_{count}");
        }
        fresh
    }

    pub(crate) fn emit(&mut self, statement: Statement) {
        self.code.push(Node { statement, span: self.span });
    }

    /// What this adds stands in a body of its own.
    pub(crate) fn captured<T>(
        &mut self,
        add: impl FnOnce(&mut Self) -> Result<T, Fail>,
    ) -> Result<(Vec<Node>, T), Fail> {
        let outer = std::mem::take(&mut self.code);
        let result = add(self);
        let inner = std::mem::replace(&mut self.code, outer);
        Ok((inner, result?))
    }

    /// Names that this adds are gone afterwards.
    pub(crate) fn scoped<T>(&mut self, add: impl FnOnce(&mut Self) -> Result<T, Fail>) -> Result<T, Fail> {
        self.scopes.push(BTreeMap::new());
        let result = add(self);
        self.scopes.pop();
        result
    }

    pub(crate) fn block(&mut self, tag: &str, body: Vec<Node>) {
        self.emit(Statement::Block { tag: tag.to_owned(), is_spin: false, body });
    }

    /// The register that holds a word.
    pub(crate) fn register(&mut self, operand: &Operand) -> String {
        match operand {
            Operand::Register(register) => register.clone(),
            Operand::Number(number) => {
                self.numbers.insert(*number);
                constant_register(*number)
            }
            // Nothing sets it.
            Operand::Undefined => "nothing".to_owned(),
        }
    }

    /// Sets a new register to what an operation of LSL gives.
    pub(crate) fn set(&mut self, name: &str, operation: &str, arguments: &[&Operand]) -> Operand {
        let register = self.fresh(name);
        self.set_register(&register, operation, arguments);
        Operand::Register(register)
    }

    pub(crate) fn set_register(&mut self, register: &str, operation: &str, arguments: &[&Operand]) {
        let reads: Vec<String> = arguments.iter().map(|argument| self.register(argument)).collect();
        let operation = format!("{operation}({})", reads.join(", "));
        self.emit(Statement::Set { register: register.to_owned(), operation, reads });
    }

    /// `break tag`, always.
    pub(crate) fn jump(&mut self, tag: &str, is_continue: bool) {
        self.jump_if(&Operand::Number(1), tag, is_continue);
    }

    pub(crate) fn jump_if(&mut self, condition: &Operand, tag: &str, is_continue: bool) {
        let condition = self.register(condition);
        self.emit(Statement::Jump { condition, is_continue, tag: tag.to_owned() });
    }

    /// An error of the program under test if this is false: Rust panics.
    pub(crate) fn assert(&mut self, condition: &Operand) {
        if *condition != Operand::Number(1) {
            let condition = self.register(condition);
            self.emit(Statement::Assert { condition });
        }
    }

    /// Variables of new registers.
    pub(crate) fn slot(&mut self, name: &str, ty: &Type) -> Typed {
        let size = ty.size(self.translator.module);
        let words = (0..size).map(|index| {
            let name = if size == 1 { name.to_owned() } else { format!("{name}.{index}") };
            Operand::Register(self.fresh(&name))
        });
        Typed { words: words.collect(), ty: ty.clone() }
    }

    /// Sets all words of a slot.
    pub(crate) fn fill(&mut self, slot: &Typed, value: &Typed) {
        for (to, from) in slot.words.iter().zip(&value.words) {
            if let (Operand::Register(to), true) = (to, *from != Operand::Undefined && to != from) {
                self.set_register(&to.clone(), "copy", &[from]);
            }
        }
    }

    /// The value as one of this type, where it was left open.
    pub(crate) fn coerced(&mut self, value: &Typed, ty: &Type, at: &impl ToTokens) -> Result<Typed, Fail> {
        let Some(joined) = value.ty.joined(ty) else {
            return fail(at, mismatch(&value.ty, ty));
        };
        if let (Type::Literal, Type::Integer(integer), Some(number)) = (&value.ty, ty, value.constant()) {
            let kept = self.kept(i128::from(number), *integer, at.span())?;
            return Ok(Typed::number(kept, joined));
        }
        let module = self.translator.module;
        let mut words = value.words.iter();
        let mut filled = Vec::new();
        fill_open(&value.ty, &joined, &mut words, &mut filled, module);
        Ok(Typed { ty: joined, words: filled })
    }

    pub(crate) fn kept(&self, number: i128, integer: Integer, span: Span) -> Result<i64, Fail> {
        integer.kept(number).map_or_else(|| Fail::at(span, message::NEGATIVE, &[]), Ok)
    }

    /// A name for a value. One that may be set again has registers of its own.
    pub(crate) fn bind(&mut self, name: &str, value: Typed, is_mutable: bool) {
        let value = if is_mutable {
            let slot = self.slot(name, &value.ty);
            self.fill(&slot, &value);
            slot
        } else {
            value
        };
        self.variables.push(Variable { value, is_mutable });
        let scope = self.scopes.last_mut().expect("there is a scope");
        scope.insert(name.to_owned(), self.variables.len() - 1);
    }

    pub(crate) fn lookup(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// A part of a value: so many words from there on.
    pub(crate) fn part(&self, value: &Typed, first: usize, ty: &Type) -> Typed {
        let size = ty.size(self.translator.module);
        let words = (first..first + size)
            .map(|index| value.words.get(index).cloned().unwrap_or(Operand::Undefined))
            .collect();
        Typed { ty: ty.clone(), words }
    }

    /// The items of an option or a result: whether it is there, or right, and what it holds.
    pub(crate) fn cases(&self, value: &Typed) -> Option<(Operand, Typed, Typed)> {
        match &value.ty {
            Type::Option(item) => Some((value.operand(), self.part(value, 1, item), Typed::unit())),
            Type::Result(right, wrong) => {
                let first = 1 + right.size(self.translator.module);
                Some((value.operand(), self.part(value, 1, right), self.part(value, first, wrong)))
            }
            _ => None,
        }
    }
}

/// The words of a value of one type as those of a type that says more: what was open is undefined.
fn fill_open(
    from: &Type,
    to: &Type,
    words: &mut std::slice::Iter<'_, Operand>,
    filled: &mut Vec<Operand>,
    module: &crate::module::Module,
) {
    match (from, to) {
        (Type::Unknown | Type::Never, to) => {
            filled.extend(std::iter::repeat_n(Operand::Undefined, to.size(module)));
        }
        (Type::Option(from), Type::Option(to)) => {
            filled.extend(words.next().cloned());
            fill_open(from, to, words, filled, module);
        }
        (Type::Result(from, wrong), Type::Result(to, other)) => {
            filled.extend(words.next().cloned());
            fill_open(from, to, words, filled, module);
            fill_open(wrong, other, words, filled, module);
        }
        (Type::Tuple(from), Type::Tuple(to)) => {
            from.iter().zip(to).for_each(|(from, to)| fill_open(from, to, words, filled, module));
        }
        (Type::Struct(..), Type::Struct(..)) => {
            let (from, to) = (module.field_types(from), module.field_types(to));
            let pairs = from.unwrap_or_default().into_iter().zip(to.unwrap_or_default());
            pairs.for_each(|(from, to)| fill_open(&from, &to, words, filled, module));
        }
        (Type::Array(from, length), Type::Array(to, _)) => {
            (0..*length).for_each(|_| fill_open(from, to, words, filled, module));
        }
        (Type::Atomic(from), Type::Atomic(to)) | (Type::Cell(from), Type::Cell(to)) => {
            fill_open(from, to, words, filled, module);
        }
        _ => filled.extend(words.take(from.size(module)).cloned()),
    }
}

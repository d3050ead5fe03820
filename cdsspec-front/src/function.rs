//! From functions to procedures: each once, those that it calls before it.

use crate::body::{Body, Typed};
use crate::code::{Node, Operand, Procedure, Statement, has_no_effect};
use crate::message::{self, Fail, fail};
use crate::module::{Function, FunctionId};
use crate::place::NON_ATOMIC;
use crate::spin::is_spin;
use crate::translator::{Signature, State, Translator};
use crate::types::{self, Names, Type};
use proc_macro2::Span;
use std::collections::BTreeSet;
use syn::{FnArg, Pat, ReceiverKind, ReturnType};

impl Translator<'_> {
    /// Translates all functions that take no closures: those are written out where they are called.
    pub(crate) fn all(&mut self) {
        for id in &self.module.order {
            if !self.module.functions[id].has_closures() {
                match self.function(id, Span::call_site()) {
                    Ok(_) | Err(Fail::Known) => {}
                    Err(Fail::Error(error)) => self.errors.push(error),
                }
            }
        }
        for (name, structure) in &self.module.structs {
            let parameters = structure.parameters.iter().cloned().map(Type::Element).collect();
            let ty = Type::Struct(name.clone(), parameters);
            if self.module.is_zero_at_first(&ty) {
                self.default_of(name, &ty);
            }
        }
    }

    /// The signature of a function, translated when it is first asked for.
    pub(crate) fn function(&mut self, id: &FunctionId, at: Span) -> Result<Signature, Fail> {
        match self.states.get(id) {
            Some(State::Done(signature)) => return Ok(signature.clone()),
            Some(State::Failed) => return Err(Fail::Known),
            Some(State::Begun) => return Fail::at(at, message::RECURSION, &[&id.path()]),
            None => {}
        }
        self.states.insert(id.clone(), State::Begun);
        let translated = self.translated(id);
        let state = match &translated {
            Ok(signature) => State::Done(signature.clone()),
            Err(_) => State::Failed,
        };
        self.states.insert(id.clone(), state);
        translated.map_err(|failed| {
            // What is wrong in it is said once, there.
            if let Fail::Error(error) = failed {
                self.errors.push(error);
            }
            Fail::Known
        })
    }

    fn translated(&mut self, id: &FunctionId) -> Result<Signature, Fail> {
        let module = self.module;
        let function = &module.functions[id];
        let mut body = Body::new(self, function.names.clone());
        body.span = function.signature.ident.span();
        let mut parameters = Vec::new();
        let mut registers = Vec::new();
        for (input, ty) in function.signature.inputs.iter().zip(body.parameter_types(function)?) {
            if body.translator.module.is_dropped(&ty) {
                return fail(input, message::DROPS);
            }
            let value = body.parameter(input, &ty)?;
            registers.extend(value.words.iter().map(|word| body.register(word)));
            parameters.push(ty);
        }
        let returned = body.returned_type(function)?;
        let slot = body.slot("result", &returned);
        let results: Vec<String> = slot.words.iter().map(|word| body.register(word)).collect();
        body.function_body(&function.block, slot)?;
        body.span = function.signature.ident.span();
        let shapes: Vec<String> = parameters.iter().map(|ty| ty.shape(module)).collect();
        let note = format!("{}({}) {}", id.path(), shapes.join(","), returned.shape(module));
        let procedure = body.procedure(id.procedure(), note, registers, results);
        let has_effect = !has_no_effect(&procedure.body);
        let signature = Signature { procedure: procedure.name.clone(), parameters, returned, has_effect };
        self.add(procedure);
        if let Some(own) = signature.returned.clone().struct_name().filter(|_| is_constructor(function)) {
            self.constructor(id, &own, &signature);
        }
        Ok(signature)
    }

    fn add(&mut self, mut procedure: Procedure) {
        let everywhere = procedure.body.clone();
        mark_spins(&mut procedure.body, &everywhere, &procedure.results, &self.procedures);
        self.procedures.push(procedure);
    }

    /// A procedure that makes an object where it is told to.
    fn constructor(&mut self, id: &FunctionId, own: &str, made: &Signature) {
        let mut body = Body::new(self, Names::default());
        body.span = body.translator.module.functions[id].signature.ident.span();
        let place = Operand::Register(body.fresh("place"));
        let arguments: Vec<Typed> = made.parameters.iter().map(|ty| body.slot("argument", ty)).collect();
        let arguments: Vec<Operand> = arguments.into_iter().flat_map(|value| value.words).collect();
        let arguments: Vec<String> = arguments.iter().map(|word| body.register(word)).collect();
        let value = body.slot("made", &made.returned);
        let results = value.words.iter().map(|word| body.register(word)).collect();
        let procedure = made.procedure.clone();
        body.emit(Statement::Call { procedure, arguments: arguments.clone(), results, has_effect: true });
        body.store_all(&place, &value);
        let shapes: Vec<String> = made.parameters.iter().map(|ty| ty.shape(body.translator.module)).collect();
        let note = format!("{}({}) {own}", id.path(), shapes.join(","));
        let parameters = std::iter::once(body.register(&place)).chain(arguments).collect();
        let procedure = body.procedure(format!("{}.at", made.procedure), note, parameters, Vec::new());
        self.add(procedure);
    }

    fn default_of(&mut self, name: &str, ty: &Type) {
        let id = FunctionId { own: Some(name.to_owned()), name: "default".to_owned() };
        if self.states.contains_key(&id) {
            return;
        }
        let words = ty.words(self.module).iter().map(|_| Operand::Number(0)).collect();
        let value = Typed { ty: ty.clone(), words };
        let mut body = Body::new(self, Names::default());
        let place = Operand::Register(body.fresh("place"));
        body.store_all(&place, &value);
        let parameters = vec![body.register(&place)];
        let note = format!("{}() {name}", id.path());
        let procedure = body.procedure(format!("{}.at", id.procedure()), note, parameters, Vec::new());
        self.add(procedure);
    }
}

impl Type {
    fn struct_name(&self) -> Option<String> {
        match self {
            Self::Struct(name, _) => Some(name.clone()),
            _ => None,
        }
    }
}

/// Whether a function has no receiver.
fn is_constructor(function: &Function) -> bool {
    function.signature.receiver().is_none()
}

impl Body<'_, '_> {
    pub(crate) fn parameter_types(&self, function: &Function) -> Result<Vec<Type>, Fail> {
        let module = self.translator.module;
        let own = || function.names.own.clone().unwrap_or(Type::Unknown);
        let of = |input: &FnArg| match input {
            FnArg::Receiver(receiver) => match &receiver.kind {
                ReceiverKind::Reference(..) => Ok(Type::Reference(Box::new(own()))),
                ReceiverKind::Value => Ok(own()),
                _ => fail(receiver, message::RECEIVER),
            },
            FnArg::Typed(_) if function.is_closure(input) => Ok(Type::Unknown),
            FnArg::Typed(typed) => module.read(&typed.ty, &function.names),
        };
        function.signature.inputs.iter().map(of).collect()
    }

    pub(crate) fn returned_type(&self, function: &Function) -> Result<Type, Fail> {
        if function.signature.asyncness.is_some() {
            return fail(&function.signature.asyncness, message::ASYNC);
        }
        match &function.signature.output {
            ReturnType::Default => Ok(types::UNIT),
            ReturnType::Type(_, ty) => self.translator.module.read(ty, &function.names),
        }
    }

    /// The registers of a parameter, with the name that it has in the function.
    fn parameter(&mut self, input: &FnArg, ty: &Type) -> Result<Typed, Fail> {
        let (name, is_mutable) = match input {
            FnArg::Receiver(receiver) => ("self".to_owned(), receiver.mutability.is_some()),
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) if name.subpat.is_none() => {
                    (name.ident.to_string(), name.mutability.is_some())
                }
                _ => ("argument".to_owned(), false),
            },
        };
        let value = self.slot(&name, ty);
        match input {
            FnArg::Typed(typed) if !matches!(&*typed.pat, Pat::Ident(_)) => {
                self.bind_pattern(&typed.pat, &value)?;
            }
            _ => self.bind(&name, value.clone(), is_mutable),
        }
        Ok(value)
    }

    /// The statements of a function, whose value or whose `return`s fill the slot.
    pub(crate) fn function_body(&mut self, block: &syn::Block, slot: Typed) -> Result<Typed, Fail> {
        let end = block.stmts.last().map(quote::ToTokens::to_token_stream);
        let end = end.unwrap_or_else(|| quote::ToTokens::to_token_stream(block));
        let slot = self.returning(slot, &end, |body, wanted| body.block_value(block, wanted))?;
        self.settle(&slot);
        Ok(slot)
    }

    /// Stores a value where an object is made.
    fn store_all(&mut self, place: &Operand, value: &Typed) {
        for (path, word) in value.ty.words(self.translator.module).iter().zip(&value.words) {
            let address = self.located(place, path);
            self.store(&address, word, NON_ATOMIC);
        }
    }

    /// What was emitted, as a procedure.
    fn procedure(
        &mut self,
        name: String,
        note: String,
        parameters: Vec<String>,
        results: Vec<String>,
    ) -> Procedure {
        let (numbers, body) = (std::mem::take(&mut self.numbers), std::mem::take(&mut self.code));
        Procedure { name, note, parameters, results, numbers, body, span: self.span }
    }

    /// Leaves nothing in the items of options that are none, so that a client sees the same of all of them.
    fn settle(&mut self, value: &Typed) {
        let mut parts = Vec::new();
        match &value.ty {
            Type::Option(_) | Type::Result(..) => {
                let (first, right, wrong) = self.cases(value).expect("it is one");
                let zero = Operand::Number(0);
                for word in &right.words {
                    self.replace(word, [&first, word, &zero]);
                }
                for word in &wrong.words {
                    self.replace(word, [&first, &zero, word]);
                }
                parts.extend([right, wrong]);
            }
            Type::Tuple(_) | Type::Struct(..) => {
                let module = self.translator.module;
                let items = match &value.ty {
                    Type::Tuple(items) => items.clone(),
                    ty => module.field_types(ty).unwrap_or_default(),
                };
                let mut first = 0;
                for item in items {
                    parts.push(self.part(value, first, &item));
                    first += item.size(module);
                }
            }
            _ => {}
        }
        parts.iter().for_each(|part| self.settle(part));
    }

    fn replace(&mut self, word: &Operand, select: [&Operand; 3]) {
        if let Operand::Register(register) = word {
            let register = register.clone();
            self.set_register(&register, "select", &select);
        }
    }
}

/// The registers that statements read, but for those in a block.
fn reads(body: &[Node], but: Option<&str>, into: &mut BTreeSet<String>) {
    for node in body {
        into.extend(node.statement.registers().0.into_iter().cloned());
        match &node.statement {
            Statement::Atomic { body } => reads(body, but, into),
            Statement::Block { tag, body, .. } if but != Some(tag.as_str()) => reads(body, but, into),
            _ => {}
        }
    }
}

/// Marks the loops that only wait, inner ones first. Tags are unique in a procedure.
fn mark_spins(body: &mut [Node], everywhere: &[Node], results: &[String], procedures: &[Procedure]) {
    for node in body {
        match &mut node.statement {
            Statement::Atomic { body } => mark_spins(body, everywhere, results, procedures),
            Statement::Block { tag, is_spin: is_marked, body } => {
                mark_spins(body, everywhere, results, procedures);
                let mut outside: BTreeSet<String> = results.iter().cloned().collect();
                reads(everywhere, Some(tag), &mut outside);
                *is_marked = is_spin(tag, body, &outside, procedures);
            }
            _ => {}
        }
    }
}

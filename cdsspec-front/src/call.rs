//! Calls of functions: built in, of the module, constructors, and closures, which are written out in place.

use crate::atomic::Use;
use crate::body::{Body, Closure, Typed};
use crate::code::{Operand, Statement};
use crate::message::{self, Fail, fail};
use crate::module::FunctionId;
use crate::types::{Integer, Names, Type};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ReturnType};

impl Body<'_, '_> {
    pub(crate) fn call(&mut self, call: &ExprCall, expected: &Type) -> Result<Typed, Fail> {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let callee = match &*call.func {
            Expr::Paren(inner) => &*inner.expr,
            other => other,
        };
        let Expr::Path(path) = callee else { return fail(&call.func, message::EXPRESSION) };
        if let Some(variable) = path.path.get_ident().and_then(|name| self.lookup(&name.to_string())) {
            let Type::Closure(index) = self.variables[variable].value.ty else {
                return fail(&call.func, message::EXPRESSION);
            };
            let closure = self.closures[index].clone();
            let mut values = Vec::new();
            for argument in arguments {
                values.push(self.expression(argument, &Type::Unknown)?);
            }
            return self.called(&closure, values, expected);
        }
        let mut names: Vec<String> = path.path.segments.iter().map(|one| one.ident.to_string()).collect();
        if let (Some(first), Some(Type::Struct(own, _))) = (names.first_mut(), &self.names.own)
            && first == "Self"
        {
            first.clone_from(own);
        }
        if let Some(id) = self.function_of(&names) {
            return self.invoke(&id, None, &arguments, expected, call);
        }
        if let [name] = names.as_slice()
            && self.translator.module.structs.contains_key(name)
        {
            return self.tuple_struct(name, &path.path, &arguments, expected, call);
        }
        match self.built_in(&names, &arguments, expected, call)? {
            Some(value) => Ok(value),
            None => Fail::at(
                path.span(),
                message::UNKNOWN_FUNCTION,
                &[&path.path.to_token_stream().to_string().replace(' ', "")],
            ),
        }
    }

    fn function_of(&self, names: &[String]) -> Option<FunctionId> {
        let id = match names {
            [name] | [.., _, name]
                if names.len() == 1
                    || matches!(names[0].as_str(), "self" | "super" | "crate") && names.len() == 2 =>
            {
                FunctionId { own: None, name: name.clone() }
            }
            [.., own, name] => FunctionId { own: Some(own.clone()), name: name.clone() },
            _ => return None,
        };
        self.translator.module.functions.contains_key(&id).then_some(id)
    }

    /// `Struct(a, b)`
    fn tuple_struct(
        &mut self,
        name: &str,
        path: &syn::Path,
        arguments: &[&Expr],
        expected: &Type,
        at: &ExprCall,
    ) -> Result<Typed, Fail> {
        let ty = if path.is_ident("Self") {
            self.names.own.clone().unwrap_or(Type::Unknown)
        } else {
            self.translator.module.named(path, &self.names)?
        };
        let ty = ty.joined(expected).unwrap_or(ty);
        let fields = self.translator.module.field_types(&ty).unwrap_or_default();
        if fields.len() != arguments.len() || fields.is_empty() {
            return Fail::at(at.span(), message::UNKNOWN_FUNCTION, &[name]);
        }
        let mut values = Vec::new();
        for (argument, wanted) in arguments.iter().zip(&fields) {
            let value = self.expression(argument, wanted)?;
            values.push(Some(self.coerced(&value, wanted, argument)?));
        }
        self.assembled(ty, values, at)
    }

    fn built_in(
        &mut self,
        names: &[String],
        arguments: &[&Expr],
        expected: &Type,
        at: &ExprCall,
    ) -> Result<Option<Typed>, Fail> {
        let name = names.last().map(String::as_str).unwrap_or_default();
        let of = names.iter().rev().nth(1).map(String::as_str).unwrap_or_default();
        Ok(Some(match (of, name, arguments) {
            (_, "Some" | "Ok" | "Err", [value]) => {
                let wanted = match (name, expected) {
                    ("Some", Type::Option(ty))
                    | ("Ok", Type::Result(ty, _))
                    | ("Err", Type::Result(_, ty)) => (**ty).clone(),
                    _ => Type::Unknown,
                };
                let value = self.expression(value, &wanted)?;
                self.case_of(name, value, expected, at)?
            }
            ("" | "ptr", "null_mut" | "null", []) => {
                let ty = match expected {
                    Type::Raw(_) => expected.clone(),
                    _ => Type::Raw(Box::new(Type::Unknown)),
                };
                Typed::number(0, ty)
            }
            ("" | "ptr", "from_ref" | "from_mut", [pointer]) => {
                let value = self.expression(pointer, &Type::Unknown)?;
                let Type::Reference(ty) = value.ty else { return fail(pointer, message::NO_TYPE) };
                Typed { ty: Type::Raw(ty), words: value.words }
            }
            ("" | "ptr", "eq", [left, right]) => {
                self.binary(left, &syn::parse_quote!(==), right, &Type::Bool, at)?
            }
            ("" | "atomic", "fence", [order]) => {
                let order = self.order(order, Use::Fence)?;
                self.emit(Statement::Fence { order });
                Typed::unit()
            }
            ("" | "hint", "spin_loop", []) | ("" | "thread", "yield_now", []) => Typed::unit(),
            ("" | "example", "seeded", [_]) => Typed::number(0, Type::Bool),
            ("" | "mem", "drop", [value]) => {
                let value = self.expression(value, &Type::Unknown)?;
                self.kept_value(&value, at)?;
                Typed::unit()
            }
            _ => return self.made(of, name, arguments, expected, at),
        }))
    }

    /// What makes a value of a type that is built in: boxes, cells, atomics, numbers.
    fn made(
        &mut self,
        of: &str,
        name: &str,
        arguments: &[&Expr],
        expected: &Type,
        at: &ExprCall,
    ) -> Result<Option<Typed>, Fail> {
        Ok(Some(match (of, name, arguments) {
            ("Box", _, _) => return self.boxed(name, arguments, expected),
            ("UnsafeCell", "new", [value]) => {
                let inner = match expected {
                    Type::Cell(ty) => (**ty).clone(),
                    _ => Type::Unknown,
                };
                let value = self.expression(value, &inner)?;
                Typed { ty: Type::Cell(Box::new(value.ty)), words: value.words }
            }
            (of, "from", [value]) if Integer::named(of).is_some() => {
                let value = self.expression(value, &Type::Unknown)?;
                let into = Integer::named(of).expect("it was looked at");
                match value.ty {
                    Type::Bool => Typed { ty: Type::Integer(into), ..value },
                    Type::Integer(from) => {
                        let operand = self.converted(&value.operand(), from, into);
                        Typed::word(operand, Type::Integer(into))
                    }
                    _ => return fail(at, message::CAST),
                }
            }
            (of, "new", [value]) if of.starts_with("Atomic") => {
                let path: syn::Path = syn::parse_str(of).map_err(Fail::Error)?;
                let Type::Atomic(ty) = self.translator.module.named(&path, &self.names)? else {
                    return Ok(None);
                };
                let ty = match expected {
                    Type::Atomic(wanted) => ty.joined(wanted).unwrap_or(*ty),
                    _ => *ty,
                };
                let value = self.expression(value, &ty)?;
                let value = self.coerced(&value, &ty, at)?;
                Typed { ty: Type::Atomic(Box::new(value.ty)), words: value.words }
            }
            (_, "default", []) => return self.default_value(of, expected),
            _ => return Ok(None),
        }))
    }

    /// A value whose derived default has only zeros.
    fn default_value(&mut self, of: &str, expected: &Type) -> Result<Option<Typed>, Fail> {
        let module = self.translator.module;
        let ty = match of {
            "Default" | "Self" | "" => expected.clone(),
            name => {
                let path: syn::Path = syn::parse_str(name).map_err(Fail::Error)?;
                module.named(&path, &self.names)?.joined(expected).unwrap_or(Type::Unknown)
            }
        };
        if !module.is_zero_at_first(&ty) {
            return Ok(None);
        }
        let words = ty.words(module).iter().map(|_| Operand::Number(0)).collect();
        Ok(Some(Typed { ty, words }))
    }

    fn case_of(&mut self, name: &str, value: Typed, expected: &Type, at: &ExprCall) -> Result<Typed, Fail> {
        if value.ty == Type::Never {
            return Ok(value);
        }
        let case = self.case(name, value);
        match case.ty.joined(expected) {
            Some(ty) => self.coerced(&case, &ty, at),
            None => Ok(case),
        }
    }

    /// `Box::new`, `Box::into_raw`, `Box::from_raw`. What is freed is not used again.
    fn boxed(&mut self, name: &str, arguments: &[&Expr], expected: &Type) -> Result<Option<Typed>, Fail> {
        let [argument] = arguments else { return Ok(None) };
        let inner = expected.pointee().cloned().unwrap_or(Type::Unknown);
        Ok(Some(match name {
            "new" => {
                let value = self.expression(argument, &inner)?;
                let value = match value.ty.joined(&inner) {
                    Some(ty) => self.coerced(&value, &ty, argument)?,
                    None => value,
                };
                let object = self.fresh("object");
                self.emit(Statement::New { register: object.clone() });
                let base = Operand::Register(object);
                for (path, word) in value.ty.words(self.translator.module).iter().zip(&value.words) {
                    if *word != Operand::Undefined {
                        let address = self.located(&base, path);
                        self.store(&address, word, crate::place::NON_ATOMIC);
                    }
                }
                Typed::word(base, Type::Box(Box::new(value.ty)))
            }
            "into_raw" | "leak" | "from_raw" => {
                let wanted =
                    if name == "from_raw" { Type::Raw(Box::new(inner)) } else { Type::Box(Box::new(inner)) };
                let value = self.expression(argument, &wanted)?;
                let Some(ty) = value.ty.pointee().cloned() else { return fail(argument, message::NO_TYPE) };
                let ty = Box::new(ty);
                let ty = match name {
                    "into_raw" => Type::Raw(ty),
                    "leak" => Type::Reference(ty),
                    _ => Type::Box(ty),
                };
                Typed { ty, words: value.words }
            }
            _ => return Ok(None),
        }))
    }

    /// A call of a function of the module.
    pub(crate) fn invoke(
        &mut self,
        id: &FunctionId,
        receiver: Option<Typed>,
        arguments: &[&Expr],
        expected: &Type,
        at: &impl ToTokens,
    ) -> Result<Typed, Fail> {
        let module = self.translator.module;
        let function = &module.functions[id];
        let given = arguments.len() + usize::from(receiver.is_some());
        if given != function.signature.inputs.len() {
            return fail(at, message::ARGUMENTS);
        }
        let types = self.parameter_types(function)?;
        let returned = self.returned_type(function)?;
        let mut bindings = BTreeMap::new();
        returned.bind(expected, &mut bindings);
        bindings.retain(|_, ty| *ty != Type::Unknown);
        let mut values: Vec<Typed> = receiver.into_iter().collect();
        if let (Some(own), Some(ty)) = (values.first(), types.first()) {
            ty.bind(&own.ty, &mut bindings);
        }
        let first = values.len();
        for (argument, ty) in arguments.iter().zip(&types[first..]) {
            let wanted = open(ty, &bindings);
            let value = self.expression(argument, &wanted)?;
            if value.ty == Type::Never {
                return Ok(value);
            }
            ty.bind(&value.ty, &mut bindings);
            values.push(value);
        }
        for (value, ty) in values.iter_mut().zip(&types) {
            if !matches!(value.ty, Type::Closure(_) | Type::Order(_)) {
                *value = self.coerced(value, &open(ty, &bindings), at)?;
            }
        }
        if bindings.values().any(|ty| !ty.is_word() && *ty != Type::Unknown) {
            return fail(at, message::ELEMENT);
        }
        let returned = open(&returned, &bindings);
        if function.has_closures() {
            let value = self.inlined(id, values, &bindings, at)?;
            return self.coerced(&value, &returned, at);
        }
        let signature = self.translator.function(id, at.to_token_stream().span())?;
        let arguments: Vec<Operand> = values.into_iter().flat_map(|value| value.words).collect();
        let arguments = arguments.iter().map(|word| self.register(word)).collect();
        let size = signature.returned.size(module);
        let words: Vec<Operand> = (0..size).map(|_| Operand::Register(self.fresh(&id.name))).collect();
        let results = words.iter().map(|word| self.register(word)).collect();
        let (procedure, has_effect) = (signature.procedure, signature.has_effect);
        self.emit(Statement::Call { procedure, arguments, results, has_effect });
        if signature.returned == Type::Never {
            return Ok(Typed::never());
        }
        Ok(Typed { ty: returned, words })
    }

    /// A function that takes closures, written out in place.
    fn inlined(
        &mut self,
        id: &FunctionId,
        values: Vec<Typed>,
        bindings: &BTreeMap<String, Type>,
        at: &impl ToTokens,
    ) -> Result<Typed, Fail> {
        if self.inlined.contains(id) {
            return Fail::at(at.to_token_stream().span(), message::RECURSION, &[&id.path()]);
        }
        let function = &self.translator.module.functions[id];
        // Its generic types are those of this call.
        let open = |name: &String| bindings.get(name).cloned().unwrap_or(Type::Unknown);
        let own = function.names.elements.iter().map(|name| (name.clone(), open(name))).collect();
        let slot_type = self.returned_type(function)?.replaced(&own);
        let scopes = std::mem::replace(&mut self.scopes, vec![BTreeMap::new()]);
        let names = Names { bound: own, ..function.names.clone() };
        let names = std::mem::replace(&mut self.names, names);
        self.inlined.push(id.clone());
        let translated = self.bind_parameters(function, values).and_then(|()| {
            let slot = self.slot(&id.name, &slot_type);
            self.function_body(&function.block, slot)
        });
        self.inlined.pop();
        self.scopes = scopes;
        self.names = names;
        translated
    }

    fn bind_parameters(
        &mut self,
        function: &crate::module::Function,
        values: Vec<Typed>,
    ) -> Result<(), Fail> {
        for (input, value) in function.signature.inputs.iter().zip(values) {
            self.kept_value(&value, input)?;
            match input {
                syn::FnArg::Receiver(receiver) => self.bind("self", value, receiver.mutability.is_some()),
                syn::FnArg::Typed(typed) => self.bind_pattern(&typed.pat, &value)?,
            }
        }
        Ok(())
    }

    /// The closure that an expression is.
    pub(crate) fn closure(&mut self, expression: &Expr) -> Result<Closure, Fail> {
        let value = self.expression(expression, &Type::Unknown)?;
        match value.ty {
            Type::Closure(index) => Ok(self.closures[index].clone()),
            _ => fail(expression, message::CLOSURE),
        }
    }

    /// A call of a closure, in the scopes where it was written.
    pub(crate) fn called(
        &mut self,
        closure: &Closure,
        arguments: Vec<Typed>,
        expected: &Type,
    ) -> Result<Typed, Fail> {
        let expression = &closure.expression;
        if expression.inputs.len() != arguments.len() {
            return fail(expression, message::ARGUMENTS);
        }
        let mut scopes = closure.scopes.clone();
        scopes.push(BTreeMap::new());
        let scopes = std::mem::replace(&mut self.scopes, scopes);
        let names = std::mem::replace(&mut self.names, closure.names.clone());
        let value = self.closure_body(expression, arguments, expected);
        self.scopes = scopes;
        self.names = names;
        value
    }

    fn closure_body(
        &mut self,
        closure: &syn::ExprClosure,
        arguments: Vec<Typed>,
        expected: &Type,
    ) -> Result<Typed, Fail> {
        for (pattern, value) in closure.inputs.iter().zip(arguments) {
            self.kept_value(&value, pattern)?;
            let value = match pattern {
                syn::Pat::Type(typed) => {
                    let ty = self.translator.module.read(&typed.ty, &self.names)?;
                    self.coerced(&value, &ty, typed)?
                }
                _ => value,
            };
            self.bind_pattern(pattern, &value)?;
        }
        let wanted = match &closure.output {
            ReturnType::Type(_, ty) => self.translator.module.read(ty, &self.names)?,
            ReturnType::Default => expected.clone(),
        };
        let slot = Typed { ty: wanted.clone(), words: Vec::new() };
        let slot = if wanted == Type::Unknown { slot } else { self.slot("closure", &wanted) };
        if has_return(&closure.body) {
            self.returning(slot, &closure.body, |body, wanted| body.expression(&closure.body, wanted))
        } else {
            // Nothing leaves it.
            self.expression(&closure.body, &wanted)
        }
    }
}

/// The type with its parameters replaced where they are known, and left open where not.
fn open(ty: &Type, bindings: &BTreeMap<String, Type>) -> Type {
    ty.replaced(bindings)
}

/// Whether there is a `return` or a `?`, which leave the closure.
fn has_return(body: &Expr) -> bool {
    let text = body.to_token_stream().to_string();
    text.split_whitespace().any(|word| word == "return" || word == "?")
}

//! Expressions, each by its kind. Operands are evaluated from left to right.

use crate::body::{Body, Closure, Place, Typed};
use crate::code::Operand;
use crate::message::{self, Fail, fail};
use crate::types::{self, Integer, Names, Type};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprCast, ExprPath, ExprStruct, Lit, Member, UnOp};

/// The memory orders, and their words in LSL.
pub(crate) const ORDERS: [(&str, &str); 5] =
    [("Relaxed", "rlx"), ("Acquire", "acq"), ("Release", "rel"), ("AcqRel", "acqrel"), ("SeqCst", "sc")];

impl Body<'_, '_> {
    /// The value of an expression. `expected` is the type that is wanted, as far as it is known.
    pub(crate) fn expression(&mut self, expression: &Expr, expected: &Type) -> Result<Typed, Fail> {
        match expression {
            Expr::Paren(inner) => self.expression(&inner.expr, expected),
            Expr::Group(inner) => self.expression(&inner.expr, expected),
            Expr::Unsafe(block) => self.block_value(&block.block, expected),
            Expr::Const(block) => self.block_value(&block.block, expected),
            Expr::Block(block) => self.labelled(block, expected),
            Expr::Lit(literal) => self.literal(&literal.lit, expected),
            Expr::Path(path) => self.path(path, expected),
            Expr::If(branch) => self.conditional(branch, expected),
            Expr::Match(branch) => self.matched(branch, expected),
            Expr::Loop(looped) => self.endless(looped),
            Expr::While(looped) => self.repeated(looped),
            Expr::ForLoop(looped) => self.counted(looped),
            Expr::Break(jump) => self.leave(jump),
            Expr::Continue(jump) => self.repeat(jump),
            Expr::Return(jump) => {
                let wanted = self.returns.last().map_or(Type::Unknown, |outer| outer.slot.ty.clone());
                let value = match &jump.expr {
                    Some(value) => self.expression(value, &wanted)?,
                    None => Typed::unit(),
                };
                if value.ty == Type::Never { Ok(value) } else { self.returned(&value, jump) }
            }
            Expr::Try(tried) => self.tried(&tried.expr, expression),
            Expr::Macro(call) => {
                self.attributes(&call.attrs)?;
                self.macro_call(&call.mac)
            }
            Expr::Assign(assignment) => {
                self.attributes(&assignment.attrs)?;
                self.assign(&assignment.left, &assignment.right)
            }
            Expr::Binary(binary) => self.binary_expression(binary, expected, expression),
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => {
                self.unary(&unary.op, &unary.expr, expected)
            }
            other => self.operand(other, expected),
        }
    }

    /// The value of an expression that is no jump, branch, loop or operator.
    fn operand(&mut self, expression: &Expr, expected: &Type) -> Result<Typed, Fail> {
        match expression {
            Expr::Reference(reference) => self.reference(&reference.expr, expected),
            Expr::RawAddr(address) => {
                let place = self.place(&address.expr)?;
                let address = self.address(&place, expression)?;
                Ok(Typed { ty: Type::Raw(Box::new(place.ty().clone())), ..address })
            }
            Expr::Unary(_) | Expr::Field(_) | Expr::Index(_) => {
                let place = self.place(expression)?;
                self.read(&place, expression)
            }
            Expr::Tuple(tuple) => self.tuple(tuple, expected),
            Expr::Array(array) => {
                let item = match expected {
                    Type::Array(item, _) => (**item).clone(),
                    _ => Type::Unknown,
                };
                self.array(&array.elems.iter().collect::<Vec<_>>(), item, expression)
            }
            Expr::Repeat(repeat) => {
                let length = self.translator.module.length(&repeat.len)?;
                let item = match expected {
                    Type::Array(item, _) => (**item).clone(),
                    _ => Type::Unknown,
                };
                self.array(&vec![&*repeat.expr; length], item, expression)
            }
            Expr::Struct(structure) => self.structure(structure, expected),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Call(call) => {
                self.attributes(&call.attrs)?;
                self.call(call, expected)
            }
            Expr::MethodCall(call) => {
                self.attributes(&call.attrs)?;
                let outer = std::mem::replace(&mut self.span, call.method.span());
                let value = self.method(call, expected);
                self.span = outer;
                value
            }
            Expr::Closure(closure) => {
                if closure.capture.is_some() {
                    return fail(&closure.capture, message::MOVE_CLOSURE);
                }
                let (scopes, names) = (self.scopes.clone(), self.names.clone());
                self.closures.push(Closure { expression: closure.clone(), scopes, names });
                Ok(Typed { ty: Type::Closure(self.closures.len() - 1), words: Vec::new() })
            }
            other => fail(other, message::EXPRESSION),
        }
    }

    fn literal(&mut self, literal: &Lit, expected: &Type) -> Result<Typed, Fail> {
        match literal {
            Lit::Bool(truth) => Ok(Typed::number(i64::from(truth.value), Type::Bool)),
            Lit::Int(number) => self.integer(number, false, expected),
            Lit::Byte(byte) => {
                let ty = Type::Integer(Integer { bits: 8, is_signed: false });
                Ok(Typed::number(i64::from(byte.value()), ty))
            }
            other => fail(other, message::EXPRESSION),
        }
    }

    /// A literal number, of the type behind it or the one that is wanted.
    fn integer(&mut self, number: &syn::LitInt, is_negative: bool, expected: &Type) -> Result<Typed, Fail> {
        let Ok(magnitude) = number.base10_parse::<i128>() else { return fail(number, message::NEGATIVE) };
        let value = if is_negative { -magnitude } else { magnitude };
        let ty = match (Integer::named(number.suffix()), expected) {
            (Some(integer), _) => Type::Integer(integer),
            (None, Type::Integer(integer)) => Type::Integer(*integer),
            (None, _) => Type::Literal,
        };
        let kept = match ty {
            Type::Integer(integer) => self.kept(value, integer, number.span())?,
            _ => self.kept(value, Integer { bits: 64, is_signed: true }, number.span())?,
        };
        Ok(Typed::number(kept, ty))
    }

    fn path(&mut self, path: &ExprPath, expected: &Type) -> Result<Typed, Fail> {
        let last = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if let Some(variable) = path.path.get_ident().and_then(|name| self.lookup(&name.to_string())) {
            let ty = self.variables[variable].value.ty.clone();
            return self.read(&Place::Local { variable, first: 0, ty }, path);
        }
        if let Some(value) = self.constant(&path.path)? {
            return Ok(value);
        }
        if last == "None" {
            let ty = match expected {
                Type::Option(_) => expected.clone(),
                _ => Type::Option(Box::new(Type::Unknown)),
            };
            let size = ty.size(self.translator.module);
            let mut words = vec![Operand::Undefined; size];
            words[0] = Operand::Number(0);
            return Ok(Typed { ty, words });
        }
        if last == "PhantomData" {
            return Ok(Typed::unit());
        }
        let of = path.path.segments.iter().rev().nth(1).map(|of| of.ident.to_string());
        let is_order = of.is_none_or(|of| of == "Ordering");
        if let Some((_, word)) = ORDERS.iter().find(|(name, _)| is_order && *name == last) {
            return Ok(Typed { ty: Type::Order(word), words: Vec::new() });
        }
        let segments: Vec<String> = path.path.segments.iter().map(|one| one.ident.to_string()).collect();
        if let [ty, name @ ("MAX" | "MIN" | "BITS")] =
            segments.iter().map(String::as_str).collect::<Vec<_>>()[..]
            && let Some(integer) = Integer::named(ty)
        {
            let number = match (name, integer.range()) {
                ("BITS", _) => {
                    let bits = Type::Integer(Integer { bits: 32, is_signed: false });
                    return Ok(Typed::number(i64::from(integer.bits), bits));
                }
                ("MAX", range) => range.map_or(-1, |range| range.1),
                (_, range) => range.map_or(0, |range| range.0),
            };
            return Ok(Typed::number(number, Type::Integer(integer)));
        }
        Fail::at(path.span(), message::UNKNOWN_NAME, &[&path.path.to_token_stream().to_string()])
    }

    /// A constant of the module or of its instance.
    fn constant(&mut self, path: &syn::Path) -> Result<Option<Typed>, Fail> {
        let names: Vec<String> = path.segments.iter().map(|one| one.ident.to_string()).collect();
        let module = self.translator.module;
        let name = match (names.as_slice(), &self.names.own) {
            ([own, name], Some(Type::Struct(of, _))) if own == "Self" => format!("{of}::{name}"),
            (names, _) => names.join("::"),
        };
        let (value, ty, names) = match (module.constants.get(&name), module.instance.get(&name)) {
            (Some(constant), _) => {
                let own = name.split_once("::").map(|(own, _)| Type::Struct(own.to_owned(), Vec::new()));
                let names = Names { own, ..Names::default() };
                let ty = module.read(&constant.ty, &names)?;
                ((*constant.expr).clone(), ty, names)
            }
            (None, Some(value)) => (value.clone(), Type::Integer(types::USIZE), Names::default()),
            (None, None) => return Ok(None),
        };
        let scopes = std::mem::replace(&mut self.scopes, vec![Default::default()]);
        let outer = std::mem::replace(&mut self.names, names);
        let value = self.expression(&value, &ty).and_then(|value| self.coerced(&value, &ty, path));
        self.scopes = scopes;
        self.names = outer;
        value.map(Some)
    }

    fn reference(&mut self, inner: &Expr, expected: &Type) -> Result<Typed, Fail> {
        let _ = expected;
        let place = self.place(inner)?;
        self.address(&place, inner)
    }

    fn tuple(&mut self, tuple: &syn::ExprTuple, expected: &Type) -> Result<Typed, Fail> {
        let (mut types, mut words) = (Vec::new(), Vec::new());
        for (index, item) in tuple.elems.iter().enumerate() {
            let wanted = match expected {
                Type::Tuple(items) => items.get(index).cloned().unwrap_or(Type::Unknown),
                _ => Type::Unknown,
            };
            let mut value = self.expression(item, &wanted)?;
            if let Some(joined) = value.ty.joined(&wanted) {
                value = self.coerced(&value, &joined, item)?;
            }
            types.push(value.ty);
            words.extend(value.words);
        }
        Ok(Typed { ty: Type::Tuple(types), words })
    }

    fn array(&mut self, items: &[&Expr], mut item: Type, at: &Expr) -> Result<Typed, Fail> {
        let mut words = Vec::new();
        for expression in items {
            let value = self.expression(expression, &item)?;
            let value = self.coerced(&value, &item, expression)?;
            item = value.ty;
            words.extend(value.words);
        }
        let ty = Type::Array(Box::new(item), items.len());
        if words.len() == ty.size(self.translator.module) {
            Ok(Typed { ty, words })
        } else {
            fail(at, message::NO_TYPE)
        }
    }

    /// A struct by its fields, evaluated in the order in which they are written.
    fn structure(&mut self, structure: &ExprStruct, expected: &Type) -> Result<Typed, Fail> {
        if let Some(rest) = &structure.rest {
            return fail(rest, message::EXPRESSION);
        }
        let module = self.translator.module;
        let mut ty = module.named(&structure.path, &self.names)?;
        ty = ty.joined(expected).unwrap_or(ty);
        let Some(fields) = module.field_types(&ty) else { return fail(structure, message::UNKNOWN_FIELD) };
        let mut values: Vec<Option<Typed>> = vec![None; fields.len()];
        for field in &structure.fields {
            let name = match &field.member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            let Some((index, wanted)) = module.field(&ty, &name) else {
                return fail(&field.member, message::UNKNOWN_FIELD);
            };
            let value = self.expression(&field.expr, &wanted)?;
            values[index as usize] = Some(self.coerced(&value, &wanted, &field.expr)?);
        }
        self.assembled(ty, values, structure)
    }

    /// A struct of these fields, whose generic types are those of the values.
    pub(crate) fn assembled(
        &mut self,
        ty: Type,
        values: Vec<Option<Typed>>,
        at: &impl ToTokens,
    ) -> Result<Typed, Fail> {
        let module = self.translator.module;
        let Type::Struct(name, arguments) = ty else { return fail(at, message::UNKNOWN_FIELD) };
        let parameters = module.structs[&name].parameters.clone();
        let elements = parameters.iter().cloned().map(Type::Element).collect();
        let declared = module.field_types(&Type::Struct(name.clone(), elements)).unwrap_or_default();
        let mut bindings = std::collections::BTreeMap::new();
        for (declared, value) in declared.iter().zip(values.iter().flatten()) {
            declared.bind(&value.ty, &mut bindings);
        }
        let known = |(name, argument): (&String, &Type)| match argument {
            Type::Unknown => bindings.get(name).cloned().unwrap_or(Type::Unknown),
            known => known.clone(),
        };
        let arguments = parameters.iter().zip(&arguments).map(known).collect();
        let ty = Type::Struct(name, arguments);
        let fields = module.field_types(&ty).unwrap_or_default();
        let mut words = Vec::new();
        for (value, field) in values.into_iter().zip(&fields) {
            let Some(value) = value else { return fail(at, message::UNKNOWN_FIELD) };
            words.extend(self.coerced(&value, field, at)?.words);
        }
        Ok(Typed { ty, words })
    }

    fn assign(&mut self, left: &Expr, right: &Expr) -> Result<Typed, Fail> {
        if let Expr::Infer(_) = left {
            self.expression(right, &Type::Unknown)?;
            return Ok(Typed::unit());
        }
        // Rust evaluates the right side first.
        let wanted = match left {
            Expr::Path(path) => path
                .path
                .get_ident()
                .and_then(|name| self.lookup(&name.to_string()))
                .map_or(Type::Unknown, |variable| self.variables[variable].value.ty.clone()),
            _ => Type::Unknown,
        };
        let value = self.expression(right, &wanted)?;
        if value.ty == Type::Never {
            return Ok(value);
        }
        let place = self.place(left)?;
        if self.translator.module.is_dropped(place.ty()) {
            return fail(left, message::DROPS);
        }
        self.write(&place, &value, left)?;
        Ok(Typed::unit())
    }

    fn binary_expression(
        &mut self,
        binary: &syn::ExprBinary,
        expected: &Type,
        at: &Expr,
    ) -> Result<Typed, Fail> {
        match &binary.op {
            BinOp::And(_) => self.short_circuit(&binary.left, &binary.right, true, at),
            BinOp::Or(_) => self.short_circuit(&binary.left, &binary.right, false, at),
            op => match plain_operator(op) {
                Some(op) => self.compound(&binary.left, &op, &binary.right, at),
                None => self.binary(&binary.left, op, &binary.right, expected, at),
            },
        }
    }

    /// `place += value`
    fn compound(&mut self, left: &Expr, op: &BinOp, right: &Expr, at: &Expr) -> Result<Typed, Fail> {
        // The right side of numbers is evaluated first.
        let value = self.expression(right, &Type::Unknown)?;
        let place = self.place(left)?;
        let now = self.read(&place, left)?;
        let result = self.operate(&now, op, &value, at)?;
        self.write(&place, &result, left)?;
        Ok(Typed::unit())
    }

    pub(crate) fn binary(
        &mut self,
        left: &Expr,
        op: &BinOp,
        right: &Expr,
        expected: &Type,
        at: &impl ToTokens,
    ) -> Result<Typed, Fail> {
        let is_comparison = matches!(
            op,
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
        );
        let wanted = if is_comparison { &Type::Unknown } else { expected };
        let left_value = self.expression(left, wanted)?;
        let is_shift = matches!(op, BinOp::Shl(_) | BinOp::Shr(_));
        let wanted = if is_shift { Type::Unknown } else { left_value.ty.clone() };
        let right_value = self.expression(right, &wanted)?;
        self.operate(&left_value, op, &right_value, at)
    }

    fn cast(&mut self, cast: &ExprCast) -> Result<Typed, Fail> {
        let to = self.translator.module.read(&cast.ty, &self.names)?;
        let value = self.expression(&cast.expr, &Type::Unknown)?;
        match (&value.ty, &to) {
            (Type::Bool, Type::Integer(_)) => Ok(Typed { ty: to, ..value }),
            (Type::Integer(from), Type::Integer(into)) => {
                let operand = self.converted(&value.operand(), *from, *into);
                Ok(Typed::word(operand, to))
            }
            (Type::Literal, Type::Integer(_)) if value.constant().is_some() => {
                self.coerced(&value, &to, cast)
            }
            (from, Type::Raw(inner)) if from.pointee().is_some() => {
                let pointee = from.pointee().expect("it was looked at");
                match pointee.joined(inner) {
                    Some(joined) => Ok(Typed { ty: Type::Raw(Box::new(joined)), ..value }),
                    None => fail(cast, message::CAST),
                }
            }
            _ => fail(cast, message::CAST),
        }
    }

    fn unary(&mut self, op: &UnOp, inner: &Expr, expected: &Type) -> Result<Typed, Fail> {
        if let (UnOp::Neg(_), Expr::Lit(literal)) = (op, inner)
            && let Lit::Int(number) = &literal.lit
        {
            return self.integer(number, true, expected);
        }
        let value = self.expression(inner, expected)?;
        match (op, &value.ty) {
            (UnOp::Not(_), Type::Bool) => {
                let operand = self.not(&value.operand());
                Ok(Typed::word(operand, Type::Bool))
            }
            (UnOp::Not(_), Type::Integer(integer)) => {
                let all = match integer.range() {
                    Some((0, greatest)) => greatest,
                    _ => -1,
                };
                let operand = self.compute("bitxor", &value.operand(), &Operand::Number(all));
                Ok(Typed::word(operand, value.ty))
            }
            (UnOp::Neg(_), Type::Integer(integer)) if integer.is_signed => {
                let zero = Typed::number(0, value.ty.clone());
                self.operate(&zero, &syn::parse_quote!(-), &value, inner)
            }
            (_, Type::Literal) => fail(inner, message::NO_WIDTH),
            _ => fail(inner, message::OPERATOR),
        }
    }
}

/// The operator of `+=` and the like.
fn plain_operator(op: &BinOp) -> Option<BinOp> {
    Some(match op {
        BinOp::AddAssign(_) => syn::parse_quote!(+),
        BinOp::SubAssign(_) => syn::parse_quote!(-),
        BinOp::MulAssign(_) => syn::parse_quote!(*),
        BinOp::DivAssign(_) => syn::parse_quote!(/),
        BinOp::RemAssign(_) => syn::parse_quote!(%),
        BinOp::BitAndAssign(_) => syn::parse_quote!(&),
        BinOp::BitOrAssign(_) => syn::parse_quote!(|),
        BinOp::BitXorAssign(_) => syn::parse_quote!(^),
        BinOp::ShlAssign(_) => syn::parse_quote!(<<),
        BinOp::ShrAssign(_) => syn::parse_quote!(>>),
        _ => return None,
    })
}

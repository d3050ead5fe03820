//! `if`, `match`, patterns, `&&`, `||` and `?`.

use crate::block::is_pure;
use crate::body::{Body, Typed};
use crate::code::{Node, Operand};
use crate::message::{self, Fail, fail};
use crate::types::{Type, mismatch};
use quote::ToTokens;
use syn::{BinOp, Expr, ExprIf, ExprMatch, Pat};

/// One of the ways that meet again: its statements, and its value.
pub(crate) type Way = (Vec<Node>, Typed);

fn has_let(expression: &Expr) -> bool {
    match expression {
        Expr::Let(_) => true,
        Expr::Paren(inner) => has_let(&inner.expr),
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl Body<'_, '_> {
    /// Leaves the block of this tag unless the condition holds. What it binds is in scope behind it.
    pub(crate) fn condition(&mut self, condition: &Expr, otherwise: &str) -> Result<(), Fail> {
        match condition {
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) && has_let(condition) => {
                self.condition(&binary.left, otherwise)?;
                self.condition(&binary.right, otherwise)
            }
            Expr::Paren(inner) if has_let(condition) => self.condition(&inner.expr, otherwise),
            Expr::Let(binding) => {
                let value = self.expression(&binding.expr, &Type::Unknown)?;
                self.kept_value(&value, &binding.expr)?;
                let is_it = self.test_pattern(&binding.pat, &value)?;
                let is_other = self.not(&is_it);
                if is_other != Operand::Number(0) {
                    self.jump_if(&is_other, otherwise, false);
                }
                self.bind_pattern(&binding.pat, &value)
            }
            other => {
                let holds = self.expression(other, &Type::Bool)?.operand();
                let fails = self.not(&holds);
                if fails != Operand::Number(0) {
                    self.jump_if(&fails, otherwise, false);
                }
                Ok(())
            }
        }
    }

    /// `if`
    pub(crate) fn conditional(&mut self, branch: &ExprIf, expected: &Type) -> Result<Typed, Fail> {
        let other = |body: &mut Self| match &branch.else_branch {
            Some((_, other)) => body.expression(other, expected),
            None => Ok(Typed::unit()),
        };
        if has_let(&branch.cond) {
            let tag = self.fresh("else");
            let (then, value) = self.captured(|body| {
                body.scoped(|body| {
                    body.condition(&branch.cond, &tag)?;
                    body.block_value(&branch.then_branch, expected)
                })
            })?;
            let otherwise = self.captured(other)?;
            return self.joined(&tag, (then, value), otherwise, branch);
        }
        let holds = self.expression(&branch.cond, &Type::Bool)?.operand();
        match holds {
            Operand::Number(0) => return other(self),
            Operand::Number(_) => return self.block_value(&branch.then_branch, expected),
            _ => {}
        }
        let then = |body: &mut Self| body.block_value(&branch.then_branch, expected);
        self.either(&holds, then, other, branch)
    }

    /// One way if this is true, the other one if not.
    pub(crate) fn either(
        &mut self,
        holds: &Operand,
        then: impl FnOnce(&mut Self) -> Result<Typed, Fail>,
        otherwise: impl FnOnce(&mut Self) -> Result<Typed, Fail>,
        at: &impl ToTokens,
    ) -> Result<Typed, Fail> {
        match holds {
            Operand::Number(0) => return otherwise(self),
            Operand::Number(_) => return then(self),
            _ => {}
        }
        let tag = self.fresh("else");
        let then = self.captured(|body| {
            let fails = body.not(holds);
            body.jump_if(&fails, &tag, false);
            then(body)
        })?;
        let otherwise = self.captured(otherwise)?;
        self.joined(&tag, then, otherwise, at)
    }

    /// Where two ways meet. The first leaves the block of the tag where it is not to be taken.
    fn joined(&mut self, tag: &str, then: Way, otherwise: Way, at: &impl ToTokens) -> Result<Typed, Fail> {
        let ((mut then, value), (mut other, other_value)) = (then, otherwise);
        let Some(ty) = value.ty.joined(&other_value.ty) else {
            return fail(at, mismatch(&value.ty, &other_value.ty));
        };
        let slot = self.slot("chosen", &ty);
        let is_left = value.ty == Type::Never;
        for (code, value) in [(&mut then, &value), (&mut other, &other_value)] {
            if value.ty != Type::Never {
                let (more, ()) = self.captured(|body| {
                    let value = body.coerced(value, &ty, at)?;
                    body.fill(&slot, &value);
                    Ok(())
                })?;
                code.extend(more);
            }
        }
        if other.is_empty() || is_left {
            self.block(tag, then);
            self.code.extend(other);
            return Ok(slot);
        }
        let end = self.fresh("if");
        let (outer, ()) = self.captured(|body| {
            let (then, ()) = body.captured(|body| {
                body.code.extend(then);
                body.jump(&end, false);
                Ok(())
            })?;
            body.block(tag, then);
            body.code.extend(other);
            Ok(())
        })?;
        self.block(&end, outer);
        Ok(slot)
    }

    /// Whether a value has the form of a pattern: of its numbers, options and results.
    pub(crate) fn test_pattern(&mut self, pattern: &Pat, value: &Typed) -> Result<Operand, Fail> {
        if value.ty.pointee().is_some() && !matches!(pattern, Pat::Ident(_) | Pat::Wild(_) | Pat::Type(_)) {
            return fail(pattern, message::BORROWED_PATTERN);
        }
        match pattern {
            Pat::Wild(_) => Ok(Operand::Number(1)),
            Pat::Paren(inner) => self.test_pattern(&inner.pat, value),
            Pat::Type(typed) => self.test_pattern(&typed.pat, value),
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                let word = name.ident.to_string();
                match word.as_str() {
                    "None" => self.test_case(pattern, "None", None, value),
                    word if self.translator.module.constants.contains_key(word) => {
                        self.test_equal(pattern, &syn::parse_quote!(#name), value)
                    }
                    _ => Ok(Operand::Number(1)),
                }
            }
            Pat::Lit(literal) => self.test_equal(
                pattern,
                &Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: literal.lit.clone() }),
                value,
            ),
            Pat::Path(path) => {
                let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                match name.as_str() {
                    "None" => self.test_case(pattern, "None", None, value),
                    _ => self.test_equal(pattern, &Expr::Path(path.clone()), value),
                }
            }
            Pat::TupleStruct(case) => {
                let name = case.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                self.test_case(pattern, &name, case.elems.first(), value)
            }
            Pat::Tuple(tuple) => {
                let Type::Tuple(items) = value.ty.clone() else { return fail(pattern, message::PATTERN) };
                if items.len() != tuple.elems.len() {
                    return fail(pattern, message::PATTERN);
                }
                let (mut all, mut first) = (Operand::Number(1), 0);
                for (item, pattern) in items.iter().zip(&tuple.elems) {
                    let part = self.part(value, first, item);
                    first += item.size(self.translator.module);
                    let one = self.test_pattern(pattern, &part)?;
                    all = self.both(&all, &one);
                }
                Ok(all)
            }
            Pat::Or(cases) => {
                let mut none = Operand::Number(1);
                for case in &cases.cases {
                    let is_it = self.test_pattern(case, value)?;
                    let is_other = self.not(&is_it);
                    none = self.both(&none, &is_other);
                }
                Ok(self.not(&none))
            }
            other => fail(other, message::PATTERN),
        }
    }

    fn test_equal(&mut self, pattern: &Pat, constant: &Expr, value: &Typed) -> Result<Operand, Fail> {
        let constant = self.expression(constant, &value.ty)?;
        if !value.ty.is_word() {
            return fail(pattern, message::PATTERN);
        }
        let constant = self.coerced(&constant, &value.ty, pattern)?;
        Ok(self.equal(&value.operand(), &constant.operand()))
    }

    /// `Some(x)`, `None`, `Ok(x)`, `Err(x)`. What is in an item is looked at only if it has no form of its own: it may not be there.
    fn test_case(
        &mut self,
        pattern: &Pat,
        name: &str,
        inner: Option<&Pat>,
        value: &Typed,
    ) -> Result<Operand, Fail> {
        let Some((first, right, wrong)) = self.cases(value) else { return fail(pattern, message::PATTERN) };
        let is_option = matches!(value.ty, Type::Option(_));
        let (is_it, item) = match (name, is_option) {
            ("Some", true) | ("Ok", false) => (first, right),
            ("None", true) | ("Err", false) => (self.not(&first), wrong),
            _ => return fail(pattern, message::PATTERN),
        };
        let Some(inner) = inner else { return Ok(is_it) };
        let (code, inside) = self.captured(|body| body.test_pattern(inner, &item))?;
        if inside == Operand::Number(1) {
            return Ok(is_it);
        }
        let inside = Typed::word(inside, Type::Bool);
        let tag = self.fresh("else");
        let then = self.captured(|body| {
            let fails = body.not(&is_it);
            body.jump_if(&fails, &tag, false);
            body.code.extend(code);
            Ok(inside)
        })?;
        let never = (Vec::new(), Typed::number(0, Type::Bool));
        Ok(self.joined(&tag, then, never, pattern)?.operand())
    }

    /// The names of a pattern that the value has the form of.
    pub(crate) fn bind_pattern(&mut self, pattern: &Pat, value: &Typed) -> Result<(), Fail> {
        match pattern {
            Pat::Wild(_) | Pat::Lit(_) | Pat::Path(_) | Pat::Or(_) => Ok(()),
            Pat::Paren(inner) => self.bind_pattern(&inner.pat, value),
            Pat::Type(typed) => self.bind_pattern(&typed.pat, value),
            Pat::Ident(name) if name.subpat.is_none() && name.by_ref.is_none() => {
                let word = name.ident.to_string();
                if word != "None" && !self.translator.module.constants.contains_key(&word) {
                    self.bind(&word, value.clone(), name.mutability.is_some());
                }
                Ok(())
            }
            Pat::Tuple(tuple) => {
                let Type::Tuple(items) = value.ty.clone() else { return fail(pattern, message::PATTERN) };
                if items.len() != tuple.elems.len() {
                    return fail(pattern, message::PATTERN);
                }
                let mut first = 0;
                for (item, pattern) in items.iter().zip(&tuple.elems) {
                    let part = self.part(value, first, item);
                    first += item.size(self.translator.module);
                    self.bind_pattern(pattern, &part)?;
                }
                Ok(())
            }
            Pat::TupleStruct(case) => {
                let Some((_, right, wrong)) = self.cases(value) else {
                    return fail(pattern, message::PATTERN);
                };
                let item = if case.path.segments.last().is_some_and(|last| last.ident == "Err") {
                    wrong
                } else {
                    right
                };
                match case.elems.first() {
                    Some(inner) => self.bind_pattern(inner, &item),
                    None => Ok(()),
                }
            }
            other => fail(other, message::PATTERN),
        }
    }

    /// `match`
    pub(crate) fn matched(&mut self, branch: &ExprMatch, expected: &Type) -> Result<Typed, Fail> {
        let value = self.expression(&branch.expr, &Type::Unknown)?;
        self.kept_value(&value, &branch.expr)?;
        self.arms(&value, &branch.arms, expected, branch)
    }

    /// The first of the arms whose pattern and guard hold; of the last one that is known.
    fn arms(
        &mut self,
        value: &Typed,
        arms: &[syn::Arm],
        expected: &Type,
        at: &ExprMatch,
    ) -> Result<Typed, Fail> {
        let Some((arm, rest)) = arms.split_first() else { return Ok(Typed::never()) };
        self.attributes(&arm.attrs)?;
        let (pattern, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            pattern => (pattern, None),
        };
        if rest.is_empty() {
            return self.scoped(|body| {
                body.bind_pattern(pattern, value)?;
                body.expression(&arm.body, expected)
            });
        }
        let is_it = self.test_pattern(pattern, value)?;
        if is_it == Operand::Number(0) {
            return self.arms(value, rest, expected, at);
        }
        // A guard that is known.
        let guard = match guard {
            Some(guard) if is_it == Operand::Number(1) && !has_let(guard) => {
                let (code, holds) = self.captured(|body| {
                    body.scoped(|body| {
                        body.bind_pattern(pattern, value)?;
                        body.expression(guard, &Type::Bool)
                    })
                })?;
                match holds.constant().filter(|_| code.is_empty()) {
                    Some(0) => return self.arms(value, rest, expected, at),
                    Some(_) => None,
                    None => Some(guard),
                }
            }
            guard => guard,
        };
        if is_it == Operand::Number(1) && guard.is_none() {
            return self.scoped(|body| {
                body.bind_pattern(pattern, value)?;
                body.expression(&arm.body, expected)
            });
        }
        let tag = self.fresh("arm");
        let then = self.captured(|body| {
            body.scoped(|body| {
                let is_other = body.not(&is_it);
                if is_other != Operand::Number(0) {
                    body.jump_if(&is_other, &tag, false);
                }
                body.bind_pattern(pattern, value)?;
                if let Some(guard) = guard {
                    body.condition(guard, &tag)?;
                }
                body.expression(&arm.body, expected)
            })
        })?;
        let otherwise = self.captured(|body| body.arms(value, rest, expected, at))?;
        self.joined(&tag, then, otherwise, at)
    }

    /// `&&` and `||`: the right side only if the left one does not decide. What has no effect and no error is computed in any case: hardware branches nowhere then.
    pub(crate) fn short_circuit(
        &mut self,
        left: &Expr,
        right: &Expr,
        is_and: bool,
        at: &impl ToTokens,
    ) -> Result<Typed, Fail> {
        let left = self.expression(left, &Type::Bool)?.operand();
        if let Operand::Number(known) = left {
            let is_decided = (known == 0) == is_and;
            if is_decided {
                return Ok(Typed::number(known, Type::Bool));
            }
            return self.expression(right, &Type::Bool);
        }
        let before = self.used.clone();
        let (code, value) = self.captured(|body| body.expression(right, &Type::Bool))?;
        if value.ty != Type::Never && is_pure(&code, &before) {
            self.code.extend(code);
            let right = value.operand();
            let operand = match (&right, is_and) {
                (Operand::Number(0), true) => Operand::Number(0),
                (Operand::Number(0), false) | (Operand::Number(_), true) => left,
                (Operand::Number(_), false) => Operand::Number(1),
                (_, true) => self.set("both", "and", &[&left, &right]),
                (_, false) => self.set("either", "or", &[&left, &right]),
            };
            return Ok(Typed::word(operand, Type::Bool));
        }
        let decided = Typed::number(i64::from(!is_and), Type::Bool);
        let run = |body: &mut Self| {
            body.code.extend(code);
            Ok(value)
        };
        if is_and {
            self.either(&left, run, |_| Ok(decided), at)
        } else {
            self.either(&left, |_| Ok(decided.clone()), run, at)
        }
    }

    /// `value?`
    pub(crate) fn tried(&mut self, inner: &Expr, at: &Expr) -> Result<Typed, Fail> {
        let value = self.expression(inner, &Type::Unknown)?;
        let Some((first, right, wrong)) = self.cases(&value) else { return fail(at, message::EXPRESSION) };
        let ty = match &value.ty {
            Type::Result(..) => Type::Result(Box::new(Type::Unknown), Box::new(wrong.ty.clone())),
            _ => Type::Option(Box::new(Type::Unknown)),
        };
        let mut words = vec![Operand::Number(0)];
        words.extend(wrong.words);
        let failed = Typed { ty, words };
        self.either(&first, |_| Ok(Typed::unit()), |body| body.returned(&failed, at), at)?;
        Ok(right)
    }
}

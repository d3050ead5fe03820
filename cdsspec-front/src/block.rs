//! Blocks, statements, loops and jumps.

use crate::body::{Body, Loop, Return, Typed};
use crate::code::{Operand, Statement};
use crate::message::{self, Fail, fail};
use crate::types::{self, Type, UNIT};
use cdsspec_vocabulary::MARKERS;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::{Attribute, Block, Expr, ExprForLoop, ExprWhile, Label, Local, Macro, Pat, RangeLimits, Stmt};

/// Macros that say something to cdsspec and do nothing here.
const SILENT_MACROS: [&str; 2] = ["expects", "allocator"];
/// Attributes that change nothing of what runs.
const SILENT_ATTRIBUTES: [&str; 8] =
    ["allow", "expect", "warn", "deny", "doc", "inline", "cold", "rustfmt::skip"];

impl Body<'_, '_> {
    /// Refuses what may take a statement out of the program.
    pub(crate) fn attributes(&self, attributes: &[Attribute]) -> Result<(), Fail> {
        for attribute in attributes {
            let name = attribute.path().to_token_stream().to_string().replace(' ', "");
            let last = name.rsplit("::").next().unwrap_or_default();
            if !MARKERS.contains(&last) && !SILENT_ATTRIBUTES.contains(&name.as_str()) {
                return fail(attribute, message::CONFIGURED);
            }
        }
        Ok(())
    }

    /// The value of a block.
    pub(crate) fn block_value(&mut self, block: &Block, expected: &Type) -> Result<Typed, Fail> {
        let outer = self.span;
        let value = self.scoped(|body| body.statements(&block.stmts, expected));
        self.span = outer;
        value
    }

    fn statements(&mut self, statements: &[Stmt], expected: &Type) -> Result<Typed, Fail> {
        let mut value = Typed::unit();
        for (index, statement) in statements.iter().enumerate() {
            let is_last = index + 1 == statements.len();
            self.span = statement.span();
            value = match statement {
                Stmt::Local(local) => self.local(local)?,
                Stmt::Expr(expression, None) if is_last => self.expression(expression, expected)?,
                Stmt::Expr(expression, semicolon) => {
                    let value = self.expression(expression, &Type::Unknown)?;
                    if semicolon.is_some() {
                        self.kept_value(&value, expression)?;
                    }
                    if value.ty == Type::Never { value } else { Typed::unit() }
                }
                Stmt::Macro(call) => {
                    self.attributes(&call.attrs)?;
                    self.macro_call(&call.mac)?
                }
                Stmt::Item(syn::Item::Use(_)) => Typed::unit(),
                Stmt::Item(item) => return fail(item, message::STATEMENT),
            };
            if value.ty == Type::Never {
                // Nothing comes by behind this.
                return Ok(value);
            }
        }
        Ok(value)
    }

    fn local(&mut self, local: &Local) -> Result<Typed, Fail> {
        self.attributes(&local.attrs)?;
        let (pattern, written) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(self.translator.module.read(&typed.ty, &self.names)?)),
            pattern => (pattern, None),
        };
        let expected = written.clone().unwrap_or(Type::Unknown);
        let Some(init) = &local.init else {
            let Pat::Ident(name) = pattern else { return fail(pattern, message::PATTERN) };
            let size = expected.size(self.translator.module);
            let value = Typed { ty: expected, words: vec![Operand::Undefined; size] };
            self.bind(&name.ident.to_string(), value, true);
            return Ok(Typed::unit());
        };
        let mut value = self.expression(&init.expr, &expected)?;
        if let Some(written) = &written {
            value = self.coerced(&value, written, &init.expr)?;
        }
        if value.ty == Type::Never {
            return Ok(value);
        }
        self.kept_value(&value, &local.pat)?;
        if let Some((_, diverge)) = &init.diverge {
            let is_it = self.test_pattern(pattern, &value)?;
            let tag = self.fresh("let");
            let (code, ()) = self.captured(|body| {
                body.jump_if(&is_it, &tag, false);
                body.expression(diverge, &Type::Never)?;
                Ok(())
            })?;
            if is_it != Operand::Number(1) {
                self.block(&tag, code);
            }
        }
        self.bind_pattern(pattern, &value)?;
        Ok(Typed::unit())
    }

    /// A macro as a statement or an expression.
    pub(crate) fn macro_call(&mut self, call: &Macro) -> Result<Typed, Fail> {
        let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if MARKERS.contains(&name.as_str()) || SILENT_MACROS.contains(&name.as_str()) {
            return Ok(Typed::unit());
        }
        let parser = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
        let name = name.trim_start_matches("debug_");
        match name {
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                self.assert(&Operand::Number(0));
                return Ok(Typed::never());
            }
            "assert" | "assert_eq" | "assert_ne" => {}
            _ => return Fail::at(call.path.span(), message::MACRO, &[name]),
        }
        let arguments = call.parse_body_with(parser).map_err(Fail::Error)?;
        let arguments: Vec<&Expr> = arguments.iter().collect();
        let holds = match (name, arguments.as_slice()) {
            ("assert", [condition, ..]) => self.expression(condition, &Type::Bool)?.operand(),
            ("assert_eq" | "assert_ne", [left, right, ..]) => {
                let operator =
                    if name == "assert_eq" { syn::parse_quote!(==) } else { syn::parse_quote!(!=) };
                self.binary(left, &operator, right, &Type::Bool, &call.path)?.operand()
            }
            _ => return fail(call, message::ARGUMENTS),
        };
        self.assert(&holds);
        Ok(Typed::unit())
    }

    fn label(label: Option<&Label>) -> Option<String> {
        label.map(|label| label.name.ident.to_string())
    }

    /// `loop { … }`
    pub(crate) fn endless(&mut self, looped: &syn::ExprLoop) -> Result<Typed, Fail> {
        let exit = self.fresh("loop");
        let label = Self::label(looped.label.as_ref());
        let repeat = Some((exit.clone(), true));
        self.loops.push(Loop { label, exit: exit.clone(), repeat, slot: None });
        let translated = self.captured(|body| {
            let value = body.block_value(&looped.body, &UNIT)?;
            if value.ty != Type::Never {
                body.jump(&exit, true);
            }
            Ok(())
        });
        let left = self.loops.pop().expect("it was pushed above");
        let (code, ()) = translated?;
        self.block(&exit, code);
        Ok(left.slot.unwrap_or_else(Typed::never))
    }

    /// `while condition { … }`
    pub(crate) fn repeated(&mut self, looped: &ExprWhile) -> Result<Typed, Fail> {
        let exit = self.fresh("while");
        let label = Self::label(looped.label.as_ref());
        let repeat = Some((exit.clone(), true));
        self.loops.push(Loop { label, exit: exit.clone(), repeat, slot: None });
        let translated = self.captured(|body| {
            body.scoped(|body| {
                body.condition(&looped.cond, &exit)?;
                let value = body.block_value(&looped.body, &UNIT)?;
                if value.ty != Type::Never {
                    body.jump(&exit, true);
                }
                Ok(())
            })
        });
        self.loops.pop();
        let (code, ()) = translated?;
        self.block(&exit, code);
        Ok(Typed::unit())
    }

    /// `for i in a..b { … }`
    pub(crate) fn counted(&mut self, looped: &ExprForLoop) -> Result<Typed, Fail> {
        let range = match &*looped.expr {
            Expr::Paren(inner) => &*inner.expr,
            other => other,
        };
        let Expr::Range(range) = range else { return fail(range, message::RANGE) };
        let (Some(start), Some(end), RangeLimits::HalfOpen(_)) = (&range.start, &range.end, &range.limits)
        else {
            return fail(range, message::RANGE);
        };
        let first = self.expression(start, &Type::Unknown)?;
        let end_value = self.expression(end, &first.ty)?;
        let first = self.coerced(&first, &end_value.ty, start)?;
        let end_value = self.coerced(&end_value, &first.ty, end)?;
        let name = match &*looped.pat {
            Pat::Ident(name) => Some(name.ident.to_string()),
            Pat::Wild(_) => None,
            other => return fail(other, message::PATTERN),
        };
        let counter = self.slot("counter", &first.ty);
        self.fill(&counter, &first);
        let (exit, round) = (self.fresh("for"), self.fresh("round"));
        let label = Self::label(looped.label.as_ref());
        self.loops.push(Loop { label, exit: exit.clone(), repeat: Some((round.clone(), false)), slot: None });
        let translated = self.captured(|body| {
            let integer = match &first.ty {
                Type::Integer(integer) => *integer,
                // Small numbers of which all comparisons are those of `i64`.
                Type::Literal => types::Integer { bits: 64, is_signed: true },
                _ => return fail(range, message::RANGE),
            };
            let is_on = body.less(&counter.operand(), &end_value.operand(), integer);
            let is_over = body.not(&is_on);
            body.jump_if(&is_over, &exit, false);
            let (inner, ()) = body.captured(|body| {
                body.scoped(|body| {
                    let now = body.set("index", "copy", &[&counter.operand()]);
                    if let Some(name) = &name {
                        body.bind(name, Typed::word(now, first.ty.clone()), false);
                    }
                    body.block_value(&looped.body, &UNIT).map(|_| ())
                })
            })?;
            body.block(&round, inner);
            // Below the end, so that it does not overflow.
            let register = body.register(&counter.operand());
            body.set_register(&register, "add", &[&counter.operand(), &Operand::Number(1)]);
            body.jump(&exit, true);
            Ok(())
        });
        self.loops.pop();
        let (code, ()) = translated?;
        self.block(&exit, code);
        Ok(Typed::unit())
    }

    fn enclosing(&self, label: Option<&syn::Lifetime>, is_continue: bool) -> Option<usize> {
        let innermost = self.returns.last().map_or(0, |outer| outer.loops);
        let wanted = label.map(|label| label.ident.to_string());
        (innermost..self.loops.len()).rev().find(|&index| {
            let one = &self.loops[index];
            match &wanted {
                Some(wanted) => one.label.as_ref() == Some(wanted),
                // A block that has a label is left by that alone.
                None => one.repeat.is_some() || is_continue && one.repeat.is_some(),
            }
        })
    }

    /// `break`
    pub(crate) fn leave(&mut self, jump: &syn::ExprBreak) -> Result<Typed, Fail> {
        let Some(index) = self.enclosing(jump.label.as_ref(), false) else {
            return fail(jump, message::JUMP);
        };
        let value = match &jump.expr {
            Some(value) => self.expression(value, &Type::Unknown)?,
            None => Typed::unit(),
        };
        self.fill_break(index, &value, jump)?;
        let exit = self.loops[index].exit.clone();
        self.jump(&exit, false);
        Ok(Typed::never())
    }

    /// The value of a loop or a block is this one, on this way.
    pub(crate) fn fill_break(&mut self, index: usize, value: &Typed, at: &impl ToTokens) -> Result<(), Fail> {
        let slot = match self.loops[index].slot.clone() {
            Some(slot) => slot,
            None => self.slot("broken", &value.ty),
        };
        let coerced = self.coerced(value, &slot.ty, at)?;
        if coerced.ty.size(self.translator.module) != slot.words.len() {
            return fail(at, message::NO_TYPE);
        }
        self.fill(&slot, &coerced);
        self.loops[index].slot = Some(slot);
        Ok(())
    }

    /// `continue`
    pub(crate) fn repeat(&mut self, jump: &syn::ExprContinue) -> Result<Typed, Fail> {
        let index = self.enclosing(jump.label.as_ref(), true);
        let Some((tag, is_continue)) = index.and_then(|index| self.loops[index].repeat.clone()) else {
            return fail(jump, message::JUMP);
        };
        self.jump(&tag, is_continue);
        Ok(Typed::never())
    }

    /// `return`
    pub(crate) fn returned(&mut self, value: &Typed, at: &impl ToTokens) -> Result<Typed, Fail> {
        if self.returns.is_empty() {
            return fail(at, message::JUMP);
        }
        self.fill_return(value, at)?;
        let outer = self.returns.last_mut().expect("it was looked at");
        outer.is_used = true;
        let tag = outer.tag.clone();
        self.jump(&tag, false);
        Ok(Typed::never())
    }

    /// What the innermost function or closure returns is this, on this way. A type that was left open is known from now on.
    pub(crate) fn fill_return(&mut self, value: &Typed, at: &impl ToTokens) -> Result<(), Fail> {
        let outer = self.returns.last().expect("it is in a function");
        let (mut slot, is_filled) = (outer.slot.clone(), outer.is_filled);
        let value = self.coerced(value, &slot.ty, at)?;
        if value.words.len() != slot.words.len() {
            if is_filled {
                return fail(at, message::NO_TYPE);
            }
            slot = self.slot("returned", &value.ty);
        }
        self.fill(&slot, &value);
        let outer = self.returns.last_mut().expect("it was there above");
        (outer.slot, outer.is_filled) = (slot, true);
        Ok(())
    }

    /// What this runs may return into the slot. The slot, whose type is known then.
    pub(crate) fn returning(
        &mut self,
        slot: Typed,
        at: &impl ToTokens,
        run: impl FnOnce(&mut Self, &Type) -> Result<Typed, Fail>,
    ) -> Result<Typed, Fail> {
        let tag = self.fresh("function");
        let (loops, wanted) = (self.loops.len(), slot.ty.clone());
        self.returns.push(Return { tag: tag.clone(), slot, is_used: false, is_filled: false, loops });
        let translated = self.captured(|body| {
            let value = run(body, &wanted)?;
            if value.ty == Type::Never { Ok(()) } else { body.fill_return(&value, at) }
        });
        let left = self.returns.pop().expect("it was pushed above");
        let (code, ()) = translated?;
        if left.is_used {
            self.block(&tag, code);
        } else {
            self.code.extend(code);
        }
        Ok(left.slot)
    }

    /// A block with a label.
    pub(crate) fn labelled(&mut self, block: &syn::ExprBlock, expected: &Type) -> Result<Typed, Fail> {
        let Some(label) = &block.label else { return self.block_value(&block.block, expected) };
        let exit = self.fresh("block");
        let label = Some(label.name.ident.to_string());
        self.loops.push(Loop { label, exit: exit.clone(), repeat: None, slot: None });
        let translated = self.captured(|body| {
            let value = body.block_value(&block.block, expected)?;
            if value.ty != Type::Never {
                let index = body.loops.len() - 1;
                body.fill_break(index, &value, block)?;
            }
            Ok(())
        });
        let left = self.loops.pop().expect("it was pushed above");
        let (code, ()) = translated?;
        self.block(&exit, code);
        Ok(left.slot.unwrap_or_else(Typed::never))
    }

    /// The negation of a truth value.
    pub(crate) fn not(&mut self, truth: &Operand) -> Operand {
        match truth {
            Operand::Number(number) => Operand::Number(i64::from(*number == 0)),
            other => self.set("not", "not", &[other]),
        }
    }

    /// Both, of truth values that are there already.
    pub(crate) fn both(&mut self, left: &Operand, right: &Operand) -> Operand {
        match (left, right) {
            (Operand::Number(0), _) | (_, Operand::Number(0)) => Operand::Number(0),
            (Operand::Number(_), other) | (other, Operand::Number(_)) => other.clone(),
            _ => self.set("both", "and", &[left, right]),
        }
    }
}

/// Whether statements do nothing but set registers that were not there before, and are no error of any values that there are.
pub(crate) fn is_pure(code: &[crate::code::Node], before: &BTreeSet<String>) -> bool {
    let is_total = |operation: &str| {
        let name = operation.split('(').next().unwrap_or_default();
        !matches!(name, "div" | "rem" | "offset") && !operation.starts_with('*')
    };
    code.iter().all(|node| match &node.statement {
        Statement::Set { register, operation, .. } => is_total(operation) && !before.contains(register),
        _ => false,
    })
}

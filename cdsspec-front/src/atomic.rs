//! Operations of atomics, with their orders.

use crate::body::{Body, Place, Typed};
use crate::code::{Operand, Statement, has_no_effect, sets_any};
use crate::expression::ORDERS;
use crate::message::{self, Fail, fail};
use crate::types::{Integer, Order, Type};
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

/// What an order is of.
#[derive(Clone, Copy)]
pub(crate) enum Use {
    Load,
    Store,
    Update,
    Fence,
}

impl Use {
    fn refuses(self, order: Order) -> bool {
        match self {
            Self::Load => matches!(order, "rel" | "acqrel"),
            Self::Store => matches!(order, "acq" | "acqrel"),
            Self::Update => false,
            Self::Fence => order == "rlx",
        }
    }
}

/// A compare-exchange.
struct Exchange<'o> {
    address: &'o Operand,
    expected: &'o Operand,
    new: &'o Operand,
    orders: [Order; 2],
    is_weak: bool,
}

impl Body<'_, '_> {
    /// The order that an expression is, which must be known here.
    pub(crate) fn order(&mut self, expression: &Expr, of: Use) -> Result<Order, Fail> {
        let (code, value) = self.captured(|body| body.expression(expression, &Type::Unknown))?;
        let Type::Order(order) = value.ty else { return fail(expression, message::ORDER) };
        if !code.is_empty() || order.is_empty() {
            return fail(expression, message::ORDER);
        }
        if of.refuses(order) {
            let name = ORDERS.iter().find(|(_, word)| *word == order).map_or("", |(name, _)| name);
            return Fail::at(expression.span(), message::WRONG_ORDER, &[name]);
        }
        Ok(order)
    }

    fn word(&mut self, expression: &Expr, ty: &Type) -> Result<Operand, Fail> {
        let value = self.expression(expression, ty)?;
        Ok(self.coerced(&value, ty, expression)?.operand())
    }

    /// A method of an atomic; none if there is none of this name.
    pub(crate) fn atomic(&mut self, place: &Place, call: &ExprMethodCall) -> Result<Option<Typed>, Fail> {
        let Type::Atomic(ty) = place.ty().clone() else { return Ok(None) };
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        if name == "into_inner" || name == "get_mut" {
            return self.inner(place, &ty, &name, call).map(Some);
        }
        let address = self.address(place, &call.receiver)?.operand();
        let value = match (name.as_str(), arguments.as_slice()) {
            ("load", [order]) => {
                let order = self.order(order, Use::Load)?;
                Typed::word(self.load("loaded", &address, order), *ty)
            }
            ("store", [value, order]) => {
                let value = self.word(value, &ty)?;
                let order = self.order(order, Use::Store)?;
                self.store(&address, &value, order);
                Typed::unit()
            }
            ("swap", [value, order]) => {
                let value = self.word(value, &ty)?;
                let order = self.order(order, Use::Update)?;
                Typed::word(self.update(&address, order, |_, _| value), *ty)
            }
            ("compare_exchange" | "compare_exchange_weak", [expected, new, success, failure]) => {
                let (expected, new) = (self.word(expected, &ty)?, self.word(new, &ty)?);
                let orders = [self.order(success, Use::Update)?, self.order(failure, Use::Load)?];
                let is_weak = name.ends_with("_weak");
                let (address, expected, new) = (&address, &expected, &new);
                let (holds, found) = self.exchange(&Exchange { address, expected, new, orders, is_weak });
                Typed { words: vec![holds, found.clone(), found], ty: Type::Result(ty.clone(), ty) }
            }
            ("fetch_update", [set, fetch, closure]) => {
                let orders = [self.order(set, Use::Update)?, self.order(fetch, Use::Load)?];
                self.fetch_update(&address, &ty, orders, closure)?
            }
            (name, [value, order]) if name.starts_with("fetch_") => {
                let value = self.word(value, &ty)?;
                let order = self.order(order, Use::Update)?;
                if operation_of(name, &ty).is_none() {
                    return Ok(None);
                }
                let new = |body: &mut Self, old: &Operand| body.fetched(name, &ty, old, &value);
                Typed::word(self.update(&address, order, new), *ty)
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// `into_inner` and `get_mut`.
    fn inner(&mut self, place: &Place, ty: &Type, name: &str, at: &ExprMethodCall) -> Result<Typed, Fail> {
        let inner = match place.clone() {
            Place::Memory { base, path, .. } => Place::Memory { base, path, ty: ty.clone() },
            Place::Local { variable, first, .. } => Place::Local { variable, first, ty: ty.clone() },
            Place::Value(value) => Place::Value(Typed { ty: ty.clone(), ..value }),
        };
        if name == "into_inner" { self.read(&inner, at) } else { self.address(&inner, at) }
    }

    /// A read-modify-write: the old value.
    fn update(
        &mut self,
        address: &Operand,
        order: Order,
        new: impl FnOnce(&mut Self, &Operand) -> Operand,
    ) -> Operand {
        let old = self.fresh("old");
        let outer = std::mem::take(&mut self.code);
        self.load_into(&old, address, order);
        let old = Operand::Register(old);
        let new = new(self, &old);
        self.store(address, &new, order);
        let body = std::mem::replace(&mut self.code, outer);
        self.emit(Statement::Atomic { body });
        old
    }

    /// What `fetch_add` and the like store.
    fn fetched(&mut self, name: &str, ty: &Type, old: &Operand, value: &Operand) -> Operand {
        let operation = operation_of(name, ty).expect("it was looked at");
        let integer = match ty {
            Type::Integer(integer) => *integer,
            _ => Integer { bits: 64, is_signed: true },
        };
        match operation {
            "max" | "min" => {
                let less = self.less(old, value, integer);
                match operation {
                    "max" => self.select(&less, value, old),
                    _ => self.select(&less, old, value),
                }
            }
            operation => {
                let result = self.compute(operation, old, value);
                self.wrapped(&result, integer)
            }
        }
    }

    /// A compare-exchange: whether it stored, and what was there. If the orders differ, or it may fail for no reason, its end is guessed, and assumed to be right.
    fn exchange(&mut self, exchange: &Exchange<'_>) -> (Operand, Operand) {
        let found = self.fresh("found");
        let now = Operand::Register(found.clone());
        let holds = self.fresh("exchanged");
        let is_it = Operand::Register(holds.clone());
        let [success, failure] = exchange.orders;
        let outer = std::mem::take(&mut self.code);
        let mut guess = Vec::new();
        if success == failure && !exchange.is_weak {
            self.load_into(&found, exchange.address, success);
            self.set_register(&holds, "eq", &[&now, exchange.expected]);
            let fails = self.not(&is_it);
            self.guarded("store", &fails, |body| body.store(exchange.address, exchange.new, success));
        } else {
            let operation = "choose {0, 1}".to_owned();
            self.emit(Statement::Set { register: holds.clone(), operation, reads: Vec::new() });
            guess = std::mem::take(&mut self.code);
            let fails = self.not(&is_it);
            self.guarded("store", &fails, |body| {
                body.load_into(&found, exchange.address, success);
                let is_expected = body.equal(&now, exchange.expected);
                body.assume(&is_expected);
                body.store(exchange.address, exchange.new, success);
            });
            self.guarded("fail", &is_it, |body| {
                body.load_into(&found, exchange.address, failure);
                if !exchange.is_weak {
                    let is_other = body.compute("ne", &now, exchange.expected);
                    body.assume(&is_other);
                }
            });
        }
        let body = std::mem::replace(&mut self.code, outer);
        self.code.extend(guess);
        self.emit(Statement::Atomic { body });
        (is_it, now)
    }

    fn assume(&mut self, condition: &Operand) {
        let condition = self.register(condition);
        self.emit(Statement::Assume { condition });
    }

    /// Statements that are left out if this is true.
    fn guarded(&mut self, name: &str, is_left_out: &Operand, add: impl FnOnce(&mut Self)) {
        let tag = self.fresh(name);
        let outer = std::mem::take(&mut self.code);
        self.jump_if(is_left_out, &tag, false);
        add(self);
        let body = std::mem::replace(&mut self.code, outer);
        self.block(&tag, body);
    }

    /// `fetch_update`: a load, the closure, a compare-exchange, and again if that fails. std goes on with what the compare-exchange found, this one loads again.
    /// It is the same: rounds before the last one have loads alone, so that each execution of either is one without them.
    fn fetch_update(
        &mut self,
        address: &Operand,
        ty: &Type,
        orders: [Order; 2],
        closure: &Expr,
    ) -> Result<Typed, Fail> {
        let closure = self.closure(closure)?;
        let result = self.slot("updated", &Type::Bool);
        let old = self.fresh("old");
        let tag = self.fresh("update");
        let (body, ()) = self.captured(|body| {
            body.load_into(&old, address, orders[1]);
            let now = Operand::Register(old.clone());
            let before = body.used.clone();
            let (code, new) = body.captured(|body| {
                let wanted = Type::Option(Box::new(ty.clone()));
                let new = body.called(&closure, vec![Typed::word(now.clone(), ty.clone())], &wanted)?;
                body.coerced(&new, &wanted, &closure.expression)
            })?;
            if !has_no_effect(&code) || sets_any(&code, &before) {
                return fail(&closure.expression, message::IMPURE_UPDATE);
            }
            body.code.extend(code);
            let (is_some, item, _) = body.cases(&new).expect("it is an option");
            body.fill(&result, &Typed::word(is_some.clone(), Type::Bool));
            let is_none = body.not(&is_some);
            if is_none != Operand::Number(0) {
                body.jump_if(&is_none, &tag, false);
            }
            let item = item.operand();
            let (exchanged, _) =
                body.exchange(&Exchange { address, expected: &now, new: &item, orders, is_weak: false });
            let fails = body.not(&exchanged);
            body.jump_if(&fails, &tag, true);
            Ok(())
        })?;
        self.block(&tag, body);
        let old = Operand::Register(old);
        let words = vec![result.operand(), old.clone(), old];
        Ok(Typed { words, ty: Type::Result(Box::new(ty.clone()), Box::new(ty.clone())) })
    }
}

/// The operation of LSL that a method does.
fn operation_of(name: &str, ty: &Type) -> Option<&'static str> {
    Some(match (name, ty) {
        ("fetch_add", Type::Integer(_)) => "add",
        ("fetch_sub", Type::Integer(_)) => "sub",
        ("fetch_and", Type::Integer(_)) => "bitand",
        ("fetch_or", Type::Integer(_)) => "bitor",
        ("fetch_xor", Type::Integer(_)) => "bitxor",
        ("fetch_max", Type::Integer(_)) => "max",
        ("fetch_min", Type::Integer(_)) => "min",
        ("fetch_and", Type::Bool) => "and",
        ("fetch_or", Type::Bool) => "or",
        ("fetch_xor", Type::Bool) => "ne",
        _ => return None,
    })
}

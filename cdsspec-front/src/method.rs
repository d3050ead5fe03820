//! Method calls: of atomics, cells, pointers, options, results and integers, and of the module's own types.

use crate::body::{Body, Place, Typed};
use crate::code::Operand;
use crate::message::{self, Fail, fail};
use crate::module::FunctionId;
use crate::types::{Integer, Type, UNIT};
use syn::{Expr, ExprMethodCall, ReceiverKind};

impl Body<'_, '_> {
    pub(crate) fn method(&mut self, call: &ExprMethodCall, expected: &Type) -> Result<Typed, Fail> {
        let mut place = self.place(&call.receiver)?;
        let name = call.method.to_string();
        loop {
            if let Type::Struct(own, _) = place.ty() {
                let id = FunctionId { own: Some(own.clone()), name: name.clone() };
                if self.translator.module.functions.contains_key(&id) {
                    return self.own_method(&id, &place, call, expected);
                }
            }
            let built_in = match place.ty() {
                Type::Atomic(_) => self.atomic(&place, call)?,
                Type::Cell(_) => self.cell(&place, call, expected)?,
                Type::Raw(_) => self.pointer(&place, call)?,
                Type::Option(_) | Type::Result(..) => self.option(&place, call, expected)?,
                Type::Integer(_) | Type::Literal => self.number(&place, call)?,
                Type::Bool => self.truth(&place, call, expected)?,
                _ => None,
            };
            if let Some(value) = built_in {
                return Ok(value);
            }
            if name == "clone" && place.ty().is_word() && !matches!(place.ty(), Type::Box(_)) {
                return self.read(&place, call);
            }
            if place.ty().pointee().is_none() {
                return Fail::at(call.method.span(), message::UNKNOWN_METHOD, &[&name]);
            }
            place = self.pointee(place, &call.receiver)?;
        }
    }

    fn own_method(
        &mut self,
        id: &FunctionId,
        place: &Place,
        call: &ExprMethodCall,
        expected: &Type,
    ) -> Result<Typed, Fail> {
        let function = &self.translator.module.functions[id];
        let Some(receiver) = function.signature.receiver() else {
            return Fail::at(call.method.span(), message::UNKNOWN_METHOD, &[&id.name]);
        };
        let is_borrowed = !matches!(receiver.kind, ReceiverKind::Value);
        let own = if is_borrowed {
            self.address(place, &call.receiver)?
        } else {
            self.read(place, &call.receiver)?
        };
        self.invoke(id, Some(own), &call.args.iter().collect::<Vec<_>>(), expected, call)
    }

    /// `with`, `with_mut`, `into_inner` and `get_mut` of a cell.
    fn cell(&mut self, place: &Place, call: &ExprMethodCall, expected: &Type) -> Result<Option<Typed>, Fail> {
        let Type::Cell(ty) = place.ty().clone() else { return Ok(None) };
        let inner = match place.clone() {
            Place::Memory { base, path, .. } => Place::Memory { base, path, ty: *ty },
            Place::Local { variable, first, .. } => Place::Local { variable, first, ty: *ty },
            Place::Value(value) => Place::Value(Typed { ty: *ty, ..value }),
        };
        let arguments: Vec<&Expr> = call.args.iter().collect();
        Ok(Some(match (call.method.to_string().as_str(), arguments.as_slice()) {
            ("with" | "with_mut", [closure]) => {
                let address = self.address(&inner, call)?;
                let pointer = Typed { ty: Type::Raw(Box::new(inner.ty().clone())), ..address };
                let closure = self.closure(closure)?;
                self.called(&closure, vec![pointer], expected)?
            }
            ("into_inner", []) => self.read(&inner, call)?,
            ("get_mut", []) => self.address(&inner, call)?,
            _ => return Ok(None),
        }))
    }

    /// Methods of raw pointers.
    fn pointer(&mut self, place: &Place, call: &ExprMethodCall) -> Result<Option<Typed>, Fail> {
        let name = call.method.to_string();
        if !matches!(name.as_str(), "is_null" | "cast_mut" | "cast_const" | "as_ref" | "as_mut") {
            return Ok(None);
        }
        let pointer = self.read(place, call)?;
        let Type::Raw(ty) = pointer.ty.clone() else { return Ok(None) };
        let null = Operand::Number(0);
        Ok(Some(match name.as_str() {
            "is_null" => Typed::word(self.equal(&pointer.operand(), &null), Type::Bool),
            "cast_mut" | "cast_const" => pointer,
            _ => {
                let is_some = self.compute("ne", &pointer.operand(), &null);
                let ty = Type::Option(Box::new(Type::Reference(ty)));
                Typed { words: vec![is_some, pointer.operand()], ty }
            }
        }))
    }

    /// An option as one of references to where its item is.
    fn borrowed(&mut self, place: &Place, call: &ExprMethodCall) -> Result<Typed, Fail> {
        let Type::Option(ty) = place.ty().clone() else { return fail(call, message::EXPRESSION) };
        let is_some = self.item(place.clone(), 0, Type::Bool);
        let is_some = self.read(&is_some, call)?.operand();
        let item = self.item(place.clone(), 1, *ty);
        let address = self.address(&item, &call.receiver)?;
        let words = vec![is_some, address.operand()];
        Ok(Typed { words, ty: Type::Option(Box::new(address.ty)) })
    }

    /// Methods of options and results.
    fn option(
        &mut self,
        place: &Place,
        call: &ExprMethodCall,
        expected: &Type,
    ) -> Result<Option<Typed>, Fail> {
        let name = call.method.to_string();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        match (name.as_str(), arguments.as_slice()) {
            ("as_ref" | "as_mut", []) => return self.borrowed(place, call).map(Some),
            ("take", []) | ("replace", [_]) => {
                let old = self.read(place, call)?;
                let is_some = self.item(place.clone(), 0, Type::Bool);
                match arguments.first() {
                    None => self.write(&is_some, &Typed::number(0, Type::Bool), call)?,
                    Some(item) => {
                        let Type::Option(ty) = old.ty.clone() else { return Ok(None) };
                        let item = self.expression(item, &ty)?;
                        let mut words = vec![Operand::Number(1)];
                        words.extend(item.words);
                        let new = Typed { words, ty: Type::Option(Box::new(item.ty)) };
                        self.write(place, &new, call)?;
                    }
                }
                return Ok(Some(old));
            }
            _ => {}
        }
        if !OPTION_METHODS.contains(&name.as_str()) {
            return Ok(None);
        }
        let value = self.read(place, call)?;
        self.option_value(&value, call, expected).map(Some)
    }

    fn option_value(&mut self, value: &Typed, call: &ExprMethodCall, expected: &Type) -> Result<Typed, Fail> {
        let (first, right, wrong) = self.cases(value).expect("it is an option or a result");
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let name = call.method.to_string();
        let of = |body: &mut Self, argument: &Expr| body.closure(argument);
        Ok(match (name.as_str(), arguments.as_slice()) {
            ("is_some" | "is_ok", []) => Typed::word(first, Type::Bool),
            ("is_none" | "is_err", []) => Typed::word(self.not(&first), Type::Bool),
            ("unwrap", []) | ("expect", [_]) => {
                self.assert(&first);
                right
            }
            ("unwrap_err", []) | ("expect_err", [_]) => {
                let is_wrong = self.not(&first);
                self.assert(&is_wrong);
                wrong
            }
            ("ok", []) => Typed {
                ty: Type::Option(Box::new(right.ty.clone())),
                words: [vec![first], right.words].concat(),
            },
            ("err", []) => {
                let is_wrong = self.not(&first);
                Typed {
                    ty: Type::Option(Box::new(wrong.ty.clone())),
                    words: [vec![is_wrong], wrong.words].concat(),
                }
            }
            ("unwrap_or", [other]) => {
                let other_value = self.expression(other, &right.ty)?;
                let other_value = self.coerced(&other_value, &right.ty, other)?;
                let pairs = right.words.iter().zip(&other_value.words);
                let words = pairs.map(|(word, other)| self.select(&first, word, other)).collect();
                Typed { ty: other_value.ty, words }
            }
            ("unwrap_or_else", [closure]) => {
                let closure = of(self, closure)?;
                let arguments = if matches!(value.ty, Type::Option(_)) { Vec::new() } else { vec![wrong] };
                let ty = right.ty.clone();
                self.either(&first, |_| Ok(right), |body| body.called(&closure, arguments, &ty), call)?
            }
            ("map" | "and_then" | "is_some_and" | "is_ok_and", [closure]) => {
                let closure = of(self, closure)?;
                self.mapped(&name, (first, right, wrong), &closure, expected, call)?
            }
            ("map_or", [other, closure]) => {
                let other_value = self.expression(other, expected)?;
                let function = match closure {
                    Expr::Path(path) if path.path.is_ident("Err") || path.path.is_ident("Ok") => None,
                    closure => Some(of(self, closure)?),
                };
                let run = |body: &mut Self| match function {
                    Some(closure) => body.called(&closure, vec![right], expected),
                    None => {
                        let name = if matches!(closure, Expr::Path(path) if path.path.is_ident("Ok")) {
                            "Ok"
                        } else {
                            "Err"
                        };
                        Ok(body.case(name, right))
                    }
                };
                self.either(&first, run, |_| Ok(other_value), call)?
            }
            _ => return Fail::at(call.method.span(), message::UNKNOWN_METHOD, &[&name]),
        })
    }

    fn mapped(
        &mut self,
        name: &str,
        (first, right, wrong): (Operand, Typed, Typed),
        closure: &crate::body::Closure,
        expected: &Type,
        at: &ExprMethodCall,
    ) -> Result<Typed, Fail> {
        let is_option = wrong.ty == UNIT && wrong.words.is_empty();
        let wrap = |body: &Self, value: Typed| {
            if is_option { body.case("Some", value) } else { body.case("Ok", value) }
        };
        let run = |body: &mut Self| {
            let wanted = if name == "and_then" { expected } else { &Type::Unknown };
            let value = body.called(closure, vec![right], wanted)?;
            Ok(if name == "map" { wrap(body, value) } else { value })
        };
        let otherwise = |body: &mut Self| {
            Ok(match name {
                "map" | "and_then" if is_option => {
                    Typed { ty: Type::Option(Box::new(Type::Unknown)), words: vec![Operand::Number(0)] }
                }
                "map" | "and_then" => body.case("Err", wrong),
                _ => Typed::number(0, Type::Bool),
            })
        };
        self.either(&first, run, otherwise, at)
    }

    /// `Some(value)`, `Ok(value)`, `Err(value)`.
    pub(crate) fn case(&self, name: &str, value: Typed) -> Typed {
        let ty = Box::new(value.ty.clone());
        let size = value.words.len();
        let mut words = vec![Operand::Number(i64::from(name != "Err"))];
        words.extend(value.words);
        debug_assert_eq!(words.len(), size + 1);
        let ty = match name {
            "Some" => Type::Option(ty),
            "Ok" => Type::Result(ty, Box::new(Type::Unknown)),
            _ => Type::Result(Box::new(Type::Unknown), ty),
        };
        Typed { ty, words }
    }

    /// `then` and `then_some` of a truth value.
    fn truth(
        &mut self,
        place: &Place,
        call: &ExprMethodCall,
        expected: &Type,
    ) -> Result<Option<Typed>, Fail> {
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let inner = match expected {
            Type::Option(inner) => (**inner).clone(),
            _ => Type::Unknown,
        };
        let name = call.method.to_string();
        let [argument] = arguments.as_slice() else { return Ok(None) };
        let none =
            || Ok(Typed { ty: Type::Option(Box::new(Type::Unknown)), words: vec![Operand::Number(0)] });
        let holds = match name.as_str() {
            "then" | "then_some" => self.read(place, call)?.operand(),
            _ => return Ok(None),
        };
        if name == "then_some" {
            let value = self.expression(argument, &inner)?;
            let words = [vec![holds], value.words].concat();
            return Ok(Some(Typed { ty: Type::Option(Box::new(value.ty)), words }));
        }
        let closure = self.closure(argument)?;
        let run = |body: &mut Self| {
            let value = body.called(&closure, Vec::new(), &inner)?;
            Ok(body.case("Some", value))
        };
        self.either(&holds, run, |_| none(), call).map(Some)
    }

    /// Methods of integers that do not panic on overflow.
    fn number(&mut self, place: &Place, call: &ExprMethodCall) -> Result<Option<Typed>, Fail> {
        let name = call.method.to_string();
        let (kind, operation) = name.rsplit_once('_').unwrap_or(("", &name));
        let is_known = match kind {
            "wrapping" => matches!(operation, "add" | "sub" | "mul"),
            "checked" | "saturating" | "overflowing" => matches!(operation, "add" | "sub"),
            "abs" => operation == "diff",
            "" => matches!(operation, "min" | "max"),
            _ => false,
        };
        let Some(argument) = call.args.first().filter(|_| is_known && call.args.len() == 1) else {
            return Ok(None);
        };
        let left = self.read(place, call)?;
        let right = self.expression(argument, &left.ty)?;
        let right = self.coerced(&right, &left.ty, argument)?;
        let left = self.coerced(&left, &right.ty, call)?;
        let Type::Integer(integer) = left.ty else { return fail(&call.receiver, message::NO_WIDTH) };
        let (ty, left, right) = (left.ty.clone(), left.operand(), right.operand());
        self.numbered(kind, operation, [&left, &right], integer, ty).map(Some)
    }

    fn numbered(
        &mut self,
        kind: &str,
        operation: &str,
        [left, right]: [&Operand; 2],
        integer: Integer,
        ty: Type,
    ) -> Result<Typed, Fail> {
        let word = Typed::word;
        if matches!(kind, "" | "abs") {
            let less = self.less(left, right, integer);
            return Ok(match operation {
                "min" => word(self.select(&less, left, right), ty),
                "max" => word(self.select(&less, right, left), ty),
                _ => {
                    let [up, down] = [[right, left], [left, right]];
                    let [up, down] = [up, down].map(|[one, other]| self.compute("sub", one, other));
                    let unsigned = Integer { is_signed: false, ..integer };
                    let distance = self.select(&less, &up, &down);
                    word(self.wrapped(&distance, unsigned), Type::Integer(unsigned))
                }
            });
        }
        let is_sum = operation == "add";
        if operation == "mul" {
            let product = self.compute("mul", left, right);
            return Ok(word(self.wrapped(&product, integer), ty));
        }
        let result = self.compute(operation, left, right);
        if kind == "wrapping" {
            return Ok(word(self.wrapped(&result, integer), ty));
        }
        let overflows = self.overflows(is_sum, [left, right], &result, integer);
        Ok(match kind {
            "checked" => {
                let is_some = self.not(&overflows);
                Typed { words: vec![is_some, result], ty: Type::Option(Box::new(ty)) }
            }
            "overflowing" => {
                let wrapped = self.wrapped(&result, integer);
                Typed { words: vec![wrapped, overflows], ty: Type::Tuple(vec![ty, Type::Bool]) }
            }
            _ => {
                let (least, greatest) = integer.range().unwrap_or((0, -1));
                let [least, greatest] = [least, greatest].map(Operand::Number);
                let limit = if integer.is_signed {
                    let is_negative = self.compute("lt", right, &Operand::Number(0));
                    let [below, above] = if is_sum { [&least, &greatest] } else { [&greatest, &least] };
                    self.select(&is_negative, below, above)
                } else if is_sum {
                    greatest
                } else {
                    least
                };
                word(self.select(&overflows, &limit, &result), ty)
            }
        })
    }
}

/// Methods that take an option or a result as a value.
const OPTION_METHODS: [&str; 18] = [
    "is_some",
    "is_ok",
    "is_none",
    "is_err",
    "unwrap",
    "expect",
    "unwrap_err",
    "expect_err",
    "ok",
    "err",
    "unwrap_or",
    "unwrap_or_else",
    "map",
    "and_then",
    "is_some_and",
    "is_ok_and",
    "map_or",
    "copied",
];

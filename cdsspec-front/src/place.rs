//! Places: where something is, reading it, writing it, its address.

use crate::body::{Body, Place, Typed};
use crate::code::{Operand, Statement};
use crate::message::{self, Fail, fail};
use crate::types::{Order, Type, USIZE};
use quote::ToTokens;
use syn::{Expr, Member, UnOp};

/// The order of what is no atomic.
pub(crate) const NON_ATOMIC: Order = "na";

impl Place {
    pub(crate) fn ty(&self) -> &Type {
        match self {
            Self::Memory { ty, .. } | Self::Local { ty, .. } => ty,
            Self::Value(value) => &value.ty,
        }
    }
}

impl Body<'_, '_> {
    /// The place that an expression names; a value that is nowhere if it names none.
    pub(crate) fn place(&mut self, expression: &Expr) -> Result<Place, Fail> {
        match expression {
            Expr::Paren(inner) => self.place(&inner.expr),
            Expr::Group(inner) => self.place(&inner.expr),
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                match name.and_then(|name| self.lookup(&name)) {
                    Some(variable) => {
                        let ty = self.variables[variable].value.ty.clone();
                        Ok(Place::Local { variable, first: 0, ty })
                    }
                    None => self.expression(expression, &Type::Unknown).map(Place::Value),
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
                let pointer = self.place(&unary.expr)?;
                self.pointee(pointer, expression)
            }
            Expr::Field(field) => {
                let base = self.place(&field.base)?;
                let name = match &field.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(index) => index.index.to_string(),
                };
                self.field(base, &name, expression)
            }
            Expr::Index(index) => self.element(index),
            Expr::Unsafe(block) if block.block.stmts.len() == 1 => match &block.block.stmts[0] {
                syn::Stmt::Expr(inner, None) => self.place(inner),
                _ => self.expression(expression, &Type::Unknown).map(Place::Value),
            },
            other => {
                let value = self.expression(other, &Type::Unknown)?;
                self.kept_value(&value, other)?;
                Ok(Place::Value(value))
            }
        }
    }

    /// Refuses a value that is dropped here, if that runs code.
    pub(crate) fn kept_value(&self, value: &Typed, at: &impl ToTokens) -> Result<(), Fail> {
        if self.translator.module.is_dropped(&value.ty) { fail(at, message::DROPS) } else { Ok(()) }
    }

    /// What a pointer in this place leads to.
    pub(crate) fn pointee(&mut self, pointer: Place, at: &impl ToTokens) -> Result<Place, Fail> {
        let Some(ty) = pointer.ty().pointee().cloned() else { return fail(at, message::NO_TYPE) };
        let base = self.read(&pointer, at)?.operand();
        Ok(Place::Memory { base, path: Vec::new(), ty })
    }

    /// A field, behind as many pointers as there are.
    fn field(&mut self, mut base: Place, name: &str, at: &Expr) -> Result<Place, Fail> {
        while base.ty().pointee().is_some() {
            base = self.pointee(base, at)?;
        }
        let Some((index, ty)) = self.translator.module.field(base.ty(), name) else {
            return fail(at, message::UNKNOWN_FIELD);
        };
        Ok(self.item(base, index, ty))
    }

    /// An item of a struct, tuple, array, option or result.
    pub(crate) fn item(&self, base: Place, index: u32, ty: Type) -> Place {
        let module = self.translator.module;
        let before = |base: &Type| base.words(module).iter().filter(|path| path[0] < index).count();
        match base {
            Place::Memory { base, mut path, .. } => {
                path.push(index);
                Place::Memory { base, path, ty }
            }
            Place::Local { variable, first, ty: whole } => {
                Place::Local { variable, first: first + before(&whole), ty }
            }
            Place::Value(value) => Place::Value(self.part(&value, before(&value.ty), &ty)),
        }
    }

    fn element(&mut self, index: &syn::ExprIndex) -> Result<Place, Fail> {
        let mut base = self.place(&index.expr)?;
        while base.ty().pointee().is_some() {
            base = self.pointee(base, index)?;
        }
        let Type::Array(item, length) = base.ty().clone() else { return fail(index, message::EXPRESSION) };
        let position = self.expression(&index.index, &Type::Integer(USIZE))?;
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        if let Some(known) = position.constant().filter(|known| (0..length).contains(known)) {
            let known = u32::try_from(known).or_else(|_| fail(index, message::LENGTH))?;
            return Ok(self.item(base, known, *item));
        }
        let Place::Memory { .. } = base else { return fail(index, message::ADDRESS_OF_LOCAL) };
        let is_below = self.less(&position.operand(), &Operand::Number(length), USIZE);
        self.assert(&is_below);
        let array = self.address(&base, index)?.operand();
        let base = self.set("element", "offset", &[&array, &position.operand()]);
        Ok(Place::Memory { base, path: Vec::new(), ty: *item })
    }

    pub(crate) fn located(&mut self, base: &Operand, path: &[u32]) -> Operand {
        let mut address = base.clone();
        for index in path {
            address = self.set("address", "offset", &[&address, &Operand::Number(i64::from(*index))]);
        }
        address
    }

    /// A reference to a place.
    pub(crate) fn address(&mut self, place: &Place, at: &impl ToTokens) -> Result<Typed, Fail> {
        match place {
            Place::Memory { base, path, ty } => {
                let address = self.located(base, path);
                Ok(Typed::word(address, Type::Reference(Box::new(ty.clone()))))
            }
            _ => fail(at, message::ADDRESS_OF_LOCAL),
        }
    }

    /// What is in a place. A variable that may be set again is copied, so that the value stays.
    pub(crate) fn read(&mut self, place: &Place, at: &impl ToTokens) -> Result<Typed, Fail> {
        match place {
            Place::Value(value) => Ok(value.clone()),
            Place::Local { variable, first, ty } => {
                let variable = &self.variables[*variable];
                let (value, is_mutable) = (variable.value.clone(), variable.is_mutable);
                let value = self.part(&value, *first, ty);
                if !is_mutable {
                    return Ok(value);
                }
                let words = value.words.iter().map(|word| match word {
                    Operand::Register(register) => {
                        let name = register.clone();
                        self.set(&format!("{name}.now"), "copy", &[word])
                    }
                    other => other.clone(),
                });
                Ok(Typed { words: words.collect(), ty: value.ty })
            }
            Place::Memory { base, path, ty } => {
                if self.translator.module.is_shared(ty) {
                    return fail(at, message::MOVED);
                }
                if *ty == Type::Unknown {
                    return fail(at, message::NO_TYPE);
                }
                Ok(self.load_all(base, path, ty))
            }
        }
    }

    /// Loads all words of a place that is no atomic.
    pub(crate) fn load_all(&mut self, base: &Operand, path: &[u32], ty: &Type) -> Typed {
        let mut words = Vec::new();
        for word in ty.words(self.translator.module) {
            let address = self.located(base, &[path, &word].concat());
            words.push(self.load("value", &address, NON_ATOMIC));
        }
        Typed { ty: ty.clone(), words }
    }

    pub(crate) fn load(&mut self, name: &str, address: &Operand, order: Order) -> Operand {
        let register = self.fresh(name);
        self.load_into(&register, address, order);
        Operand::Register(register)
    }

    pub(crate) fn load_into(&mut self, register: &str, address: &Operand, order: Order) {
        let address = self.register(address);
        let operation = format!("*{address} {order}");
        self.emit(Statement::Set { register: register.to_owned(), operation, reads: vec![address] });
    }

    pub(crate) fn store(&mut self, address: &Operand, value: &Operand, order: Order) {
        let (address, value) = (self.register(address), self.register(value));
        self.emit(Statement::Store { address, value, order });
    }

    /// Writes a value of the place's type. What nobody reads is not stored.
    pub(crate) fn write(&mut self, place: &Place, value: &Typed, at: &impl ToTokens) -> Result<(), Fail> {
        match place {
            Place::Value(_) => fail(at, message::NOT_A_PLACE),
            Place::Local { variable, first, ty } => self.write_local(*variable, *first, ty, value, at),
            Place::Memory { base, path, ty } => {
                let value = self.coerced(value, ty, at)?;
                let words = ty.words(self.translator.module);
                for (word, operand) in words.iter().zip(&value.words) {
                    if *operand != Operand::Undefined {
                        let address = self.located(base, &[path.as_slice(), word].concat());
                        self.store(&address, operand, NON_ATOMIC);
                    }
                }
                Ok(())
            }
        }
    }

    fn write_local(
        &mut self,
        variable: usize,
        first: usize,
        ty: &Type,
        value: &Typed,
        at: &impl ToTokens,
    ) -> Result<(), Fail> {
        if self.variables[variable].value.ty == Type::Unknown {
            // Declared without a value, or without a type.
            let slot = self.slot("later", &value.ty);
            self.variables[variable].value = slot;
        } else if self.variables[variable].value.ty == Type::Literal && value.ty != Type::Literal {
            let coerced = self.coerced(value, &Type::Literal, at)?;
            self.variables[variable].value.ty = coerced.ty;
        }
        let whole = self.variables[variable].value.clone();
        let ty = if first == 0 && *ty == Type::Unknown || *ty == Type::Literal { &whole.ty } else { ty };
        let value = self.coerced(value, ty, at)?;
        if value.ty.size(self.translator.module) != ty.size(self.translator.module) {
            return fail(at, message::NO_TYPE);
        }
        let slot = self.part(&whole, first, ty);
        self.fill(&slot, &value);
        Ok(())
    }
}

//! The instance of a generic impl that is specified.

use super::value::closed;
use crate::diagnostics::{
    Errors, INSTANCE_LIFETIME, INSTANCE_NOT_A_CONSTANT, INSTANCE_NOT_A_TYPE, INSTANCE_OF_NOTHING, NO_INSTANCE,
};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::visit_mut::VisitMut;
use syn::{Expr, GenericParam, ItemImpl, Stmt, Type};

/// What stands for a generic parameter.
pub(crate) struct InstanceArgument {
    /// The parameter, as the impl names it.
    pub(crate) name: Ident,
    /// Which kind it is of.
    pub(crate) kind: ParameterKind,
    /// The type or the constant.
    pub(crate) value: TokenStream,
}

/// The kinds of generic parameters that are not lifetimes.
pub(crate) enum ParameterKind {
    /// `T`
    Type,
    /// `const N: usize`, with this type.
    Constant(Box<Type>),
}

/// Each type and constant parameter of the impl, with what stands for it. Lifetimes need nothing: no recorded value has one.
pub(super) fn build(
    given: &[(Ident, TokenStream)],
    header: &ItemImpl,
    errors: &mut Errors,
) -> Vec<InstanceArgument> {
    let parameters: Vec<(&Ident, ParameterKind)> = header
        .generics
        .params
        .iter()
        .filter_map(|parameter| match parameter {
            GenericParam::Type(parameter) => Some((&parameter.ident, ParameterKind::Type)),
            GenericParam::Const(parameter) => {
                Some((&parameter.ident, ParameterKind::Constant(Box::new(parameter.ty.clone()))))
            }
            GenericParam::Lifetime(_) => None,
        })
        .collect();
    for (name, _) in given {
        if !parameters.iter().any(|(known, _)| *known == name) {
            errors.at(name.span(), INSTANCE_OF_NOTHING, &[&name.to_string()]);
        }
    }
    let mut instance = Vec::new();
    for (name, kind) in parameters {
        match given.iter().find(|(known, _)| known == name) {
            Some((given, value)) => {
                let value = read(given, &kind, value, errors);
                instance.push(InstanceArgument { name: name.clone(), kind, value });
            }
            None => errors.at(name.span(), NO_INSTANCE, &[&name.to_string(), &name.to_string()]),
        }
    }
    instance
}

/// Reads a value where it stands, so that a bad one is no mistake of what is made of it.
fn read(name: &Ident, kind: &ParameterKind, value: &TokenStream, errors: &mut Errors) -> TokenStream {
    let message = match kind {
        ParameterKind::Type => match syn::parse2::<Type>(value.clone()) {
            Ok(ty) => {
                if has_reference(&ty) {
                    errors.on(value, INSTANCE_LIFETIME, &[]);
                }
                return closed(&ty);
            }
            Err(_) => INSTANCE_NOT_A_TYPE,
        },
        ParameterKind::Constant(_) => match syn::parse2::<Expr>(value.clone()) {
            Ok(constant) => return without_braces(&constant).to_token_stream(),
            Err(_) => INSTANCE_NOT_A_CONSTANT,
        },
    };
    let place = if value.is_empty() { name.to_token_stream() } else { value.clone() };
    errors.on(&place, message, &[&name.to_string()]);
    value.clone()
}

/// What stands in braces that only an argument needs: the compiler would warn of them where the constant is defined.
fn without_braces(constant: &Expr) -> &Expr {
    match constant {
        Expr::Block(block) if block.label.is_none() && block.attrs.is_empty() => match &block.block.stmts[..]
        {
            [Stmt::Expr(value, None)] => value,
            _ => constant,
        },
        other => other,
    }
}

/// Whether a type has a lifetime: what stands for a parameter is kept after the call. At run time the name of the type is looked at, where
/// a function's own lifetimes are not told from others.
fn has_reference(ty: &Type) -> bool {
    struct Found(bool);
    impl VisitMut for Found {
        fn visit_lifetime_mut(&mut self, _lifetime: &mut syn::Lifetime) {
            self.0 = true;
        }

        fn visit_type_reference_mut(&mut self, _reference: &mut syn::TypeReference) {
            self.0 = true;
        }

        fn visit_type_trait_object_mut(&mut self, _object: &mut syn::TypeTraitObject) {
            self.0 = true;
        }

        fn visit_expr_mut(&mut self, _constant: &mut Expr) {}
    }
    let mut found = Found(false);
    found.visit_type_mut(&mut ty.clone());
    found.0
}

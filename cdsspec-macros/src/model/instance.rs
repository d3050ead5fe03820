//! The instance of a generic impl that is specified.

use crate::diagnostics::{Errors, INSTANCE_OF_NOTHING, INSTANCE_VALUE, NO_INSTANCE};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Expr, GenericParam, ItemImpl, Type};

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

/// Whether a value is a type, or where the parameter is a constant, what can stand in a list of generic arguments for it.
fn is_readable(value: &TokenStream, kind: &ParameterKind) -> bool {
    match kind {
        ParameterKind::Type => syn::parse2::<Type>(value.clone()).is_ok(),
        ParameterKind::Constant(_) => syn::parse2::<Expr>(value.clone()).is_ok(),
    }
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
            Some((_, value)) if !is_readable(value, &kind) => {
                errors.on(value, INSTANCE_VALUE, &[&name.to_string()]);
            }
            Some((_, value)) => {
                instance.push(InstanceArgument { name: name.clone(), kind, value: value.to_token_stream() });
            }
            None => errors.at(name.span(), NO_INSTANCE, &[&name.to_string(), &name.to_string()]),
        }
    }
    instance
}

//! How the values of a call are kept after it: as owned copies.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{ExprClosure, Generics, Type};

/// How a parameter is kept.
pub(crate) enum Kept {
    /// A clone.
    Value(Type),
    /// Of `&T`, an owned `T`; clauses see it as `&T` again.
    Reference(Type),
    /// Of `&mut T`, an owned `T` as at the return; clauses see it as `&T`.
    AtReturn(Type),
}

/// How the return value is kept.
pub(crate) enum Returned {
    /// Not at all.
    Unrecorded,
    /// A clone.
    Value(Type),
    /// A clone if the type is `Clone` and the value of the side effect not `()`: only the rule that stands where no post_condition does
    /// looks at it.
    IfCompared(Type),
    /// Of `&T` or `&mut T`, an owned `T`.
    Reference(Type),
    /// What `#[returns(…)]` makes of it.
    Projected(Box<Type>, Box<ExprClosure>),
}

/// Why a type cannot be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unkept {
    /// It holds a reference.
    Lifetime(Span),
    /// It is `impl Trait` or has a generic parameter.
    Generic(Span),
}

/// How a parameter of this type is kept.
pub(super) fn keep_parameter(ty: &Type, generics: &[&Generics]) -> Result<Kept, Unkept> {
    let kept = match ungrouped(ty) {
        Type::Reference(reference) if reference.mutability.is_some() => {
            Kept::AtReturn((*reference.elem).clone())
        }
        Type::Reference(reference) => Kept::Reference((*reference.elem).clone()),
        other => Kept::Value(other.clone()),
    };
    let (Kept::Value(inner) | Kept::Reference(inner) | Kept::AtReturn(inner)) = &kept;
    check(inner, generics).map(|()| kept)
}

/// How a return value of this type is kept, if a clause mentions it.
pub(super) fn keep_return(ty: &Type, generics: &[&Generics]) -> Result<Returned, Unkept> {
    let kept = match ungrouped(ty) {
        Type::Reference(reference) => Returned::Reference((*reference.elem).clone()),
        other => Returned::Value(other.clone()),
    };
    let (Returned::Value(inner) | Returned::Reference(inner)) = &kept else { return Ok(kept) };
    check(inner, generics).map(|()| kept)
}

/// How a return value of this type is kept, if no clause mentions it.
pub(super) fn keep_return_if_compared(ty: &Type, generics: &[&Generics]) -> Returned {
    match ungrouped(ty) {
        Type::Reference(_) | Type::Never(_) => Returned::Unrecorded,
        Type::Tuple(tuple) if tuple.elems.is_empty() => Returned::Unrecorded,
        other if check(other, generics).is_ok() => Returned::IfCompared(other.clone()),
        _ => Returned::Unrecorded,
    }
}

fn ungrouped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped(&group.elem),
        Type::Paren(paren) => ungrouped(&paren.elem),
        other => other,
    }
}

fn check(ty: &Type, generics: &[&Generics]) -> Result<(), Unkept> {
    let parameters = generics.iter().flat_map(|generics| &generics.params);
    let parameters = parameters.filter_map(|parameter| match parameter {
        syn::GenericParam::Type(parameter) => Some(&parameter.ident),
        syn::GenericParam::Const(parameter) => Some(&parameter.ident),
        syn::GenericParam::Lifetime(_) => None,
    });
    let mut check = Check { parameters: parameters.collect(), found: None };
    check.visit_type_mut(&mut ty.clone());
    check.found.map_or(Ok(()), Err)
}

struct Check<'a> {
    parameters: Vec<&'a Ident>,
    found: Option<Unkept>,
}

impl VisitMut for Check<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident != "static" {
            self.found = Some(Unkept::Lifetime(lifetime.span()));
        }
    }

    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            self.found = Some(Unkept::Lifetime(reference.and_token.span));
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    /// The lifetimes of a function's type are its own.
    fn visit_type_fn_ptr_mut(&mut self, _function: &mut syn::TypeFnPtr) {}

    fn visit_type_impl_trait_mut(&mut self, implementor: &mut syn::TypeImplTrait) {
        self.found = Some(Unkept::Generic(implementor.impl_token.span));
    }

    fn visit_ident_mut(&mut self, ident: &mut Ident) {
        if self.parameters.iter().any(|parameter| *parameter == ident) {
            self.found = Some(Unkept::Generic(ident.span()));
        }
    }
}

/// A type that means the same whatever stands around it: the bounds of `dyn A + B` would go on in what follows, and a `&` before them would
/// take in the first one only.
pub(crate) fn closed(ty: &Type) -> TokenStream {
    if is_open(ty) { quote!((#ty)) } else { ty.to_token_stream() }
}

/// Whether a `+` is not inside of brackets that everyone sees.
fn is_open(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_open(&group.elem),
        Type::TraitObject(object) => object.bounds.len() > 1 || object.bounds.trailing_punct(),
        Type::ImplTrait(implementor) => implementor.bounds.len() > 1 || implementor.bounds.trailing_punct(),
        // Syntax that only the compiler knows.
        Type::Verbatim(_) => true,
        _ => false,
    }
}

/// With another lifetime in the place of every named one but `'static`.
pub(crate) fn with_lifetime(tokens: TokenStream, lifetime: &TokenStream) -> TokenStream {
    let mut replaced = TokenStream::new();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                let name = tokens.next();
                let is_static = matches!(&name, Some(TokenTree::Ident(name)) if name == "static");
                if is_static {
                    replaced.extend([Some(TokenTree::Punct(punct)), name].into_iter().flatten());
                } else {
                    replaced.extend(lifetime.clone());
                }
            }
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), with_lifetime(group.stream(), lifetime));
                new.set_span(group.span());
                replaced.extend([TokenTree::Group(new)]);
            }
            other => replaced.extend([other]),
        }
    }
    replaced
}

/// `Self`, outside of the impl; before `::`, the path. Where no other type may stand it stays, and the compiler says what is wrong with it.
pub(crate) fn without_self(
    tokens: TokenStream,
    self_type: &TokenStream,
    self_path: &TokenStream,
) -> TokenStream {
    let mut replaced = TokenStream::new();
    let mut is_bound = false;
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(ident) if ident == "Self" && !is_bound => match behind(&tokens[index + 1..]) {
                Behind::Path => replaced.extend(self_path.clone()),
                Behind::Arguments => replaced.extend([token.clone()]),
                Behind::Value if !is_name(self_type) => replaced.extend([token.clone()]),
                Behind::Value | Behind::Other => replaced.extend(self_type.clone()),
            },
            TokenTree::Group(group) => {
                let mut new =
                    Group::new(group.delimiter(), without_self(group.stream(), self_type, self_path));
                new.set_span(group.span());
                replaced.extend([TokenTree::Group(new)]);
            }
            other => replaced.extend([other.clone()]),
        }
        is_bound = matches!(token, TokenTree::Ident(ident) if ident == "dyn" || ident == "impl");
    }
    replaced
}

/// What stands behind `Self`.
enum Behind {
    /// `::name`
    Path,
    /// What is only right behind a name: `<…>`, `::<…>`, `!`, `+ bound`, `{ … }`.
    Arguments,
    /// `(…)`: the value of a tuple struct, in a constant.
    Value,
    Other,
}

fn behind(tokens: &[TokenTree]) -> Behind {
    let letter = |index: usize| match tokens.get(index) {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    };
    match (tokens.first(), letter(0)) {
        (Some(TokenTree::Group(group)), _) => match group.delimiter() {
            Delimiter::Brace => Behind::Arguments,
            Delimiter::Parenthesis => Behind::Value,
            _ => Behind::Other,
        },
        (_, Some(':')) if letter(1) == Some(':') && letter(2) != Some('<') => Behind::Path,
        (_, Some(':')) if letter(1) == Some(':') => Behind::Arguments,
        (_, Some('<' | '!' | '+')) => Behind::Arguments,
        _ => Behind::Other,
    }
}

/// Whether a type is a path without arguments.
fn is_name(ty: &TokenStream) -> bool {
    let is_of_name = |token: TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    };
    ty.clone().into_iter().all(is_of_name)
}

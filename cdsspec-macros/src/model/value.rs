//! How the values of a call are kept after it: as owned copies.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{ExprClosure, Generics, ImplItemType, Type, TypePath};

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
    /// A clone if the type is `Clone` and hides no lifetime, and the value of the side effect is not `()`: only the rule that stands where no
    /// post_condition does looks at it.
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

impl Unkept {
    /// The same, of another place.
    fn at(self, place: Span) -> Self {
        match self {
            Self::Lifetime(_) => Self::Lifetime(place),
            Self::Generic(_) => Self::Generic(place),
        }
    }
}

/// How a parameter of this type is kept.
pub(super) fn keep_parameter(ty: &Type, around: &Surroundings<'_>) -> Result<Kept, Unkept> {
    let kept = match ungrouped(ty) {
        Type::Reference(reference) if reference.mutability.is_some() => {
            Kept::AtReturn((*reference.elem).clone())
        }
        Type::Reference(reference) => Kept::Reference((*reference.elem).clone()),
        other => Kept::Value(other.clone()),
    };
    let (Kept::Value(inner) | Kept::Reference(inner) | Kept::AtReturn(inner)) = &kept;
    check(inner, around).map(|()| kept)
}

/// How a return value of this type is kept, if a clause mentions it.
pub(super) fn keep_return(ty: &Type, around: &Surroundings<'_>) -> Result<Returned, Unkept> {
    let kept = match ungrouped(ty) {
        Type::Reference(reference) => Returned::Reference((*reference.elem).clone()),
        other => Returned::Value(other.clone()),
    };
    let (Returned::Value(inner) | Returned::Reference(inner)) = &kept else { return Ok(kept) };
    check(inner, around).map(|()| kept)
}

/// How a return value of this type is kept, if no clause mentions it.
pub(super) fn keep_return_if_compared(ty: &Type, around: &Surroundings<'_>) -> Returned {
    match ungrouped(ty) {
        Type::Reference(_) | Type::Never(_) => Returned::Unrecorded,
        Type::Tuple(tuple) if tuple.elems.is_empty() => Returned::Unrecorded,
        other if check(other, around).is_ok() => Returned::IfCompared(other.clone()),
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

/// What names in the types of a method mean.
pub(super) struct Surroundings<'a> {
    /// The generic parameters of the method.
    pub(super) generics: &'a Generics,
    /// What the impl says.
    pub(super) own: &'a SelfTypes,
}

/// What `Self` and `Self::Name` are.
pub(super) struct SelfTypes {
    /// Whether `Self` holds a reference.
    has_lifetime: bool,
    /// The associated types that the impl gives.
    associated: HashMap<String, Type>,
}

impl SelfTypes {
    /// Of the type of an impl, and its items that are no functions.
    pub(super) fn new<'i>(self_type: &Type, items: impl Iterator<Item = &'i TokenStream>) -> Self {
        let has_type = |item: &&TokenStream| {
            (*item).clone().into_iter().any(|token| matches!(token, TokenTree::Ident(word) if word == "type"))
        };
        let types = items.filter(has_type).filter_map(|item| syn::parse2::<ImplItemType>(item.clone()).ok());
        let associated = types.map(|item| (item.ident.unraw().to_string(), item.ty)).collect();
        let around = Self { has_lifetime: false, associated: HashMap::new() };
        let around = Surroundings { generics: &Generics::default(), own: &around };
        let has_lifetime = matches!(check(self_type, &around), Err(Unkept::Lifetime(_)));
        Self { has_lifetime, associated }
    }

    /// The type that a path behind `Self` names, if the impl says so.
    fn named(&self, path: &TypePath) -> Option<&Type> {
        let is_own = match &path.qself {
            Some(qself) => matches!(&*qself.ty, Type::Path(own) if own.path.is_ident("Self")),
            None => path.path.segments.len() == 2 && path.path.segments[0].ident == "Self",
        };
        let last = path.path.segments.last().filter(|_| is_own)?;
        self.associated.get(&last.ident.unraw().to_string())
    }
}

fn check(ty: &Type, around: &Surroundings<'_>) -> Result<(), Unkept> {
    let parameters = around.generics.params.iter().filter_map(|parameter| match parameter {
        syn::GenericParam::Type(parameter) => Some(&parameter.ident),
        syn::GenericParam::Const(parameter) => Some(&parameter.ident),
        syn::GenericParam::Lifetime(_) => None,
    });
    let mut check = Check { parameters: parameters.collect(), own: around.own, depth: 0, found: None };
    check.visit_type_mut(&mut ty.clone());
    check.found.map_or(Ok(()), Err)
}

/// How often one associated type may stand in another: one that stands in itself is the compiler's to refuse.
const DEPTH_MAX: usize = 8;

struct Check<'a> {
    parameters: Vec<&'a Ident>,
    own: &'a SelfTypes,
    depth: usize,
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

    fn visit_type_path_mut(&mut self, path: &mut TypePath) {
        let Some(ty) = self.own.named(path) else { return visit_mut::visit_type_path_mut(self, path) };
        if self.depth < DEPTH_MAX {
            let before = self.found.take();
            self.depth += 1;
            self.visit_type_mut(&mut ty.clone());
            self.depth -= 1;
            // What is wrong with the type is said where it is used.
            let place = path.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
            self.found = before.or(self.found.map(|unkept| unkept.at(place)));
        }
    }

    fn visit_ident_mut(&mut self, ident: &mut Ident) {
        if ident == "Self" && self.own.has_lifetime {
            self.found = Some(Unkept::Lifetime(ident.span()));
        }
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

/// Gives `'static` to every reference without a lifetime, but for those of functions, which are their own.
pub(super) struct AllStatic;

impl VisitMut for AllStatic {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        let place = reference.and_token.span;
        reference.lifetime.get_or_insert_with(|| syn::Lifetime::new("'static", place));
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_type_fn_ptr_mut(&mut self, _function: &mut syn::TypeFnPtr) {}

    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        _arguments: &mut syn::ParenthesizedGenericArguments,
    ) {
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
                // `Self::Name +` with nothing behind it is no type, but a bound, which is no path behind another one. `Self::N + 1` is a length.
                Behind::Path if is_plus(tokens.get(index + 4)) && tokens.len() == index + 5 => {
                    replaced.extend([token.clone()])
                }
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

fn is_plus(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '+')
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

#[cfg(test)]
mod tests {
    use super::without_self;
    use quote::quote;

    #[test]
    fn a_length_is_replaced_and_a_bound_is_not() {
        let replaced = |tokens| without_self(tokens, &quote!(Ring), &quote!(<Ring as Get>)).to_string();
        assert_eq!(replaced(quote!([u8; Self::N + 1])), quote!([u8; <Ring as Get>::N + 1]).to_string());
        assert_eq!(replaced(quote!(Self::Value+)), quote!(Self::Value+).to_string());
    }
}

//! The heads of recorded items, where a type that is not there is one error.
//!
//! What is generated names the types of methods again, in items that the compiler gives other advice in. Two errors at one place are said once only if
//! their advice is the same. So there is none in the recorded form: the place where a missing type could become a parameter is made ours, and there
//! the compiler changes nothing.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{GenericParam, Generics, ItemImpl, PredicateType, Signature, Token, Type, WherePredicate};

// Input:
// impl<T: Copy> Queue<T>
// impl Stack
// Output:
// impl<T> Queue<T> where T: Copy
// impl<> Stack
/// The header of an impl, with its empty braces.
pub(super) fn of_impl(header: &ItemImpl) -> TokenStream {
    let mut header = header.clone();
    make_last_ours(&mut header.generics);
    let is_generic = !header.generics.params.is_empty();
    let header = header.into_token_stream();
    if is_generic { header } else { with_brackets(header, |token| is_word(token, "impl")) }
}

/// The signature of a function outside of an impl.
pub(super) fn of_function(signature: &Signature) -> TokenStream {
    let mut signature = signature.clone();
    make_last_ours(&mut signature.generics);
    let is_generic = !signature.generics.params.is_empty();
    let name = signature.ident.to_string();
    let signature = signature.into_token_stream();
    if is_generic { signature } else { with_brackets(signature, |token| is_word(token, &name)) }
}

fn is_word(token: &TokenTree, text: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word == text)
}

/// Tokens with `<>` behind the first of this kind.
fn with_brackets(tokens: TokenStream, is_before: impl Fn(&TokenTree) -> bool) -> TokenStream {
    let mut is_found = false;
    let with = tokens.into_iter().map(|token| {
        let brackets = (!is_found && is_before(&token)).then(|| quote!(<>));
        is_found |= brackets.is_some();
        quote!(#token #brackets)
    });
    with.collect()
}

/// Makes the place behind the last parameter ours: that of its name, since its bounds go elsewhere, or of its type.
fn make_last_ours(generics: &mut Generics) {
    match generics.params.last_mut() {
        None => {}
        Some(GenericParam::Lifetime(parameter)) => {
            let name = &mut parameter.lifetime.ident;
            name.set_span(ours(name.span()));
        }
        Some(GenericParam::Type(parameter)) => {
            let name = parameter.ident.clone();
            parameter.ident.set_span(ours(name.span()));
            let colon_token = parameter.colon_token.take().unwrap_or_default();
            let bounds = std::mem::take(&mut parameter.bounds);
            if !bounds.is_empty() {
                let predicate = bound(name.into(), colon_token, bounds);
                generics.make_where_clause().predicates.push(predicate);
            }
        }
        Some(GenericParam::Const(parameter)) => {
            let tokens = parameter.ty.to_token_stream().into_iter().map(|mut token: TokenTree| {
                token.set_span(ours(token.span()));
                token
            });
            parameter.ty = Type::Verbatim(tokens.collect());
        }
    }
}

fn bound(
    name: syn::Path,
    colon_token: Token![:],
    bounds: Punctuated<syn::TypeParamBound, Token![+]>,
) -> WherePredicate {
    let bounded_ty = Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path: name });
    WherePredicate::Type(PredicateType {
        attrs: Vec::new(),
        lifetimes: None,
        bounded_ty,
        colon_token,
        bounds,
    })
}

/// A place of the user's, as a part of what is generated.
fn ours(span: Span) -> Span {
    Span::call_site().located_at(span)
}

//! What is emitted where there is a mistake: the item, beside the errors.

use crate::diagnostics::{Errors, HELPER_ABOVE_SPEC, MISPLACED_HELPER, TOO_DEEP};
use crate::expand;
use crate::parse::body::regroup;
use crate::parse::depth::{DEPTH_MAX, too_deep};
use crate::parse::helper::take_helpers;
use crate::parse::item::parse_impl;
use proc_macro2::{Group, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Attribute;
use syn::parse::{ParseStream, Parser};

/// The item, and the errors.
pub(super) fn beside(item: &TokenStream, errors: Errors) -> TokenStream {
    let errors = errors.finish();
    quote!(#item #errors)
}

/// The item without what is ours, where it or the arguments of its attribute are nested too deep to be read.
pub(super) fn of_too_deep(arguments: &TokenStream, item: &TokenStream) -> Option<TokenStream> {
    let span = too_deep(arguments).or_else(|| too_deep(item))?;
    let mut errors = Errors::default();
    errors.at(span, TOO_DEEP, &[&DEPTH_MAX.to_string()]);
    Some(beside(&without_helpers(item.clone()), errors))
}

/// Any item, without the helpers on it.
pub(super) fn without_helpers(item: TokenStream) -> TokenStream {
    let Some((mut attributes, rest)) = split_attributes(&item) else { return item };
    let mut ignored = Errors::default();
    take_helpers(&mut attributes, &mut ignored);
    ignored.finish();
    let rest = without_own_attributes(rest);
    quote!(#(#attributes)* #rest)
}

/// Tokens without the attributes of ours, wherever they stand: on the methods of a trait, in their bodies.
fn without_own_attributes(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if is_after_hash(&kept) && is_own_attribute(&group) => {
                kept.pop();
            }
            TokenTree::Group(group) => {
                kept.push(regroup(&group, without_own_attributes(group.stream())));
            }
            other => kept.push(other),
        }
    }
    kept.into_iter().collect()
}

fn is_after_hash(tokens: &[TokenTree]) -> bool {
    matches!(tokens.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#')
}

fn is_own_attribute(group: &Group) -> bool {
    let attribute = TokenStream::from_iter([
        TokenTree::from(Punct::new('#', Spacing::Alone)),
        TokenTree::from(group.clone()),
    ]);
    let mut ignored = Errors::default();
    let is_own = split_attributes(&attribute)
        .is_some_and(|(mut attributes, _)| !take_helpers(&mut attributes, &mut ignored).is_empty());
    ignored.finish();
    is_own
}

fn split_attributes(item: &TokenStream) -> Option<(Vec<Attribute>, TokenStream)> {
    let split =
        |input: ParseStream<'_>| Ok((input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?));
    split.parse2(item.clone()).ok()
}

// Input:
// #[side_effect(x)] fn f() {}
// Output:
// fn f() {} compile_error!("`side_effect` has no meaning here: put it on a method inside a `#[cdsspec::spec]` impl");
/// A helper that was not taken by `spec`.
pub(crate) fn misplaced(name: &str, place: &str, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some((mut attributes, rest)) = split_attributes(&item) else {
        errors.at(Span::call_site(), MISPLACED_HELPER, &[name, place]);
        return beside(&item, errors);
    };
    let outer =
        attributes.iter().position(|one| one.path().segments.last().is_some_and(|last| last.ident == "spec"));
    match outer {
        Some(index) => {
            // Below `spec` the helper would have been understood: without its arguments here, clauses would fail too, so the
            // whole specification is left away, and only this is said.
            errors.at(Span::call_site(), HELPER_ABOVE_SPEC, &[name, place]);
            attributes.remove(index);
            let item = quote!(#(#attributes)* #rest);
            beside(&item_without_specification(item), errors)
        }
        None => {
            errors.at(Span::call_site(), MISPLACED_HELPER, &[name, place]);
            let attributes = attributes.iter().map(ToTokens::to_token_stream);
            beside(&quote!(#(#attributes)* #rest), errors)
        }
    }
}

/// An item as if there were no specification.
fn item_without_specification(item: TokenStream) -> TokenStream {
    let mut ignored = Errors::default();
    let syntax = parse_impl(item.clone(), &mut ignored);
    ignored.finish();
    syntax.map_or(item, |syntax| expand::unspecified(&syntax, None))
}

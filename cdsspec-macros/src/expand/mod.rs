//! Meaning → tokens. Cannot fail.

mod call;
mod check_only;
mod fallback;
mod header;
mod instance;
mod marker;
mod plain;
mod record;
mod rule;
mod scenario;
mod shared;
#[cfg(test)]
mod snapshot_tests;
mod specification;
mod state;
mod step;
mod test;

pub(crate) use check_only::check_only;
pub(crate) use fallback::misplaced;
pub(crate) use scenario::scenarios;
pub(crate) use shared::specification;
pub(crate) use test::test;

use crate::diagnostics::Errors;
use crate::{model, parse};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};
use syn::Lifetime;
use syn::ext::IdentExt;

/// Expands `spec`.
pub(crate) fn spec(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let arguments = parse::arguments::parse_spec(arguments, &mut errors);
    let krate = arguments.krate.clone();
    let Some(syntax) = parse::item::parse_impl(item.clone(), &mut errors) else {
        return fallback::beside(&fallback::without_helpers(item), errors);
    };
    match model::build(arguments, &syntax, &mut errors) {
        Ok(model) => {
            errors.finish();
            let recorded = specification::item(&model, &syntax);
            let item = select(&krate, &plain::impl_block(&syntax, None), &recorded);
            let types = plain::types(&model).map(|types| select(&krate, &types, &TokenStream::new()));
            quote!(#item #types)
        }
        Err(state) => {
            fallback::beside(&plain::impl_block(&syntax, plain::types_beside(&state, &syntax)), errors)
        }
    }
}

// Output:
// #[::cdsspec::__private::select { recorded }] plain
/// Of two forms of an item, the one that the build wants; there may be nothing in the recorded one. An attribute, since it leaves the item where
/// it is not found: so a wrong `crate = path` is one error, and the item is kept.
fn select(krate: &TokenStream, plain: &TokenStream, recorded: &TokenStream) -> TokenStream {
    quote!(#[#krate::__private::select { #recorded }] #plain)
}

/// A variable of ours among tokens that are placed at the user's: errors point there, and its name is found.
fn local(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::call_site().located_at(span))
}

// Input:
// { 0 }
// Output:
// let _ = &self; '__cdsspec_body: { 0 }
/// A body behind statements of ours: in its own braces, which know where they begin and end. They have a label, since the compiler would find
/// braces without one unneeded around a single expression, as is left where all else is configured away.
fn behind(statements: &TokenStream, body: &TokenTree) -> TokenStream {
    let label = Lifetime::new("'__cdsspec_body", Span::mixed_site());
    quote!(#statements #label: #body)
}

/// The source location of a span.
fn location(krate: &TokenStream, span: Span) -> TokenStream {
    // The span is the user's own, without this macro's hygiene, so that `line!()` is the line of the user's tokens.
    let place =
        quote_spanned!(span=> file: ::core::file!(), line: ::core::line!(), column: ::core::column!(),);
    quote!(#krate::__private::SourceLocation { #place })
}

/// The name of a generated type of a method: `CamelCase` of the method's name, and its number.
fn record_ident(index: usize, method: &Ident) -> Ident {
    let name = method.unraw().to_string();
    let camel: String = name
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect::<String>()
        })
        .collect();
    format_ident!("__CdsspecCall{index}{camel}")
}

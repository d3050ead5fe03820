//! Tokens that all generated code is made with: places, variables, both forms of an item.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::Lifetime;

// Output:
// #[::cdsspec::__private_0_1_0::select { recorded }] plain
/// Of two forms of an item, the one that the build wants; there may be nothing in the recorded one. An attribute, since it leaves the item where
/// it is not found: so a wrong `crate = path` is one error, and the item is kept.
pub(crate) fn select(krate: &TokenStream, plain: &TokenStream, recorded: &TokenStream) -> TokenStream {
    let versioned = versioned(krate);
    quote!(#[#krate::#versioned::select { #recorded }] #plain)
}

/// The module of the facade that has the attributes which expansions stand in, by the version of these macros: where a `crate = path` leads to
/// another version, that name is missing there, which is one error and says what is the matter.
pub(crate) fn versioned(krate: &TokenStream) -> Ident {
    let version = env!("CARGO_PKG_VERSION").replace(['.', '-', '+'], "_");
    let place = krate.clone().into_iter().last().map_or_else(Span::call_site, |last| last.span());
    local(&format!("__private_{version}"), place)
}

/// A variable of ours among tokens that are placed at the user's: errors point there, and its name is found.
pub(super) fn local(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::call_site().located_at(span))
}

/// Tokens with their hygiene, and another place: that of what an error would be about.
pub(super) fn placed(tokens: TokenStream, span: Span) -> TokenStream {
    let placed = |mut token: TokenTree| {
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.into_iter().map(placed).collect()
}

// Input:
// { 0 }
// Output:
// let _ = &self; '__cdsspec_body: { 0 }
/// A body behind statements of ours: in its own braces, which know where they begin and end. They have a label, since the compiler would find
/// braces without one unneeded around a single expression, as is left where all else is configured away.
pub(super) fn behind(statements: &TokenStream, body: &TokenTree) -> TokenStream {
    let label = Lifetime::new("'__cdsspec_body", Span::mixed_site());
    quote!(#statements #label: #body)
}

/// The source location of a span.
pub(super) fn location(krate: &TokenStream, span: Span) -> TokenStream {
    // The span is the user's own, without this macro's hygiene, so that `line!()` is the line of the user's tokens.
    let place =
        quote_spanned!(span=> file: ::core::file!(), line: ::core::line!(), column: ::core::column!(),);
    quote!(#krate::__private::SourceLocation { #place })
}

//! What is emitted where there is a mistake: the item, beside the errors.

use crate::diagnostics::{Errors, HELPER_ABOVE_SPEC, MISPLACED_HELPER};
use crate::parse::helper::take_helpers;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Attribute;
use syn::parse::{ParseStream, Parser};

/// The item, and the errors.
pub(super) fn beside(item: &TokenStream, errors: Errors) -> TokenStream {
    let errors = errors.finish();
    quote!(#item #errors)
}

/// Any item, without the helpers on it.
pub(super) fn without_helpers(item: TokenStream) -> TokenStream {
    let Some((mut attributes, rest)) = split_attributes(&item) else { return item };
    let mut ignored = Errors::default();
    take_helpers(&mut attributes, &mut ignored);
    ignored.finish();
    quote!(#(#attributes)* #rest)
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
            beside(&crate::expand::plain::item_without_specification(item), errors)
        }
        None => {
            errors.at(Span::call_site(), MISPLACED_HELPER, &[name, place]);
            let attributes = attributes.iter().map(ToTokens::to_token_stream);
            beside(&quote!(#(#attributes)* #rest), errors)
        }
    }
}

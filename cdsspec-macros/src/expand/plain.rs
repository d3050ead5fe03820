//! The item as the user wrote it, without what is ours.

use super::marker;
use crate::diagnostics::Errors;
use crate::model::{SpecModel, StateModel, closed};
use crate::parse::item::{FunctionSyntax, ImplSyntax, ItemSyntax, parse_impl};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

// Input:
// #[declare_state(q: Vec<i32>)]
// impl Queue {
//     #[side_effect(q.push(val))]
//     pub fn enq(&self, val: i32) { #[op_define(done)] let done = self.try_enq(val); }
// }
// Output:
// impl Queue {
//     pub fn enq(&self, val: i32) { let done = self.try_enq(val); if false { let _: bool = done; } }
// }
// const _: ::core::marker::PhantomData<(Vec<i32>,)> = ::core::marker::PhantomData;
/// The impl, and a use of the types that only the state mentions, so that their imports are not unused.
pub(super) fn impl_block(syntax: &ImplSyntax, types: Option<TokenStream>) -> TokenStream {
    let items = syntax.items.iter().map(|item| match item {
        ItemSyntax::Function(function) => self::function(function),
        ItemSyntax::Other(tokens, _) => tokens.clone(),
    });
    let block = with_items(syntax.header.to_token_stream(), syntax, quote!(#(#items)*));
    quote!(#block #types)
}

/// A use of the types that only the specification mentions.
pub(super) fn types(model: &SpecModel) -> Option<TokenStream> {
    let types = model.state.fields.iter().map(|field| model.outside(&field.ty));
    let uses = (!model.state.fields.is_empty()).then(|| uses(types));
    let (instance, conditions) = (super::instance::aliases(model), &model.conditions);
    if instance.is_empty() {
        uses.map(|uses| quote!(#conditions #uses))
    } else {
        Some(quote!(#conditions const _: () = { #instance #uses };))
    }
}

/// The same, beside a mistake. Of a generic impl nothing, since its parameters may be the mistake.
pub(super) fn types_beside(state: &StateModel, syntax: &ImplSyntax) -> Option<TokenStream> {
    let is_generic = !syntax.header.generics.params.is_empty();
    if state.fields.is_empty() || is_generic {
        return None;
    }
    let self_type = closed(&syntax.header.self_ty);
    let types = state
        .fields
        .iter()
        .map(|field| crate::model::without_self(closed(&field.ty), &self_type, &quote!(<#self_type>)));
    Some(uses(types))
}

fn uses(types: impl Iterator<Item = TokenStream>) -> TokenStream {
    quote!(const _: ::core::marker::PhantomData<(#(#types,)*)> = ::core::marker::PhantomData;)
}

/// The impl with other items in its braces; its header is given with empty ones.
pub(super) fn with_items(header: TokenStream, syntax: &ImplSyntax, items: TokenStream) -> TokenStream {
    if syntax.is_function {
        return items;
    }
    let mut tokens: Vec<_> = header.into_iter().collect();
    tokens.pop();
    let inner = &syntax.inner_attributes;
    tokens.push(crate::parse::body::regroup(&syntax.braces, quote!(#inner #items)));
    tokens.into_iter().collect()
}

/// The function without helpers and annotations.
pub(super) fn function(function: &FunctionSyntax) -> TokenStream {
    let FunctionSyntax { attributes, visibility, signature, braces, body, .. } = function;
    let body = body.in_brackets(braces, marker::plain);
    quote!(#(#attributes)* #visibility #signature #body)
}

/// An item as if there were no specification.
pub(super) fn item_without_specification(item: TokenStream) -> TokenStream {
    let mut ignored = Errors::default();
    let syntax = parse_impl(item.clone(), &mut ignored);
    ignored.finish();
    syntax.map_or(item, |syntax| impl_block(&syntax, None))
}

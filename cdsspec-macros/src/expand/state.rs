//! How the checker makes, copies, shows and compares states.

use super::name::methods_of;
use super::record::show;
use super::token::local;
use crate::model::{SpecModel, closed};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

// Input:
// #[declare_state(q: Vec<i32>, n: usize)]
// Output:
// type __CdsspecState = (Vec<i32>, usize,);
/// The type of the state.
pub(super) fn ty(model: &SpecModel) -> TokenStream {
    let types: Vec<TokenStream> = model.state.fields.iter().map(|field| model.outside(&field.ty)).collect();
    if model.state.is_declared {
        quote!(type __CdsspecState = (#(#types,)*);)
    } else {
        quote!(type __CdsspecState = #(#types)*;)
    }
}

/// A pattern that takes a reference to the state apart, into a variable for each part that has one.
pub(super) fn pattern<'a>(
    model: &'a SpecModel,
    variable: &dyn Fn(&'a Ident) -> Option<&'a Ident>,
) -> TokenStream {
    let names = model.state.fields.iter().map(|field| match variable(&field.name) {
        Some(name) => quote!(#name),
        None => quote!(_),
    });
    if model.state.is_declared { quote!((#(#names,)*)) } else { quote!(#(#names)*) }
}

// Input:
// #[declare_state(q: Vec<i32>)] #[initial(vec![0])]
// Output:
// fn __cdsspec_initial() -> __CdsspecState { (vec![0],) }
// fn __cdsspec_copy(state: &__CdsspecState) -> __CdsspecState { (Clone::clone(&state.0),) }
// fn __cdsspec_clear(state: __CdsspecState) { drop(state) }
/// The functions that make, copy and end a state, for the trait that they stand in.
pub(super) fn functions(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let state = &model.state;
    let initial = state.initial.as_ref().map(|expression| made(model, &expression.tokens));
    let initial = initial.unwrap_or_else(|| default(model));
    let all = pattern(model, &|name| Some(name));
    let copy = match &state.copy {
        Some(expression) => {
            let copy = made(model, &expression.tokens);
            quote!({ #[allow(unused_variables, reason = "a copy may be made of some parts only")] let #all = __cdsspec_state; #copy })
        }
        None => clone(model),
    };
    let clear = state.clear.as_ref().map(|expression| {
        let (tokens, private) = (&expression.tokens, &private);
        quote! {
            #[allow(unused_variables, reason = "the end of a state may be about some parts only")]
            let #all = &mut __cdsspec_state;
            #private::run(|| { #tokens; });
        }
    });
    let mutability = clear.as_ref().map(|_| quote!(mut));
    quote! {
        fn __cdsspec_initial() -> __CdsspecState { #initial }
        fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState { #copy }
        fn __cdsspec_clear(#mutability __cdsspec_state: __CdsspecState) { #clear let _ = __cdsspec_state; }
    }
}

/// The state that a user's expression gives: of one declared part, its value; of several, their tuple.
fn made(model: &SpecModel, tokens: &TokenStream) -> TokenStream {
    let private = model.private();
    if model.state.is_declared && model.state.fields.len() == 1 {
        let ty = &model.state.fields[0].ty;
        quote!((#private::run(|| -> #ty { #tokens }),))
    } else {
        quote!(#private::run(|| -> __CdsspecState { #tokens }))
    }
}

fn clone(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let part = |(index, field): (usize, &crate::parse::arguments::Declaration)| {
        let index = syn::Index::from(index);
        let span = field.ty.span();
        let state = local("__cdsspec_state", span);
        let place = if model.state.is_declared {
            quote_spanned!(span=> &#state.#index)
        } else {
            quote_spanned!(span=> #state)
        };
        quote_spanned!(span=> #private::Clone::clone(#place))
    };
    let parts = model.state.fields.iter().enumerate().map(part);
    value(model, parts)
}

/// The tuple of the declared parts, or the one value; nothing for `()`.
fn value(model: &SpecModel, parts: impl Iterator<Item = TokenStream>) -> TokenStream {
    let is_tuple = model.state.is_declared && !model.state.fields.is_empty();
    if is_tuple { quote!((#(#parts,)*)) } else { quote!(#(#parts)*) }
}

fn default(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let parts = model.state.fields.iter().map(|field| {
        let (ty, span) = (closed(&field.ty), field.ty.span());
        quote_spanned!(span=> <#ty as #private::Default>::default())
    });
    value(model, parts)
}

/// The fields of `StateSupport`.
pub(super) fn support(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let methods = methods_of(model);
    let all = pattern(model, &|name| Some(name));
    let texts = model.state.fields.iter().map(|field| {
        let (name, ident) = (field.name.unraw().to_string(), &field.name);
        let show = show(&private, &quote!(#ident));
        quote!((#name, #show))
    });
    let types = model.state.fields.iter().map(|field| model.outside(&field.ty));
    quote! {
        #private::StateSupport {
            initial: || #private::Box::new(#methods::__cdsspec_initial()),
            copy: |__cdsspec_state| {
                #private::Box::new(#methods::__cdsspec_copy(#private::state_ref::<__CdsspecState>(__cdsspec_state)))
            },
            clear: |__cdsspec_state| #methods::__cdsspec_clear(#private::state_owned::<__CdsspecState>(__cdsspec_state)),
            render: if [#(#private::can_show!(#types)),*].contains(&true) {
                #private::Some(|__cdsspec_state| {
                    let #all = #private::state_ref::<__CdsspecState>(__cdsspec_state);
                    #private::state_text(&[#(#texts),*])
                })
            } else {
                #private::None
            },
            key: #private::key!(__CdsspecState),
        }
    }
}

//! The trait through which the functions of a specification are called.

use super::name::{each_method, step_ident};
use super::{rule, state, step};
use crate::model::{Part, SpecModel};
use proc_macro2::TokenStream;
use quote::quote;

/// In it `Self` is the specified type. The impl is not `automatically_derived`, as others are: it has expressions of the user's, and the compiler
/// would not warn of what is unused in them.
pub(super) fn item(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let self_type = &model.self_type;
    let step_signatures = each_method(model, |_, method, index| {
        let (name, conditions) = (step_ident(index), &method.conditions);
        quote!(#conditions fn #name(__cdsspec_step: &mut #private::Step<'_>) -> #private::Result<(), #private::Broken>;)
    });
    let variants = rule::variants(model);
    let rule_signatures = variants.iter().map(|variant| {
        let (name, conditions) = (&variant.name, &variant.conditions);
        quote!(#conditions fn #name(__cdsspec_first: &dyn #private::Any, __cdsspec_second: &dyn #private::Any) -> ::core::primitive::bool;)
    });
    let has_state = model.part != Part::Methods;
    let state = has_state.then(|| state::functions(model));
    let state_signatures = has_state.then(|| {
        quote! {
            fn __cdsspec_initial() -> __CdsspecState;
            fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState;
            fn __cdsspec_clear(__cdsspec_state: __CdsspecState);
        }
    });
    let steps = each_method(model, step::function);
    let rules = variants.iter().map(|variant| rule::function(model, variant));
    quote! {
        trait __CdsspecSteps {
            #state_signatures
            #step_signatures
            #(#rule_signatures)*
        }
        impl __CdsspecSteps for #self_type {
            #state
            #steps
            #(#rules)*
        }
    }
}

//! `test`: a function that is a program to check.

use super::fallback::beside;
use crate::diagnostics::{Errors, TEST_ASYNC, TEST_GENERIC, TEST_NOT_A_FN, TEST_PARAMETERS};
use crate::parse::arguments::parse_test;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ItemFn};

// Input:
// #[cdsspec::test(executions_max = 100)] fn enq__deq() { body }
// Output:
// plain:    #[test] #[ignore = "…"] fn enq__deq() { body }
// recorded: #[test] fn enq__deq() { Builder::new().executions_max(100).model(move || { body }) }
/// Expands `test`.
pub(crate) fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let (krate, limits) = parse_test(arguments, &mut errors);
    let Ok(function) = syn::parse2::<ItemFn>(item.clone()) else {
        errors.on(&item, TEST_NOT_A_FN, &[]);
        return beside(&item, errors);
    };
    check(&function, &mut errors);
    if !errors.is_empty() {
        return beside(&function.to_token_stream(), errors);
    }
    errors.finish();
    let (plain, recorded) = (plain(&function), recorded(&function, &limits, &krate));
    quote!(#krate::__private::select! { { #plain } { #recorded } })
}

fn check(function: &ItemFn, errors: &mut Errors) {
    let signature = &function.sig;
    if let Some(token) = &signature.asyncness {
        errors.at(token.span, TEST_ASYNC, &[]);
    }
    if !signature.inputs.is_empty() {
        errors.on(&signature.inputs.to_token_stream(), TEST_PARAMETERS, &[]);
    }
    if !signature.generics.params.is_empty() {
        errors.on(&signature.generics.to_token_stream(), TEST_GENERIC, &[]);
    }
}

/// `#[test]`, unless another attribute already makes a test of the function.
fn test_attribute(attributes: &[Attribute]) -> Option<TokenStream> {
    let is_test = |one: &Attribute| {
        one.path().segments.last().is_some_and(|last| last.ident == "test" || last.ident == "test_case")
    };
    (!attributes.iter().any(is_test)).then(|| quote!(#[::core::prelude::v1::test]))
}

fn plain(function: &ItemFn) -> TokenStream {
    let test = test_attribute(&function.attrs);
    let is_ignored = function.attrs.iter().any(|one| one.path().is_ident("ignore"));
    let ignore = (!is_ignored).then(|| {
        quote!(#[ignore = "not instrumented: enable the feature `check` of cdsspec under [dev-dependencies]"])
    });
    quote! {
        #test
        #ignore
        #function
    }
}

fn recorded(function: &ItemFn, limits: &[(Ident, Expr)], krate: &TokenStream) -> TokenStream {
    let ItemFn { attrs, vis, sig, block, .. } = function;
    let test = test_attribute(attrs);
    let calls = limits.iter().map(|(name, value)| quote_spanned!(name.span()=> .#name(#value)));
    let output = &sig.output;
    let body = match output {
        syn::ReturnType::Default => quote!(move || #block),
        syn::ReturnType::Type(..) => {
            quote_spanned!(output.span()=> move || #krate::__private::expect_ok((move || #output #block)()))
        }
    };
    let mut sig = sig.clone();
    sig.output = syn::ReturnType::Default;
    quote! {
        #test
        #(#attrs)*
        #vis #sig {
            #krate::__private::Builder::new() #(#calls)* .model(#body);
        }
    }
}

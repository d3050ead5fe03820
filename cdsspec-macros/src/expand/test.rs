//! `test`: a function that is a program to check, or that checks programs.

use super::droppable;
use super::token::select;
use crate::model::TestModel;
use crate::parse::body::regroup;
use crate::parse::item::{FunctionParts, split_inner_attributes};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Path, ReturnType, Type};

// Input:
// #[cdsspec::test(executions_max = 100)] fn enq__deq() { body }
// #[cdsspec::test(verdict = Violated)] fn broken() -> Outcome { body }
// Output:
// plain:    #[test] #[ignore = "…"] fn enq__deq() { body }
// recorded: #[test] fn enq__deq() {
//               run_program::<()>(Builder::new().executions_max(100), &TestSource { … }, &[], move || { body }).assert_holds()
//           }
//           #[test] fn broken() {
//               run_test::<Outcome>(Builder::new(), &TestSource { … }, &[Verdict::Violated], move || { body })
//                   .assert_verdict([Verdict::Violated])
//           }
/// Both forms of the test.
pub(crate) fn test(model: &TestModel) -> TokenStream {
    select(&model.arguments.krate, &plain(&model.function), &recorded(model))
}

/// `#[test]`, unless another attribute below already makes a test of the function: `test`, `wasm_bindgen_test`, `test_case`, `rstest`.
fn test_attribute(attributes: &[Attribute]) -> Option<TokenStream> {
    let is_test = |one: &Attribute| {
        one.path().segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            name.ends_with("test") || name.starts_with("test_")
        })
    };
    (!attributes.iter().any(is_test)).then(|| quote!(#[::core::prelude::v1::test]))
}

/// `enq__deq` is the name of a program of two threads.
fn name_lint() -> TokenStream {
    quote!(#[allow(non_snake_case, reason = "the name of a program spells what its threads do")])
}

fn plain(function: &FunctionParts) -> TokenStream {
    let FunctionParts { attributes, visibility, signature, braces } = function;
    let (test, lint) = (test_attribute(attributes), name_lint());
    let is_ignored = attributes.iter().any(|one| one.path().is_ident("ignore"));
    let ignore = (!is_ignored).then(|| {
        quote!(#[ignore = "not instrumented: enable the feature `check` of cdsspec under [dev-dependencies]"])
    });
    quote! {
        #test
        #ignore
        #lint
        #(#attributes)* #visibility #signature #braces
    }
}

fn recorded(model: &TestModel) -> TokenStream {
    let TestModel { arguments, function } = model;
    let FunctionParts { attributes, visibility, signature, braces } = function;
    let krate = &arguments.krate;
    let (test, lint) = (test_attribute(attributes), name_lint());
    let settings =
        arguments.settings.iter().map(|(name, value)| quote_spanned!(name.span()=> .#name(#value)));
    let (inner, body) = split_inner_attributes(braces.stream());
    let output = &signature.output;
    let wrapped = matches!(output, ReturnType::Default).then(|| droppable::wrapped(krate, &body)).flatten();
    let (body, source) = match wrapped {
        Some((body, source)) => (regroup(braces, body), source),
        None if inner.is_empty() => (braces.clone().into(), droppable::Source::default()),
        None => (regroup(braces, body), droppable::Source::default()),
    };
    let source = source.tokens(krate, &signature.ident.to_string(), &arguments.text, braces);
    let (returned, body) = match output {
        ReturnType::Default => (quote!(()), quote!(move || -> () #body)),
        ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => {
            (quote!(()), quote!(move || -> () { (move || #output #body)() }))
        }
        ReturnType::Type(_, ty) => (ty.to_token_stream(), quote!(move || #output #body)),
    };
    let run = if arguments.settings.is_empty() { "run_test" } else { "run_program" };
    // An error is about the type that the test returns.
    let span = Span::call_site().located_at(output.span());
    let run = proc_macro2::Ident::new(run, span);
    let run = quote_spanned!(span=> #run::<#returned>);
    let verdicts = verdicts(&arguments.verdicts, krate);
    let assertion = if arguments.verdicts.is_empty() {
        quote!(.assert_holds())
    } else {
        quote!(.assert_verdict([#verdicts]))
    };
    let mut signature = signature.clone();
    signature.output = ReturnType::Default;
    let content = quote! {
        #inner
        #krate::__private::#run(#krate::__private::Builder::new() #(#settings)*, &#source, &[#verdicts], #body)
            #assertion;
    };
    let content = regroup(braces, content);
    quote! {
        #test
        #lint
        #(#attributes)* #visibility #signature #content
    }
}

/// The verdicts that are expected, in a list.
fn verdicts(verdicts: &[Path], krate: &TokenStream) -> TokenStream {
    let verdicts = verdicts.iter().map(|path| match path.get_ident() {
        Some(name) => quote_spanned!(name.span()=> #krate::__private::Verdict::#name),
        None => path.to_token_stream(),
    });
    quote!(#(#verdicts),*)
}

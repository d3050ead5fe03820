//! `scenarios`: what can be invoked on a type, and a test of all that comes of it.

use super::fallback::{self, beside};
use crate::diagnostics::{
    Errors, SCENARIO_NOT_INVOKABLE, SCENARIO_WITHOUT_VALUES, SCENARIOS_GENERIC, SCENARIOS_TRAIT,
};
use crate::expand::versioned;
use crate::parse::scenario::{
    Domain, InvokedSyntax, ScenarioSyntax, ScenariosArguments, ScenariosSyntax, parse_scenarios,
    parse_scenarios_arguments,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{FnArg, GenericParam, ReceiverKind, Safety, Signature, Type};

// Input:
// #[cdsspec::scenarios(threads = 2, calls = 2)]
// impl Queue {
//     #[scenario(args(1, 2))] pub fn enq(&self, value: i32) { body }
//     pub fn deq(&self) -> Option<i32> { body }
// }
// Output:
// impl Queue { pub fn enq(&self, value: i32) { body } pub fn deq(&self) -> Option<i32> { body } }
// #[recorded] impl Invoked for Queue {
//     fn invoked(scenario: Scenario<Self>) -> Scenario<Self> {
//         scenario.op_for("enq", [1, 2], |object, value| object.enq(value).into()).op("deq()", |object| object.deq().into())
//     }
// }
// #[recorded] #[cfg(test)] #[test]
// fn scenarios_of_queue() { Explore::new(<Queue>::new).threads(2).calls(2).run().assert_holds() }
/// Expands `scenarios`.
pub(crate) fn scenarios(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let arguments = parse_scenarios_arguments(arguments, &mut errors);
    let Some(syntax) = parse_scenarios(&item, &mut errors) else {
        return beside(&item, errors);
    };
    check_header(&syntax, &mut errors);
    let krate = arguments.as_ref().map_or_else(|| quote!(::cdsspec), |given| given.krate.clone());
    let invocations = invocations(&syntax, &krate, &mut errors);
    let (Some(arguments), true) = (arguments, errors.is_empty()) else {
        return beside(&syntax.item, errors);
    };
    errors.finish();
    let (ty, item) = (&syntax.header.self_ty, &syntax.item);
    let test = test(&arguments, ty);
    let versioned = versioned(&krate);
    quote! {
        #item
        #[#krate::#versioned::recorded]
        impl #krate::lineup::Invoked for #ty {
            fn invoked(scenario: #krate::Scenario<Self>) -> #krate::Scenario<Self> {
                scenario #(#invocations)*
            }
        }
        #test
    }
}

fn check_header(syntax: &ScenariosSyntax, errors: &mut Errors) {
    let is_generic = |parameter: &&GenericParam| !matches!(parameter, GenericParam::Lifetime(_));
    if let Some(parameter) = syntax.header.generics.params.iter().find(is_generic) {
        errors.on(&parameter.to_token_stream(), SCENARIOS_GENERIC, &[]);
    }
    if let Some((path, _)) = &syntax.header.trait_ {
        errors.on(&path.to_token_stream(), SCENARIOS_TRAIT, &[]);
    }
}

/// What the scenario is told: of the methods that are marked; if none is, of all that take `&self` alone.
fn invocations(syntax: &ScenariosSyntax, krate: &TokenStream, errors: &mut Errors) -> Vec<TokenStream> {
    let has_marks = syntax.methods.iter().any(|method| method.scenario.is_some());
    let mut told = Vec::new();
    let mut of_one_thread = Vec::new();
    for InvokedSyntax { parts, scenario } in &syntax.methods {
        let signature = &parts.signature;
        let plain = ScenarioSyntax {
            domain: Domain::None,
            is_shown: false,
            said: Vec::new(),
            steps: None,
            is_of_one_thread: false,
            span: Span::call_site(),
        };
        let scenario = match scenario {
            Some(scenario) => scenario,
            None if !has_marks && is_invokable(signature) && signature.inputs.len() == 1 => &plain,
            None => continue,
        };
        let name = signature.ident.unraw().to_string();
        if !is_invokable(signature) {
            errors.on(&signature.ident.to_token_stream(), SCENARIO_NOT_INVOKABLE, &[&name]);
            continue;
        }
        told.extend(invocation(scenario, signature, krate, errors));
        told.extend(scenario.said.iter().map(|said| {
            let said = Ident::new(said, Span::call_site());
            quote!(.#said(#name))
        }));
        told.extend(scenario.steps.iter().map(|steps| quote!(.wait_free(#name, #steps))));
        if scenario.is_of_one_thread {
            of_one_thread.push(name);
        }
    }
    if !of_one_thread.is_empty() {
        told.push(quote!(.one_thread([#(#of_one_thread),*])));
    }
    told
}

/// Whether a method takes `&self`, and can be called as it stands.
fn is_invokable(signature: &Signature) -> bool {
    let is_shared = |receiver: &syn::Receiver| matches!(receiver.kind, ReceiverKind::Reference(_, _, None));
    signature.receiver().is_some_and(is_shared)
        && signature.asyncness.is_none()
        && !matches!(signature.safety, Safety::Unsafe(_))
        && signature.generics.params.is_empty()
}

fn invocation(
    scenario: &ScenarioSyntax,
    signature: &Signature,
    krate: &TokenStream,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let method = &signature.ident;
    let name = method.unraw().to_string();
    let count = signature.inputs.iter().filter(|input| matches!(input, FnArg::Typed(_))).count();
    let value = |call: TokenStream| match scenario.is_shown {
        true => quote!(#krate::scenario::Value::shown(&#call)),
        false => quote!(::core::convert::Into::into(#call)),
    };
    match (&scenario.domain, count) {
        (Domain::None, 0) => {
            let (name, call) = (format!("{name}()"), value(quote!(object.#method())));
            Some(quote!(.op(#name, |object| #call)))
        }
        (Domain::Values(values), 1) => {
            let call = value(quote!(object.#method(value)));
            Some(quote!(.op_for(#name, [#(#values),*], |object, value| #call)))
        }
        (Domain::Range(range), 1) => {
            let call = value(quote!(object.#method(value)));
            Some(quote!(.op_for(#name, #range, |object, value| #call)))
        }
        (Domain::Values(values), 2..) => {
            let parts: Vec<_> = (0..count).map(|index| format_ident!("value{index}")).collect();
            let call = value(quote!(object.#method(#(#parts),*)));
            Some(quote!(.op_for(#name, [#(#values),*], |object, (#(#parts),*)| #call)))
        }
        _ => {
            errors.at(scenario.span, SCENARIO_WITHOUT_VALUES, &[&name]);
            None
        }
    }
}

/// The test, if one is wanted.
fn test(arguments: &ScenariosArguments, ty: &Type) -> Option<TokenStream> {
    let ScenariosArguments { krate, new, threads, calls, sample, seed, jobs } = arguments;
    if threads.is_none() && calls.is_none() && sample.is_none() {
        return None;
    }
    let make = new.as_ref().map_or_else(|| quote!(<#ty>::new), ToTokens::to_token_stream);
    let threads = threads.iter().map(|count| quote!(.threads(#count)));
    let calls = calls.iter().map(|count| quote!(.calls(#count)));
    let seed = seed.as_ref().map_or_else(|| quote!(0), ToTokens::to_token_stream);
    let jobs = jobs.iter().map(|count| quote!(.jobs(#count)));
    let sample = sample.iter().map(|count| quote!(.sample(#count, #seed)));
    let name = format_ident!("scenarios_of_{}", words_of(ty));
    let versioned = versioned(krate);
    Some(quote! {
        #[#krate::#versioned::recorded]
        #[cfg(test)]
        #[test]
        fn #name() {
            #krate::Explore::new(#make) #(#threads)* #(#calls)* #(#sample)* #(#jobs)* .run().assert_holds();
        }
    })
}

/// `RingQueue<4>` is `ring_queue_4`.
fn words_of(ty: &Type) -> String {
    let mut words = String::new();
    for letter in ty.to_token_stream().to_string().chars() {
        match letter {
            _ if letter.is_ascii_uppercase() => {
                if !words.is_empty() && !words.ends_with('_') {
                    words.push('_');
                }
                words.push(letter.to_ascii_lowercase());
            }
            _ if letter.is_ascii_alphanumeric() || letter == '_' => words.push(letter),
            _ if !words.is_empty() && !words.ends_with('_') => words.push('_'),
            _ => {}
        }
    }
    words.trim_end_matches('_').to_owned()
}

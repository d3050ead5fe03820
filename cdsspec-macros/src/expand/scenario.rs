//! What can be invoked on a type, and a test of all that comes of it.

use super::versioned;
use crate::model::{InvocationModel, ScenariosModel, ValuesModel};
use crate::parse::scenario::ScenariosArguments;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Type;

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
/// The impl, what can be invoked, and the test.
pub(crate) fn scenarios(model: &ScenariosModel) -> TokenStream {
    let ScenariosModel { arguments, ty, item, of_one_thread, .. } = model;
    let krate = &arguments.krate;
    let invocations = model.invocations.iter().map(|one| invocation(one, krate));
    let one_thread = (!of_one_thread.is_empty()).then(|| quote!(.one_thread([#(#of_one_thread),*])));
    let test = test(arguments, ty);
    let versioned = versioned(krate);
    quote! {
        #item
        #[#krate::#versioned::recorded]
        impl #krate::lineup::Invoked for #ty {
            fn invoked(scenario: #krate::Scenario<Self>) -> #krate::Scenario<Self> {
                scenario #(#invocations)* #one_thread
            }
        }
        #test
    }
}

/// What the builder is told of a method.
fn invocation(model: &InvocationModel, krate: &TokenStream) -> TokenStream {
    let InvocationModel { method, name, values, is_shown, said, steps } = model;
    let value = |call: TokenStream| match is_shown {
        true => quote!(#krate::scenario::Value::shown(&#call)),
        false => quote!(::core::convert::Into::into(#call)),
    };
    let called = match values {
        ValuesModel::Nothing => {
            let (name, call) = (format!("{name}()"), value(quote!(object.#method())));
            quote!(.op(#name, |object| #call))
        }
        ValuesModel::Each(values, 1) => {
            let call = value(quote!(object.#method(value)));
            quote!(.op_for(#name, [#(#values),*], |object, value| #call))
        }
        ValuesModel::Each(values, count) => {
            let parts: Vec<_> = (0..*count).map(|index| format_ident!("value{index}")).collect();
            let call = value(quote!(object.#method(#(#parts),*)));
            quote!(.op_for(#name, [#(#values),*], |object, (#(#parts),*)| #call))
        }
        ValuesModel::Range(range) => {
            let call = value(quote!(object.#method(value)));
            quote!(.op_for(#name, #range, |object, value| #call))
        }
    };
    let said = said.iter().map(|said| Ident::new(said, Span::call_site()));
    let wait_free = steps.iter().map(|steps| quote!(.wait_free(#name, #steps)));
    quote!(#called #(.#said(#name))* #(#wait_free)*)
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

//! An impl with its specification: both forms, and the recorded one with everything that belongs to it.

use super::name::each_method;
use super::token::{behind, select};
use super::{
    call, concurrent, data, header, instance, marker, plain, record, shared, state, step, steps, structure,
};
use crate::model::{ImplModel, MarkerModel, Part, SpecModel, attribute_markers, functions};
use crate::parse::body::regroup;
use crate::parse::helper::conditions;
use crate::parse::item::{FunctionSyntax, ImplSyntax, ItemSyntax, split_inner_attributes};
use proc_macro2::TokenStream;
use quote::quote;

/// Both forms of an impl.
pub(crate) fn spec(model: &ImplModel) -> TokenStream {
    let ImplModel { specification, item: syntax } = model;
    let krate = &specification.krate;
    let item = select(krate, &plain::unspecified(syntax, None), &recorded(specification, syntax));
    let types = plain::types(specification).map(|types| select(krate, &types, &TokenStream::new()));
    quote!(#item #types)
}

// Input:
// #[declare_state(…)] impl Queue { … }
// Output:
// const _: () = {
//     type __CdsspecState = …;
//     struct Enq<…> { … }
//     trait __CdsspecSteps { … }  impl __CdsspecSteps for Queue { … }
//     fn __cdsspec_specification() -> &'static Specification { … }
//     inventory::submit! { … }
//     impl Queue { … }
// };
/// The impl whose methods are recorded, in a block of its own with everything that belongs to it.
fn recorded(model: &SpecModel, syntax: &ImplSyntax) -> TokenStream {
    let aliases = instance::aliases(model);
    let type_alias = instance::type_alias(model);
    let state = state::ty(model);
    let records = each_method(model, record::types);
    let concurrent = concurrent::ty(model);
    let steps = steps::item(model);
    let effects = each_method(model, step::effect_function);
    let specification = match model.part {
        Part::Methods => shared::block(model, &each_method(model, shared::block_method)),
        _ => data::specification(model),
    };
    let instance = instance_functions(model, syntax);
    let structures = structure::registered(model);
    let numbers = model.numbers();
    let helpers = helper_markers(model, syntax);
    let items = quote!(#numbers #aliases #type_alias #state #records #concurrent #steps #effects #specification #instance #helpers #structures);
    if let ([ItemSyntax::Function(function), ..], true) = (&syntax.items[..], syntax.is_function) {
        return recorded_function(model, function, &items);
    }
    let bounds = instance::bounds(model);
    let block = plain::with_items(header::of_impl(&syntax.header), syntax, recorded_items(model, syntax));
    let conditions = &model.conditions;
    quote! {
        #conditions
        const _: () = {
            #items
            #bounds
            #block
        };
    }
}

/// A function outside of an impl, with everything that belongs to it inside.
fn recorded_function(model: &SpecModel, function: &FunctionSyntax, items: &TokenStream) -> TokenStream {
    let items = quote! {
        #[allow(dead_code, reason = "stands for a type that has methods")]
        struct __CdsspecFunction;
        #items
    };
    match model.methods.first() {
        Some(method) => call::function(model, function, method, 0, &items),
        None => plain::function(function),
    }
}

/// The index of the method that the function with this number is.
fn specified(model: &SpecModel, number: usize) -> Option<usize> {
    // Methods stand in the order of the functions.
    model.methods.binary_search_by_key(&number, |method| method.function).ok()
}

/// The functions that record the values of the instance.
fn instance_functions(model: &SpecModel, syntax: &ImplSyntax) -> Option<TokenStream> {
    let of = |(number, function)| {
        let index = specified(model, number)?;
        Some(instance::functions(model, function, &model.methods[index], index))
    };
    model.is_generic().then(|| functions(syntax).enumerate().filter_map(of).collect())
}

fn recorded_items(model: &SpecModel, syntax: &ImplSyntax) -> TokenStream {
    let mut numbers = 0..;
    let recorded = |item: &ItemSyntax| match item {
        ItemSyntax::Function(function) => recorded_item(model, function, numbers.next().unwrap_or_default()),
        ItemSyntax::Other(tokens, _) => tokens.clone(),
    };
    syntax.items.iter().map(recorded).collect()
}

fn recorded_item(model: &SpecModel, function: &FunctionSyntax, number: usize) -> TokenStream {
    match specified(model, number) {
        Some(index) => call::function(model, function, &model.methods[index], index, &TokenStream::new()),
        None => function_beside(model, function),
    }
}

// Input:
// pub fn is_empty(&self) -> bool { body }
// Output:
// pub fn is_empty(&self) -> bool { note_beside("Queue"); '__cdsspec_body: { body } }
/// A function that is not annotated: that it ran, and no call did, is worth a note. In a `const fn` nothing can be noted.
fn function_beside(model: &SpecModel, function: &FunctionSyntax) -> TokenStream {
    let FunctionSyntax { attributes, visibility, signature, braces, body, .. } = function;
    if signature.constness.is_some() {
        let body = body.in_brackets(braces, |body| marker::recorded(body, &model.krate));
        return quote!(#(#attributes)* #visibility #signature #body);
    }
    let (private, name) = (model.private(), &model.name);
    let (inner, content) = split_inner_attributes(marker::recorded(body, &model.krate));
    let content = behind(&quote!(#inner #private::note_beside(#name);), &regroup(braces, content));
    let body = regroup(braces, content);
    quote!(#(#attributes)* #visibility #signature #body)
}

// Input:
// fn not_specified(&self) { #[op_define] self.a(); }
// Output:
// inventory::submit! { RegisteredMarker(MarkerText { name: "op_define", … }) }
/// The annotations in functions without clauses, for lists. Macro forms tell of themselves.
fn helper_markers(model: &SpecModel, syntax: &ImplSyntax) -> TokenStream {
    let private = model.private();
    let helpers = functions(syntax).enumerate().filter(|(number, _)| specified(model, *number).is_none());
    let of_helper = |(_, function): (usize, &FunctionSyntax)| {
        let conditions = conditions(&function.attributes);
        let submit = |marker: &MarkerModel| {
            let text = data::marker_text(model, marker);
            quote!(#conditions #private::inventory::submit! { #private::RegisteredMarker(#text) })
        };
        attribute_markers(function).iter().map(submit).collect::<TokenStream>()
    };
    helpers.map(of_helper).collect()
}

//! The recorded form of an impl, with its specification.

use super::{
    behind, call, header, instance, location, marker, plain, record, record_ident, rule, shared, state, step,
};
use crate::model::{
    ClauseKind, MarkerModel, MethodModel, Part, SpecModel, attribute_markers, functions, mention,
};
use crate::parse::body::regroup;
use crate::parse::helper::conditions;
use crate::parse::item::{FunctionSyntax, ImplSyntax, ItemSyntax, split_inner_attributes};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

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
pub(super) fn item(model: &SpecModel, syntax: &ImplSyntax) -> TokenStream {
    let aliases = instance::aliases(model);
    let type_alias = instance::type_alias(model);
    let state = state::ty(model);
    let records = each_method(model, record::types);
    let concurrent = concurrent(model);
    let steps = steps(model);
    let effects = each_method(model, step::effect_function);
    let specification = match model.part {
        Part::Methods => shared::block(model, &each_method(model, shared::block_method)),
        _ => specification(model),
    };
    let instance = instance_functions(model, syntax);
    let numbers = model.numbers();
    let helpers = helper_markers(model, syntax);
    let items = quote!(#numbers #aliases #type_alias #state #records #concurrent #steps #effects #specification #instance #helpers);
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

/// What is made of each method, one after the other.
pub(super) fn each_method(
    model: &SpecModel,
    make: impl Fn(&SpecModel, &MethodModel, usize) -> TokenStream,
) -> TokenStream {
    model.methods.iter().enumerate().map(|(index, method)| make(model, method, index)).collect()
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

/// The trait through which the functions of the specification are called: in it `Self` is the specified type.
pub(super) fn methods_of(model: &SpecModel) -> TokenStream {
    let self_type = &model.self_type;
    quote!(<#self_type as __CdsspecSteps>)
}

pub(super) fn steps(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let self_type = &model.self_type;
    let step_signatures = each_method(model, |_, method, index| {
        let (name, conditions) = (step::ident(index), &method.conditions);
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

// Input:
// methods `push` and `steal`, and a clause that mentions `concurrent`
// Output:
// struct __CdsspecConcurrent<'a>(Concurrent<'a>);
// impl<'a> __CdsspecConcurrent<'a> {
//     fn steal(&self) -> impl Iterator<Item = &'a StealReturned> + use<'a> { … }
// }
// impl<'a> Deref for __CdsspecConcurrent<'a> { type Target = Concurrent<'a>; … }
/// `concurrent`: an iterator for each method, then what all of them have, `is_empty`, `len` and `all`.
fn concurrent(model: &SpecModel) -> Option<TokenStream> {
    model.methods.iter().any(|method| method.has_concurrent).then_some(())?;
    let private = model.private();
    let method = |method: &MethodModel, index: usize, captured: &TokenStream| {
        // No clause names another one.
        if !method.is_named {
            return TokenStream::new();
        }
        let name = mention::concurrent_name(&method.name);
        let record = record_ident(index, &method.name);
        let (alias, returned) = (record::alias(&record), record::returned_alias(&record));
        let (id, conditions) = (model.method_number(index), &method.conditions);
        quote! {
            #conditions
            fn #name(&self) -> impl #private::Iterator<Item = &'__cdsspec #returned> + use<#captured> {
                self.0.of::<#alias>(#private::MethodId::new(#id)).filter_map(#alias::returned)
            }
        }
    };
    let shared::OtherMethods { records, fields, functions, .. } = shared::OtherMethods::new(model);
    let parameters = quote!('__cdsspec #(, #records: #private::Record)*);
    let ty = quote!(__CdsspecConcurrent<'__cdsspec #(, #records)*>);
    let captured = quote!('__cdsspec #(, #records)*);
    let methods = each_method(model, |_, one, index| method(one, index, &captured));
    // Derived, it would be `Copy` only where the records are.
    let copy = if records.is_empty() {
        None
    } else {
        Some(quote! {
            #[allow(clippy::expl_impl_clone_on_copy, reason = "whatever the records are")]
            impl<#parameters> ::core::clone::Clone for #ty {
                fn clone(&self) -> Self { *self }
            }
            impl<#parameters> ::core::marker::Copy for #ty {}
        })
    };
    let derive = copy.is_none().then(|| quote!(#[derive(::core::clone::Clone, ::core::marker::Copy)]));
    Some(quote! {
        #derive
        struct __CdsspecConcurrent<#parameters>(#private::Concurrent<'__cdsspec> #fields);
        #copy
        #[allow(dead_code, reason = "clauses use some of them")]
        impl<#parameters> #ty { #methods #functions }
        impl<#parameters> #private::Deref for #ty {
            type Target = #private::Concurrent<'__cdsspec>;
            fn deref(&self) -> &Self::Target { &self.0 }
        }
    })
}

pub(super) fn specification(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let name = &model.name;
    let source = location(&model.krate, Span::call_site());
    let state = state::support(model);
    let methods = match model.part {
        Part::Shared => quote!(#private::shared_methods::<__CdsspecState>()),
        _ => {
            let methods = each_method(model, |model, one, index| {
                let (method, conditions) = (method(model, one, index), &one.conditions);
                quote!(#conditions #method,)
            });
            let probes = record::probes(&private);
            quote!({ #probes #private::Vec::from([#methods]) })
        }
    };
    let variants = rule::variants(model);
    let rules = variants.iter().map(|variant| {
        let (first, second) = variant.ids(model);
        let (text, source) = (&variant.rule.text, location(&model.krate, variant.rule.span));
        let (holder, function, conditions) = (methods_of(model), &variant.name, &variant.conditions);
        quote! {
            #conditions
            #private::AdmissibilityRule {
                first: #first,
                second: #second,
                text: #text,
                source: #source,
                must_be_ordered: #holder::#function,
            },
        }
    });
    quote! {
        fn __cdsspec_specification() -> &'static #private::Specification {
            static SPECIFICATION: #private::OnceLock<#private::Specification> = #private::OnceLock::new();
            SPECIFICATION.get_or_init(|| #private::Specification {
                name: #name,
                source: #source,
                state: #state,
                methods: #methods,
                rules: #private::Vec::from([#(#rules)*]),
            })
        }
        #private::inventory::submit! { #private::RegisteredSpecification { get: __cdsspec_specification } }
    }
}

/// A method, as data.
pub(super) fn method(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    let private = model.private();
    let name = SpecModel::method_name(method);
    let source = location(&model.krate, method.name.span());
    let mut clauses: Vec<TokenStream> = method
        .clauses
        .iter()
        .map(|clause| {
            let kind = format_ident!("{}", clause.kind.variant()).to_token_stream();
            self::clause(model, &kind, &clause.expression.text, clause.expression.span)
        })
        .collect();
    if let (Some(effect), None) =
        (method.clause(ClauseKind::SideEffect), method.clause(ClauseKind::PostCondition))
    {
        clauses.push(clause(model, &quote!(SameReturn), &effect.expression.text, effect.expression.span));
    }
    let (holder, step) = (methods_of(model), step::ident(index));
    let values = record::value_support(model, method, index);
    let markers = method.markers.iter().map(|marker| marker_text(model, marker));
    quote! {
        #private::Method {
            name: #name,
            source: #source,
            clauses: #private::Vec::from([#(#clauses),*]),
            step: #holder::#step,
            markers: #private::Vec::from([#(#markers),*]),
            values: #values,
        }
    }
}

fn marker_text(model: &SpecModel, marker: &MarkerModel) -> TokenStream {
    let private = model.private();
    let (name, text, source) = (&marker.name, &marker.text, location(&model.krate, marker.span));
    quote!(#private::MarkerText { name: #name, text: #text, source: #source })
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
            let text = marker_text(model, marker);
            quote!(#conditions #private::inventory::submit! { #private::RegisteredMarker(#text) })
        };
        attribute_markers(function).iter().map(submit).collect::<TokenStream>()
    };
    helpers.map(of_helper).collect()
}

fn clause(model: &SpecModel, kind: &TokenStream, text: &str, span: Span) -> TokenStream {
    let private = model.private();
    let source = location(&model.krate, span);
    quote!(#private::Clause { kind: #private::ClauseKind::#kind, text: #text, source: #source })
}

//! The recorded form of an impl, with its specification.

use super::{call, location, marker, plain, record, record_ident, rule, state, step};
use crate::model::{ClauseKind, MethodModel, SpecModel};
use crate::parse::body::regroup;
use crate::parse::item::{FunctionSyntax, ImplSyntax, ItemSyntax};
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
    let state = state::ty(model);
    let records = each_method(model, record::types);
    let concurrent = concurrent(model);
    let steps = steps(model);
    let specification = specification(model);
    let block =
        plain::with_items(syntax, syntax.items.iter().map(|item| recorded_item(model, item)).collect());
    quote! {
        const _: () = {
            #state
            #records
            #concurrent
            #steps
            #specification
            #block
        };
    }
}

fn each_method(
    model: &SpecModel,
    make: impl Fn(&SpecModel, &MethodModel, usize) -> TokenStream,
) -> TokenStream {
    model.methods.iter().enumerate().map(|(index, method)| make(model, method, index)).collect()
}

fn recorded_item(model: &SpecModel, item: &ItemSyntax) -> TokenStream {
    let function = match item {
        ItemSyntax::Function(function) => function,
        ItemSyntax::Other(tokens, _) => return tokens.clone(),
    };
    let specified = model.methods.iter().position(|method| method.name == function.signature.ident);
    match specified {
        Some(index) => call::function(function, &model.methods[index], index, &model.krate),
        None => {
            let FunctionSyntax { attributes, visibility, signature, braces, body, .. } = &**function;
            let body = regroup(braces, marker::recorded(body, &model.krate));
            quote!(#(#attributes)* #visibility #signature #body)
        }
    }
}

/// The trait through which the functions of the specification are called: in it `Self` is the specified type.
pub(super) fn methods_of(model: &SpecModel) -> TokenStream {
    let self_type = &model.self_type;
    quote!(<#self_type as __CdsspecSteps>)
}

fn steps(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let self_type = &model.self_type;
    let step_names = (0..model.methods.len()).map(step::ident);
    let rule_names = (0..model.rules.len()).map(rule::ident);
    let state = state::functions(model);
    let steps = each_method(model, step::function);
    let rules = model.rules.iter().enumerate().map(|(index, rule)| rule::function(model, rule, index));
    quote! {
        trait __CdsspecSteps {
            fn __cdsspec_initial() -> __CdsspecState;
            fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState;
            fn __cdsspec_clear(__cdsspec_state: __CdsspecState);
            #(fn #step_names(__cdsspec_step: &mut #private::Step<'_>) -> #private::Result<(), #private::Broken>;)*
            #(fn #rule_names(__cdsspec_first: &dyn #private::Any, __cdsspec_second: &dyn #private::Any) -> bool;)*
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
    let methods = each_method(model, |_, method, index| {
        let name = &method.name;
        let record = record_ident(index, name);
        let (alias, returned) = (record::alias(&record), record::returned_alias(&record));
        quote! {
            fn #name(&self) -> impl #private::Iterator<Item = &'__cdsspec #returned> + use<'__cdsspec> {
                self.0.of::<#alias>(#private::MethodId::new(#index)).filter_map(#alias::returned)
            }
        }
    });
    Some(quote! {
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        struct __CdsspecConcurrent<'__cdsspec>(#private::Concurrent<'__cdsspec>);
        #[allow(dead_code, reason = "clauses use some of them")]
        impl<'__cdsspec> __CdsspecConcurrent<'__cdsspec> { #methods }
        impl<'__cdsspec> #private::Deref for __CdsspecConcurrent<'__cdsspec> {
            type Target = #private::Concurrent<'__cdsspec>;
            fn deref(&self) -> &Self::Target { &self.0 }
        }
    })
}

fn specification(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let name = &model.name;
    let source = location(&model.krate, Span::call_site());
    let state = state::support(model);
    let methods = each_method(model, method);
    let rules = model.rules.iter().enumerate().map(|(index, rule)| {
        let (first, second) =
            (rule::method_index(model, &rule.first), rule::method_index(model, &rule.second));
        let (text, source) = (&rule.text, location(&model.krate, rule.span));
        let (holder, function) = (methods_of(model), rule::ident(index));
        quote! {
            #private::AdmissibilityRule {
                first: #private::MethodId::new(#first),
                second: #private::MethodId::new(#second),
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
                methods: #private::Vec::from([#methods]),
                rules: #private::Vec::from([#(#rules)*]),
            })
        }
        #private::inventory::submit! { #private::RegisteredSpecification { get: __cdsspec_specification } }
    }
}

fn method(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
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
    quote! {
        #private::Method {
            name: #name,
            source: #source,
            clauses: #private::Vec::from([#(#clauses),*]),
            step: #holder::#step,
            values: #values,
        },
    }
}

fn clause(model: &SpecModel, kind: &TokenStream, text: &str, span: Span) -> TokenStream {
    let private = model.private();
    let source = location(&model.krate, span);
    quote!(#private::Clause { kind: #private::ClauseKind::#kind, text: #text, source: #source })
}

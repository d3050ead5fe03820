//! The specification as data: what is registered.

use super::name::{each_method, methods_of, step_ident};
use super::token::location;
use super::{record, rule, state};
use crate::model::{ClauseKind, MarkerModel, MethodModel, Part, SpecModel};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

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
    let (holder, step) = (methods_of(model), step_ident(index));
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

fn clause(model: &SpecModel, kind: &TokenStream, text: &str, span: Span) -> TokenStream {
    let private = model.private();
    let source = location(&model.krate, span);
    quote!(#private::Clause { kind: #private::ClauseKind::#kind, text: #text, source: #source })
}

pub(super) fn marker_text(model: &SpecModel, marker: &MarkerModel) -> TokenStream {
    let private = model.private();
    let (name, text, source) = (&marker.name, &marker.text, location(&model.krate, marker.span));
    quote!(#private::MarkerText { name: #name, text: #text, source: #source })
}

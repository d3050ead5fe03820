//! One specification for several impl blocks: the struct that is its state, and what each block adds.

use super::name::{alias, each_method, owner, record_ident};
use super::token::{local, location, placed, select};
use super::{data, record, state, steps};
use crate::model::{MethodModel, SharedModel, SpecModel};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ItemStruct;

// Input:
// #[cdsspec::specification] #[admit(send <-> send)] struct ChannelSpec { q: VecDeque<i32> }
// Output:
// plain:    struct ChannelSpec { q: VecDeque<i32> }
// recorded: struct ChannelSpec { q: VecDeque<i32> } const _: () = { …; impl SharedSpecification for ChannelSpec { … } };
/// Both forms of the struct that is the state.
pub(crate) fn specification(model: &SharedModel) -> TokenStream {
    let SharedModel { specification, item } = model;
    let (item, recorded) = (struct_of_state(item), recorded(specification));
    select(&specification.krate, &item, &quote!(#item #recorded))
}

/// The struct. A plain build reads none of its fields.
pub(crate) fn struct_of_state(item: &ItemStruct) -> TokenStream {
    quote!(#[allow(dead_code, reason = "the state of a specification")] #item)
}

fn recorded(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let name = &model.self_type;
    let state = state::ty(model);
    let steps = steps::item(model);
    let specification = data::specification(model);
    let conditions = &model.conditions;
    quote! {
        #conditions
        const _: () = {
            #state
            #steps
            #specification
            #[automatically_derived]
            impl #private::SharedSpecification for #name {
                fn specification() -> &'static #private::Specification { __cdsspec_specification() }
            }
        };
    }
}

// Input:
// #[cdsspec::spec(for = ChannelSpec)] impl Sender { #[side_effect(…)] fn send(&self, value: i32) }
// Output:
// type __CdsspecOwner = ChannelSpec;
// static __CDSSPEC_BLOCK: SpecificationBlock = …;
// inventory::submit! { RegisteredBlock(&__CDSSPEC_BLOCK) }
// fn __cdsspec_method(index: usize) -> usize { … }
// impl SpecifiedMethod<{ name_of("send") }, SendRecord> for __CdsspecOwner { … }
// impl SpecifiedMethod<{ name_of("Sender::send") }, SendRecord> for __CdsspecOwner { … }
/// What a block adds to the specification that it is for.
pub(super) fn block(model: &SpecModel, methods: &TokenStream) -> TokenStream {
    let private = model.private();
    let source = location(&model.krate, Span::call_site());
    let ty = &model.state.fields[0].ty;
    let owner = owner(model);
    let specified = each_method(model, specified_method);
    let probes = record::probes(&private);
    quote! {
        type #owner = #ty;
        fn __cdsspec_specification() -> &'static #private::Specification {
            <#owner as #private::SharedSpecification>::specification()
        }
        static __CDSSPEC_BLOCK: #private::SpecificationBlock = #private::SpecificationBlock {
            owner: || #private::TypeId::of::<#owner>(),
            source: #source,
            methods: || { #probes #private::Vec::from([#methods]) },
        };
        #private::inventory::submit! { #private::RegisteredBlock(&__CDSSPEC_BLOCK) }
        #[allow(dead_code, reason = "a block may have no methods yet")]
        fn __cdsspec_method(__cdsspec_index: ::core::primitive::usize) -> ::core::primitive::usize {
            static FIRST: #private::OnceLock<::core::primitive::usize> = #private::OnceLock::new();
            *FIRST.get_or_init(|| #private::first_method(&__CDSSPEC_BLOCK)) + __cdsspec_index
        }
        #specified
    }
}

/// A method as rules and other blocks find it: by each of its names.
fn specified_method(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    let (private, number) = (model.private(), model.method_number(index));
    let record = alias(&record_ident(index, &method.name));
    let span = method.name.span();
    let place = placed(owner(model), span);
    // With the macro's own hygiene, since the names are ours.
    let span = local("_", span).span();
    let conditions = &method.conditions;
    let implementation = |name: &String| {
        let item = quote_spanned! {span=>
            #[automatically_derived]
            #[diagnostic::do_not_recommend]
            impl #private::SpecifiedMethod<{ #private::name_of(#name) }, #record> for #place {
                fn id() -> #private::MethodId { #private::MethodId::new(#number) }
            }
        };
        quote! {
            #conditions
            #[allow(non_local_definitions, reason = "a function outside of an impl has everything inside")]
            #item
        }
    };
    model.names(method).iter().map(implementation).collect()
}

/// A method with its names, as an element of a list.
pub(super) fn block_method(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    let (private, names, conditions) = (model.private(), model.names(method), &method.conditions);
    let method = data::method(model, method, index);
    quote!(#conditions #private::BlockMethod { method: #method, names: &[#(#names),*] },)
}

//! One specification for several impl blocks: the struct that is its state, and what each block adds.

use super::specification::{self as form, each_method};
use super::{fallback, local, location, record, record_ident, select, state};
use crate::diagnostics::{Errors, NOT_A_STRUCT};
use crate::model::{MethodModel, Part, SpecModel, build_shared, mention};
use crate::parse::arguments::parse_crate;
use crate::parse::fragment::opened_item;
use crate::parse::helper::take_helpers;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::ItemStruct;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

// Input:
// #[cdsspec::specification] #[admit(send <-> send)] struct ChannelSpec { q: VecDeque<i32> }
// Output:
// plain:    struct ChannelSpec { q: VecDeque<i32> }
// recorded: struct ChannelSpec { q: VecDeque<i32> } const _: () = { …; impl SharedSpecification for ChannelSpec { … } };
/// Expands `specification`.
pub(crate) fn specification(arguments: TokenStream, item: TokenStream) -> TokenStream {
    if let Some(item) = fallback::of_too_deep(&arguments, &item) {
        return item;
    }
    let mut errors = Errors::default();
    let krate = parse_crate("specification", arguments, &mut errors);
    let item = opened_item(item);
    let Ok(mut syntax) = syn::parse2::<ItemStruct>(item.clone()) else {
        errors.on(&item, NOT_A_STRUCT, &[]);
        return fallback::beside(&fallback::without_helpers(item), errors);
    };
    let helpers = take_helpers(&mut syntax.attrs, &mut errors);
    // A plain build reads none of the fields.
    let lint = quote!(#[allow(dead_code, reason = "the state of a specification")]);
    let model = build_shared(krate.clone(), &syntax, &helpers, &mut errors);
    let syntax = quote!(#lint #syntax);
    let Some(model) = model else { return fallback::beside(&syntax, errors) };
    errors.finish();
    let recorded = recorded(&model);
    select(&krate, &syntax, &quote!(#syntax #recorded))
}

fn recorded(model: &SpecModel) -> TokenStream {
    let private = model.private();
    let name = &model.self_type;
    let state = state::ty(model);
    let steps = form::steps(model);
    let specification = form::specification(model);
    let conditions = &model.conditions;
    quote! {
        #conditions
        const _: () = {
            #state
            #steps
            #specification
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
    let record = record::alias(&record_ident(index, &method.name));
    let span = method.name.span();
    let place = placed(owner(model), span);
    // With the macro's own hygiene, since the names are ours.
    let span = local("_", span).span();
    let conditions = &method.conditions;
    let implementation = |name: &String| {
        let item = quote_spanned! {span=>
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
    let method = form::method(model, method, index);
    quote!(#conditions #private::BlockMethod { method: #method, names: &[#(#names),*] },)
}

/// A function of the runtime about a method of a shared specification, by one of the method's names, which stands at this place; which
/// record the method has, is found out.
pub(super) fn of_method(model: &SpecModel, function: &str, name: &str, span: Span) -> TokenStream {
    let function = local(function, span);
    let (private, owner) = (placed(model.private(), span), placed(owner(model), span));
    quote_spanned!(span=> #private::#function::<#owner, { #private::name_of(#name) }, _>)
}

/// The type of the shared specification. A block has a name of its own for it: where it is not there, that is one error.
fn owner(model: &SpecModel) -> TokenStream {
    match model.part {
        Part::Shared => model.self_type.clone(),
        _ => Ident::new("__CdsspecOwner", model.state.fields[0].ty.span()).into_token_stream(),
    }
}

/// Tokens with their hygiene, and another place: that of what an error would be about.
pub(super) fn placed(tokens: TokenStream, span: Span) -> TokenStream {
    let placed = |mut token: TokenTree| {
        token.set_span(token.span().located_at(span));
        token
    };
    tokens.into_iter().map(placed).collect()
}

/// The methods of other blocks whose calls clauses of this one look for in `concurrent`, as they are named there first.
fn others(model: &SpecModel) -> Vec<Ident> {
    if model.part != Part::Methods {
        return Vec::new();
    }
    let own = model.methods.iter().map(|method| mention::concurrent_name(&method.name).unraw().to_string());
    let mut known: HashSet<String> = own.collect();
    let clauses = model.methods.iter().flat_map(|method| &method.clauses);
    let named = clauses.flat_map(|clause| mention::fields_of(&clause.expression.tokens, "concurrent"));
    let mut others = Vec::new();
    for name in named.filter(|name| !mention::is_of_all(name)) {
        if known.insert(name.unraw().to_string()) {
            others.push(name);
        }
    }
    others
}

/// What `concurrent` has for the methods of other blocks. Their records are found out when it is made: so a method that is not there
/// is one error, and not one at each use.
pub(super) struct OtherMethods {
    /// The record of each: a type parameter.
    pub(super) records: Vec<Ident>,
    /// The types of fields that know the methods.
    pub(super) fields: TokenStream,
    /// Their values.
    pub(super) values: TokenStream,
    /// An iterator of the calls of each.
    pub(super) functions: TokenStream,
}

impl OtherMethods {
    /// Those that clauses of this block name.
    pub(super) fn new(model: &SpecModel) -> Self {
        let private = model.private();
        let others = others(model);
        let records: Vec<Ident> =
            (0..others.len()).map(|index| format_ident!("__CdsspecRecord{index}")).collect();
        let values = others.iter().map(|name| {
            let method = of_method(model, "other_method", &mention::method_behind(name), name.span());
            quote!(, #method())
        });
        let functions = others.iter().enumerate().map(|(index, name)| {
            let (record, field) = (&records[index], syn::Index::from(index + 1));
            quote! {
                fn #name(
                    &self,
                ) -> impl #private::Iterator<Item = &'__cdsspec #record::Returned> + use<'__cdsspec, #(#records),*> {
                    self.#field.calls(self.0)
                }
            }
        });
        Self {
            fields: quote!(#(, #private::OtherMethod<#records>)*),
            values: values.collect(),
            functions: functions.collect(),
            records,
        }
    }
}

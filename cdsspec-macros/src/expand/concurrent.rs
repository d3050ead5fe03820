//! `concurrent`: the calls that are concurrent with one, by method.

use super::name::{alias, each_method, of_method, record_ident, returned_alias};
use crate::model::{MethodModel, Part, SpecModel};
use crate::parse::mention;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;
use syn::ext::IdentExt;

// Input:
// methods `push` and `steal`, and a clause that mentions `concurrent`
// Output:
// struct __CdsspecConcurrent<'a>(Concurrent<'a>);
// impl<'a> __CdsspecConcurrent<'a> {
//     fn steal(&self) -> impl Iterator<Item = &'a StealReturned> + use<'a> { … }
// }
// impl<'a> Deref for __CdsspecConcurrent<'a> { type Target = Concurrent<'a>; … }
/// `concurrent`: an iterator for each method, then what all of them have, `is_empty`, `len` and `all`.
pub(super) fn ty(model: &SpecModel) -> Option<TokenStream> {
    model.methods.iter().any(|method| method.has_concurrent).then_some(())?;
    let private = model.private();
    let method = |method: &MethodModel, index: usize, captured: &TokenStream| {
        // No clause names another one.
        if !method.is_named {
            return TokenStream::new();
        }
        let name = mention::concurrent_name(&method.name);
        let record = record_ident(index, &method.name);
        let (alias, returned) = (alias(&record), returned_alias(&record));
        let (id, conditions) = (model.method_number(index), &method.conditions);
        quote! {
            #conditions
            fn #name(&self) -> impl #private::Iterator<Item = &'__cdsspec #returned> + use<#captured> {
                self.0.of::<#alias>(#private::MethodId::new(#id)).filter_map(#alias::returned)
            }
        }
    };
    let OtherMethods { records, fields, functions, .. } = OtherMethods::new(model);
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
            #[automatically_derived]
            impl<#parameters> ::core::clone::Clone for #ty {
                fn clone(&self) -> Self { *self }
            }
            #[automatically_derived]
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
        #[automatically_derived]
        impl<#parameters> #private::Deref for #ty {
            type Target = #private::Concurrent<'__cdsspec>;
            fn deref(&self) -> &Self::Target { &self.0 }
        }
    })
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

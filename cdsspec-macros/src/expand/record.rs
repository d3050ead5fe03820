//! The types that hold the recorded values of a method's calls, and how they are shown.

use super::{record_ident, step};
use crate::model::{Kept, MethodModel, Part, Returned, SpecModel, closed, with_lifetime, without_self};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Index;
use syn::ext::IdentExt;

/// The record of a call, in all its stages.
pub(super) fn alias(name: &Ident) -> Ident {
    format_ident!("{name}Record")
}

/// The record of a call that returned: what `m1`, `m2` and `concurrent` show.
pub(super) fn returned_alias(name: &Ident) -> Ident {
    format_ident!("{name}Returned")
}

/// `fn(T)` of the type `T` of a return value that is compared with that of the side effect: by itself it could not be named where it hides a
/// lifetime. Written where it is needed, a type that is not there would be an error at each of the places.
pub(super) fn compared_alias(name: &Ident) -> Ident {
    format_ident!("{name}Compared")
}

/// Stands before what names that type once more.
pub(super) fn lifetime_lint() -> TokenStream {
    quote!(#[allow(elided_lifetimes_in_paths, reason = "as the method names it")])
}

/// Asks for that type, with `ReturnOwned` and `ReturnBorrowing` in scope.
pub(super) fn compared_probe(private: &TokenStream, name: &Ident) -> TokenStream {
    let alias = compared_alias(name);
    quote!((&&#private::ReturnProbe::<#alias>::new()))
}

/// The values of a call: those of the parameters that are kept, in order, then the return value.
pub(super) fn value(
    method: &MethodModel,
    index: usize,
    parameters: impl Iterator<Item = TokenStream>,
    returned: &TokenStream,
) -> TokenStream {
    if !method.is_named {
        return quote!((#(#parameters,)* #returned,));
    }
    let (name, fields) = (record_ident(index, &method.name), method.kept().map(|(field, _)| field));
    quote!(#name { #(#fields: #parameters,)* c_ret: #returned })
}

/// What stands behind the dot for one of the values, `c_ret` among them.
pub(super) fn field(method: &MethodModel, name: &Ident) -> TokenStream {
    if method.is_named {
        return name.to_token_stream();
    }
    let position = method.kept().position(|(parameter, _)| parameter == name);
    let mut index = Index::from(position.unwrap_or_else(|| method.kept().count()));
    index.span = name.span();
    index.into_token_stream()
}

/// The field of the return value.
pub(super) fn return_field(method: &MethodModel) -> TokenStream {
    field(method, &Ident::new("c_ret", Span::call_site()))
}

// Input:
// pub fn put(&self, key: &str, out: &mut i32) -> bool — of which all is mentioned
// Output:
// type PutReturned = (<str as ToOwned>::Owned, <i32 as ToOwned>::Owned, bool);
// type PutRecord = Recorded<(<str as ToOwned>::Owned, Unrecorded, Unrecorded), PutReturned>;
// or, where a rule or another method sees it:
// #[derive(PartialEq, Eq, Hash)]
// struct Put<P0, P1, R> { key: P0, out: P1, c_ret: R }
// type PutReturned = Put<<str as ToOwned>::Owned, <i32 as ToOwned>::Owned, bool>;
// type PutRecord = Recorded<Put<<str as ToOwned>::Owned, Unrecorded, Unrecorded>, PutReturned>;
/// The types of one method.
pub(super) fn types(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    let private = model.private();
    let name = record_ident(index, &method.name);
    let (alias, returned) = (alias(&name), returned_alias(&name));
    let conditions = &method.conditions;
    let fields: Vec<&Ident> = method.kept().map(|(field, _)| field).collect();
    let types: Vec<Ident> =
        (0..fields.len()).map(|index| format_ident!("__CdsspecParameter{index}")).collect();
    let entered = method.kept().map(|(_, kept)| match kept {
        Kept::AtReturn(_) => quote!(#private::Unrecorded),
        kept => model.kept_type(kept),
    });
    let complete = method.kept().map(|(_, kept)| model.kept_type(kept));
    let compared = match &method.returned {
        Returned::IfCompared(ty) => {
            let (alias, ty, lint) = (compared_alias(&name), model.outside(ty), lifetime_lint());
            Some(quote! {
                #conditions
                #lint
                type #alias = fn(#ty);
            })
        }
        _ => None,
    };
    let result = model.returned_type(&method.returned);
    if !method.is_named {
        return quote! {
            #compared
            #conditions
            type #returned = (#(#complete,)* #result,);
            #conditions
            type #alias = #private::Recorded<(#(#entered,)* #private::Unrecorded,), #returned>;
        };
    }
    // The rules of a shared specification see the records of its blocks, wherever they are.
    let visibility = (model.part == Part::Methods).then(|| quote!(pub));
    let lint =
        visibility.as_ref().map(|_| quote!(#[allow(unreachable_pub, reason = "named by a trait only")]));
    quote! {
        #compared
        #conditions
        #lint
        #[allow(dead_code, reason = "some fields are only shown and compared")]
        #[derive(::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash)]
        #visibility struct #name<#(#types,)* __CdsspecReturn> { #(#visibility #fields: #types,)* #visibility c_ret: __CdsspecReturn }
        #conditions
        type #returned = #name<#(#complete,)* #result>;
        #conditions
        type #alias = #private::Recorded<#name<#(#entered,)* #private::Unrecorded>, #returned>;
    }
}

/// How recorded values are shown and compared: the fields of `ValueSupport`.
pub(super) fn value_support(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    let private = model.private();
    let name = record_ident(index, &method.name);
    let alias = alias(&name);
    let arguments = render_arguments(model, method, &name);
    let return_field = return_field(method);
    let returned = match &method.returned {
        Returned::Unrecorded => quote!(#private::no_return),
        Returned::IfCompared(_) => {
            let show = show_in_scope(&private, &quote!(__cdsspec_value));
            let compared = compared_probe(&private, &name);
            quote! {
                |__cdsspec_values| {
                    let __cdsspec_value = &#private::returned::<#alias>(__cdsspec_values)?.#return_field;
                    #compared.kept(__cdsspec_value).and_then(|__cdsspec_value| #show)
                }
            }
        }
        _ => {
            let show = show_in_scope(
                &private,
                &quote!(&#private::returned::<#alias>(__cdsspec_values)?.#return_field),
            );
            quote!(|__cdsspec_values| #show)
        }
    };
    let key = match &method.returned {
        Returned::IfCompared(_) => {
            let (compared, says_nothing) = (compared_probe(&private, &name), step::says_nothing(index));
            let all = key_in_scope(&private, &alias);
            quote!(#private::unmentioned_key(#says_nothing(), (&&#compared.probe()).key(), #all))
        }
        _ => key_in_scope(&private, &alias),
    };
    quote! {
        #private::ValueSupport {
            render_arguments: #arguments,
            render_return: #returned,
            key: #key,
        }
    }
}

fn render_arguments(model: &SpecModel, method: &MethodModel, name: &Ident) -> TokenStream {
    let private = model.private();
    let alias = alias(name);
    let texts = |is_returned: bool| {
        let text = method.parameters.iter().map(|parameter| {
            let conditions = &parameter.conditions;
            let text = match (&parameter.name, &parameter.kept) {
                (Some(_), Some(Kept::AtReturn(_))) if !is_returned => quote!(#private::None),
                (Some(field), Some(_)) => {
                    let field = self::field(method, field);
                    show_in_scope(&private, &quote!(&__cdsspec_record.#field))
                }
                _ => quote!(#private::None),
            };
            quote!(#conditions #text)
        });
        quote!(#private::argument_texts([#(#text),*]))
    };
    if method.parameters.is_empty() {
        return quote!(#private::no_arguments);
    }
    let (returned, entered) = (texts(true), texts(false));
    if method.kept().next().is_none() {
        return quote!(|_| #returned);
    }
    quote! {
        |__cdsspec_values| #private::with_record::<#alias, _>(
            __cdsspec_values,
            |__cdsspec_record| #entered,
            |__cdsspec_record| #returned,
        )
    }
}

/// A reference as text, if its type is `Debug`.
pub(super) fn show(private: &TokenStream, reference: &TokenStream) -> TokenStream {
    quote!(#private::show!(#reference))
}

/// The traits of probes, for the values of all methods of a specification: each `use` in a block of its own costs the compiler much.
pub(super) fn probes(private: &TokenStream) -> TokenStream {
    quote! {
        #[allow(unused_imports, reason = "which of them are used depends on the types")]
        use #private::{
            ProbeKey as _, ProbeNoKey as _, ProbeNoShow as _, ProbeShow as _, ReturnBorrowing as _, ReturnOwned as _,
        };
    }
}

/// The same as [`show`], where the traits are in scope.
fn show_in_scope(private: &TokenStream, reference: &TokenStream) -> TokenStream {
    quote!({
        let __cdsspec_shown = #reference;
        (&&#private::probe_of(__cdsspec_shown)).show(__cdsspec_shown)
    })
}

/// Equality and hash of a type, if it has them, where the traits are in scope.
fn key_in_scope(private: &TokenStream, ty: &Ident) -> TokenStream {
    quote!((&&#private::Probe::<#ty>::new()).key())
}

fn number_ident(index: usize) -> Ident {
    format_ident!("__CDSSPEC_NUMBER_{index}")
}

impl SpecModel {
    /// What generated code needs.
    pub(super) fn private(&self) -> TokenStream {
        let krate = &self.krate;
        quote!(#krate::__private)
    }

    /// A type of the user's, outside of the impl.
    pub(super) fn outside(&self, ty: &syn::Type) -> TokenStream {
        self.outside_with(with_lifetime(closed(ty), &quote!('static)))
    }

    /// The same, with the lifetimes as they are.
    pub(super) fn outside_with(&self, ty: TokenStream) -> TokenStream {
        without_self(ty, &self.self_type, &self.self_path)
    }

    /// Whether one instance of several is specified.
    pub(super) fn is_generic(&self) -> bool {
        !self.instance.is_empty()
    }

    /// The number of a method in its specification, as an expression.
    pub(super) fn method_number(&self, index: usize) -> TokenStream {
        let index = if self.has_conditional_methods() {
            number_ident(index).to_token_stream()
        } else {
            index.to_token_stream()
        };
        match self.part {
            Part::Methods => quote!(__cdsspec_method(#index)),
            _ => index,
        }
    }

    /// Whether it depends on `#[cfg]`s which methods there are.
    fn has_conditional_methods(&self) -> bool {
        self.methods.iter().any(|method| !method.conditions.is_empty())
    }

    // Input:
    // #[cfg(unix)] fn first(&self); fn second(&self);
    // Output:
    // const __CDSSPEC_NUMBER_0: usize = 0;
    // const __CDSSPEC_NUMBER_1: usize = { let number = __CDSSPEC_NUMBER_0; #[cfg(unix)] let number = number + 1; number };
    /// The number of each method among those that are there, where that depends on `#[cfg]`s.
    pub(super) fn numbers(&self) -> Option<TokenStream> {
        let constant = |index: usize| {
            let name = number_ident(index);
            let value = match index.checked_sub(1) {
                None => quote!(0),
                Some(before) => {
                    let (number, conditions) = (number_ident(before), &self.methods[before].conditions);
                    quote!({
                        let __cdsspec_number = #number;
                        #conditions
                        let __cdsspec_number = __cdsspec_number + 1;
                        __cdsspec_number
                    })
                }
            };
            quote! {
                #[allow(dead_code, reason = "the method may not be there")]
                const #name: ::core::primitive::usize = #value;
            }
        };
        self.has_conditional_methods().then(|| (0..self.methods.len()).map(constant).collect())
    }

    /// The type of a kept parameter in the record.
    fn kept_type(&self, kept: &Kept) -> TokenStream {
        let private = self.private();
        match kept {
            Kept::Value(ty) => self.outside(ty),
            Kept::Reference(ty) | Kept::AtReturn(ty) => {
                let ty = self.outside(ty);
                quote!(<#ty as #private::ToOwned>::Owned)
            }
        }
    }

    fn returned_type(&self, returned: &Returned) -> TokenStream {
        let private = self.private();
        match returned {
            Returned::Unrecorded => quote!(#private::Unrecorded),
            Returned::Value(ty) => self.outside(ty),
            Returned::Projected(ty, _) => self.outside(ty),
            Returned::IfCompared(_) => quote!(#private::Unmentioned),
            Returned::Reference(ty) => {
                let ty = self.outside(ty);
                quote!(<#ty as #private::ToOwned>::Owned)
            }
        }
    }

    /// The name of a method, without `r#`.
    pub(super) fn method_name(method: &MethodModel) -> String {
        method.name.unraw().to_string()
    }
}

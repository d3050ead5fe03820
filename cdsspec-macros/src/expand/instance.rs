//! Generic impls: their parameters are named outside of the impl as what stands for them, and values are recorded there.

use super::record::{alias, lifetime_lint};
use super::{call, record_ident};
use crate::model::{
    InstanceArgument, Kept, MethodModel, ParameterKind, Returned, SpecModel, closed, mention, with_lifetime,
};
use crate::parse::item::FunctionSyntax;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericParam, ReturnType, TypeParamBound, WherePredicate};

// Input:
// #[cdsspec::spec(instance(T = i32, N = 4))] impl<T, const N: usize> Ring<T, N> { … }
// Output:
// type T = i32;
// const N: usize = 4;
/// The parameters of the impl, as names: whatever mentions them outside of the impl means the instance.
pub(super) fn aliases(model: &SpecModel) -> TokenStream {
    let alias = model.instance.iter().map(|argument| {
        let (name, value) = (&argument.name, &argument.value);
        match &argument.kind {
            ParameterKind::Type => quote! {
                #[allow(dead_code, non_camel_case_types, clippy::min_ident_chars, reason = "named as the impl names it, where it is needed")]
                type #name = #value;
            },
            ParameterKind::Constant(ty) => quote! {
                #[allow(dead_code, non_upper_case_globals, clippy::min_ident_chars, reason = "named as the impl names it, where it is needed")]
                const #name: #ty = #value;
            },
        }
    });
    alias.collect()
}

// Output:
// type __CdsspecInstance = Ring<T, N>;
// type __CdsspecArgumentT = T;
/// The name of the type that is specified, where it is one of several instances, and those of its arguments where the impl has others of these
/// names.
pub(super) fn type_alias(model: &SpecModel) -> Option<TokenStream> {
    let self_type = &model.self_type;
    let arguments = type_arguments(model).map(|argument| {
        let (alias, name) = (argument_alias(&argument.name), &argument.name);
        quote!(type #alias = #name;)
    });
    model.is_generic().then(|| quote!(type __CdsspecInstance = #self_type; #(#arguments)*))
}

fn type_arguments(model: &SpecModel) -> impl Iterator<Item = &InstanceArgument> {
    model.instance.iter().filter(|argument| matches!(argument.kind, ParameterKind::Type))
}

fn argument_alias(name: &Ident) -> Ident {
    format_ident!("__CdsspecArgument{}", name.unraw())
}

// Input:
// impl<T: Copy> Register<T> where …
// Output:
// const _: () = { fn holds<T: Copy>() where … {} let _ = || holds::<i32>(); };
/// What the impl asks of its parameters holds of the instance: else nothing would be recorded, and nothing said.
pub(super) fn bounds(model: &SpecModel) -> Option<TokenStream> {
    let (parameters, _, _) = model.generics.split_for_impl();
    let predicates = model.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let predicates = predicates
        .map(ToTokens::to_token_stream)
        .filter(|predicate| mention::find(predicate, "Self").is_none());
    // By the names that they have here, at the places of the values, which errors are about.
    let values = model.instance.iter().map(|argument| {
        let place =
            argument.value.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span());
        let mut name = argument.name.clone();
        name.set_span(name.span().located_at(place));
        match argument.kind {
            ParameterKind::Type => quote!(#name),
            ParameterKind::Constant(_) => quote!({ #name }),
        }
    });
    model.is_generic().then(|| quote! {
        const _: () = {
            #[allow(unused_lifetimes, single_use_lifetimes, clippy::all, clippy::pedantic, clippy::nursery, reason = "only the bounds are of interest")]
            const fn __cdsspec_holds #parameters () where #(#predicates,)* {}
            let _ = || __cdsspec_holds::<#(#values),*>();
        };
    })
}

fn enter_ident(index: usize) -> Ident {
    format_ident!("__cdsspec_enter_{index}")
}

fn finish_ident(index: usize) -> Ident {
    format_ident!("__cdsspec_finish_{index}")
}

// Input:
// impl<T> Queue<T> { fn put(&self, value: T) -> Result<(), T>; } — of which all is mentioned
// Output:
// fn __cdsspec_enter_0(value: &T) -> Box<dyn Any> { … }
// fn __cdsspec_finish_0(record: &mut Record, __cdsspec_return: &Result<(), T>) { … }
/// The functions that record the values of a method's calls, of the instance.
pub(super) fn functions(
    model: &SpecModel,
    function: &FunctionSyntax,
    method: &MethodModel,
    index: usize,
) -> TokenStream {
    let private = model.private();
    let record = alias(&record_ident(index, &method.name));
    let entered = method.kept().filter(|(_, kept)| !matches!(kept, Kept::AtReturn(_)));
    let entered = entered.map(|(name, kept)| parameter(model, name, kept));
    let completed = method.kept().filter(|(_, kept)| matches!(kept, Kept::AtReturn(_)));
    let completed = completed.map(|(name, kept)| parameter(model, name, kept));
    let returned = returned_type(model, function, method).map(|ty| quote!(__cdsspec_return: &#ty,));
    let (enter, finish) = (enter_ident(index), finish_ident(index));
    let values = call::entered(method, index, &private, true);
    let completion = call::completion(model, method, index, true);
    let conditions = &method.conditions;
    let (generics, bounds) = own_generics(model, function, method);
    let lint = matches!(method.returned, Returned::IfCompared(_)).then(lifetime_lint);
    quote! {
        #conditions
        fn #enter(#(#entered)*) -> #private::Box<dyn #private::Any> {
            #private::Box::new(#record::enter(#values))
        }
        #conditions
        #lint
        fn #finish #generics (__cdsspec_record: &mut #record, #(#completed)* #returned) #bounds { #completion }
    }
}

/// The generic parameters of the method itself, and its bounds, where `#[returns(…)]` looks at a value that may have such types. Lifetimes
/// are left out, since those of the value are told by themselves.
fn own_generics(
    model: &SpecModel,
    function: &FunctionSyntax,
    method: &MethodModel,
) -> (Option<TokenStream>, Option<TokenStream>) {
    let own = &function.signature.generics;
    if !matches!(method.returned, Returned::Projected(..)) || own_arguments(function).is_none() {
        return (None, None);
    }
    let parameters = own.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(parameter) => {
            let name = &parameter.ident;
            let bounds =
                parameter.bounds.iter().filter(|bound| !matches!(bound, TypeParamBound::Lifetime(_)));
            Some(quote!(#name: #(#bounds)+*))
        }
        GenericParam::Const(parameter) => {
            let (name, ty) = (&parameter.ident, &parameter.ty);
            Some(quote!(const #name: #ty))
        }
    });
    let predicates = own.where_clause.iter().flat_map(|clause| &clause.predicates);
    let predicates = predicates.filter(|predicate| !matches!(predicate, WherePredicate::Lifetime(_)));
    let parameters = model.outside_with(quote!(<#(#parameters),*>));
    (Some(parameters), Some(model.outside_with(quote!(where #(#predicates),*))))
}

/// The generic parameters of the method itself as arguments; none, if there are none but lifetimes.
fn own_arguments(function: &FunctionSyntax) -> Option<TokenStream> {
    let names = function.signature.generics.params.iter().filter_map(|parameter| match parameter {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(parameter) => Some(&parameter.ident),
        GenericParam::Const(parameter) => Some(&parameter.ident),
    });
    let names: Vec<&Ident> = names.collect();
    (!names.is_empty()).then(|| quote!(::<#(#names),*>))
}

fn parameter(model: &SpecModel, name: &Ident, kept: &Kept) -> TokenStream {
    let (Kept::Value(ty) | Kept::Reference(ty) | Kept::AtReturn(ty)) = kept;
    let ty = model.outside(ty);
    quote!(#name: &#ty,)
}

/// The type that the return value is looked at with, if it is.
fn returned_type(model: &SpecModel, function: &FunctionSyntax, method: &MethodModel) -> Option<TokenStream> {
    match &method.returned {
        Returned::Unrecorded => None,
        Returned::Value(ty) | Returned::IfCompared(ty) | Returned::Reference(ty) => Some(model.outside(ty)),
        Returned::Projected(..) => Some(match &function.signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => {
                let ty = model.outside_with(with_lifetime(closed(ty), &quote!('_)));
                quote!(#ty)
            }
        }),
    }
}

/// The beginning of a call, which is recorded only of the instance.
pub(super) fn enter(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    let (private, number) = (model.private(), model.method_number(index));
    let function = enter_ident(index);
    let values = type_arguments(model).map(|argument| argument_alias(&argument.name));
    let arguments = method.kept().filter_map(|(name, kept)| match kept {
        Kept::Value(_) => Some(quote!(#private::as_instance(&#name),)),
        Kept::Reference(_) => Some(quote!(#private::as_instance(#name),)),
        Kept::AtReturn(_) => None,
    });
    quote! {
        if #private::is_instance::<Self, __CdsspecInstance>() {
            #(#private::assert_instance(#private::type_name::<#values>());)*
            #private::Call::enter(
                __cdsspec_specification,
                #number,
                __cdsspec_object,
                || #function(#(#arguments)*),
            )
        } else {
            #private::Call::unspecified()
        }
    }
}

/// Its end.
pub(super) fn finish(
    function: &FunctionSyntax,
    method: &MethodModel,
    index: usize,
    private: &TokenStream,
) -> TokenStream {
    let own = own_arguments(function).filter(|_| matches!(method.returned, Returned::Projected(..)));
    let function = finish_ident(index);
    let arguments = method
        .kept()
        .filter(|(_, kept)| matches!(kept, Kept::AtReturn(_)))
        .map(|(name, _)| quote!(#private::as_instance(&*#name),));
    let returned = match &method.returned {
        Returned::Unrecorded => None,
        Returned::Reference(_) => Some(quote!(#private::as_instance(&*__cdsspec_return),)),
        _ => Some(quote!(#private::as_instance(&__cdsspec_return),)),
    };
    quote!(__cdsspec_call.finish(|__cdsspec_record| #function #own (__cdsspec_record, #(#arguments)* #returned));)
}

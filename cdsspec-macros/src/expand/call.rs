//! The body of a specified method, recorded as a call.

use super::kept::{completion, entered};
use super::name::{alias, record_ident};
use super::token::{behind, local};
use super::{header, instance, marker};
use crate::model::{Kept, MethodModel, SpecModel, closed, names_in};
use crate::parse::body::regroup;
use crate::parse::helper::conditions;
use crate::parse::item::{FunctionSyntax, split_inner_attributes};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, GenericArgument, PathArguments, ReceiverKind, ReturnType, Signature, Type};

// Input:
// pub fn deq(&self) -> Option<i32> { body }
// Output:
// pub fn deq(&self) -> Option<i32> {
//     let __cdsspec_call = {
//         let __cdsspec_object = ObjectExtent::of::<Self>(self);
//         Call::enter(specification, 1, __cdsspec_object, || record of the arguments)
//     };
//     let __cdsspec_return = run(move || -> Option<i32> { body });
//     __cdsspec_call.finish::<Record>(|record| record.complete(…));
//     __cdsspec_return
// }
/// A function with its body recorded as a call of the method with this index; `items` stand before it.
pub(super) fn function(
    model: &SpecModel,
    function: &FunctionSyntax,
    method: &MethodModel,
    index: usize,
    items: &TokenStream,
) -> TokenStream {
    let FunctionSyntax { attributes, visibility, signature, braces, .. } = function;
    let head = if items.is_empty() { signature.to_token_stream() } else { header::of_function(signature) };
    let krate = &model.krate;
    let (inner, body) = recorded_body(function, method, krate);
    // What never returns has nothing to complete.
    let finish = match &signature.output {
        ReturnType::Type(_, ty) if matches!(**ty, syn::Type::Never(_)) => {
            quote!(let _ = &__cdsspec_call; #body)
        }
        _ => {
            let finish = finish(model, function, method, index);
            quote!(let __cdsspec_return = #body; #finish __cdsspec_return)
        }
    };
    let object = object(model, function);
    let enter = enter(model, method, index);
    let recorded = quote! {
        #inner
        #items
        let __cdsspec_call = {
            #object
            #enter
        };
        #finish
    };
    let body = regroup(braces, recorded);
    quote!(#(#attributes)* #visibility #head #body)
}

/// Where the object of the call is.
fn object(model: &SpecModel, function: &FunctionSyntax) -> TokenStream {
    let private = model.private();
    let Some(object) = &model.object else {
        // The function's own `self`: a macro that hands the function on has another.
        let place = function.signature.receiver().map(|receiver| {
            let name = receiver.self_token;
            // Where `Self` is a trait object, a reference to a pointer to it would be made another trait object.
            let (pointers, is_reference) = match &receiver.kind {
                ReceiverKind::Reference(..) => (Some(1), true),
                ReceiverKind::Typed(_, ty) => (pointer_count(model, ty), matches!(**ty, Type::Reference(_))),
                _ => (Some(0), false),
            };
            match pointers.unwrap_or(usize::from(is_reference)) {
                1 if is_reference => quote!(#name),
                count => {
                    let stars = (0..count).map(|_| quote!(*));
                    quote!(&#(#stars)* #name)
                }
            }
        });
        return quote!(let __cdsspec_object = #private::ObjectExtent::of::<Self>(#place););
    };
    let probe = local("__cdsspec_probe", object.span());
    let extent = quote_spanned!(probe.span()=> (&&&#probe).extent());
    quote! {
        let __cdsspec_object = {
            #[allow(unused_imports, reason = "which of the three is used depends on the type")]
            use #private::{ObjectByDeref as _, ObjectByPointer as _, ObjectNever as _};
            match #private::ObjectProbe(&(#object)) { #probe => #extent }
        };
    }
}

/// How many pointers lead from a receiver of this type to `Self`: of `&Box<Self>` two, of `Pin<&Self>` one. Nothing, if that cannot be told:
/// then the compiler finds the way.
fn pointer_count(model: &SpecModel, ty: &Type) -> Option<usize> {
    let is_self = |ty: &Type| {
        let text = closed(ty).to_string();
        text == "Self" || text == model.self_type.to_string()
    };
    match ty {
        Type::Reference(reference) => Some(1 + pointer_count(model, &reference.elem)?),
        Type::Paren(paren) => pointer_count(model, &paren.elem),
        Type::Group(group) => pointer_count(model, &group.elem),
        ty if is_self(ty) => Some(0),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let inner = arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(inner) => Some(inner),
                _ => None,
            });
            Some(usize::from(last.ident != "Pin") + pointer_count(model, inner?)?)
        }
        _ => None,
    }
}

fn enter(model: &SpecModel, method: &MethodModel, index: usize) -> TokenStream {
    let private = model.private();
    if model.is_generic() {
        return instance::enter(model, method, index);
    }
    let record = alias(&record_ident(index, &method.name));
    let values = entered(method, index, &private, false);
    let id = model.method_number(index);
    quote! {
        #private::Call::enter(
            __cdsspec_specification,
            #id,
            __cdsspec_object,
            || #private::Box::new(#record::enter(#values)),
        )
    }
}

fn finish(model: &SpecModel, function: &FunctionSyntax, method: &MethodModel, index: usize) -> TokenStream {
    if model.is_generic() {
        return instance::finish(function, method, index, &model.private());
    }
    let record = alias(&record_ident(index, &method.name));
    let completion = completion(model, method, index, false);
    quote!(__cdsspec_call.finish(|__cdsspec_record: &mut #record| { #completion });)
}

/// Attributes at the start of the body, and the body as a closure that runs once.
fn recorded_body(
    function: &FunctionSyntax,
    method: &MethodModel,
    krate: &TokenStream,
) -> (TokenStream, TokenStream) {
    let (inner, content) = split_inner_attributes(marker::recorded(&function.body, krate));
    let body = if inner.is_empty() {
        function.body.in_brackets(&function.braces, |_| content)
    } else {
        regroup(&function.braces, content)
    };
    // A `&mut` parameter that is looked at after the call is lent to the body instead of given away.
    let lent =
        method.parameters.iter().filter(|one| matches!(one.kept, Some(Kept::AtReturn(_)))).map(|one| {
            let name = &one.name;
            let mutability = one.is_mut.then(|| quote!(mut));
            quote!(let #mutability #name = &mut *#name;)
        });
    let closure = closure(&function.signature, body);
    (inner, quote!({ #(#lent)* #krate::__private::run(#closure) }))
}

/// The body of a function as a closure that runs once.
pub(super) fn closure(signature: &Signature, body: TokenTree) -> TokenStream {
    let body = with_owned(signature, body);
    match &signature.output {
        ReturnType::Type(_, ty) if has_impl_trait(ty) => quote!(move || #body),
        ReturnType::Type(arrow, ty) => {
            // `-> A + B` is for functions alone.
            let ty = closed(ty);
            quote!(move || #arrow #ty #body)
        }
        ReturnType::Default => quote!(move || -> () #body),
    }
}

// Input:
// fn close(self, reason: Reason) {}
// Output:
// { let _ = &self; let _ = &reason; '__cdsspec_body: {} }
/// The body, which has the parameters by value for its own, whether it mentions them or not: what they drop is a part of the call.
fn with_owned(signature: &Signature, body: TokenTree) -> TokenStream {
    let owned = signature.inputs.iter().flat_map(|input| {
        let (conditions, names) = match input {
            FnArg::Receiver(receiver) if is_owned_receiver(&receiver.kind) => {
                (conditions(&receiver.attrs), vec![Ident::from(receiver.self_token)])
            }
            FnArg::Typed(typed) if is_owned(&typed.ty) => (conditions(&typed.attrs), names_in(&typed.pat)),
            _ => (TokenStream::new(), Vec::new()),
        };
        names.into_iter().map(move |name| {
            let lint = name.to_string().starts_with('_').then(|| {
                quote!(#[allow(clippy::used_underscore_binding, reason = "it is dropped in the call, as everything that the body has")])
            });
            quote!(#conditions #lint let _ = &#name;)
        })
    });
    let owned: TokenStream = owned.collect();
    if owned.is_empty() {
        return body.into();
    }
    let body = behind(&owned, &body);
    quote!({ #body })
}

fn is_owned_receiver(kind: &ReceiverKind) -> bool {
    match kind {
        ReceiverKind::Value => true,
        ReceiverKind::Typed(_, ty) => is_owned(ty),
        _ => false,
    }
}

/// Whether a value of this type may drop something.
fn is_owned(ty: &Type) -> bool {
    match ty {
        Type::Reference(_) | Type::Ptr(_) | Type::FnPtr(_) => false,
        Type::Path(path) => !path.path.get_ident().is_some_and(is_primitive),
        _ => true,
    }
}

fn is_primitive(name: &Ident) -> bool {
    const NAMES: [&str; 17] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "str",
    ];
    NAMES.iter().any(|known| name == known)
}

fn has_impl_trait(ty: &syn::Type) -> bool {
    struct Found(bool);
    impl VisitMut for Found {
        fn visit_type_impl_trait_mut(&mut self, implementor: &mut syn::TypeImplTrait) {
            self.0 = true;
            visit_mut::visit_type_impl_trait_mut(self, implementor);
        }
    }
    let mut found = Found(false);
    found.visit_type_mut(&mut ty.clone());
    found.0
}

#[cfg(test)]
mod tests {
    use super::closure;
    use proc_macro2::{Delimiter, Group, TokenStream};

    #[test]
    fn bounds_that_a_function_returns_are_in_parentheses_behind_a_closure() {
        let signature = syn::parse_quote!(fn get(&self) -> Self::Value +);
        let closure = closure(&signature, Group::new(Delimiter::Brace, TokenStream::new()).into());
        assert!(syn::parse2::<syn::ExprClosure>(closure.clone()).is_ok(), "{closure}");
    }
}

//! The names of what is generated, and what a model says of itself in generated code.

use super::token::{local, placed};
use crate::model::{MethodModel, Part, SpecModel, closed, with_lifetime, without_self};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

/// The name of a generated type of a method: `CamelCase` of the method's name, and its number.
pub(super) fn record_ident(index: usize, method: &Ident) -> Ident {
    let name = method.unraw().to_string();
    let camel: String = name
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(char::to_uppercase).into_iter().flatten().chain(letters).collect::<String>()
        })
        .collect();
    format_ident!("__CdsspecCall{index}{camel}")
}

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

/// The name of the function of the method with this index.
pub(super) fn step_ident(index: usize) -> Ident {
    format_ident!("__cdsspec_step_{index}")
}

/// The name of the function that says whether the value of the side effect is `()`.
pub(super) fn says_nothing(index: usize) -> Ident {
    format_ident!("__cdsspec_says_nothing_{index}")
}

fn number_ident(index: usize) -> Ident {
    format_ident!("__CDSSPEC_NUMBER_{index}")
}

pub(super) fn enter_ident(index: usize) -> Ident {
    format_ident!("__cdsspec_enter_{index}")
}

pub(super) fn finish_ident(index: usize) -> Ident {
    format_ident!("__cdsspec_finish_{index}")
}

/// The trait through which the functions of the specification are called: in it `Self` is the specified type.
pub(super) fn methods_of(model: &SpecModel) -> TokenStream {
    let self_type = &model.self_type;
    quote!(<#self_type as __CdsspecSteps>)
}

/// The type of the shared specification. A block has a name of its own for it: where it is not there, that is one error.
pub(super) fn owner(model: &SpecModel) -> TokenStream {
    match model.part {
        Part::Shared => model.self_type.clone(),
        _ => Ident::new("__CdsspecOwner", model.state.fields[0].ty.span()).into_token_stream(),
    }
}

/// A function of the runtime about a method of a shared specification, by one of the method's names, which stands at this place; which
/// record the method has, is found out.
pub(super) fn of_method(model: &SpecModel, function: &str, name: &str, span: Span) -> TokenStream {
    let function = local(function, span);
    let (private, owner) = (placed(model.private(), span), placed(owner(model), span));
    quote_spanned!(span=> #private::#function::<#owner, { #private::name_of(#name) }, _>)
}

/// What is made of each method, one after the other.
pub(super) fn each_method(
    model: &SpecModel,
    make: impl Fn(&SpecModel, &MethodModel, usize) -> TokenStream,
) -> TokenStream {
    model.methods.iter().enumerate().map(|(index, method)| make(model, method, index)).collect()
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

    /// The name of a method, without `r#`.
    pub(super) fn method_name(method: &MethodModel) -> String {
        method.name.unraw().to_string()
    }
}

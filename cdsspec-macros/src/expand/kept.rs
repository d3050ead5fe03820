//! The values of a call, as they are recorded when it begins and when it ends.

use super::name::{record_ident, says_nothing};
use super::record::{self, compared_probe};
use super::token::{local, placed};
use crate::model::{Kept, MethodModel, Returned, SpecModel};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// The values of a call that begins; of parameters, or of references to them.
pub(super) fn entered(
    method: &MethodModel,
    index: usize,
    private: &TokenStream,
    is_reference: bool,
) -> TokenStream {
    let values = method.kept().map(|(parameter, kept)| match kept {
        Kept::Value(_) => {
            let place = place(quote!(#parameter), parameter.span(), is_reference);
            quote_spanned!(local("_", parameter.span()).span()=> #private::Clone::clone(#place))
        }
        Kept::Reference(_) => {
            quote_spanned!(parameter.span()=> #private::ToOwned::to_owned(#parameter))
        }
        Kept::AtReturn(_) => quote!(#private::Unrecorded),
    });
    record::value(method, index, values, &quote!(#private::Unrecorded))
}

/// A reference to a variable, or to what a reference refers to.
fn place(variable: TokenStream, span: Span, is_reference: bool) -> TokenStream {
    let span = local("_", span).span();
    if is_reference { quote_spanned!(span=> &*#variable) } else { quote_spanned!(span=> &#variable) }
}

/// Completes the record of a call, of the return value or of a reference to it.
pub(super) fn completion(
    model: &SpecModel,
    method: &MethodModel,
    index: usize,
    is_reference: bool,
) -> TokenStream {
    let private = model.private();
    let name = record_ident(index, &method.name);
    let borrow = (!is_reference).then(|| quote!(&));
    let parameters = method.kept().map(|(parameter, kept)| match kept {
        Kept::AtReturn(_) => quote!(#private::ToOwned::to_owned(&*#parameter)),
        _ => {
            let field = record::field(method, parameter);
            quote!(__cdsspec_entered.#field)
        }
    });
    let returned = match &method.returned {
        Returned::Unrecorded => quote!(#private::Unrecorded),
        Returned::Value(ty) => {
            let value = local("__cdsspec_return", ty.span());
            let place = place(quote!(#value), ty.span(), is_reference);
            keep(&private, &place, ty.span())
        }
        Returned::Reference(ty) => {
            let value = local("__cdsspec_return", ty.span());
            quote_spanned!(ty.span()=> #private::ToOwned::to_owned(&*#value))
        }
        Returned::IfCompared(_) => {
            let (compared, says_nothing) = (compared_probe(&private, &name), says_nothing(index));
            quote!(if #says_nothing() {
                #private::Unmentioned::nothing()
            } else {
                #[allow(unused_imports, reason = "which of them are used depends on the type")]
                use #private::{
                    ProbeClone as _, ProbeKey as _, ProbeNoClone as _, ProbeNoKey as _, ReturnBorrowing as _,
                    ReturnOwned as _,
                };
                let __cdsspec_compared = #compared;
                let __cdsspec_probe = __cdsspec_compared.probe();
                #private::Unmentioned::new(
                    (&&__cdsspec_probe).try_clone(__cdsspec_compared.to_keep(#borrow __cdsspec_return)),
                    (&&__cdsspec_probe).key(),
                )
            })
        }
        Returned::Projected(_, closure) => quote!(#private::project(#borrow __cdsspec_return, #closure)),
    };
    let values = record::value(method, index, parameters, &returned);
    quote!(__cdsspec_record.complete(|__cdsspec_entered| #values))
}

/// A clone of the return value that a reference leads to. Made in one way wherever it is made, so that a type without `Clone` is one error.
pub(super) fn keep(private: &TokenStream, reference: &TokenStream, span: Span) -> TokenStream {
    let keep = placed(quote!(#private::keep), span);
    quote_spanned!(local("_", span).span()=> #keep(#reference))
}

//! Admissibility rules, on the recorded values of two calls.

use super::{record, record_ident, shared};
use crate::model::{Part, RuleModel, SpecModel};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

/// The name of the function of the rule with this index.
pub(super) fn ident(index: usize) -> Ident {
    format_ident!("__cdsspec_rule_{index}")
}

// Input:
// #[admit(deq <-> enq, m1.c_ret.is_none())]
// Output:
// fn __cdsspec_rule_0(first: &dyn Any, second: &dyn Any) -> bool {
//     match (returned::<DeqRecord>(first), returned::<EnqRecord>(second)) {
//         (Some(m1), Some(m2)) => run::<bool>(|| m1.c_ret.is_none()),
//         _ => false,
//     }
// }
/// Whether two calls must be ordered. A condition speaks of returned values: of a pending call it does not hold.
pub(super) fn function(model: &SpecModel, rule: &RuleModel, index: usize) -> TokenStream {
    let private = model.private();
    let name = ident(index);
    let body = match &rule.condition {
        None => quote!({
            let _ = (__cdsspec_first, __cdsspec_second);
            true
        }),
        Some(condition) => {
            let (first, second) = (record_of(model, &rule.first), record_of(model, &rule.second));
            let variable = |name: &str| {
                crate::model::mention::find(condition, name).unwrap_or_else(|| format_ident!("{name}"))
            };
            let (m1, m2) = (variable("m1"), variable("m2"));
            let holds = quote_spanned!(condition.span()=> #private::run::<bool, _>(|| #condition));
            quote! {
                match (#private::returned::<#first>(__cdsspec_first), #private::returned::<#second>(__cdsspec_second)) {
                    #[allow(unused_variables, reason = "a rule may look at one call only")]
                    (#private::Some(#m1), #private::Some(#m2)) => #holds,
                    _ => false,
                }
            }
        }
    };
    quote! {
        fn #name(__cdsspec_first: &dyn #private::Any, __cdsspec_second: &dyn #private::Any) -> bool { #body }
    }
}

/// The type of the record of a method that a rule names.
fn record_of(model: &SpecModel, method: &Ident) -> TokenStream {
    if model.part == Part::Shared {
        return shared::record_of(model, &model.self_type, method);
    }
    record::alias(&record_ident(method_index(model, method), method)).to_token_stream()
}

/// The number of a method that a rule names.
pub(super) fn method_id(model: &SpecModel, method: &Ident) -> TokenStream {
    let private = model.private();
    if model.part == Part::Shared {
        let methods = shared::method_named(model, &model.self_type, method);
        return quote_spanned!(method.span()=> #methods::id());
    }
    let index = method_index(model, method);
    quote!(#private::MethodId::new(#index))
}

fn method_index(model: &SpecModel, method: &Ident) -> usize {
    let index = model.methods.iter().position(|known| known.name == *method);
    index.expect("cdsspec bug: a rule names specified methods")
}

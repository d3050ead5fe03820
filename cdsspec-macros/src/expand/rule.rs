//! Admissibility rules, on the recorded values of two calls.

use super::name::{alias, of_method, record_ident};
use crate::model::{Part, RuleModel, RuledMethod, SpecModel};
use crate::parse::mention;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::HashMap;
use syn::spanned::Spanned;

/// A rule for two methods. Where a rule names a method that is there in several forms, each under a `#[cfg]` of its own, there is a
/// variant for each form.
pub(super) struct Variant<'a> {
    /// The rule.
    pub(super) rule: &'a RuleModel,
    /// The name of its function.
    pub(super) name: Ident,
    /// The `#[cfg]`s of the methods.
    pub(super) conditions: TokenStream,
    /// The indices of the methods; none, if they are of blocks elsewhere.
    methods: Option<[usize; 2]>,
}

/// The rules for each pair of methods that they name.
pub(super) fn variants(model: &SpecModel) -> Vec<Variant<'_>> {
    let mut named: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, method) in model.methods.iter().enumerate() {
        named.entry(SpecModel::method_name(method)).or_default().push(index);
    }
    let mut variants = Vec::new();
    for rule in &model.rules {
        for methods in pairs(model, rule, &named) {
            let conditions = methods.iter().flatten().map(|index| model.methods[*index].conditions.clone());
            let (conditions, name) =
                (conditions.collect(), format_ident!("__cdsspec_rule_{}", variants.len()));
            variants.push(Variant { rule, name, conditions, methods });
        }
    }
    variants
}

/// The methods that a rule names; `named` has the indices of those of each name.
fn pairs(
    model: &SpecModel,
    rule: &RuleModel,
    named: &HashMap<String, Vec<usize>>,
) -> Vec<Option<[usize; 2]>> {
    if model.part == Part::Shared {
        return vec![None];
    }
    let named = |ruled: &RuledMethod| named.get(&ruled.name).map(Vec::as_slice).unwrap_or_default();
    let mut pairs = Vec::new();
    for &first in named(&rule.first) {
        for &second in named(&rule.second) {
            // Of two forms of one method only one is there.
            if first == second || rule.first.name != rule.second.name {
                pairs.push(Some([first, second]));
            }
        }
    }
    pairs
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
pub(super) fn function(model: &SpecModel, variant: &Variant<'_>) -> TokenStream {
    let private = model.private();
    let Variant { rule, name, conditions, .. } = variant;
    let body = match &rule.condition {
        None => quote!({
            let _ = (__cdsspec_first, __cdsspec_second);
            true
        }),
        Some(condition) => {
            let (first, second) = variant.returned(model);
            let variable =
                |name: &str| mention::find(condition, name).unwrap_or_else(|| format_ident!("{name}"));
            let (m1, m2) = (variable("m1"), variable("m2"));
            let holds =
                quote_spanned!(condition.span()=> #private::run::<::core::primitive::bool, _>(|| #condition));
            quote! {
                match (#first(__cdsspec_first), #second(__cdsspec_second)) {
                    #[allow(unused_variables, reason = "a rule may look at one call only")]
                    (#private::Some(#m1), #private::Some(#m2)) => #holds,
                    _ => false,
                }
            }
        }
    };
    quote! {
        #conditions
        fn #name(__cdsspec_first: &dyn #private::Any, __cdsspec_second: &dyn #private::Any) -> ::core::primitive::bool { #body }
    }
}

impl Variant<'_> {
    /// The functions that give the values of calls of the two methods.
    fn returned(&self, model: &SpecModel) -> (TokenStream, TokenStream) {
        let private = model.private();
        let Some(methods) = self.methods else {
            let [first, second] = [&self.rule.first, &self.rule.second]
                .map(|method| of_method(model, "returned_of", &method.name, method.span));
            return (first, second);
        };
        let [first, second] = methods.map(|index| {
            let record = alias(&record_ident(index, &model.methods[index].name));
            quote!(#private::returned::<#record>)
        });
        (first, second)
    }

    /// The numbers of the two methods, as expressions.
    pub(super) fn ids(&self, model: &SpecModel) -> (TokenStream, TokenStream) {
        let private = model.private();
        let Some(methods) = self.methods else {
            let [first, second] = [&self.rule.first, &self.rule.second].map(|method| {
                let id = of_method(model, "method_id", &method.name, method.span);
                quote!(#id())
            });
            return (first, second);
        };
        let [first, second] = methods.map(|index| {
            let number = model.method_number(index);
            quote!(#private::MethodId::new(#number))
        });
        (first, second)
    }
}

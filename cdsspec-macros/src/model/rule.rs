//! Admissibility rules (CDSSpec, section 4.1).

use super::clause::{ClauseKind, source_text};
use super::mention;
use crate::diagnostics::{ADMIT_PLAIN_METHOD, ADMIT_UNKNOWN_METHOD, ADMIT_UNKNOWN_VALUE, Errors};
use crate::parse::arguments::parse_admit;
use crate::parse::helper::Helper;
use crate::parse::item::FunctionSyntax;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{FnArg, Pat};

/// A rule.
pub(crate) struct RuleModel {
    /// The method of `m1`.
    pub(crate) first: Ident,
    /// The method of `m2`.
    pub(crate) second: Ident,
    /// The condition; none: always.
    pub(crate) condition: Option<TokenStream>,
    /// Where it stands.
    pub(crate) span: Span,
    /// As the user wrote it.
    pub(crate) text: String,
}

impl RuleModel {
    /// Whether it mentions a value of a method, by `m1.value` or `m2.value`.
    pub(crate) fn mentions(&self, method: &Ident, value: &str) -> bool {
        let Some(condition) = &self.condition else { return false };
        let of = |owner: &Ident, variable| {
            owner == method
                && mention::fields_of(condition, variable).iter().any(|field| field.unraw() == value)
        };
        of(&self.first, "m1") || of(&self.second, "m2")
    }
}

/// The rules; `functions` are those that a rule can name, if they are known here.
pub(super) fn build(
    helpers: &[Helper],
    functions: Option<&[&FunctionSyntax]>,
    errors: &mut Errors,
) -> Vec<RuleModel> {
    let mut rules = Vec::new();
    for helper in helpers.iter().filter(|helper| helper.name == "admit") {
        let Some(syntax) = parse_admit(&helper.arguments, helper.name.span(), errors) else { continue };
        let rule = RuleModel {
            span: syntax.first.span(),
            first: syntax.first,
            second: syntax.second,
            condition: syntax.condition.map(ToTokens::into_token_stream),
            text: source_text(helper.span, &helper.arguments),
        };
        if let Some(functions) = functions {
            check(&rule, functions, errors);
        }
        rules.push(rule);
    }
    rules
}

fn check(rule: &RuleModel, functions: &[&FunctionSyntax], errors: &mut Errors) {
    for (method, variable) in [(&rule.first, "m1"), (&rule.second, "m2")] {
        let name = method.to_string();
        let Some(function) = functions.iter().find(|function| function.signature.ident == *method) else {
            errors.at(method.span(), ADMIT_UNKNOWN_METHOD, &[&name]);
            continue;
        };
        if !has_clause(function) {
            errors.at(method.span(), ADMIT_PLAIN_METHOD, &[&name]);
        }
        let Some(condition) = &rule.condition else { continue };
        for field in mention::fields_of(condition, variable) {
            if field != "c_ret" && !has_parameter(function, &field) {
                errors.at(field.span(), ADMIT_UNKNOWN_VALUE, &[&field.to_string(), &name]);
            }
        }
    }
}

/// Whether a function is a specified method.
pub(super) fn has_clause(function: &FunctionSyntax) -> bool {
    function.helpers.iter().any(|helper| ClauseKind::ALL.iter().any(|kind| helper.name == kind.name()))
}

fn has_parameter(function: &FunctionSyntax, name: &Ident) -> bool {
    function.signature.inputs.iter().any(|input| match input {
        FnArg::Typed(typed) => matches!(&*typed.pat, Pat::Ident(pattern) if pattern.ident == *name),
        FnArg::Receiver(_) => false,
    })
}

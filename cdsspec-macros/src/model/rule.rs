//! Admissibility rules (CDSSpec, section 4.1).

use super::clause::{ClauseKind, source_text};
use super::name::path_text;
use crate::diagnostics::{ADMIT_PLAIN_METHOD, ADMIT_UNKNOWN_METHOD, ADMIT_UNKNOWN_VALUE, Errors};
use crate::parse::arguments::parse_admit;
use crate::parse::helper::Helper;
use crate::parse::item::FunctionSyntax;
use crate::parse::mention;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::{ExprPath, FnArg, Pat};

/// A rule.
pub(crate) struct RuleModel {
    /// The method of `m1`.
    pub(crate) first: RuledMethod,
    /// The method of `m2`.
    pub(crate) second: RuledMethod,
    /// The condition; none: always.
    pub(crate) condition: Option<TokenStream>,
    /// Where it stands.
    pub(crate) span: Span,
    /// As the user wrote it.
    pub(crate) text: String,
}

/// A method, as a rule names it.
pub(crate) struct RuledMethod {
    /// Its name, after a type if need be: one of those that [`names`](super::SpecModel::names) gives a method.
    pub(crate) name: String,
    /// Where that stands.
    pub(crate) span: Span,
}

impl RuledMethod {
    fn new(path: &ExprPath) -> Self {
        let last = path.path.segments.last();
        let span = last.map_or_else(Span::call_site, |segment| segment.ident.span());
        Self { name: path_text(&path.to_token_stream()), span }
    }
}

impl RuleModel {
    /// Whether it mentions a value of a method, by `m1.value` or `m2.value`.
    pub(crate) fn mentions(&self, method: &Ident, value: &str) -> bool {
        let Some(condition) = &self.condition else { return false };
        let of = |owner: &RuledMethod, variable| {
            method.unraw() == owner.name
                && mention::fields_of(condition, variable).iter().any(|field| field.unraw() == value)
        };
        of(&self.first, "m1") || of(&self.second, "m2")
    }
}

/// The rules; `functions` are those that a rule can name, if they are known here.
pub(super) fn build<'f>(
    helpers: &[Helper],
    functions: Option<&[&'f FunctionSyntax]>,
    errors: &mut Errors,
) -> Vec<RuleModel> {
    let by_name = |functions: &[&'f FunctionSyntax]| {
        let mut by_name = HashMap::new();
        for function in functions {
            by_name.entry(function.signature.ident.unraw().to_string()).or_insert(*function);
        }
        by_name
    };
    let functions = functions.map(by_name);
    let mut rules = Vec::new();
    for helper in helpers.iter().filter(|helper| helper.name == "admit") {
        let Some(syntax) = parse_admit(&helper.arguments, helper.name.span(), errors) else { continue };
        let rule = RuleModel {
            span: start_of(&syntax.first),
            first: RuledMethod::new(&syntax.first),
            second: RuledMethod::new(&syntax.second),
            condition: syntax.condition.map(ToTokens::into_token_stream),
            text: source_text(helper.span, &helper.arguments),
        };
        if let Some(functions) = &functions {
            check(&rule, functions, errors);
        }
        rules.push(rule);
    }
    rules
}

fn check(rule: &RuleModel, functions: &HashMap<String, &FunctionSyntax>, errors: &mut Errors) {
    for (method, variable) in [(&rule.first, "m1"), (&rule.second, "m2")] {
        let RuledMethod { name, span } = method;
        let Some(function) = functions.get(name) else {
            errors.at(*span, ADMIT_UNKNOWN_METHOD, &[name]);
            continue;
        };
        if !has_clause(function) {
            errors.at(*span, ADMIT_PLAIN_METHOD, &[name]);
        }
        let Some(condition) = &rule.condition else { continue };
        for field in mention::fields_of(condition, variable) {
            if field != "c_ret" && !has_parameter(function, &field) {
                errors.at(field.span(), ADMIT_UNKNOWN_VALUE, &[&field.to_string(), name]);
            }
        }
    }
}

/// Where a path begins.
fn start_of(path: &ExprPath) -> Span {
    let first = path.to_token_stream().into_iter().next();
    first.map_or_else(Span::call_site, |token| token.span())
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

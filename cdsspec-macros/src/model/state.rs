//! The sequential state (CDSSpec, section 4.1).

use super::clause::Expression;
use crate::diagnostics::{
    DUPLICATE_HELPER, DUPLICATE_STATE, EMPTY_STATE, Errors, RESERVED_STATE, STATE_SUPPORT_WITHOUT_STATE,
    STATE_TWICE,
};
use crate::parse::arguments::{Declaration, Once, parse_declarations};
use crate::parse::helper::Helper;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::Type;

/// Names that have a meaning of their own in clauses.
pub(super) const RESERVED: [&str; 3] = ["c_ret", "s_ret", "concurrent"];

/// The state.
pub(crate) struct StateModel {
    /// The declared parts; one, called `state`, where the type is the user's own.
    pub(crate) fields: Vec<Declaration>,
    /// Whether the type of the state is the tuple of the declared types.
    pub(crate) is_declared: bool,
    /// A state in which nothing has happened.
    pub(crate) initial: Option<Expression>,
    /// A copy.
    pub(crate) copy: Option<Expression>,
    /// The end of a state.
    pub(crate) clear: Option<Expression>,
}

pub(super) fn build(own: Option<Type>, helpers: &[&Helper], errors: &mut Errors) -> StateModel {
    let mut declared = Once::new();
    let [mut initial, mut copy, mut clear] = std::array::from_fn(|_| Once::new());
    for &helper in helpers {
        let name = &helper.name;
        match name.to_string().as_str() {
            "declare_state" => declared.set(helper, name, DUPLICATE_HELPER, errors),
            "initial" => initial.set(helper, name, DUPLICATE_HELPER, errors),
            "copy" => copy.set(helper, name, DUPLICATE_HELPER, errors),
            "clear" => clear.set(helper, name, DUPLICATE_HELPER, errors),
            _ => {}
        }
    }
    let declared = declared.get();
    let support = [initial.get(), copy.get(), clear.get()];
    let has_state = declared.is_some() || own.is_some();
    let [initial, copy, clear] = support.map(|helper| {
        let helper: &Helper = helper?;
        if !has_state {
            errors.at(helper.name.span(), STATE_SUPPORT_WITHOUT_STATE, &[&helper.name.to_string()]);
        }
        Expression::build(helper, errors)
    });
    let is_declared = own.is_none();
    StateModel { fields: fields(own, declared, errors), is_declared, initial, copy, clear }
}

fn fields(own: Option<Type>, declared: Option<&Helper>, errors: &mut Errors) -> Vec<Declaration> {
    match (own, declared) {
        (Some(ty), None) => vec![Declaration { name: Ident::new("state", Span::call_site()), ty }],
        (Some(ty), Some(_)) => {
            errors.on(&ty.to_token_stream(), STATE_TWICE, &[]);
            Vec::new()
        }
        (None, Some(helper)) => declared_fields(helper, errors),
        (None, None) => Vec::new(),
    }
}

fn declared_fields(helper: &Helper, errors: &mut Errors) -> Vec<Declaration> {
    if helper.arguments.is_empty() {
        errors.at(helper.name.span(), EMPTY_STATE, &[]);
    }
    let fields = parse_declarations(&helper.arguments, helper.name.span(), errors);
    for (index, field) in fields.iter().enumerate() {
        let name = field.name.to_string();
        if RESERVED.contains(&name.as_str()) {
            errors.at(field.name.span(), RESERVED_STATE, &[&name]);
        }
        if fields[..index].iter().any(|other| other.name == field.name) {
            errors.at(field.name.span(), DUPLICATE_STATE, &[&name]);
        }
    }
    fields
}

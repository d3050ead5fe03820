//! Syntax → meaning. If a model exists, it is valid.

mod clause;
pub(crate) mod mention;
mod method;
mod rule;
mod state;
mod value;

pub(crate) use clause::{ClauseKind, ClauseModel};
pub(crate) use method::MethodModel;
pub(crate) use rule::RuleModel;
pub(crate) use state::StateModel;
pub(crate) use value::{Kept, Returned, without_self};

use crate::diagnostics::{
    Errors, GENERIC_IMPL, HELPER_ON_OTHER_ITEM, MARKER_ON_ITEM, ON_IMPL_NOT_METHOD, ON_METHOD_NOT_IMPL,
    TRAIT_IMPL, UNKNOWN_LABEL,
};
use crate::parse::arguments::SpecArguments;
use crate::parse::body::MarkerKind;
use crate::parse::helper::{Helper, IMPL_HELPERS, MARKERS, METHOD_HELPERS};
use crate::parse::item::{FunctionSyntax, ImplSyntax, ItemSyntax};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Type;

/// A specification.
pub(crate) struct SpecModel {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// The specified type.
    pub(crate) self_type: Type,
    /// Its name, for reports.
    pub(crate) name: String,
    /// The sequential state.
    pub(crate) state: StateModel,
    /// The methods that have clauses.
    pub(crate) methods: Vec<MethodModel>,
    /// The admissibility rules.
    pub(crate) rules: Vec<RuleModel>,
}

/// Finds what an impl means. Notes every mistake.
///
/// # Errors
/// The state, if there is any mistake.
pub(crate) fn build(
    arguments: SpecArguments,
    syntax: &ImplSyntax,
    errors: &mut Errors,
) -> Result<SpecModel, StateModel> {
    check_header(syntax, errors);
    check_places(syntax, errors);
    check_labels(syntax, errors);
    let state = state::build(arguments.state, &syntax.helpers, errors);
    let functions: Vec<&FunctionSyntax> = functions(syntax).collect();
    let rules = rule::build(&syntax.helpers, &functions, errors);
    let methods = method::build(&functions, &state, &rules, &syntax.header.generics, errors);
    if !errors.is_empty() {
        return Err(state);
    }
    Ok(SpecModel {
        krate: arguments.krate,
        self_type: (*syntax.header.self_ty).clone(),
        name: type_name(&syntax.header.self_ty),
        state,
        methods,
        rules,
    })
}

/// The functions of an impl.
pub(crate) fn functions(syntax: &ImplSyntax) -> impl Iterator<Item = &FunctionSyntax> {
    syntax.items.iter().filter_map(|item| match item {
        ItemSyntax::Function(function) => Some(&**function),
        ItemSyntax::Other(..) => None,
    })
}

fn check_header(syntax: &ImplSyntax, errors: &mut Errors) {
    if let Some((path, _)) = &syntax.header.trait_ {
        errors.on(&path.to_token_stream(), TRAIT_IMPL, &[]);
    }
    if !syntax.header.generics.params.is_empty() {
        errors.on(&syntax.header.generics.to_token_stream(), GENERIC_IMPL, &[]);
    }
}

/// Looks for helpers that stand in the wrong place.
fn check_places(syntax: &ImplSyntax, errors: &mut Errors) {
    refuse(&syntax.helpers, &METHOD_HELPERS, ON_IMPL_NOT_METHOD, errors);
    refuse(&syntax.helpers, &MARKERS, MARKER_ON_ITEM, errors);
    for item in &syntax.items {
        match item {
            ItemSyntax::Function(function) => {
                refuse(&function.helpers, &IMPL_HELPERS, ON_METHOD_NOT_IMPL, errors);
                refuse(&function.helpers, &MARKERS, MARKER_ON_ITEM, errors);
            }
            ItemSyntax::Other(_, helpers) => {
                refuse(helpers, &IMPL_HELPERS, ON_METHOD_NOT_IMPL, errors);
                refuse(helpers, &METHOD_HELPERS, HELPER_ON_OTHER_ITEM, errors);
                refuse(helpers, &MARKERS, MARKER_ON_ITEM, errors);
            }
        }
    }
}

fn refuse(helpers: &[Helper], names: &[&str], message: &str, errors: &mut Errors) {
    for helper in helpers.iter().filter(|helper| names.iter().any(|name| helper.name == name)) {
        errors.at(helper.name.span(), message, &[&helper.name.to_string()]);
    }
}

/// Every label that is checked marks something, unless a macro form in the impl may do so.
fn check_labels(syntax: &ImplSyntax, errors: &mut Errors) {
    let markers: Vec<_> = functions(syntax).flat_map(|function| function.body.markers()).collect();
    let of_kind =
        |kind| markers.iter().filter(move |marker| marker.kind == kind).filter_map(|one| one.label.as_ref());
    let bodies = functions(syntax).map(|function| function.body.to_token_stream());
    if bodies.into_iter().any(|body| mention::find(&body, "potential_op").is_some()) {
        return;
    }
    for label in of_kind(MarkerKind::Check) {
        if !of_kind(MarkerKind::Potential).any(|known| known == label) {
            errors.at(label.span(), UNKNOWN_LABEL, &[&label.to_string()]);
        }
    }
}

/// The last name in a type's path, with its arguments: `Queue`, `Queue<i32>`.
fn type_name(ty: &Type) -> String {
    let tokens = match ty {
        Type::Path(path) => path.path.segments.last().to_token_stream(),
        other => other.to_token_stream(),
    };
    tokens.to_string().replace(" <", "<").replace("< ", "<").replace(" >", ">").replace(" ,", ",")
}

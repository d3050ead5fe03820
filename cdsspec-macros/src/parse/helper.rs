//! The helper attributes on the impl and on its methods.

use crate::diagnostics::{CONDITIONAL_HELPER, Errors, UNKNOWN_HELPER};
use cdsspec_vocabulary::{CLAUSES, edit_distance};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, MacroDelimiter, Meta};

/// Helpers that stand on the impl, and attributes that stand on a statement.
pub(crate) use cdsspec_vocabulary::{IMPL_HELPERS, MARKERS};

/// Helpers that stand on a method: the clauses, and `returns`.
pub(crate) const METHOD_HELPERS: [&str; CLAUSES.len() + 1] = {
    let mut names = ["returns"; CLAUSES.len() + 1];
    let mut index = 0;
    while index < CLAUSES.len() {
        names[index] = CLAUSES[index];
        index += 1;
    }
    names
};

/// A helper attribute.
pub(crate) struct Helper {
    /// Its name.
    pub(crate) name: Ident,
    /// What stands between its parentheses.
    pub(crate) arguments: TokenStream,
    /// The place of the parentheses with what is between them; of the name, if there are none.
    pub(crate) span: Span,
}

/// Takes the helpers out of `attributes`; the others stay.
pub(crate) fn take_helpers(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Vec<Helper> {
    let mut helpers = Vec::new();
    attributes.retain(|attribute| {
        if let Some(name) = conditional_helper(&attribute.meta.to_token_stream()) {
            errors.at(name.span(), CONDITIONAL_HELPER, &[&name.to_string()]);
            return false;
        }
        let helper = helper(attribute, errors);
        let is_other = helper.is_none();
        helpers.extend(helper);
        is_other
    });
    helpers
}

/// One of ours in the tokens of `cfg_attr(condition, …)`.
pub(super) fn conditional_helper(attribute: &TokenStream) -> Option<Ident> {
    let mut tokens = attribute.clone().into_iter();
    let is_conditional = matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "cfg_attr");
    let Some(TokenTree::Group(content)) = tokens.next().filter(|_| is_conditional) else { return None };
    let mut is_start = false;
    content.stream().into_iter().find_map(|token| match token {
        TokenTree::Punct(punct) => {
            is_start = punct.as_char() == ',' || (is_start && punct.as_char() == ':');
            None
        }
        TokenTree::Ident(name) if is_start && all_names().any(|known| name == known) => Some(name),
        other => {
            is_start = is_start && other.to_string() == "cdsspec";
            None
        }
    })
}

/// The attributes that decide whether what they stand on is there: `cfg`, and a `cfg_attr` that gives one.
pub(crate) fn conditions(attributes: &[Attribute]) -> TokenStream {
    let conditions = attributes.iter().filter(|one| one.path().is_ident("cfg") || is_hidden_condition(one));
    quote!(#(#conditions)*)
}

/// Whether it is a `cfg_attr` that gives a `cfg`.
pub(crate) fn is_hidden_condition(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    list.path.is_ident("cfg_attr")
        && list
            .tokens
            .clone()
            .into_iter()
            .any(|token| matches!(token, TokenTree::Ident(name) if name == "cfg"))
}

fn helper(attribute: &Attribute, errors: &mut Errors) -> Option<Helper> {
    let name = own_name(attribute)?;
    if !all_names().any(|known| name == known) {
        let nearest = nearest_name(&name.to_string())?;
        errors.at(name.span(), UNKNOWN_HELPER, &[&name.to_string(), nearest]);
    }
    let (arguments, span) = match &attribute.meta {
        Meta::List(list) => {
            let span = match &list.delimiter {
                MacroDelimiter::Paren(token) => token.span,
                MacroDelimiter::Brace(token) => token.span,
                MacroDelimiter::Bracket(token) => token.span,
            };
            (list.tokens.clone(), span.join())
        }
        _ => (TokenStream::new(), name.span()),
    };
    Some(Helper { name, arguments, span })
}

/// The last segment of a path that may name a helper: `side_effect`, `cdsspec::side_effect`.
fn own_name(attribute: &Attribute) -> Option<Ident> {
    let segments = &attribute.path().segments;
    let is_own = segments.len() == 1 || (segments.len() == 2 && segments[0].ident == "cdsspec");
    let is_spec = segments.last().is_some_and(|last| last.ident == "spec" || last.ident == "test");
    (is_own && !is_spec).then(|| segments.last().map(|last| last.ident.clone())).flatten()
}

fn all_names() -> impl Iterator<Item = &'static str> {
    IMPL_HELPERS.into_iter().chain(METHOD_HELPERS).chain(MARKERS)
}

/// The helper that a misspelt name means, if it is near to one. Other attributes may be near too, as `check` and `define` are, and the
/// shorter a name is, the more of them there are.
fn nearest_name(name: &str) -> Option<&'static str> {
    let mistakes_max = |known: &str| match known.len() {
        0..6 => 0,
        6..8 => 1,
        _ => 2,
    };
    all_names()
        .map(|known| (edit_distance(name, known), known))
        .filter(|(distance, known)| *distance <= mistakes_max(known))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

/// The marker that a misspelt name in `[…]` on a statement means. Attributes of others hardly stand there, and no usual one is that near.
pub(super) fn misspelt_marker(attribute: &TokenStream) -> Option<(Ident, &'static str)> {
    let mut tokens = attribute.clone().into_iter();
    let mut name = tokens.next();
    if matches!(&name, Some(TokenTree::Ident(krate)) if krate == "cdsspec") {
        name = tokens.nth(2);
    }
    let Some(TokenTree::Ident(name)) = name else { return None };
    let written = name.to_string();
    let near = MARKERS.into_iter().map(|known| (edit_distance(&written, known), known));
    let (_, known) = near.filter(|(distance, _)| *distance <= 2).min()?;
    (written != known).then_some((name, known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_helper_is_recognised_and_other_attributes_are_not() {
        assert_eq!(nearest_name("side_efect"), Some("side_effect"));
        assert_eq!(nearest_name("postcondition"), Some("post_condition"));
        assert_eq!(nearest_name("op_defin"), Some("op_define"));
        assert_eq!(nearest_name("op_defien"), Some("op_define"));
        assert_eq!(nearest_name("inital"), Some("initial"));
        for other in [
            "allow",
            "cfg",
            "cold",
            "doc",
            "inline",
            "must_use",
            "test",
            "track_caller",
            "expect",
            "deprecated",
            "admin",
            "check",
            "clean",
            "clone",
            "define",
            "potential",
            "state",
        ] {
            assert_eq!(nearest_name(other), None, "{other}");
        }
    }
}

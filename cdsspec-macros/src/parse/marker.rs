//! One ordering point annotation: its name, label and condition.

use super::fragment::opened_start;
use super::helper::MARKERS;
use crate::diagnostics::{self, Errors, MALFORMED_MARKER, MARKER_LABEL};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Token};

/// Which annotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MarkerKind {
    Define,
    Clear,
    ClearDefine,
    Potential,
    Check,
}

impl MarkerKind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "op_define" => Self::Define,
            "op_clear" => Self::Clear,
            "op_clear_define" => Self::ClearDefine,
            "potential_op" => Self::Potential,
            "op_check" => Self::Check,
            _ => return None,
        })
    }

    /// Whether it is about an operation of its statement: to clear and to check need none.
    pub(crate) fn needs_operation(self) -> bool {
        !matches!(self, Self::Clear | Self::Check)
    }

    /// Whether a label stands before its condition.
    fn has_label(self) -> bool {
        matches!(self, Self::Potential | Self::Check)
    }
}

/// An annotation.
pub(crate) struct MarkerSyntax {
    /// Which.
    pub(crate) kind: MarkerKind,
    /// Its name, as written.
    pub(crate) name: Ident,
    /// The condition, where one is written.
    pub(crate) condition: Option<Expr>,
    /// The label of a potential point or check.
    pub(crate) label: Option<Ident>,
}

/// What stands behind the name of an annotation.
pub(super) enum MarkerArguments {
    /// Nothing.
    None,
    /// What is between parentheses.
    List(TokenStream),
    /// Something else, which means nothing.
    Other(TokenStream),
}

/// The annotation in `[…]`, if it is one of ours: `op_define`, `cdsspec::op_define`, each with or without arguments.
pub(super) fn marker_of(group: &Group) -> Option<(Ident, MarkerArguments)> {
    let tokens: Vec<TokenTree> = opened_start(group.stream()).into_iter().collect();
    let position = match tokens.as_slice() {
        [TokenTree::Ident(krate), TokenTree::Punct(_), TokenTree::Punct(_), ..] if krate == "cdsspec" => 3,
        _ => 0,
    };
    let TokenTree::Ident(name) = tokens.get(position)? else { return None };
    if !MARKERS.iter().any(|known| name == known) {
        return None;
    }
    let arguments = match &tokens[position + 1..] {
        [] => MarkerArguments::None,
        [TokenTree::Group(list)] if list.delimiter() == Delimiter::Parenthesis => {
            MarkerArguments::List(list.stream())
        }
        other => MarkerArguments::Other(other.iter().cloned().collect()),
    };
    Some((name.clone(), arguments))
}

pub(super) fn read_marker(
    (name, arguments): &(Ident, MarkerArguments),
    errors: &mut Errors,
) -> Option<MarkerSyntax> {
    let text = name.to_string();
    let kind = MarkerKind::of(&text)?;
    let refuse = |error: &syn::Error, errors: &mut Errors| {
        let (span, reason) = (error.span(), error.to_string());
        let form = if kind.has_label() { "label, condition" } else { "condition" };
        let short = if kind.has_label() { format!("{text}(label)") } else { text.clone() };
        errors.at(span, MALFORMED_MARKER, &[&reason, &short, &text, form]);
    };
    let none = TokenStream::new();
    let arguments = match arguments {
        MarkerArguments::None => &none,
        MarkerArguments::List(arguments) if arguments.is_empty() && !kind.has_label() => {
            refuse(&syn::Error::new(name.span(), "there is none between the parentheses"), errors);
            return None;
        }
        MarkerArguments::List(arguments) => arguments,
        MarkerArguments::Other(tokens) => {
            let error = syn::Error::new_spanned(tokens, "expected parentheses");
            refuse(&error, errors);
            return None;
        }
    };
    let mut marker = MarkerSyntax { kind, name: name.clone(), condition: None, label: None };
    let mut rest = arguments.clone();
    if kind.has_label() {
        let Ok((label, behind)) = label_and_rest.parse2(arguments.clone()) else {
            errors.at(span_of(arguments, name), MARKER_LABEL, &[&text, &text, &text]);
            return None;
        };
        marker.label = Some(label);
        rest = behind;
    }
    if !rest.is_empty() {
        let condition = |input: ParseStream<'_>| condition(input, kind.has_label());
        match diagnostics::read(condition, &rest, name.span()) {
            Ok(condition) => marker.condition = condition,
            Err(error) => {
                refuse(&error, errors);
                return None;
            }
        }
    }
    Some(marker)
}

/// A label, and what stands behind it.
fn label_and_rest(input: ParseStream<'_>) -> syn::Result<(Ident, TokenStream)> {
    Ok((input.parse()?, input.parse()?))
}

/// A condition, and perhaps a comma. Behind a label a comma stands first, and then there may be none.
fn condition(input: ParseStream<'_>, is_behind_label: bool) -> syn::Result<Option<Expr>> {
    if is_behind_label {
        input.parse::<Token![,]>()?;
        if input.is_empty() {
            return Ok(None);
        }
    }
    let condition = input.parse()?;
    input.parse::<Option<Token![,]>>()?;
    Ok(Some(condition))
}

fn span_of(arguments: &TokenStream, name: &Ident) -> Span {
    arguments.clone().into_iter().next().map_or_else(|| name.span(), |token| token.span())
}

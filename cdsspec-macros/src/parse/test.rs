//! The arguments of `test`, and the function that it stands on. Its body stays tokens, as those of methods do.

use super::arguments::Once;
use super::fragment::opened_item;
use super::item::{FunctionParts, function};
use crate::diagnostics::{
    DUPLICATE_ARGUMENT, Errors, TEST_ARGUMENT, TEST_NOT_A_FN, TEST_UNKNOWN_ARGUMENT, TEST_VERDICT,
};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Path, Token};

/// The arguments that are methods of the builder.
const SETTINGS: [&str; 23] = [
    "name",
    "engine",
    "executions_max",
    "duration_max",
    "watchdog",
    "watchdog_exit",
    "preemptions_max",
    "branches_max",
    "recording_max",
    "histories_max",
    "histories",
    "sc_order",
    "seed",
    "call_clock",
    "strict",
    "stop_at_first",
    "spurious_failures",
    "spurious_wakeups",
    "loop_rounds_max",
    "uninitialised",
    "freed",
    "leaks",
    "stack_bytes",
];

/// The arguments of `test`.
pub(crate) struct TestArguments {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// What the builder is told.
    pub(crate) settings: Vec<(Ident, Expr)>,
    /// The verdicts that are expected; none: that the program holds.
    pub(crate) verdicts: Vec<Path>,
}

/// Reads the arguments.
pub(crate) fn parse_arguments(arguments: TokenStream, errors: &mut Errors) -> TestArguments {
    let (mut krate, mut verdicts) = (Once::new(), Once::new());
    let mut settings: Vec<(Ident, Expr)> = Vec::new();
    for argument in split(arguments) {
        let Ok((name, value)) = argument else {
            let Err(tokens) = argument else { continue };
            errors.on(&tokens, TEST_ARGUMENT, &[]);
            continue;
        };
        let tokens = value.to_token_stream();
        match name.to_string().as_str() {
            "crate" => {
                if !krate.parse::<Path>(tokens.clone(), &name, errors) {
                    errors.on(&tokens, TEST_ARGUMENT, &[]);
                }
            }
            "verdict" => match parse_verdicts.parse2(tokens.clone()) {
                Ok(given) => verdicts.set(given, &name, DUPLICATE_ARGUMENT, errors),
                Err(_) => errors.on(&tokens, TEST_VERDICT, &[]),
            },
            known if !SETTINGS.contains(&known) => {
                let all = SETTINGS.map(|name| format!("`{name}`")).join(", ");
                errors.at(name.span(), TEST_UNKNOWN_ARGUMENT, &[known, &all]);
            }
            known if settings.iter().any(|(other, _)| *other == name) => {
                errors.at(name.span(), DUPLICATE_ARGUMENT, &[known]);
            }
            _ => settings.push((name, value)),
        }
    }
    TestArguments {
        krate: krate.get().map_or_else(|| quote!(::cdsspec), |path: Path| path.to_token_stream()),
        settings,
        verdicts: verdicts.get().unwrap_or_default(),
    }
}

/// Each `name = value`; what is none, up to the next comma, as it is.
fn split(arguments: TokenStream) -> Vec<Result<(Ident, Expr), TokenStream>> {
    let mut all = Vec::new();
    let mut rest = arguments;
    while !rest.is_empty() {
        match next_argument.parse2(rest.clone()) {
            Ok((name, value, after)) => {
                all.push(Ok((name, value)));
                rest = after;
            }
            Err(_) => {
                let mut tokens = rest.into_iter();
                let is_comma =
                    |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
                all.push(Err(tokens.by_ref().take_while(|token| !is_comma(token)).collect()));
                rest = tokens.collect();
            }
        }
    }
    all
}

fn next_argument(input: ParseStream<'_>) -> syn::Result<(Ident, Expr, TokenStream)> {
    let name = input.call(Ident::parse_any)?;
    input.parse::<Token![=]>()?;
    let value = input.parse()?;
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok((name, value, input.parse()?))
}

/// `Violated`, `cdsspec::Verdict::Violated`, or several with `|` between them.
fn parse_verdicts(input: ParseStream<'_>) -> syn::Result<Vec<Path>> {
    Ok(Punctuated::<Path, Token![|]>::parse_separated_nonempty(input)?.into_iter().collect())
}

/// Reads the function, whatever its body is; `None` if it is not one.
pub(crate) fn parse_function(item: &TokenStream, errors: &mut Errors) -> Option<FunctionParts> {
    match function.parse2(opened_item(item.clone())) {
        Ok((parts, rest)) if rest.is_empty() => Some(parts),
        _ => {
            errors.on(item, TEST_NOT_A_FN, &[]);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The macro cannot ask the builder, which is in another crate.
    #[test]
    fn every_setting_of_the_builder_is_an_argument() {
        let builder = include_str!("../../../cdsspec-runtime/src/model/builder.rs");
        // They are for programs that try out other memory orders.
        let is_argument = |name: &&str| !["order_overrides", "place_log"].contains(name);
        let settings: Vec<&str> = builder
            .split("pub fn ")
            .filter_map(|part| part.split_once("(mut self, ").map(|(name, _)| name))
            .filter(is_argument)
            .collect();
        assert_eq!(settings, SETTINGS);
    }
}

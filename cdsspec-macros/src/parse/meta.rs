//! Argument lists of the form `name = value, …`, read by darling. What is an argument, a type says that derives `FromMeta`: so unknown and repeated
//! ones are found, all at once, and a misspelt one is told what it may mean.

use crate::diagnostics::{DID_YOU_MEAN, DUPLICATE_ARGUMENT, Errors, NOT_AN_ARGUMENT, fill};
use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, ExprPath, Meta, Path, Token};

/// What messages say of an attribute.
pub(crate) struct Attribute<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// What it takes, as a list.
    pub(crate) takes: &'a str,
    /// The message for what is no argument at all.
    pub(crate) malformed: String,
}

/// Reads the arguments of an attribute; `None` if there is a mistake.
pub(crate) fn read<T: FromMeta>(
    arguments: TokenStream,
    attribute: &Attribute<'_>,
    errors: &mut Errors,
) -> Option<T> {
    let mut found = Errors::default();
    let metas = |input: ParseStream<'_>| metas(input, attribute, &mut found);
    let metas = metas.parse2(arguments).unwrap_or_else(|error| {
        found.at(error.span(), &attribute.malformed, &[]);
        Vec::new()
    });
    let read = T::from_list(&metas).map_err(|all| {
        for error in syn::Error::from(all.flatten()) {
            found.at(error.span(), &in_our_words(&error.to_string(), attribute), &[]);
        }
    });
    let is_read = found.is_empty();
    errors.append(found);
    read.ok().filter(|_| is_read)
}

/// The arguments that can be read; what is none, up to the next comma, is a mistake.
fn metas(
    input: ParseStream<'_>,
    attribute: &Attribute<'_>,
    errors: &mut Errors,
) -> syn::Result<Vec<NestedMeta>> {
    let mut metas = Vec::new();
    while !input.is_empty() {
        let ahead = input.fork();
        match ahead.parse::<NestedMeta>() {
            Ok(meta) if ahead.is_empty() || ahead.peek(Token![,]) => {
                input.advance_to(&ahead);
                metas.push(meta);
            }
            _ => {
                let mut skipped = TokenStream::new();
                while !input.is_empty() && !input.peek(Token![,]) {
                    skipped.extend([input.parse::<TokenTree>()?]);
                }
                let place = if skipped.is_empty() { input.cursor().token_stream() } else { skipped };
                errors.on(&place, &attribute.malformed, &[]);
            }
        }
        input.parse::<Option<Token![,]>>()?;
    }
    Ok(metas)
}

/// darling's message in the form of ours. One that the reader of a value wrote is ours already.
fn in_our_words(text: &str, attribute: &Attribute<'_>) -> String {
    let quoted = |text: &str, number: usize| text.split('`').nth(number).unwrap_or_default().to_owned();
    if text.starts_with("Unknown field") {
        let name = quoted(text, 1);
        match text.contains("Did you mean") {
            true => fill(DID_YOU_MEAN, &[&name, attribute.name, &quoted(text, 3)]),
            false => fill(NOT_AN_ARGUMENT, &[&name, attribute.name, attribute.takes]),
        }
    } else if text.starts_with("Duplicate field") {
        fill(DUPLICATE_ARGUMENT, &[&quoted(text, 1)])
    } else if text.starts_with("Unexpected meta-item format") {
        attribute.malformed.clone()
    } else {
        text.to_owned()
    }
}

/// A path: `crate = renamed::cdsspec`.
pub(crate) struct PathValue(pub(crate) Path);

impl FromMeta for PathValue {
    fn from_meta(meta: &Meta) -> darling::Result<Self> {
        match path_of(value_of(meta)?) {
            Some(path) => Ok(Self(path.clone())),
            None => Err(darling::Error::unsupported_format("value").with_span(value_of(meta)?)),
        }
    }
}

/// The value of `name = value`.
pub(crate) fn value_of(meta: &Meta) -> darling::Result<&Expr> {
    match meta {
        Meta::NameValue(pair) => Ok(&pair.value),
        other => Err(darling::Error::unsupported_format("word or list").with_span(other)),
    }
}

/// The path that an expression is.
pub(crate) fn path_of(value: &Expr) -> Option<&Path> {
    match value {
        Expr::Path(ExprPath { qself: None, path, .. }) => Some(path),
        Expr::Group(group) => path_of(&group.expr),
        _ => None,
    }
}

/// Where the crate `cdsspec` is.
pub(crate) fn crate_or_default(given: Option<PathValue>) -> TokenStream {
    given.map_or_else(|| quote!(::cdsspec), |path| path.0.to_token_stream())
}

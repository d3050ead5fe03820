//! The annotated impl. Bodies stay tokens, so that nothing in them can fail here.

use super::body::Body;
use super::fragment::{opened_block, opened_item, opened_start};
use super::helper::{Helper, take_helpers};
use crate::diagnostics::{Errors, NOT_AN_IMPL};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::VecDeque;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, ItemImpl, Signature, Token, Visibility};

/// An impl, taken apart.
pub(crate) struct ImplSyntax {
    /// Helpers on the impl.
    pub(crate) helpers: Vec<Helper>,
    /// The impl without its items; its own attributes are kept here.
    pub(crate) header: ItemImpl,
    /// The braces.
    pub(crate) braces: Group,
    /// Attributes at the start of the braces.
    pub(crate) inner_attributes: TokenStream,
    /// The items.
    pub(crate) items: Vec<ItemSyntax>,
    /// Whether it is not an impl, but a function outside of one.
    pub(crate) is_function: bool,
}

/// An item of the impl.
pub(crate) enum ItemSyntax {
    /// A function.
    Function(Box<FunctionSyntax>),
    /// Anything else, with helpers that do not belong there taken out.
    Other(TokenStream, Vec<Helper>),
}

/// A function.
pub(crate) struct FunctionSyntax {
    /// Helpers on it.
    pub(crate) helpers: Vec<Helper>,
    /// Its other attributes.
    pub(crate) attributes: Vec<Attribute>,
    /// Visibility, and `default` if it is there.
    pub(crate) visibility: TokenStream,
    /// The signature.
    pub(crate) signature: Signature,
    /// The braces of the body.
    pub(crate) braces: Group,
    /// The body.
    pub(crate) body: Body,
}

/// A function outside of an impl, as if it stood in one.
fn lone_function(item: &TokenStream, errors: &mut Errors) -> Option<ImplSyntax> {
    let may_be_function = |token: TokenTree| match token {
        TokenTree::Ident(name) => name == "fn",
        TokenTree::Group(group) => group.delimiter() == Delimiter::None,
        _ => false,
    };
    if !item.clone().into_iter().any(may_be_function) {
        return None;
    }
    let (parts, rest) = function.parse2(item.clone()).ok()?;
    rest.is_empty().then(|| ImplSyntax {
        helpers: Vec::new(),
        header: syn::parse_quote!(impl __CdsspecFunction {}),
        braces: Group::new(Delimiter::Brace, TokenStream::new()),
        inner_attributes: TokenStream::new(),
        items: vec![ItemSyntax::Function(Box::new(parts.finish(errors)))],
        is_function: true,
    })
}

/// Reads an impl, or a function; `None` if it is neither.
pub(crate) fn parse_impl(item: TokenStream, errors: &mut Errors) -> Option<ImplSyntax> {
    let item = opened_item(item);
    if let Some(syntax) = lone_function(&item, errors) {
        return Some(syntax);
    }
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    let braces = match tokens.pop() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group,
        _ => {
            errors.on(&item, NOT_AN_IMPL, &[]);
            return None;
        }
    };
    tokens.push(TokenTree::Group(Group::new(Delimiter::Brace, TokenStream::new())));
    let Ok(mut header) = syn::parse2::<ItemImpl>(tokens.into_iter().collect()) else {
        errors.on(&head_of(&item), NOT_AN_IMPL, &[]);
        return None;
    };
    let helpers = take_helpers(&mut header.attrs, errors);
    let (inner_attributes, content) = split_inner_attributes(braces.stream());
    let items = parse_items(content, errors);
    Some(ImplSyntax { helpers, header, braces, inner_attributes, items, is_function: false })
}

/// The tokens before the braces: enough to point at an item.
fn head_of(item: &TokenStream) -> TokenStream {
    let is_brace =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    item.clone().into_iter().take_while(|token| !is_brace(token)).collect()
}

/// Splits off `#![…]` at the start of braces.
pub(crate) fn split_inner_attributes(content: TokenStream) -> (TokenStream, TokenStream) {
    let split = |input: ParseStream<'_>| {
        let inner = input.call(Attribute::parse_inner)?;
        Ok((quote!(#(#inner)*), input.parse::<TokenStream>()?))
    };
    split.parse2(content.clone()).unwrap_or_else(|_| (TokenStream::new(), content))
}

fn parse_items(content: TokenStream, errors: &mut Errors) -> Vec<ItemSyntax> {
    let mut rest: VecDeque<TokenTree> = content.into_iter().collect();
    let mut items = Vec::new();
    while !rest.is_empty() {
        // Only the tokens of one item are read again, so that the time is linear in the number of items.
        let length = item_length(rest.make_contiguous());
        let chunk = opened_start(rest.drain(..length).collect());
        let (item, after) = match function.parse2(chunk.clone()) {
            Ok((parts, after)) => (ItemSyntax::Function(Box::new(parts.finish(errors))), after),
            Err(_) => other_item(chunk, errors),
        };
        items.push(item);
        let after: Vec<TokenTree> = after.into_iter().collect();
        after.into_iter().rev().for_each(|token| rest.push_front(token));
    }
    items
}

/// How many tokens the first item has: up to a `;`, or braces that are no generic argument.
pub(crate) fn item_length(tokens: &[TokenTree]) -> usize {
    let mut angle_depth = 0_usize;
    let mut is_after_arrow_start = false;
    for (index, token) in tokens.iter().enumerate() {
        let is_braces = matches!(token, TokenTree::Group(_));
        if ends_item(token) && !(is_braces && angle_depth > 0) {
            return index + 1;
        }
        let letter = match token {
            TokenTree::Punct(punct) => punct.as_char(),
            _ => ' ',
        };
        match letter {
            '<' => angle_depth += 1,
            '>' if !is_after_arrow_start => angle_depth = angle_depth.saturating_sub(1),
            _ => {}
        }
        is_after_arrow_start = matches!(letter, '-' | '=');
    }
    tokens.len()
}

/// Whether an item may end with this token. A fragment of a `macro_rules!` macro (`$body:block`, `$function:item`) is a group without
/// delimiters.
fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Brace => true,
            Delimiter::None => group.stream().into_iter().last().is_some_and(|last| ends_item(&last)),
            Delimiter::Parenthesis | Delimiter::Bracket => false,
        },
        _ => false,
    }
}

/// A function whose body was not looked into.
pub(crate) struct FunctionParts {
    /// Its attributes.
    pub(crate) attributes: Vec<Attribute>,
    /// Visibility, and `default` if it is there.
    pub(crate) visibility: TokenStream,
    /// The signature.
    pub(crate) signature: Signature,
    /// The body.
    pub(crate) braces: Group,
}

/// Reads a function, and what stands behind it.
pub(super) fn function(input: ParseStream<'_>) -> syn::Result<(FunctionParts, TokenStream)> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse::<Visibility>()?.into_token_stream();
    let signature = input.parse()?;
    let braces = input.step(|cursor| match cursor.token_tree() {
        Some((TokenTree::Group(group), rest)) => Ok((opened_block(group), rest)),
        _ => Err(cursor.error("a body")),
    })?;
    if braces.delimiter() != Delimiter::Brace {
        return Err(input.error("a body"));
    }
    Ok((FunctionParts { attributes, visibility, signature, braces }, input.parse()?))
}

impl FunctionParts {
    fn finish(self, errors: &mut Errors) -> FunctionSyntax {
        let Self { mut attributes, visibility, signature, braces } = self;
        let helpers = take_helpers(&mut attributes, errors);
        let body = Body::parse(braces.stream(), errors);
        FunctionSyntax { helpers, attributes, visibility, signature, braces, body }
    }
}

/// Whether tokens begin as a function does.
fn is_function_head(tokens: &TokenStream) -> bool {
    let head = |input: ParseStream<'_>| {
        input.parse::<Visibility>()?;
        while !input.peek(Token![fn]) {
            // `default`, `const`, `async`, `unsafe`, `extern "C"`
            let _: (Option<Ident>, Option<syn::LitStr>) =
                (Some(input.call(Ident::parse_any)?), input.parse()?);
        }
        input.parse::<Token![fn]>()?;
        input.parse::<TokenStream>()
    };
    head.parse2(tokens.clone()).is_ok()
}

/// Up to a `;` or braces.
fn other_item(rest: TokenStream, errors: &mut Errors) -> (ItemSyntax, TokenStream) {
    let split =
        |input: ParseStream<'_>| Ok((input.call(Attribute::parse_outer)?, input.parse::<TokenStream>()?));
    let (mut attributes, rest) = split.parse2(rest.clone()).unwrap_or_else(|_| (Vec::new(), rest));
    let mut helpers = take_helpers(&mut attributes, errors);
    let is_half_typed = is_function_head(&rest);
    if is_half_typed {
        // The compiler says what is missing, and helpers are not to blame.
        helpers.clear();
        errors.leave_to_compiler();
    }
    let mut tokens = rest.into_iter();
    let mut item = quote!(#(#attributes)*);
    let mut is_ended = false;
    for token in tokens.by_ref() {
        is_ended = ends_item(&token);
        item.extend([token]);
        if is_ended {
            break;
        }
    }
    if is_half_typed && !is_ended {
        // It has said so, and has left the function out; between other brackets it would say it again.
        item = TokenStream::new();
    }
    (ItemSyntax::Other(item, helpers), tokens.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the functions, and `;` for each other item.
    fn items(content: &str) -> Vec<String> {
        let mut errors = Errors::default();
        let content = content.parse().expect("the content has balanced brackets");
        let items = parse_items(content, &mut errors);
        errors.finish();
        let name = |item: &ItemSyntax| match item {
            ItemSyntax::Function(function) => function.signature.ident.to_string(),
            ItemSyntax::Other(..) => ";".to_owned(),
        };
        items.iter().map(name).collect()
    }

    #[test]
    fn functions_are_found_among_other_items() {
        for (content, expected) in [
            ("fn a() {} const B: u32 = 1; fn c() {} mac! {} fn d() {}", "a ; c ; d"),
            ("#[inline] pub(crate) unsafe extern \"C\" fn a() -> u8 { 0 } type B = u8;", "a ;"),
            // Braces in generic arguments end nothing, and `->` closes no bracket.
            ("fn a() -> Ring<{ 1 + 1 }> {} fn b<F: Fn(u8) -> Ring<{ 2 }>>(f: F) {}", "a b"),
            ("fn a() where Ring<{ N }>: Sized {} fn b() {}", "a b"),
            // What is half-typed takes no function with it.
            ("fn a() -> Ring<{ 1 } fn b() {} fn c() {}", "; b c"),
            ("#[a b] fn a() {} fn b() {}", "; b"),
        ] {
            assert_eq!(items(content).join(" "), expected, "{content}");
        }
    }
}

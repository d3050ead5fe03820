//! The tokens of a body, with the ordering point annotations found in them.

use super::fragment::{opened_start, opened_statement};
use super::helper::{conditional_helper, conditions, misspelt_marker};
use super::marker::{MarkerArguments, MarkerSyntax, marker_of, read_marker};
use super::statement::{Binding, Refusal, bind, has_dangling_dot, is_half_typed};
use crate::diagnostics::{CONDITIONAL_HELPER, Errors, MARKER_ON_EXPRESSION, UNKNOWN_HELPER};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::{Attribute, Block};

/// Tokens, taken apart only where there is an annotation.
pub(crate) struct Body {
    /// The parts, in order.
    pub(crate) pieces: Vec<Piece>,
    /// Whether annotations were taken out, here or in brackets inside.
    is_changed: bool,
}

/// A part of a body.
pub(crate) enum Piece {
    /// A token that means nothing to us.
    Token(TokenTree),
    /// Brackets of any kind.
    Group(Group, Body),
    /// A statement with ordering point annotations.
    Marked(Box<MarkedStatement>),
}

/// A statement with ordering point annotations.
pub(crate) struct MarkedStatement {
    /// The annotations, in the order in which they are written.
    pub(crate) markers: Vec<MarkerSyntax>,
    /// The other attributes of the statement.
    pub(crate) attributes: TokenStream,
    /// Those of them that decide whether it is there.
    pub(crate) conditions: TokenStream,
    /// The statement.
    pub(crate) statement: Body,
    /// Which operation of it is meant.
    pub(crate) binding: Binding,
}

impl Body {
    /// Finds the annotations in the content of the braces of a function. A half-typed one stays as it is, with its annotations: so the
    /// compiler finds in it what it found before, at the same places, and says it once.
    pub(crate) fn parse(content: TokenStream, errors: &mut Errors) -> Self {
        let mut found = Errors::default();
        let has_dot = has_dangling_dot(content.clone());
        let is_broken = has_dot && Block::parse_within.parse2(content.clone()).is_err();
        let body = Self::read(content.clone(), true, is_broken, &mut found);
        // Where nothing is taken out, nothing is half-typed for us: so most bodies need not be parsed.
        if body.is_changed
            && !has_dot
            && let Err(error) = Block::parse_within.parse2(content.clone())
            && is_half_typed(&error)
        {
            found.finish();
            return Self { pieces: content.into_iter().map(Piece::Token).collect(), is_changed: false };
        }
        errors.append(found);
        body
    }

    /// Brackets around what is made of their content; the same ones, if there are no annotations inside, since ones that are made do not
    /// know where they begin and end.
    pub(crate) fn in_brackets(&self, group: &Group, map: impl FnOnce(&Self) -> TokenStream) -> TokenTree {
        if self.is_changed { regroup(group, map(self)) } else { TokenTree::Group(group.clone()) }
    }

    /// `is_broken`: the body is no Rust, for want of something behind a dot.
    fn read(content: TokenStream, is_block: bool, is_broken: bool, errors: &mut Errors) -> Self {
        let (content, is_opened) = if is_block { opened(content) } else { (content, false) };
        let token_count = content.clone().into_iter().count();
        let tokens = without_refused(content, errors);
        let mut is_changed = is_opened || tokens.len() != token_count;
        let mut pieces = Vec::new();
        let mut index = 0;
        let mut is_start = is_block;
        while index < tokens.len() {
            let run = attribute_run(&tokens[index..]);
            if run.iter().any(|attribute| attribute.marker.is_some()) {
                is_changed = true;
                if is_start {
                    index = read_marked((&tokens, is_broken), index, &run, &mut pieces, errors);
                } else {
                    refuse_run(&run, &mut pieces, errors);
                    index += 2 * run.len();
                }
                continue;
            }
            let inner = inner_attribute_length(&tokens[index..]);
            if is_start && inner > 0 {
                pieces.extend(tokens[index..index + inner].iter().cloned().map(Piece::Token));
                index += inner;
                continue;
            }
            is_start = is_block && ends_statement(&tokens[index]);
            pieces.push(read_token(&tokens[index], is_broken, errors));
            index += 1;
        }
        if is_block && is_broken && ends_in_dot(&tokens) && matches!(pieces.last(), Some(Piece::Token(_))) {
            // The compiler has said before that something is missing there. With other brackets around it would say it again elsewhere.
            pieces.pop();
            is_changed = true;
        }
        is_changed |= pieces.iter().any(|piece| matches!(piece, Piece::Group(_, inner) if inner.is_changed));
        Self { pieces, is_changed }
    }

    /// All annotations in it, in order.
    pub(crate) fn markers(&self) -> Vec<&MarkerSyntax> {
        let mut all = Vec::new();
        for piece in &self.pieces {
            match piece {
                Piece::Token(_) => {}
                Piece::Group(_, inner) => all.extend(inner.markers()),
                Piece::Marked(marked) => {
                    all.extend(&marked.markers);
                    all.extend(marked.statement.markers());
                }
            }
        }
        all
    }
}

fn ends_in_dot(tokens: &[TokenTree]) -> bool {
    let is_dot = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '.');
    let mut dots = tokens.iter().rev().take(2).map(is_dot);
    dots.next() == Some(true) && dots.next() != Some(true)
}

fn read_token(token: &TokenTree, is_broken: bool, errors: &mut Errors) -> Piece {
    match token {
        TokenTree::Group(group) => {
            let inner = Body::read(group.stream(), group.delimiter() == Delimiter::Brace, is_broken, errors);
            Piece::Group(group.clone(), inner)
        }
        other => Piece::Token(other.clone()),
    }
}

/// The tokens without each `#[cfg_attr(condition, op_define)]` and `#[op_defne]`, which are refused.
fn without_refused(content: TokenStream, errors: &mut Errors) -> Vec<TokenTree> {
    let mut tokens: Vec<TokenTree> = Vec::new();
    for token in content {
        if let (Some(TokenTree::Punct(hash)), TokenTree::Group(group)) = (tokens.last(), &token)
            && hash.as_char() == '#'
            && group.delimiter() == Delimiter::Bracket
        {
            let attribute = opened_start(group.stream());
            if let Some(name) = conditional_helper(&attribute) {
                errors.at(name.span(), CONDITIONAL_HELPER, &[&name.to_string()]);
                tokens.pop();
                continue;
            }
            if let Some((name, meant)) = misspelt_marker(&attribute) {
                errors.at(name.span(), UNKNOWN_HELPER, &[&name.to_string(), meant]);
                tokens.pop();
                continue;
            }
        }
        tokens.push(token);
    }
    tokens
}

/// The tokens of a block, without invisible brackets around blocks and statements, and whether there were any.
fn opened(content: TokenStream) -> (TokenStream, bool) {
    let mut is_opened = false;
    let tokens = content.into_iter().flat_map(|token| {
        let (tokens, is_other) = opened_statement(token);
        is_opened |= is_other;
        tokens
    });
    (tokens.collect(), is_opened)
}

/// Whether a statement may begin after this token.
fn ends_statement(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            group.stream().into_iter().last().is_some_and(|last| ends_statement(&last))
        }
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}

/// How many tokens `#![…]` has, if the tokens start with that.
fn inner_attribute_length(tokens: &[TokenTree]) -> usize {
    match tokens {
        [TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(group), ..]
            if hash.as_char() == '#' && bang.as_char() == '!' && group.delimiter() == Delimiter::Bracket =>
        {
            3
        }
        _ => 0,
    }
}

/// One `#[…]` of several that stand together.
struct RunAttribute {
    tokens: [TokenTree; 2],
    marker: Option<(Ident, MarkerArguments)>,
}

/// The `#[…]` at the start of the tokens.
fn attribute_run(tokens: &[TokenTree]) -> Vec<RunAttribute> {
    let mut run = Vec::new();
    for pair in tokens.chunks_exact(2) {
        let [TokenTree::Punct(hash), TokenTree::Group(group)] = pair else { break };
        if hash.as_char() != '#' || group.delimiter() != Delimiter::Bracket {
            break;
        }
        run.push(RunAttribute { tokens: [pair[0].clone(), pair[1].clone()], marker: marker_of(group) });
    }
    run
}

/// Reads the statement behind the attributes at `index`; returns where it ends.
fn read_marked(
    (tokens, is_broken): (&[TokenTree], bool),
    index: usize,
    run: &[RunAttribute],
    pieces: &mut Vec<Piece>,
    errors: &mut Errors,
) -> usize {
    let begin = index + 2 * run.len();
    let markers: Vec<_> = run.iter().filter_map(|one| read_marker(one.marker.as_ref()?, errors)).collect();
    let attributes: TokenStream =
        run.iter().filter(|one| one.marker.is_none()).flat_map(|one| one.tokens.clone()).collect();
    let parsed = Attribute::parse_outer.parse2(attributes.clone()).unwrap_or_default();
    let conditions = conditions(&parsed);
    let names: Vec<Ident> =
        run.iter().filter_map(|one| one.marker.as_ref().map(|(name, _)| name.clone())).collect();
    let Some(first) = names.first() else { return begin };
    if begin == tokens.len() {
        // The compiler has its own error for an attribute without a statement.
        return begin;
    }
    match bind(&tokens[begin..], &markers, !conditions.is_empty()) {
        Ok((binding, length)) => {
            let statement: TokenStream = tokens[begin..begin + length].iter().cloned().collect();
            let statement = Body::read(statement, false, is_broken, errors);
            let marked = MarkedStatement { markers, attributes, conditions, statement, binding };
            pieces.push(Piece::Marked(Box::new(marked)));
            begin + length
        }
        Err(refusal) => {
            refuse(first, &refusal, errors);
            pieces.extend(attributes.into_iter().map(Piece::Token));
            begin
        }
    }
}

/// Says why an annotation cannot stand on its statement.
fn refuse(marker: &Ident, refusal: &Refusal, errors: &mut Errors) {
    let Some(message) = refusal.message else { return };
    let name = marker.to_string();
    let names: Vec<&str> = match &refusal.name {
        Some(bound) => vec![bound, &name],
        None => vec![&name; message.matches("{}").count()],
    };
    errors.at(refusal.span.unwrap_or_else(|| marker.span()), message, &names);
}

/// An annotation where no statement begins: dropped, and said so.
fn refuse_run(run: &[RunAttribute], pieces: &mut Vec<Piece>, errors: &mut Errors) {
    for attribute in run {
        match &attribute.marker {
            Some((name, _)) => {
                let text = name.to_string();
                errors.at(name.span(), MARKER_ON_EXPRESSION, &[&text, &text]);
            }
            None => pieces.extend(attribute.tokens.clone().map(Piece::Token)),
        }
    }
}

impl ToTokens for Body {
    /// The tokens without the annotations.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for piece in &self.pieces {
            match piece {
                Piece::Token(token) => tokens.extend([token.clone()]),
                Piece::Group(group, inner) => {
                    tokens.extend([inner.in_brackets(group, ToTokens::to_token_stream)]);
                }
                Piece::Marked(marked) => {
                    tokens.extend(marked.attributes.clone());
                    marked.statement.to_tokens(tokens);
                }
            }
        }
    }
}

/// The same brackets around other content.
pub(crate) fn regroup(group: &Group, content: TokenStream) -> TokenTree {
    let mut new = Group::new(group.delimiter(), content);
    new.set_span(group.span());
    TokenTree::Group(new)
}

//! Labels: every one that is checked must mark something, in the attribute and in the macro form.
//!
//! The mark may be in a function or macro that a method calls, and what these do cannot be seen here. So a label that nothing in the impl marks is
//! an error only where all that the impl calls is known: its own functions, std's, operations of atomics, constructors. Elsewhere it is a
//! `spec_error` when the check runs, where the marks of the whole program are known.

use super::{functions, mention};
use crate::diagnostics::{Errors, NEAR_LABEL, UNKNOWN_LABEL};
use crate::parse::body::MarkerKind;
use crate::parse::helper::{MARKERS, edit_distance};
use crate::parse::item::{FunctionSyntax, ImplSyntax};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;

/// Looks for checks of labels that certainly nothing marks.
pub(super) fn check(syntax: &ImplSyntax, errors: &mut Errors) {
    let checked: Vec<Ident> = functions(syntax).flat_map(checked).collect();
    if checked.is_empty() {
        return;
    }
    let mut marked = HashSet::new();
    let own: HashSet<String> =
        functions(syntax).map(|function| function.signature.ident.to_string()).collect();
    for function in functions(syntax) {
        // As the user wrote it: an annotation that is itself a mistake marks what it would without.
        note_marked(function.braces.stream(), &mut marked);
    }
    let is_known = functions(syntax).all(|function| calls_only_known(function.braces.stream(), &own));
    for label in checked.iter().filter(|label| is_known && !marked.contains(*label)) {
        let text = label.to_string();
        let near = marked.iter().map(Ident::to_string).filter(|known| edit_distance(&text, known) <= 2);
        match near.min() {
            Some(near) => errors.at(label.span(), NEAR_LABEL, &[&text, &near]),
            None => errors.at(label.span(), UNKNOWN_LABEL, &[&text]),
        }
    }
}

/// The labels that a function checks.
fn checked(function: &FunctionSyntax) -> Vec<Ident> {
    let attributes = function.body.markers().into_iter().filter(|marker| marker.kind == MarkerKind::Check);
    let mut labels: Vec<Ident> = attributes.filter_map(|marker| marker.label.clone()).collect();
    let macros = mention::macros(&function.body.to_token_stream(), &["op_check"]);
    labels.extend(macros.into_iter().filter_map(|(_, arguments)| first_word(arguments)));
    labels
}

fn first_word(tokens: TokenStream) -> Option<Ident> {
    match tokens.into_iter().next() {
        Some(TokenTree::Ident(word)) => Some(word),
        _ => None,
    }
}

/// Notes the labels behind each `potential_op`, also where it is misspelt or stands where it cannot.
fn note_marked(tokens: TokenStream, marked: &mut HashSet<Ident>) {
    let mut is_behind = false;
    for token in tokens {
        match token {
            TokenTree::Ident(word) => is_behind = edit_distance(&word.to_string(), "potential_op") <= 2,
            TokenTree::Group(group) => {
                marked.extend(first_word(group.stream()).filter(|_| is_behind));
                is_behind = false;
                note_marked(group.stream(), marked);
            }
            TokenTree::Punct(punct) => is_behind &= punct.as_char() == '!',
            TokenTree::Literal(_) => is_behind = false,
        }
    }
}

/// Words before brackets that call nothing.
const KEYWORDS: [&str; 14] = [
    "if", "match", "while", "for", "in", "return", "break", "else", "move", "let", "mut", "ref", "unsafe",
    "as",
];
/// Macros of std that call nothing of the user's.
const MACROS: [&str; 19] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprintln",
    "format",
    "line",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
];
/// What paths of std begin with, as they are usually written.
const PATHS: [&str; 27] = [
    "std", "core", "alloc", "cdsspec", "ptr", "mem", "hint", "thread", "Box", "Arc", "Vec", "Option",
    "Result", "Default", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "bool",
];
/// Functions of std, as they are usually imported.
const FUNCTIONS: [&str; 6] = ["drop", "fence", "spin_loop", "yield_now", "null_mut", "null"];
/// Methods of std's `Option`, `Result` and pointers.
const METHODS: [&str; 14] = [
    "as_ref",
    "as_mut",
    "clone",
    "copied",
    "err",
    "expect",
    "is_err",
    "is_none",
    "is_null",
    "is_ok",
    "is_some",
    "ok",
    "unwrap",
    "unwrap_or",
];
const ORDERS: [&str; 5] = ["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];

/// Whether everything that tokens call is known to mark nothing, but for the functions of the impl, whose bodies are looked at.
fn calls_only_known(tokens: TokenStream, own: &HashSet<String>) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().all(|(index, token)| match token {
        // The condition of an annotation runs no operation.
        TokenTree::Group(_) if is_attribute(&tokens[..index]) => true,
        TokenTree::Group(group) => {
            is_known_call(&tokens[..index], group, own) && calls_only_known(group.stream(), own)
        }
        _ => true,
    })
}

fn is_attribute(before: &[TokenTree]) -> bool {
    matches!(before.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == '#')
}

/// The operations of atomics take an order, and hardly anything else does.
fn has_order(arguments: &Group) -> bool {
    arguments
        .stream()
        .into_iter()
        .any(|token| matches!(token, TokenTree::Ident(word) if ORDERS.iter().any(|known| word == known)))
}

/// Whether what stands before brackets is no call, or one of something known.
fn is_known_call(before: &[TokenTree], brackets: &Group, own: &HashSet<String>) -> bool {
    let is =
        |token: &TokenTree, letter| matches!(token, TokenTree::Punct(punct) if punct.as_char() == letter);
    let among = |word: &Ident, known: &[&str]| known.iter().any(|known| word == known);
    match before {
        // An invisible bracket may hold anything.
        _ if brackets.delimiter() == Delimiter::None => false,
        [.., TokenTree::Ident(name), bang] if is(bang, '!') => among(name, &MARKERS) || among(name, &MACROS),
        _ if brackets.delimiter() != Delimiter::Parenthesis => true,
        [.., TokenTree::Ident(owner), dot, TokenTree::Ident(name)] if is(dot, '.') && owner == "self" => {
            own.contains(&name.to_string())
        }
        [.., dot, TokenTree::Ident(name)] if is(dot, '.') => among(name, &METHODS) || has_order(brackets),
        [.., TokenTree::Ident(name)] if among(name, &KEYWORDS) => true,
        [.., TokenTree::Ident(name)] if name.to_string().starts_with(char::is_uppercase) => true,
        [path @ .., first, second, TokenTree::Ident(name)] if is(first, ':') && is(second, ':') => {
            let mut words =
                path.iter().rev().take_while(|token| matches!(token, TokenTree::Ident(_)) || is(token, ':'));
            match words.by_ref().last() {
                Some(TokenTree::Ident(word)) if word == "Self" => own.contains(&name.to_string()),
                Some(TokenTree::Ident(word)) => among(word, &PATHS),
                _ => false,
            }
        }
        [.., TokenTree::Ident(name)] => among(name, &FUNCTIONS),
        // `(…)(…)`, `f::<T>(…)`, `f()?(…)`
        [.., last] => !matches!(last, TokenTree::Group(_)) && !is(last, '>') && !is(last, '?'),
        [] => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_known(body: &str) -> bool {
        let own = HashSet::from(["helper".to_owned()]);
        calls_only_known(body.parse().expect("the brackets are balanced"), &own)
    }

    #[test]
    fn what_may_mark_is_told_from_what_cannot() {
        let known = [
            "let x = self.0.load(Acquire); x",
            "if (x) == (1) { return (2, 3); }",
            "#[op_define(self.any())] let x = self.0.compare_exchange(1, 2, AcqRel, atomic::Ordering::Relaxed).is_ok();",
            "cdsspec::op_check!(a, x == 1); potential_op!(a);",
            "Self::helper(1)?; self.helper(Some(Box::new(Node { x: 1 }))).unwrap()",
            "loop { std::hint::spin_loop(); } assert_eq!(i32::abs(1), 1); [1, (2)][(0)]",
        ];
        let unknown = [
            "self.other()",
            "Self::other()",
            "helper(self)",
            "self.0.load()",
            "self.0.helper(1)",
            "mark!(self.0)",
            "outer::helper(self)",
            "(self.f)(1)",
            "f::<u32>(1)",
            "Some(g(1))",
            "let f = || h(1);",
        ];
        assert_eq!(known.map(is_known), [true; 6]);
        assert_eq!(unknown.map(is_known), [false; 11]);
    }
}

//! Paths in tokens that are not parsed.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// A path, or what looks like one: one of several segments.
pub(crate) struct TokenPath {
    pub(crate) segments: Vec<Segment>,
    /// Whether `::` stands before it.
    pub(crate) is_global: bool,
}

/// Every run of identifiers and `::`, of two segments and more; `a::{b, c}` is two.
pub(crate) fn paths_in(tokens: TokenStream) -> Vec<TokenPath> {
    let mut paths = Vec::new();
    collect(tokens, &[], &mut paths);
    paths
}

/// Every run is taken for a path after `prefix`.
fn collect(tokens: TokenStream, prefix: &[Segment], paths: &mut Vec<TokenPath>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        let run = Run::read(&tokens, at);
        at = run.end.max(at + 1);
        let segments: Vec<Segment> = prefix.iter().chain(&run.segments).cloned().collect();
        match run.group {
            Some((Delimiter::Brace, inner)) if run.ends_in_colons => collect(inner, &segments, paths),
            Some((_, inner)) => collect(inner, &[], paths),
            None if segments.len() > 1 => paths.push(TokenPath { segments, is_global: run.is_global }),
            None => {}
        }
    }
}

/// A part of a path.
#[derive(Clone)]
pub(crate) struct Segment {
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Segment {
    pub(crate) fn of(ident: &Ident) -> Self {
        Self { text: ident.to_string(), line: ident.span().start().line }
    }
}

/// A path in unparsed tokens, or a group, or both: `crate::{ … }`.
struct Run {
    segments: Vec<Segment>,
    is_global: bool,
    ends_in_colons: bool,
    group: Option<(Delimiter, TokenStream)>,
    end: usize,
}

impl Run {
    fn read(tokens: &[TokenTree], start: usize) -> Self {
        let mut at = start;
        let is_global = colons(tokens, at);
        if is_global {
            at += 2;
        }
        let mut run =
            Self { segments: Vec::new(), is_global, ends_in_colons: is_global, group: None, end: at };
        while let Some(TokenTree::Ident(ident)) = tokens.get(at).filter(|token| can_be_in_path(token)) {
            run.segments.push(Segment::of(ident));
            at += 1;
            run.ends_in_colons = colons(tokens, at);
            if !run.ends_in_colons {
                break;
            }
            at += 2;
        }
        let takes_group = run.segments.is_empty() || run.ends_in_colons;
        if let Some(TokenTree::Group(group)) = tokens.get(at).filter(|_| takes_group) {
            run.group = Some((group.delimiter(), group.stream()));
            at += 1;
        }
        run.end = at;
        run
    }
}

/// Identifiers can, and the keywords that lead to modules; `use` in front of `::loom` cannot.
fn can_be_in_path(token: &TokenTree) -> bool {
    let text = token.to_string();
    ["crate", "self", "super"].contains(&text.as_str()) || syn::parse_str::<Ident>(&text).is_ok()
}

fn colons(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == ':');
    is_colon(tokens.get(at)) && is_colon(tokens.get(at + 1))
}

//! Which names an expression mentions, told by its tokens alone: rather one too many than one too few.

use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::HashSet;
use syn::ext::IdentExt;

/// The first mention of a variable; with the place and the hygiene of the mention. Fields and methods of that name are not
/// mentions; captures in format strings are.
pub(crate) fn find(tokens: &TokenStream, name: &str) -> Option<Ident> {
    words(tokens).into_iter().find(|word| word.unraw() == name)
}

/// Every word that may be a variable, in order.
pub(crate) fn words(tokens: &TokenStream) -> Vec<Ident> {
    let mut words = Vec::new();
    let mut dots = 0;
    for token in tokens.clone() {
        match &token {
            TokenTree::Ident(ident) if dots != 1 => words.push(ident.clone()),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                words.extend(captured(&text).into_iter().map(|name| Ident::new(name, literal.span())));
            }
            TokenTree::Group(group) => words.extend(self::words(&group.stream())),
            _ => {}
        }
        dots = if is_dot(&token) { dots + 1 } else { 0 };
    }
    words
}

/// The same of a name that may also begin a path, as `self` and `super` do: there it is not meant.
pub(crate) fn find_value(tokens: &TokenStream, name: &str) -> Option<Ident> {
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        let found = match &token {
            TokenTree::Ident(ident) if ident == name => Some(ident.clone()),
            TokenTree::Group(group) => find_value(&group.stream(), name),
            _ => None,
        };
        let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
        if found.is_some() && !is_path {
            return found;
        }
    }
    None
}

/// The names behind `variable.`, wherever that stands.
pub(crate) fn fields_of(tokens: &TokenStream, variable: &str) -> Vec<Ident> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut fields = Vec::new();
    for window in tokens.windows(3) {
        if let [TokenTree::Ident(owner), dot, TokenTree::Ident(field)] = window
            && owner == variable
            && is_dot(dot)
        {
            fields.push(field.clone());
        }
    }
    for token in &tokens {
        if let TokenTree::Group(group) = token {
            fields.extend(fields_of(&group.stream(), variable));
        }
    }
    fields
}

/// The names behind a dot, of fields and methods, wherever they stand.
pub(crate) fn members(tokens: &TokenStream) -> HashSet<String> {
    let mut members = HashSet::new();
    let mut is_after_dot = false;
    for token in tokens.clone() {
        match &token {
            TokenTree::Ident(ident) if is_after_dot => {
                members.insert(ident.unraw().to_string());
            }
            TokenTree::Group(group) => members.extend(self::members(&group.stream())),
            _ => {}
        }
        is_after_dot = is_dot(&token);
    }
    members
}

/// What `concurrent` has of all calls.
const OF_ALL: [&str; 3] = ["is_empty", "len", "all"];

/// Whether a name behind `concurrent.` is about the calls of all methods.
pub(crate) fn is_of_all(name: &Ident) -> bool {
    OF_ALL.iter().any(|known| name == known)
}

/// The name behind `concurrent.` for the calls of a method: its own, or `of_len` where that is taken.
pub(crate) fn concurrent_name(method: &Ident) -> Ident {
    if is_of_all(method) {
        quote::format_ident!("of_{}", method, span = method.span())
    } else {
        method.clone()
    }
}

/// The method whose calls a name behind `concurrent.` is for.
pub(crate) fn method_behind(name: &Ident) -> String {
    let text = name.unraw().to_string();
    let own = text.strip_prefix("of_").filter(|own| OF_ALL.contains(own));
    own.map(str::to_owned).unwrap_or(text)
}

/// The invocations of some macros by name, with their arguments.
pub(crate) fn macros(tokens: &TokenStream, names: &[&str]) -> Vec<(Ident, TokenStream)> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match (token, tokens.get(index + 1), tokens.get(index + 2)) {
            (TokenTree::Ident(name), Some(TokenTree::Punct(punct)), Some(TokenTree::Group(group)))
                if punct.as_char() == '!' && names.iter().any(|known| name == known) =>
            {
                found.push((name.clone(), group.stream()));
            }
            (TokenTree::Group(group), ..) => found.extend(macros(&group.stream(), names)),
            _ => {}
        }
    }
    found
}

fn is_dot(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '.')
}

/// What the format strings in a string literal mention by name: values, widths and precisions, as `{name}`, `{name:…}`, `{:name$}` and
/// `{:.name$}`. Nothing, if it is another literal.
pub(crate) fn captured(literal: &str) -> Vec<&str> {
    let parts = literal.split('{').skip(1).filter(|_| literal.contains('"'));
    let names = parts.flat_map(|part| {
        let part = part.split('}').next().unwrap_or_default();
        let (value, format) = part.split_once(':').unwrap_or((part, ""));
        let widths = format.split('$').rev().skip(1);
        let widths = widths.map(|text| &text[text.trim_end_matches(is_of_name).len()..]);
        widths.chain([value.trim()])
    });
    names.filter(|name| is_name(name)).collect()
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether a text can be the name of a variable.
fn is_name(text: &str) -> bool {
    text != "_"
        && !text.starts_with(|letter: char| letter.is_numeric())
        && syn::parse_str::<Ident>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    #[test]
    fn a_variable_is_mentioned_by_itself_in_ranges_macros_and_captures() {
        for tokens in [
            quote!(val),
            quote!(q.push(val)),
            quote!(0..val),
            quote!(matches!(val, Some(_))),
            quote!(panic!("{val}")),
            quote!(panic!("{val:?}")),
            quote!(panic!("{ val }")),
            quote!(panic!("{:>val$}", 3)),
            quote!(panic!("{other:*^+val$.1}")),
            quote!(panic!("{0:#0width$.val$x}", 3)),
            quote!(panic!("{:.*}", val, 3.0)),
            quote!(panic!("{0:1$}", 3, val)),
            quote!(panic!(r#"{:val$}"#, 3)),
        ] {
            assert!(find(&tokens, "val").is_some(), "{tokens}");
        }
    }

    #[test]
    fn fields_methods_and_other_words_are_not_mentions() {
        for tokens in [
            quote!(a.val),
            quote!(a.val()),
            quote!(value),
            quote!("val"),
            quote!("{value}"),
            quote!("{:>value$}"),
            quote!("{:val}"),
        ] {
            assert!(find(&tokens, "val").is_none(), "{tokens}");
        }
    }

    #[test]
    fn the_fields_of_a_record_are_those_behind_its_name() {
        let tokens = quote!(m1.c_ret.is_none() && f(m1.val) == m2.key);
        let names: Vec<String> = fields_of(&tokens, "m1").iter().map(Ident::to_string).collect();
        assert_eq!(names, ["c_ret", "val"]);
        let members = members(&tokens);
        assert!(members.contains("key") && !members.contains("m2"));
    }
}

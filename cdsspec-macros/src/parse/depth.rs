//! How deep tokens are nested. What reads expressions calls itself for each bracket and prefix operator, on a stack that the compiler
//! gives and that cannot be looked at: so there is a limit, far from what is written and from what the stack holds.

use proc_macro2::{Span, TokenStream, TokenTree};

/// The limit. An unoptimised build on the compiler's stack of 8 MiB reads 600 nested parentheses.
pub(crate) const DEPTH_MAX: usize = 200;

/// Where tokens are nested deeper than [`DEPTH_MAX`], if they are. Calls itself for nothing.
pub(crate) fn too_deep(tokens: &TokenStream) -> Option<Span> {
    // The rest of each bracket that is open, and how many prefix operators stand before what is next.
    let mut open = vec![(tokens.clone().into_iter(), 0_usize)];
    let mut prefix_count = 0;
    loop {
        let depth = open.len() + prefix_count;
        let (rest, count) = open.last_mut()?;
        let token = rest.next();
        match token {
            Some(TokenTree::Punct(punct)) if matches!(punct.as_char(), '!' | '-' | '&' | '*' | '|') => {
                *count += 1;
                prefix_count += 1;
            }
            Some(token) if depth > DEPTH_MAX => return Some(token.span()),
            Some(TokenTree::Group(group)) => open.push((group.stream().into_iter(), 0)),
            Some(_) => prefix_count -= std::mem::take(count),
            None => {
                prefix_count -= *count;
                open.pop();
                // The operators before the bracket were those of the bracket.
                if let Some((_, count)) = open.last_mut() {
                    prefix_count -= std::mem::take(count);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_too_deep(text: &str) -> bool {
        too_deep(&text.parse().expect("the brackets are balanced")).is_some()
    }

    #[test]
    fn brackets_and_prefix_operators_count_alike() {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("!", ""), ("&", ""), ("-(", ")")] {
            let nested = |depth: usize| format!("{}x{}", open.repeat(depth), close.repeat(depth));
            let depth = (DEPTH_MAX - 1) / open.len();
            assert!(!is_too_deep(&nested(depth)), "{open}");
            assert!(is_too_deep(&nested(depth + 1)), "{open}");
        }
    }

    #[test]
    fn what_stands_side_by_side_does_not_count() {
        assert!(!is_too_deep(&"(x) ! { -y } & *z; ".repeat(DEPTH_MAX)));
    }
}

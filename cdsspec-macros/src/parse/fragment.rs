//! Fragments that a macro hands on: a `$body:block`, an `$item:item` or a `$statement:stmt` comes in invisible brackets, which mean
//! nothing. Around an `$value:expr` they stay: they are parentheses.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Expr;

/// An item without invisible brackets around it, around what it begins with, and around its body.
pub(crate) fn opened_item(item: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = opened_start(item).into_iter().collect();
    if let Some(TokenTree::Group(group)) = tokens.last_mut() {
        *group = opened_block(group.clone());
    }
    tokens.into_iter().collect()
}

/// Items without invisible brackets around what they begin with, before or behind attributes.
pub(super) fn opened_start(items: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = items.into_iter().collect();
    let mut index = 0;
    loop {
        match tokens.get(index) {
            Some(TokenTree::Punct(punct)) if punct.as_char() == '#' => index += 2,
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => {
                let content: Vec<TokenTree> = group.stream().into_iter().collect();
                tokens.splice(index..=index, content);
            }
            _ => break,
        }
    }
    tokens.into_iter().collect()
}

/// A block without invisible brackets around it; another group as it is.
pub(super) fn opened_block(group: Group) -> Group {
    if group.delimiter() != Delimiter::None {
        return group;
    }
    let mut content = group.stream().into_iter();
    match (content.next(), content.next()) {
        (Some(TokenTree::Group(inner)), None) if inner.delimiter() != Delimiter::Parenthesis => {
            opened_block(inner)
        }
        _ => group,
    }
}

/// What stands for a token of a block: the content of invisible brackets around a block or a statement, else the token. Whether it is
/// another one than before.
pub(super) fn opened_statement(token: TokenTree) -> (Vec<TokenTree>, bool) {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            let opened = opened_block(group.clone());
            if opened.delimiter() == Delimiter::Brace {
                (vec![TokenTree::Group(opened)], true)
            } else if syn::parse2::<Expr>(group.stream()).is_ok() {
                (vec![TokenTree::Group(group)], false)
            } else {
                (group.stream().into_iter().collect(), true)
            }
        }
        other => (vec![other], false),
    }
}

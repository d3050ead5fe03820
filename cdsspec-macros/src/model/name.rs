//! What specifications and rules call a type.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Type;
use syn::ext::IdentExt;

/// What reports call the specification: the type, and of a trait impl the trait too.
pub(super) fn specification_name(header: &syn::ItemImpl) -> String {
    let name = type_name(&header.self_ty);
    match trait_name(header) {
        Some(last) => format!("{last} for {name}"),
        None => name,
    }
}

/// The trait that an impl is of, in a word.
pub(super) fn trait_name(header: &syn::ItemImpl) -> Option<String> {
    let last = header.trait_.as_ref()?.0.segments.last()?;
    Some(last.ident.to_string())
}

/// The last name in a type's path, with its arguments: `Queue`, `Queue<i32>`.
fn type_name(ty: &Type) -> String {
    let tokens = match ty {
        Type::Path(path) => path.path.segments.last().to_token_stream(),
        other => other.to_token_stream(),
    };
    tokens.to_string().replace(" <", "<").replace("< ", "<").replace(" >", ">").replace(" ,", ",")
}

/// A path without white space but between words, and without the `::` before `<`: the same text, however it is written.
pub(super) fn path_text(tokens: &TokenStream) -> String {
    let mut text = String::new();
    for token in tokens.clone() {
        let word = token.to_string();
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        if text.ends_with(is_name) && word.starts_with(is_name) {
            text.push(' ');
        }
        text.push_str(word.trim_start_matches("r#"));
    }
    text.replace("::<", "<")
}

/// The type of an impl, as a rule names methods of it: by its own name, and if that has arguments, with them too.
pub(super) fn type_texts(header: &syn::ItemImpl) -> Vec<String> {
    let Type::Path(path) = &*header.self_ty else { return Vec::new() };
    let Some(last) = path.path.segments.last() else { return Vec::new() };
    let (name, whole) = (last.ident.unraw().to_string(), path_text(&last.to_token_stream()));
    if name == whole { vec![name] } else { vec![name, whole] }
}

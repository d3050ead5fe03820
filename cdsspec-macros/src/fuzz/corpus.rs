//! Every item under one of the outer attributes, in all sources of the workspace.

use crate::parse::item::item_length;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::fs;
use std::path::{Path, PathBuf};

/// An item under an attribute.
#[derive(Clone)]
pub(super) struct Case {
    /// `spec`, `specification`, `test` or `check_only`.
    pub(super) attribute: String,
    /// What stands between the parentheses of the attribute.
    pub(super) arguments: TokenStream,
    /// The item, with what stands below the attribute.
    pub(super) item: TokenStream,
}

const ATTRIBUTES: [&str; 4] = ["spec", "specification", "test", "check_only"];

/// Where sources are.
pub(super) const FOLDERS: [&str; 4] = ["examples", "tests", "src", "cdsspec-litmus"];

/// All in these folders, in the order of the files' names.
pub(super) fn cases(folders: &[&str]) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is one folder down");
    let mut files = Vec::new();
    for folder in folders {
        collect_files(&root.join(folder), &mut files);
    }
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a source can be read");
        // Some of those that must not compile do not even have their brackets in pairs.
        if let Ok(tokens) = text.parse::<TokenStream>() {
            collect_cases(tokens, &mut cases);
        }
    }
    cases
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources can be read") {
        let path = entry.expect("a folder of sources can be read").path();
        if path.is_dir() {
            collect_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn collect_cases(tokens: TokenStream, cases: &mut Vec<Case>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let below = &tokens[index + 1..];
        if group.delimiter() == Delimiter::Bracket
            && let Some((attribute, arguments)) = outer_attribute(group.stream())
        {
            let item = below[..item_length(below)].iter().cloned().collect();
            cases.push(Case { attribute, arguments, item });
        }
        collect_cases(group.stream(), cases);
    }
}

/// `cdsspec::spec(arguments)`, by whatever name the crate goes.
fn outer_attribute(content: TokenStream) -> Option<(String, TokenStream)> {
    let tokens: Vec<TokenTree> = content.into_iter().collect();
    let [TokenTree::Ident(_), TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Ident(name), rest @ ..] =
        &tokens[..]
    else {
        return None;
    };
    let name = name.to_string();
    let arguments = match rest {
        [] => TokenStream::new(),
        [TokenTree::Group(group)] => group.stream(),
        _ => return None,
    };
    ATTRIBUTES.contains(&name.as_str()).then_some((name, arguments))
}

//! One word, one thing: no name of a type of the runtime stands for two things, but for those that ARCHITECTURE.md lists; and what its glossary says
//! is in the code is there.

use crate::source::{SourceFile, root, rust_files};
use std::collections::{BTreeMap, BTreeSet};
use syn::Item;

/// The table in ARCHITECTURE.md of the words; and the one of names that several rooms have.
const GLOSSARY: &str = "## Glossary";
const SHARED: &str = "### Names that stand for several things";

/// For each name of a type, the files that define one, tests aside.
type Types = BTreeMap<String, BTreeSet<String>>;

/// Whether a name is that of a variant, or comes from another crate of ours: the glossary may mean these, too.
fn is_other(files: &[SourceFile]) -> impl Fn(&str) -> bool {
    let mut names = BTreeSet::from(["Verdict".to_string()]);
    for file in files {
        let items = syn::parse_file(&file.text).expect("the sources are Rust").items;
        let enums = items.into_iter().filter_map(|item| match item {
            Item::Enum(item) => Some(item),
            _ => None,
        });
        names.extend(enums.flat_map(|item| item.variants).map(|variant| variant.ident.to_string()));
    }
    move |name| names.contains(name)
}

fn types_of(files: &[SourceFile]) -> Types {
    let mut types = Types::new();
    for file in files.iter().filter(|file| !file.path.contains("test")) {
        let syntax = syn::parse_file(&file.text).expect("the sources are Rust");
        for item in syntax.items {
            let ident = match item {
                Item::Enum(item) => item.ident,
                Item::Struct(item) => item.ident,
                Item::Trait(item) => item.ident,
                Item::Type(item) => item.ident,
                Item::Union(item) => item.ident,
                _ => continue,
            };
            types.entry(ident.to_string()).or_default().insert(file.path.clone());
        }
    }
    types
}

/// The rows of the table after this heading, without its head, as cells.
fn rows_after<'t>(page: &'t str, heading: &str) -> Vec<Vec<&'t str>> {
    let begin = page.find(heading).expect("the heading is there") + heading.len();
    let lines = page[begin..].lines().skip_while(|line| !line.starts_with('|'));
    let rows = lines.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// What stands in backquotes.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// What is wrong: a name with several meanings that is not listed, one that is and has one, and a word of the glossary that is no type.
fn mistakes(types: &Types, is_other: impl Fn(&str) -> bool, page: &str) -> Vec<String> {
    let shared: BTreeSet<&str> = rows_after(page, SHARED).iter().flat_map(|row| quoted(row[0])).collect();
    let mut mistakes = Vec::new();
    for (name, files) in types {
        if files.len() > 1 && !shared.contains(name.as_str()) {
            let files: Vec<_> = files.iter().map(String::as_str).collect();
            mistakes.push(format!("`{name}` stands for several things: {}", files.join(", ")));
        }
    }
    let is_shared = |name: &str| types.get(name).is_some_and(|files| files.len() > 1);
    mistakes.extend(
        shared
            .iter()
            .filter(|name| !is_shared(name))
            .map(|name| format!("`{name}` stands for one thing: take it off the list")),
    );
    for row in rows_after(page, GLOSSARY) {
        let unknown = quoted(row[1]).filter(|name| !types.contains_key(*name) && !is_other(name));
        mistakes
            .extend(unknown.map(|name| format!("the glossary says that `{name}` is in the code: it is not")));
        let several = quoted(row[1]).filter(|name| is_shared(name));
        mistakes.extend(
            several
                .filter(|name| !row[2].contains(&format!("::{name}`")))
                .map(|name| format!("the glossary does not say which `{name}` it means")),
        );
    }
    mistakes
}

#[test]
fn no_word_means_two_things() {
    let files = rust_files(&root().join("cdsspec-runtime/src")).unwrap();
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert_eq!(mistakes(&types_of(&files), is_other(&files), &page), [""; 0]);
}

#[test]
fn what_is_shared_unlisted_or_listed_unshared_is_a_mistake() {
    let file = |path: &str, text: &str| SourceFile { path: path.to_string(), text: text.to_string() };
    let types = types_of(&[
        file("a.rs", "struct Step; enum Clock {}"),
        file("b.rs", "type Step = u8; trait Store {}"),
        file("b/tests.rs", "struct Clock;"),
    ]);
    let page = |term: &str, shared: &str| {
        format!("{GLOSSARY}\n| a | b | c |\n|-|-|-|\n{term}\n\n{SHARED}\n\n| a | b |\n|-|-|\n{shared}\n")
    };
    assert_eq!(
        mistakes(&types, |name| name == "Verdict", &page("| store | `Store` | a value |", "| `Step` | |")),
        [""; 0]
    );
    assert_eq!(
        mistakes(
            &types,
            |name| name == "Verdict",
            &page("| event | `Event`, `Verdict` | |", "| `Clock` | |")
        ),
        [
            "`Step` stands for several things: a.rs, b.rs",
            "`Clock` stands for one thing: take it off the list",
            "the glossary says that `Event` is in the code: it is not",
        ]
    );
    assert_eq!(
        mistakes(&types, |name| name == "Verdict", &page("| step | `Step` | one of those |", "| `Step` | |")),
        ["the glossary does not say which `Step` it means"]
    );
}

//! No files of a crate name each other, around any number of corners: so each can be read after those that it names.
//!
//! A file names another one if a path in it, followed through re-exports, leads to what the other one defines. `mod` and `pub use` alone name
//! nothing: a room lists its parts and shows what they define. A method that is called is not seen. So a parent and a child name each
//! other only if the parent's own code uses what the child defines, and the child what the parent's file does: then what both need
//! belongs in a file of its own. `impl` blocks of a parent's type in its children are no circle. Tests are left out.

mod table;
mod tree;

use crate::Outcome;
use crate::source::{root, rust_files};
use crate::token_path::paths_in;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use tree::{Module, Tree, texts};

/// A crate that is looked at, and the files that may still be in circles with each other: a list a circle.
const CRATES: &[(&str, &[&[&str]])] = &[
    ("cdsspec-contracts/src", &[]),
    ("cdsspec-fence/src", &[]),
    ("cdsspec-front/src", &[]),
    ("cdsspec-linearize/src", &[]),
    ("cdsspec-vocabulary/src", &[]),
    ("cdsspec-macros/src", table::MACROS),
    ("cdsspec-runtime/src", table::RUNTIME),
];

/// For each file, those that it names, with a path that leads there.
type Edges = BTreeMap<String, BTreeMap<String, String>>;

/// Looks at every file of the crates.
///
/// # Errors
/// Each circle that is not listed, and each list of which no two files are in a circle.
pub(crate) fn check() -> Outcome {
    let mut mistakes = Vec::new();
    for (folder, known) in CRATES {
        let tree = Tree::of(&rust_files(&root().join(folder))?)?;
        let edges = edges(&tree);
        let circles = circles(&edges);
        let is_in =
            |circle: &[String], known: &[&str]| circle.iter().all(|file| known.contains(&file.as_str()));
        let new = circles.iter().filter(|circle| !known.iter().any(|known| is_in(circle, known)));
        mistakes.extend(
            new.map(|circle| format!("{folder}: these files name each other:{}", describe(&edges, circle))),
        );
        let gone = known.iter().filter(|known| !circles.iter().any(|circle| is_in(circle, known)));
        mistakes.extend(
            gone.map(|known| {
                format!("{folder}: {} are in no circle: take them off the list", known.join(", "))
            }),
        );
    }
    if mistakes.is_empty() {
        println!("no files name each other, but for those on the list");
        Ok(())
    } else {
        Err(mistakes.join("\n"))
    }
}

fn edges(tree: &Tree) -> Edges {
    let mut edges = Edges::new();
    for (path, module) in tree.modules() {
        let known = edges.entry(module.file.clone()).or_default();
        for (file, named) in named_by(tree, path, module) {
            if file != module.file {
                known.entry(file.to_string()).or_insert(named);
            }
        }
    }
    edges
}

/// Who names whom in a circle, a line each.
fn describe(edges: &Edges, circle: &[String]) -> String {
    let mut text = String::new();
    for file in circle {
        for (other, named) in edges[file].iter().filter(|(other, _)| circle.contains(other)) {
            text += &format!("\n  {file} names {other}: {named}");
        }
    }
    text
}

/// The files that a module names, each with the path that does.
fn named_by<'t>(tree: &'t Tree, path: &[String], module: &Module) -> Vec<(&'t str, String)> {
    let tokens = || module.items.iter().map(ToTokens::to_token_stream);
    let mut words = BTreeSet::new();
    tokens().for_each(|tokens| collect_words(tokens, &mut words));
    // A re-export is named only if the module's own code uses it.
    let uses = module.uses.iter().filter(|used| !used.is_re_export || words.contains(&used.name));
    let paths = tokens().flat_map(paths_in).filter(|path| !path.is_global);
    uses.map(|used| used.path.clone())
        .chain(paths.map(|path| texts(&path.segments)))
        .filter_map(|named| Some((tree.file_of(path, &named)?, named.join("::"))))
        .collect()
}

fn collect_words(tokens: proc_macro2::TokenStream, words: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Ident(ident) => _ = words.insert(ident.to_string()),
            proc_macro2::TokenTree::Group(group) => collect_words(group.stream(), words),
            _ => {}
        }
    }
}

/// The files of each circle, sorted; circles that meet are one.
fn circles(edges: &Edges) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        edges.keys().map(|file| (file, reached_from(edges, file))).collect();
    let mut circles = BTreeSet::new();
    for (file, after) in &reached {
        let is_back = |other: &&&String| reached.get(**other).is_some_and(|after| after.contains(file));
        let circle: Vec<String> = after.iter().filter(is_back).map(ToString::to_string).collect();
        if !circle.is_empty() {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

fn reached_from<'e>(edges: &'e Edges, file: &str) -> BTreeSet<&'e String> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&String> = edges.get(file).into_iter().flat_map(BTreeMap::keys).collect();
    while let Some(file) = next.pop() {
        if reached.insert(file) {
            next.extend(edges.get(file).into_iter().flat_map(BTreeMap::keys));
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let file =
            |(path, text): &(&str, &str)| SourceFile { path: path.to_string(), text: text.to_string() };
        let files: Vec<_> = files.iter().map(file).collect();
        circles(&edges(&Tree::of(&files).unwrap()))
    }

    #[test]
    fn no_files_name_each_other() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn files_that_name_each_other_are_a_circle() {
        let two = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "use crate::b::B; struct A;"),
            ("b.rs", "struct B(super::a::A);"),
        ];
        assert_eq!(circles_of(&two), [["a.rs", "b.rs"]]);
        let one_way = [two[0], two[1], ("b.rs", "struct B;")];
        assert!(circles_of(&one_way).is_empty());
    }

    #[test]
    fn re_exports_lead_to_the_file_that_defines() {
        let room = ("a/mod.rs", "mod x; mod y; pub use x::X; pub use y::Y;");
        let around =
            |x| [("lib.rs", "mod a;"), room, ("a/x.rs", x), ("a/y.rs", "use super::X; pub struct Y;")];
        assert_eq!(circles_of(&around("pub struct X; fn f() { vec![crate::a::Y] }")), [["a/x.rs", "a/y.rs"]]);
        assert!(circles_of(&around("pub struct X;")).is_empty(), "`mod` and `pub use` name nothing");
    }

    #[test]
    fn a_parent_and_its_child_are_a_circle_if_both_use_the_other() {
        let with =
            |parent, child| circles_of(&[("lib.rs", "mod a;"), ("a/mod.rs", parent), ("a/x.rs", child)]);
        let parent = "mod x; pub use x::X; pub struct P(X);";
        assert_eq!(with(parent, "pub struct X; impl super::P {}"), [["a/mod.rs", "a/x.rs"]]);
        assert!(with(parent, "pub struct X;").is_empty());
        assert!(with("mod x; pub struct P;", "use super::P; impl P {}").is_empty());
    }

    #[test]
    fn tests_may_name_what_they_like() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a.rs", "pub struct A; #[cfg(test)] mod tests { use crate::b::B; } #[cfg(test)] mod more;"),
            ("a/more.rs", "use crate::b::B;"),
            ("b.rs", "pub struct B(crate::a::A);"),
        ];
        assert!(circles_of(&files).is_empty());
    }
}

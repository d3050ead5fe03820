//! The modules of a crate, and which file a path leads to.

use crate::source::SourceFile;
use crate::token_path::Segment;
use std::collections::{BTreeMap, BTreeSet};
use syn::Item;

/// A path that was followed through so many re-exports has no end.
const STEPS_MAX: usize = 16;

/// The modules of a crate, by path. Those of tests are left out.
pub(super) struct Tree {
    modules: BTreeMap<Vec<String>, Module>,
}

/// One module: what it defines, and what it brings into scope.
#[derive(Default)]
pub(super) struct Module {
    pub(super) file: String,
    pub(super) items: Vec<Item>,
    defined: BTreeSet<String>,
    pub(super) uses: Vec<Use>,
}

/// One leaf of a `use`.
pub(super) struct Use {
    /// The name here; `*` for all names.
    pub(super) name: String,
    pub(super) path: Vec<String>,
    /// Whether others see the name by this module.
    pub(super) is_re_export: bool,
}

impl Tree {
    /// The tree of these files, of which `lib.rs` is the root.
    ///
    /// # Errors
    /// The file that is not Rust.
    pub(super) fn of(files: &[SourceFile]) -> Result<Self, String> {
        let mut tree = Self { modules: BTreeMap::new() };
        let mut tests = Vec::new();
        for file in files {
            let syntax = syn::parse_file(&file.text).map_err(|error| format!("{}: {error}", file.path))?;
            tree.add(module_of(&file.path), &file.path, syntax.items, &mut tests);
        }
        tree.modules.retain(|path, _| !tests.iter().any(|test| path.starts_with(test)));
        Ok(tree)
    }

    fn add(&mut self, path: Vec<String>, file: &str, items: Vec<Item>, tests: &mut Vec<Vec<String>>) {
        let mut module = Module { file: file.to_string(), ..Module::default() };
        for item in items {
            let is_test = is_for_tests(&item);
            match item {
                Item::Mod(inner) => {
                    let mut path = path.clone();
                    path.push(inner.ident.to_string());
                    if is_test {
                        tests.push(path);
                    } else if let Some((_, items)) = inner.content {
                        self.add(path, file, items, tests);
                    }
                }
                _ if is_test => {}
                Item::Use(item) => {
                    let is_re_export = !matches!(item.vis, syn::Visibility::Inherited);
                    leaves(&item.tree, &mut Vec::new(), &mut |name, path| {
                        module.uses.push(Use { name, path, is_re_export });
                    });
                }
                item => {
                    module.defined.extend(name_of(&item));
                    module.items.push(item);
                }
            }
        }
        self.modules.insert(path, module);
    }

    pub(super) fn modules(&self) -> impl Iterator<Item = (&Vec<String>, &Module)> {
        self.modules.iter()
    }

    /// The file that defines what a path in a module leads to, re-exports followed; `None` if that is a module, or not of this crate.
    pub(super) fn file_of(&self, module: &[String], path: &[String]) -> Option<&str> {
        self.follow(module, path, true, STEPS_MAX)
    }

    /// As above; from the second segment on, only what the module has is meant.
    fn follow(&self, module: &[String], path: &[String], is_first: bool, steps: usize) -> Option<&str> {
        let (first, rest) = path.split_first()?;
        let steps = steps.checked_sub(1)?;
        match first.as_str() {
            "crate" if is_first => return self.follow(&[], rest, false, steps),
            "self" => return self.follow(module, rest, is_first, steps),
            "super" => return self.follow(&module[..module.len().checked_sub(1)?], rest, is_first, steps),
            _ => {}
        }
        let known = self.modules.get(module)?;
        if first == "*" {
            return Some(&known.file);
        }
        let child: Vec<String> = module.iter().chain([first]).cloned().collect();
        if self.modules.contains_key(&child) {
            return self.follow(&child, rest, false, steps);
        }
        if known.defined.contains(first) {
            return Some(&known.file);
        }
        known.uses.iter().find_map(|used| {
            let mut path = used.path.clone();
            if used.name == "*" {
                path.pop();
                path.push(first.clone());
            } else if used.name != *first {
                return None;
            }
            path.extend_from_slice(rest);
            self.follow(module, &path, true, steps)
        })
    }
}

/// The texts of some segments; a `self` at the end of a group is what stands before it.
pub(super) fn texts(segments: &[Segment]) -> Vec<String> {
    let mut texts: Vec<String> = segments.iter().map(|segment| segment.text.clone()).collect();
    if texts.len() > 1 && texts.last().is_some_and(|last| last == "self") {
        texts.pop();
    }
    texts
}

/// The path of the module that a file is.
fn module_of(file: &str) -> Vec<String> {
    let mut module: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_string).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

fn leaves(tree: &syn::UseTree, prefix: &mut Vec<String>, note: &mut impl FnMut(String, Vec<String>)) {
    let with = |prefix: &[String], last: &syn::Ident| {
        let mut path = prefix.to_vec();
        if last != "self" {
            path.push(last.to_string());
        }
        path
    };
    match tree {
        syn::UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            leaves(&path.tree, prefix, note);
            prefix.pop();
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|item| leaves(item, prefix, note)),
        syn::UseTree::Name(name) => {
            let path = with(prefix, &name.ident);
            note(path.last().cloned().unwrap_or_default(), path);
        }
        syn::UseTree::Rename(rename) => note(rename.rename.to_string(), with(prefix, &rename.ident)),
        syn::UseTree::Glob(_) => {
            let path = prefix.iter().cloned().chain(["*".to_string()]).collect();
            note("*".to_string(), path);
        }
    }
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Whether an item is there in tests only.
fn is_for_tests(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && matches!(&attribute.meta, syn::Meta::List(list) if list.tokens.to_string().starts_with("test"))
    })
}

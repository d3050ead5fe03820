//! Finds what a file of the runtime names, by its syntax.

use crate::token_path::{Segment, paths_in};
use syn::visit::{self, Visit};

/// Something that a file names.
pub(super) enum Name {
    /// An item at the root of the crate: a room, if all is well. `*` for a glob of the root.
    Root { name: String, line: usize },
    /// The crate loom.
    Loom { line: usize },
}

impl Name {
    pub(super) fn line(&self) -> usize {
        match self {
            Self::Root { line, .. } | Self::Loom { line } => *line,
        }
    }
}

/// What this text, the module `module`, names.
///
/// # Errors
/// That the text is not Rust.
pub(super) fn names_in(text: &str, module: &[String]) -> syn::Result<Vec<Name>> {
    let file = syn::parse_file(text)?;
    let mut scan =
        Scan { module: module.to_vec(), has_own_loom: vec![declares_loom(&file.items)], names: Vec::new() };
    scan.visit_file(&file);
    Ok(scan.names)
}

struct Scan {
    /// The module that is being looked at.
    module: Vec<String>,
    /// Whether it, and each module around it in this file, has a child named `loom`, which hides the crate.
    has_own_loom: Vec<bool>,
    names: Vec<Name>,
}

impl Scan {
    /// A path, as written; `is_global` if `::` stands before it.
    fn note(&mut self, segments: &[&Segment], is_global: bool) {
        let Some(first) = segments.first() else { return };
        let hides_loom = !is_global && self.has_own_loom.last() == Some(&true);
        if first.text == "loom" && !hides_loom {
            self.names.push(Name::Loom { line: first.line });
            return;
        }
        if is_global {
            return;
        }
        let Some(skipped) = self.leads_to_root(segments) else { return };
        if let Some(name) = segments.get(skipped) {
            self.names.push(Name::Root { name: name.text.clone(), line: name.line });
        }
    }

    /// How many segments lead to the root of the crate: `crate`, or as many `super` as there are modules around. `None`: the path
    /// goes somewhere else.
    fn leads_to_root(&self, segments: &[&Segment]) -> Option<usize> {
        match segments[0].text.as_str() {
            "crate" => Some(1),
            "self" | "super" => {
                let skipped = usize::from(segments[0].text == "self");
                let supers = segments[skipped..].iter().take_while(|segment| segment.text == "super").count();
                (supers == self.module.len()).then_some(skipped + supers)
            }
            _ => None,
        }
    }

    /// Use trees: `prefix` is what stands before this one.
    fn use_tree(&mut self, tree: &syn::UseTree, prefix: &mut Vec<Segment>, is_global: bool) {
        let leaf = match tree {
            syn::UseTree::Path(path) => {
                prefix.push(Segment::of(&path.ident));
                self.use_tree(&path.tree, prefix, is_global);
                prefix.pop();
                return;
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|item| self.use_tree(item, prefix, is_global));
                return;
            }
            syn::UseTree::Name(name) => Segment::of(&name.ident),
            syn::UseTree::Rename(rename) => Segment::of(&rename.ident),
            syn::UseTree::Glob(glob) => {
                Segment { text: "*".to_string(), line: glob.star_token.spans[0].start().line }
            }
        };
        prefix.push(leaf);
        self.note(&prefix.iter().collect::<Vec<_>>(), is_global);
        prefix.pop();
    }
}

impl<'ast> Visit<'ast> for Scan {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|segment| Segment::of(&segment.ident)).collect();
        // One segment is a local name, or `crate` by itself as in `pub(crate)`.
        if segments.len() > 1 {
            self.note(&segments.iter().collect::<Vec<_>>(), path.leading_colon.is_some());
        }
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.use_tree(&item.tree, &mut Vec::new(), item.leading_colon.is_some());
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.note(&[&Segment::of(&item.ident)], true);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        for path in paths_in(call.tokens.clone()) {
            self.note(&path.segments.iter().collect::<Vec<_>>(), path.is_global);
        }
        visit::visit_macro(self, call);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.module.push(item.ident.to_string());
        self.has_own_loom.push(item.content.as_ref().is_some_and(|(_, items)| declares_loom(items)));
        visit::visit_item_mod(self, item);
        self.has_own_loom.pop();
        self.module.pop();
    }
}

fn declares_loom(items: &[syn::Item]) -> bool {
    items.iter().any(|item| matches!(item, syn::Item::Mod(module) if module.ident == "loom"))
}

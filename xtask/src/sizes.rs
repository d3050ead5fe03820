//! Files of at most 600 lines, functions of at most 70.

use crate::Outcome;
use crate::source::{SourceFile, root, rust_files};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 70;

/// Looks at every file of the workspace.
///
/// # Errors
/// What is too long, one line each.
pub(crate) fn check() -> Outcome {
    let files = rust_files(&root())?;
    let mistakes: Vec<_> = files.iter().flat_map(mistakes_of).collect();
    if !mistakes.is_empty() {
        return Err(mistakes.join("\n"));
    }
    println!("{} files: each file and function is short enough", files.len());
    Ok(())
}

fn mistakes_of(file: &SourceFile) -> Vec<String> {
    let syntax = match syn::parse_file(&file.text) {
        Ok(syntax) => syntax,
        Err(error) => return vec![format!("{}: {error}", file.path)],
    };
    let mut functions = Functions { path: &file.path, mistakes: Vec::new() };
    let lines = file.text.lines().count();
    if lines > FILE_LINES_MAX {
        functions.mistakes.push(format!("{}: {lines} lines; a file has at most {FILE_LINES_MAX}", file.path));
    }
    functions.visit_file(&syntax);
    functions.mistakes
}

struct Functions<'a> {
    path: &'a str,
    mistakes: Vec<String>,
}

impl Functions<'_> {
    /// A function, from its signature to its last brace: comments and attributes above it do not count.
    fn look_at(&mut self, signature: &syn::Signature, block: Span) {
        let first = signature.span().start().line;
        let lines = block.end().line + 1 - first;
        if lines > FUNCTION_LINES_MAX {
            self.mistakes.push(format!(
                "{}:{first}: `{}` has {lines} lines; a function has at most {FUNCTION_LINES_MAX}",
                self.path, signature.ident
            ));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.look_at(&function.sig, function.block.span());
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.look_at(&function.sig, function.block.span());
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.look_at(&function.sig, block.span());
        }
        visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(text: String) -> Vec<String> {
        mistakes_of(&SourceFile { path: "a.rs".to_string(), text })
    }

    #[test]
    fn a_function_of_70_lines_passes_and_one_of_71_does_not() {
        let function =
            |lines: usize| format!("/// Doc.\n#[inline]\nfn f() {{\n{}}}\n", "g();\n".repeat(lines - 2));
        assert!(mistakes(function(70)).is_empty());
        assert_eq!(mistakes(function(71)), ["a.rs:3: `f` has 71 lines; a function has at most 70"]);
    }

    #[test]
    fn methods_and_functions_inside_functions_count_too() {
        let long = format!("fn f() {{\n{}}}\n", "g();\n".repeat(70));
        assert_eq!(mistakes(format!("impl A {{\n{long}}}")).len(), 1);
        assert_eq!(mistakes(format!("trait A {{\n{long}}}")).len(), 1);
        assert_eq!(mistakes(format!("fn outer() {{\n{long}}}")).len(), 2);
    }

    #[test]
    fn a_file_of_600_lines_passes_and_one_of_601_does_not() {
        assert!(mistakes("//\n".repeat(600)).is_empty());
        assert_eq!(mistakes("//\n".repeat(601)), ["a.rs: 601 lines; a file has at most 600"]);
    }

    #[test]
    fn a_file_that_does_not_parse_is_a_mistake() {
        assert_eq!(mistakes("fn".to_string()).len(), 1);
    }
}

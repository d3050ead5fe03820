//! An operation is data: the border to engines is narrow, and no text of a name decides anything.

use crate::source::SourceFile;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The file that has the trait `Port`.
pub(super) const PORT_FILE: &str = "port/mod.rs";
const PORT_METHODS_MAX: usize = 12;

/// The method that gives the text of an operation's name.
const TEXT_OF_A_NAME: &str = "spelling";

/// Whether the trait `Port` of this file has few methods.
pub(super) fn mistake_in_port(file: &SourceFile) -> Option<String> {
    let syntax = match syn::parse_file(&file.text) {
        Ok(syntax) => syntax,
        Err(error) => return Some(format!("{}: {error}", file.path)),
    };
    let port = syntax.items.iter().find_map(|item| match item {
        syn::Item::Trait(item) if item.ident == "Port" => Some(item),
        _ => None,
    });
    let Some(port) = port else { return Some(format!("{}: there is no trait `Port`", file.path)) };
    let methods = port.items.iter().filter(|item| matches!(item, syn::TraitItem::Fn(_))).count();
    (methods > PORT_METHODS_MAX).then(|| {
        format!(
            "{}: `Port` has {methods} methods; it has at most {PORT_METHODS_MAX}: what a thread asks for is an `Operation`",
            file.path
        )
    })
}

/// Where a file decides by the text of an operation's name. An assertion about what is shown decides nothing.
pub(super) fn decisions_by_name(file: &SourceFile) -> Vec<String> {
    let mut decisions = Decisions { path: &file.path, mistakes: Vec::new() };
    match syn::parse_file(&file.text) {
        Ok(syntax) => decisions.visit_file(&syntax),
        Err(error) => decisions.mistakes.push(format!("{}: {error}", file.path)),
    }
    decisions.mistakes
}

struct Decisions<'a> {
    path: &'a str,
    mistakes: Vec<String>,
}

impl Decisions<'_> {
    fn add(&mut self, at: &impl Spanned) {
        let line = at.span().start().line;
        self.mistakes.push(format!(
            "{}:{line}: the text of an operation's name decides: ask for its form, or compare the names",
            self.path
        ));
    }
}

fn has_word(tokens: &impl ToTokens, is_it: &dyn Fn(&proc_macro2::TokenTree) -> bool) -> bool {
    fn find(tokens: proc_macro2::TokenStream, is_it: &dyn Fn(&proc_macro2::TokenTree) -> bool) -> bool {
        tokens.into_iter().any(|tree| match tree {
            proc_macro2::TokenTree::Group(group) => find(group.stream(), is_it),
            tree => is_it(&tree),
        })
    }
    find(tokens.to_token_stream(), is_it)
}

fn has_text_of_a_name(tokens: &impl ToTokens) -> bool {
    has_word(tokens, &|tree| matches!(tree, proc_macro2::TokenTree::Ident(name) if name == TEXT_OF_A_NAME))
}

/// Whether it is a text as it stands, or one in `Some`.
fn is_literal(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Str(_)),
        syn::Expr::Call(call) => call.args.len() == 1 && call.args.iter().all(is_literal),
        syn::Expr::Paren(inner) => is_literal(&inner.expr),
        syn::Expr::Reference(inner) => is_literal(&inner.expr),
        _ => false,
    }
}

fn has_literal(tokens: &impl ToTokens) -> bool {
    has_word(
        tokens,
        &|tree| matches!(tree, proc_macro2::TokenTree::Literal(literal) if literal.to_string().starts_with('"')),
    )
}

impl<'ast> Visit<'ast> for Decisions<'_> {
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        let compares = |text: &syn::Expr, other: &syn::Expr| has_text_of_a_name(text) && is_literal(other);
        if matches!(binary.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_))
            && (compares(&binary.left, &binary.right) || compares(&binary.right, &binary.left))
        {
            self.add(binary);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        if has_text_of_a_name(&expression.expr) {
            self.add(expression);
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_expr_let(&mut self, expression: &'ast syn::ExprLet) {
        if has_text_of_a_name(&expression.expr) && has_literal(&expression.pat) {
            self.add(expression);
        }
        visit::visit_expr_let(self, expression);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if has_text_of_a_name(&call.receiver) && call.args.iter().any(has_literal) {
            self.add(call);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if call.path.is_ident("matches") && has_text_of_a_name(&call.tokens) {
            self.add(call);
        }
        visit::visit_macro(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{root, rust_files};

    fn file(text: &str) -> SourceFile {
        SourceFile { path: PORT_FILE.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn port_has_at_most_twelve_methods() {
        let of = |methods: usize| {
            let methods: String = (0..methods).map(|number| format!("fn f{number}(&self);")).collect();
            mistake_in_port(&file(&format!("trait Port {{ {methods} }}")))
        };
        assert_eq!(of(12), None);
        assert!(of(13).is_some_and(|mistake| mistake.contains("13 methods")));
        assert!(mistake_in_port(&file("trait Other {}")).is_some());
        let files = rust_files(&root().join("cdsspec-runtime/src")).expect("they are there");
        let port = files.iter().find(|file| file.path == PORT_FILE).expect("it is there");
        assert_eq!(mistake_in_port(port), None);
    }

    #[test]
    fn a_comparison_of_a_names_text_with_a_literal_is_a_mistake() {
        for mistaken in [
            "place.name.spelling() == \"load\"",
            "\"load\" != place.name.spelling()",
            "match (name.spelling(), part) { (\"load\", _) => 1, _ => 2 }",
            "Some(name.spelling()) == Some(\"load\")",
            "matches!(name.spelling(), \"load\" | \"store\")",
            "name.spelling().starts_with(\"compare\")",
            "if let \"load\" = name.spelling() {}",
        ] {
            assert_eq!(decisions_by_name(&file(&format!("fn f() {{ {mistaken}; }}"))).len(), 1, "{mistaken}");
        }
        for right in [
            "called == name.spelling()",
            "called.rsplit(\"::\").next() == Some(name.spelling())",
            "text.push_str(name.spelling())",
            "name.form() == Form::Load",
            "assert_eq!(name.spelling(), \"load\")",
        ] {
            assert!(decisions_by_name(&file(&format!("fn f() {{ {right}; }}"))).is_empty(), "{right}");
        }
    }

    #[test]
    fn no_text_of_a_name_decides_anything() {
        let files = rust_files(&root()).expect("they are there");
        let uses = files.iter().filter(|file| file.text.contains(".spelling()")).count();
        let mistakes: Vec<_> = files.iter().flat_map(decisions_by_name).collect();
        assert!(mistakes.is_empty(), "{mistakes:?}");
        assert!(uses > 5, "names are shown, and looked for in sources");
    }
}

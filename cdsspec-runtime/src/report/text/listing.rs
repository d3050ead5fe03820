//! What is specified in a program.

use super::page::Page;
use crate::record::SourceLocation;
use crate::specification::{ClauseKind, MarkerText, Method, Specification};

/// Each specification with its rules, methods, clauses and ordering points, as they are written; then the ordering points in helper
/// functions.
pub fn listing(specifications: &[&Specification], helpers: &[MarkerText], columns: usize) -> String {
    let mut page = Page::new(columns);
    for specification in specifications {
        line(&mut page, 0, "specification", specification.name, Some(specification.source));
        for rule in &specification.rules {
            line(&mut page, 1, "admit", rule.text, None);
        }
        for method in &specification.methods {
            list_method(&mut page, method);
        }
    }
    if !helpers.is_empty() {
        line(&mut page, 0, "ordering points in functions that methods call", "", None);
    }
    for marker in helpers {
        line(&mut page, 1, marker.name, marker.text, Some(marker.source));
    }
    page.to_string()
}

fn list_method(page: &mut Page, method: &Method) {
    line(page, 1, "method", method.name, Some(method.source));
    for clause in method.clauses.iter().filter(|clause| clause.kind != ClauseKind::SameReturn) {
        line(page, 2, clause.kind.name(), clause.text, None);
    }
    for marker in &method.markers {
        line(page, 2, marker.name, marker.text, None);
    }
}

fn line(page: &mut Page, depth: usize, kind: &str, what: &str, source: Option<SourceLocation>) {
    let source = source.map(|source| format!("  {}:{}", source.file, source.line)).unwrap_or_default();
    let space = if what.is_empty() { "" } else { " " };
    page.indented(2 * depth, &format!("{kind}{space}{what}{source}"));
}

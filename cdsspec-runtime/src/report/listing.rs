//! What is specified in a program.

use crate::record::SourceLocation;
use crate::specification::{ClauseKind, MarkerText, Method, Specification};
use std::fmt::Write;

/// Each specification with its rules, methods, clauses and ordering points, as they are written; then the ordering points in helper
/// functions.
pub fn listing(specifications: &[&Specification], helpers: &[MarkerText]) -> String {
    let mut text = String::new();
    for specification in specifications {
        line(&mut text, 0, "specification", specification.name, Some(specification.source));
        for rule in &specification.rules {
            line(&mut text, 1, "admit", rule.text, None);
        }
        for method in &specification.methods {
            list_method(&mut text, method);
        }
    }
    if !helpers.is_empty() {
        line(&mut text, 0, "ordering points in functions that methods call", "", None);
    }
    for marker in helpers {
        line(&mut text, 1, marker.name, marker.text, Some(marker.source));
    }
    text
}

fn list_method(text: &mut String, method: &Method) {
    line(text, 1, "method", method.name, Some(method.source));
    for clause in method.clauses.iter().filter(|clause| clause.kind != ClauseKind::SameReturn) {
        line(text, 2, clause.kind.name(), clause.text, None);
    }
    for marker in &method.markers {
        line(text, 2, marker.name, marker.text, None);
    }
}

fn line(text: &mut String, depth: usize, kind: &str, what: &str, source: Option<SourceLocation>) {
    let source = source.map(|source| format!("  {}:{}", source.file, source.line)).unwrap_or_default();
    let space = if what.is_empty() { "" } else { " " };
    writeln!(text, "{:indent$}{kind}{space}{what}{source}", "", indent = 2 * depth)
        .expect("writing to a string does not fail");
}

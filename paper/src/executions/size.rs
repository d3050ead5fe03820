//! How long a specification is: counted in the source of a structure, as the paper counts (section 6.2): each line that an annotation
//! takes up, rules, clauses and ordering points alike. `#[cdsspec::spec]` itself counts, too, and so does a state that is declared as
//! a type, with its attributes but without its documentation. A line that is wider than the format allows counts as the lines that it
//! would take: rustfmt does not touch attributes.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

const ON_TYPES: [&str; 8] =
    ["spec", "specification", "declare_state", "initial", "copy", "clear", "admit", "returns"];
const CLAUSES: [&str; 5] = [
    "pre_condition",
    "justifying_pre_condition",
    "side_effect",
    "justifying_post_condition",
    "post_condition",
];
/// What makes an operation an ordering point. A potential one counts where it is checked.
const POINTS: [&str; 3] = ["op_define", "op_clear_define", "op_check"];
/// How wide a line may be: `max_width` in `rustfmt.toml`.
const WIDTH: usize = 110;
/// What says which executions are admissible.
const RULE: &str = "admit";
const OTHER_MARKERS: [&str; 2] = ["op_clear", "potential_op"];

/// The size of a specification.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Size {
    /// Lines of annotations.
    pub(super) lines: u64,
    /// Annotations that make an operation an ordering point.
    pub(super) ordering_points: u64,
    /// Functions with a clause.
    pub(super) methods: u64,
    /// Lines of rules of admissibility.
    pub(super) admissibility: u64,
    /// Lines of code: neither blank, nor comments, nor annotations.
    pub(super) code: u64,
}

/// Counts in the text of a file.
///
/// # Errors
/// That it is no Rust.
pub(super) fn size_of(text: &str) -> Result<Size, String> {
    let syntax = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut counter = Counter::default();
    counter.visit_file(&syntax);
    let count = |lines: &BTreeSet<usize>| {
        let numbered = text.lines().enumerate().filter(|(index, _)| lines.contains(&(index + 1)));
        numbered.map(|(_, line)| lines_wanted(line)).sum()
    };
    let is_annotation = |index: usize| counter.lines.contains(&(index + 1));
    let code = text.lines().enumerate().filter(|(index, line)| is_code(line) && !is_annotation(*index));
    let (lines, admissibility) = (count(&counter.lines), count(&counter.rules));
    Ok(Size { lines, admissibility, code: code.count() as u64, ..counter.size })
}

/// Whether a line is neither blank nor a comment.
fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with("//")
}

/// How many lines one takes within the width of the format: none if it is documentation.
fn lines_wanted(line: &str) -> u64 {
    let is_documentation = line.trim_start().starts_with("///");
    if is_documentation { 0 } else { line.chars().count().div_ceil(WIDTH) as u64 }
}

/// What was met so far.
#[derive(Default)]
struct Counter {
    /// The numbers of the lines that annotations take up, from 1.
    lines: BTreeSet<usize>,
    /// The numbers of those that rules of admissibility take up.
    rules: BTreeSet<usize>,
    size: Size,
}

impl Counter {
    fn annotation(&mut self, name: &str, spanned: &dyn Spanned) {
        let is_point = POINTS.contains(&name);
        let is_annotation =
            is_point || ON_TYPES.contains(&name) || CLAUSES.contains(&name) || OTHER_MARKERS.contains(&name);
        if is_annotation {
            self.lines.extend(lines_of(spanned));
            self.size.ordering_points += u64::from(is_point);
        }
        if name == RULE {
            self.rules.extend(lines_of(spanned));
        }
    }

    fn function(&mut self, attributes: &[syn::Attribute]) {
        let has_clause =
            attributes.iter().any(|attribute| CLAUSES.contains(&last(attribute.path()).as_str()));
        self.size.methods += u64::from(has_clause);
    }

    /// A type: its lines count if it is the state of a specification.
    fn type_item(&mut self, attributes: &[syn::Attribute], item: &dyn Spanned) {
        if attributes.iter().any(|attribute| last(attribute.path()) == "specification") {
            self.lines.extend(lines_of(item));
        }
    }
}

fn lines_of(spanned: &dyn Spanned) -> RangeInclusive<usize> {
    let span = spanned.span();
    span.start().line..=span.end().line
}

impl<'ast> Visit<'ast> for Counter {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        self.annotation(&last(attribute.path()), attribute);
    }

    fn visit_macro(&mut self, macro_call: &'ast syn::Macro) {
        let name = last(&macro_call.path);
        if POINTS.contains(&name.as_str()) || OTHER_MARKERS.contains(&name.as_str()) {
            self.annotation(&name, macro_call);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.type_item(&item.attrs, item);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.type_item(&item.attrs, item);
        visit::visit_item_enum(self, item);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.function(&function.attrs);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.function(&function.attrs);
        visit::visit_item_fn(self, function);
    }
}

fn last(path: &syn::Path) -> String {
    path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_annotation_counts_and_nothing_else_does() {
        let text = r"
            #[derive(Clone)]
            struct Stack;
            #[cdsspec::spec(instance(T = i32))]
            #[declare_state(
                items: Vec<T>
            )]
            #[admit(push <-> push)]
            impl<T> Stack<T> {
                /// Not an annotation: op_define.
                #[inline]
                #[side_effect(items.push(value))]
                fn push(&self, value: T) {
                    #[op_define]
                    self.top.swap(value, Release);
                }
                #[side_effect(items.pop())]
                #[post_condition(c_ret == s_ret)]
                fn pop(&self) -> Option<T> {
                    let next = self.top.load(Acquire);
                    cdsspec::potential_op!(seen);
                    assert!(!next.is_null());
                    cdsspec::op_check!(seen);
                    next
                }
                fn helper(&self) {}
            }
        ";
        assert_eq!(
            size_of(text),
            Ok(Size { lines: 11, ordering_points: 2, methods: 2, admissibility: 1, code: 14 })
        );
    }

    #[test]
    fn a_state_that_is_a_type_counts_but_for_its_documentation() {
        let text = r"
            /// The items.
            #[cdsspec::specification]
            #[derive(Clone, Default)]
            struct Items {
                /// In the order of their age.
                items: Vec<i32>,
            }
            /// Not a state.
            #[derive(Clone)]
            struct Other;
            #[cdsspec::specification]
            enum State {
                Empty,
            }
        ";
        assert_eq!(size_of(text).map(|size| size.lines), Ok(9));
    }

    #[test]
    fn the_width_is_that_of_the_format() {
        let format = std::fs::read_to_string(crate::source::root().join("rustfmt.toml")).unwrap();
        assert!(format.lines().any(|line| line == format!("max_width = {WIDTH}")), "{format}");
    }

    #[test]
    fn a_line_that_is_too_wide_counts_as_those_that_it_would_take() {
        let attribute = |len: usize| format!("#[side_effect({})]\nfn f() {{}}", "a".repeat(len - 16));
        let lines_at = |len| size_of(&attribute(len)).map(|size| size.lines);
        assert_eq!((lines_at(WIDTH), lines_at(WIDTH + 1)), (Ok(1), Ok(2)));
    }

    #[test]
    fn a_file_that_is_no_rust_is_an_error() {
        assert!(size_of("fn").is_err());
    }
}

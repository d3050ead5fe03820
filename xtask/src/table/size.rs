//! How long a specification is: counted in the source of a structure, as the paper counts (section 6.2): each line that an annotation
//! takes up, rules, clauses and ordering points alike. `#[cdsspec::spec]` itself counts, too.

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
}

/// Counts in the text of a file.
///
/// # Errors
/// That it is no Rust.
pub(super) fn size_of(text: &str) -> Result<Size, String> {
    let syntax = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut size = Size::default();
    size.visit_file(&syntax);
    Ok(size)
}

impl Size {
    fn annotation(&mut self, name: &str, spanned: &dyn Spanned) {
        let is_point = POINTS.contains(&name);
        let is_annotation =
            is_point || ON_TYPES.contains(&name) || CLAUSES.contains(&name) || OTHER_MARKERS.contains(&name);
        if is_annotation {
            let span = spanned.span();
            self.lines += (span.end().line + 1 - span.start().line) as u64;
            self.ordering_points += u64::from(is_point);
        }
    }

    fn function(&mut self, attributes: &[syn::Attribute]) {
        let has_clause =
            attributes.iter().any(|attribute| CLAUSES.contains(&last(attribute.path()).as_str()));
        self.methods += u64::from(has_clause);
    }
}

impl<'ast> Visit<'ast> for Size {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        self.annotation(&last(attribute.path()), attribute);
    }

    fn visit_macro(&mut self, macro_call: &'ast syn::Macro) {
        let name = last(&macro_call.path);
        if POINTS.contains(&name.as_str()) || OTHER_MARKERS.contains(&name.as_str()) {
            self.annotation(&name, macro_call);
        }
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
        assert_eq!(size_of(text), Ok(Size { lines: 10, ordering_points: 2, methods: 2 }));
    }

    #[test]
    fn a_file_that_is_no_rust_is_an_error() {
        assert!(size_of("fn").is_err());
    }
}

//! Patterns of parameters.

use proc_macro2::Ident;
use syn::Pat;
use syn::visit_mut::{self, VisitMut};

/// The names that a pattern binds.
pub(crate) fn names_in(pattern: &Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl VisitMut for Names {
        fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
            self.0.push(pattern.ident.clone());
            visit_mut::visit_pat_ident_mut(self, pattern);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat_mut(&mut pattern.clone());
    names.0
}

//! Clauses that speak of a state where none is declared. The compiler would say of each mention that there is no such value, and not
//! what is missing.

use super::MethodModel;
use crate::diagnostics::{Errors, UNDECLARED_STATE};
use proc_macro2::Ident;
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, PatIdent, UnOp};

/// Looks for the first variable that is used as a state is, and is nothing else: it has a method or a field, or is dereferenced or assigned
/// to. A function or a constant that is mentioned is none of these, or has another kind of name.
pub(super) fn check(methods: &[MethodModel], errors: &mut Errors) {
    let known = |method: &MethodModel| {
        let parameters = method.parameters.iter().filter_map(|parameter| parameter.name.as_ref());
        let parameters = parameters.map(|name| name.unraw().to_string());
        parameters.chain(super::state::RESERVED.map(str::to_owned)).collect::<HashSet<_>>()
    };
    let first = methods.iter().find_map(|method| {
        let known = known(method);
        method.clauses.iter().find_map(|clause| {
            let mut value = syn::parse2::<Expr>(clause.expression.tokens.clone()).ok()?;
            let mut uses = Uses { bound: known.clone(), places: Vec::new() };
            uses.visit_expr_mut(&mut value);
            uses.places.into_iter().find(|name| !uses.bound.contains(&name.unraw().to_string()))
        })
    });
    if let Some(name) = first {
        let text = name.to_string();
        errors.at(name.span(), UNDECLARED_STATE, &[&text, &text]);
    }
}

/// The variables of an expression that are used as places, and the names that it binds.
struct Uses {
    bound: HashSet<String>,
    places: Vec<Ident>,
}

impl Uses {
    fn place(&mut self, value: &Expr) {
        match value {
            Expr::Path(path) => {
                let is_variable =
                    |name: &Ident| name.to_string().starts_with(|letter: char| letter.is_lowercase());
                let name = path.path.get_ident().filter(|name| is_variable(name) && *name != "self");
                self.places.extend(name.cloned());
            }
            Expr::Index(index) => self.place(&index.expr),
            Expr::Paren(paren) => self.place(&paren.expr),
            _ => {}
        }
    }
}

impl VisitMut for Uses {
    fn visit_pat_ident_mut(&mut self, pattern: &mut PatIdent) {
        self.bound.insert(pattern.ident.unraw().to_string());
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, value: &mut Expr) {
        match &*value {
            Expr::MethodCall(call) => self.place(&call.receiver),
            Expr::Field(field) => self.place(&field.base),
            Expr::Index(index) => self.place(&index.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::Assign(assign) => self.place(&assign.left),
            Expr::Reference(reference) if reference.mutability.is_some() => self.place(&reference.expr),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, value);
    }
}

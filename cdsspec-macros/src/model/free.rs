//! Which variables of its surroundings an expression mentions: names that it binds itself are not meant.
//!
//! What stands in macros is tokens: there each word counts, and each name in a format string.

use super::pattern::names_in;
use crate::parse::mention;
use proc_macro2::{Ident, TokenStream};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, Pat, Stmt};

/// The free variables of an expression, each as it is mentioned first. Costs a walk over the expression.
pub(super) fn variables(mut value: Expr) -> Vec<Ident> {
    let mut walk = Walk { bound: Vec::new(), free: Vec::new() };
    walk.visit_expr_mut(&mut value);
    walk.free
}

/// A walk in the order in which names come into scope. Nothing is changed on it.
struct Walk {
    /// The names that are bound where the walk is; one that is bound twice stands there twice.
    bound: Vec<Ident>,
    free: Vec<Ident>,
}

impl Walk {
    fn mention(&mut self, name: &Ident) {
        if !self.bound.contains(name) && !self.free.contains(name) {
            self.free.push(name.clone());
        }
    }

    fn mention_all(&mut self, tokens: &TokenStream) {
        for name in mention::words(tokens) {
            self.mention(&name);
        }
    }

    fn bind(&mut self, pattern: &Pat) {
        self.bound.extend(names_in(pattern));
    }

    /// Names that are bound in it end with it.
    fn scope(&mut self, walk: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        walk(self);
        self.bound.truncate(depth);
    }

    /// A condition, from left to right: a `let` in it binds for what follows.
    fn condition(&mut self, value: &mut Expr) {
        match value {
            Expr::Let(binding) => {
                self.visit_expr_mut(&mut binding.expr);
                self.visit_pat_mut(&mut binding.pat);
                self.bind(&binding.pat);
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
                self.condition(&mut binary.left);
                self.condition(&mut binary.right);
            }
            other => self.visit_expr_mut(other),
        }
    }
}

impl VisitMut for Walk {
    fn visit_expr_mut(&mut self, value: &mut Expr) {
        match value {
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident() {
                    self.mention(name);
                }
            }
            Expr::Closure(closure) => self.scope(|walk| {
                for pattern in &closure.inputs {
                    walk.bind(pattern);
                }
                walk.visit_expr_mut(&mut closure.body);
            }),
            Expr::If(branch) => {
                self.scope(|walk| {
                    walk.condition(&mut branch.cond);
                    walk.visit_block_mut(&mut branch.then_branch);
                });
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            Expr::While(repeat) => self.scope(|walk| {
                walk.condition(&mut repeat.cond);
                walk.visit_block_mut(&mut repeat.body);
            }),
            Expr::ForLoop(repeat) => {
                self.visit_expr_mut(&mut repeat.expr);
                self.scope(|walk| {
                    walk.bind(&repeat.pat);
                    walk.visit_block_mut(&mut repeat.body);
                });
            }
            // Beside a scope that ends with the `let`, as that of `a && let b = c`.
            Expr::Let(_) | Expr::Binary(_) => self.scope(|walk| match value {
                Expr::Binary(binary) if !matches!(binary.op, BinOp::And(_)) => {
                    visit_mut::visit_expr_binary_mut(walk, binary);
                }
                other => walk.condition(other),
            }),
            Expr::Verbatim(tokens) => self.mention_all(tokens),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.scope(|walk| {
            walk.bind(&arm.pat);
            if let Pat::Guard(guarded) = &mut arm.pat {
                walk.condition(&mut guarded.guard);
            }
            walk.visit_expr_mut(&mut arm.body);
        });
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.scope(|walk| {
            for statement in &mut block.stmts {
                walk.visit_stmt_mut(statement);
            }
        });
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        match statement {
            Stmt::Local(local) => {
                if let Some(init) = &mut local.init {
                    self.visit_local_init_mut(init);
                }
                self.bind(&local.pat);
            }
            // An item sees no variables.
            Stmt::Item(_) => {}
            other => visit_mut::visit_stmt_mut(self, other),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.mention_all(&mac.tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(text: &str) -> String {
        let value = syn::parse_str(text).expect("it is an expression");
        let names: Vec<String> = variables(value).iter().map(Ident::to_string).collect();
        names.join(" ")
    }

    #[test]
    fn what_an_expression_binds_itself_is_not_free() {
        let rows = [
            ("q.iter().all(|x: &i32| *x > y)", "q y"),
            ("{ let x = x + 1; x }", "x"),
            ("{ let y = 1; x + y }", "x"),
            ("{ { let x = 1; } x }", "x"),
            ("{ { let x = 1; x } }", ""),
            ("{ let (a, Some(b)) = c else { return d }; a + b }", "c d"),
            ("match x { Some(y) if y > z => y, other => w }", "x z w"),
            ("if let Some(x) = x && x > y { x } else { z }", "x y z"),
            ("if let Some(x) = 1 { x } else { x }", "x"),
            ("(a && matches!(b, Some(c))) || d", "a b Some c d"),
            ("{ while let Some(x) = q.pop() { f(x) } x }", "q f x"),
            ("{ for x in 0..n { f(x); } x }", "n f x"),
            ("S { a, b: c, ..d }", "a c d"),
            ("val.val().val", "val"),
            (r#"format!("{a} {:>b$}", c)"#, "a b c"),
            (r#"{ let b = 1; format!("{a} {:>b$}", c) }"#, "a c"),
            ("{ fn inner() -> i32 { x } inner() }", "inner"),
            ("Self::N + i32::MAX + N", "N"),
            ("(|| x)() + (move |x| x)(1)", "x"),
            ("{ let f = |x: i32| x; f(x) }", "x"),
        ];
        for (text, expected) in rows {
            assert_eq!(free(text), expected, "{text}");
        }
        assert_eq!(rows.len(), 20);
    }
}

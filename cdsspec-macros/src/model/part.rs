//! A condition of a contract, taken apart: what mentions no event set is evaluated at the call, and the rest is looked at over its values.
//!
//! Whether one call is before another is known when the execution has ended, and for each order of the calls anew. What an atomic holds, how many handles
//! an `Arc` has, what a method returns, has one value, at the call. So the largest subexpressions that mention neither a set nor `now` become parts: each is
//! evaluated once, in the order in which they are written. Behind `&&`, `||` and `if` it is evaluated unless parts before it say that it is not asked for: also where
//! event sets may turn out to say so. Constants stay where they are.

use super::pattern::names_in;
use crate::diagnostics::{CONTRACT_PART_MACRO, CONTRACT_PART_OBJECT, CONTRACT_PART_UNSAFE, Errors};
use crate::parse::mention;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, Member, Pat, Stmt, Token, UnOp};

/// A part of a condition.
pub(crate) struct PartModel {
    pub(crate) name: Ident,
    pub(crate) value: Expr,
    pub(crate) kind: PartKind,
    /// It is asked for only if these parts say so: then it is evaluated.
    pub(crate) guards: Vec<Guard>,
}

/// A part that is a truth value, and which one.
pub(crate) type Guard = (Ident, bool);

/// How the value of a part is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    /// As it is.
    Value,
    /// It is a truth value.
    Truth,
    /// It is a place: what is there is copied; where `is_reference`, what that leads to.
    Kept { is_reference: bool },
}

/// Methods of std that lend what they are called on, or a part of it, or go through it.
const LENDING: [&str; 20] = [
    "iter",
    "into_iter",
    "chars",
    "bytes",
    "as_ref",
    "as_deref",
    "as_str",
    "as_slice",
    "as_bytes",
    "copied",
    "cloned",
    "map",
    "filter",
    "enumerate",
    "rev",
    "skip",
    "take",
    "zip",
    "chain",
    "get",
];

/// What is taken out of a condition.
pub(super) struct Cut<'a> {
    /// What is not known yet.
    pub(super) late: &'a dyn Fn(&Ident) -> bool,
    /// Only parts that mention one of these, if there are any.
    pub(super) wanted: Option<&'a [Ident]>,
    /// Parameters that are references.
    pub(super) references: &'a [Ident],
    /// How the names of parts begin.
    pub(super) prefix: String,
}

/// Takes a condition apart: parts go out of `value`, in the order in which they are to be evaluated. Cost: O(length · depth).
pub(super) fn split(value: &mut Expr, cut: &Cut<'_>, errors: &mut Errors) -> Vec<PartModel> {
    let mut split =
        Split { cut, bound: Vec::new(), is_guarded: false, guards: Vec::new(), parts: Vec::new(), errors };
    split.reduce(value, Position::Truth);
    split.parts
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Truth,
    Value,
}

struct Split<'a, 'b> {
    cut: &'a Cut<'a>,
    /// The names that are bound where the walk is, in the condition.
    bound: Vec<Ident>,
    /// Whether event sets say whether what is here is asked for.
    is_guarded: bool,
    /// The parts that say so.
    guards: Vec<Guard>,
    parts: Vec<PartModel>,
    errors: &'b mut Errors,
}

impl Split<'_, '_> {
    fn is_late(&self, name: &Ident) -> bool {
        (self.cut.late)(name) || self.bound.contains(name)
    }

    /// Whether all that is mentioned is known.
    fn is_settled(&self, value: &Expr) -> bool {
        mention::words(&value.to_token_stream()).iter().all(|word| !self.is_late(word))
    }

    /// Whether it makes a difference when this is evaluated.
    fn is_wanted(&self, value: &Expr) -> bool {
        match self.cut.wanted {
            None => !is_constant(value),
            Some(names) => mention::words(&value.to_token_stream()).iter().any(|word| names.contains(word)),
        }
    }

    fn reduce(&mut self, value: &mut Expr, position: Position) {
        if !self.is_settled(value) {
            return self.take_apart(value, position);
        }
        match value {
            Expr::Paren(inner) => self.reduce(&mut inner.expr, position),
            Expr::Group(inner) => self.reduce(&mut inner.expr, position),
            _ if !self.is_wanted(value) => {}
            // To make a function says nothing: what it does is a part where it is done. Of a range, its bounds are kept.
            Expr::Closure(_) | Expr::Range(_) => self.take_apart(value, position),
            // What is lent stays what it is.
            Expr::Reference(lent) if lent.mutability.is_none() && self.is_wanted(&lent.expr) => {
                let name = self.part(&mut lent.expr, Position::Value);
                *value = asked(value.span(), &name, false);
            }
            _ => {
                let name = self.part(value, position);
                // A reference is one again.
                let is_reference =
                    self.parts.last().is_some_and(|part| part.kind == PartKind::Kept { is_reference: true });
                *value = asked(value.span(), &name, !is_reference);
            }
        }
    }

    /// Makes a part of an expression; its name.
    fn part(&mut self, value: &mut Expr, position: Position) -> Ident {
        if self.is_guarded && value.to_token_stream().into_iter().any(|token| has_unsafe(&token)) {
            self.errors.on(&value.to_token_stream(), CONTRACT_PART_UNSAFE, &[]);
        }
        let name = format_ident!("{}_{}", self.cut.prefix, self.parts.len(), span = Span::mixed_site());
        let kind = match (position, name_of(value)) {
            (Position::Truth, _) => PartKind::Truth,
            (Position::Value, Some(name)) if *name == "self" => {
                self.errors.at(name.span(), CONTRACT_PART_OBJECT, &[]);
                PartKind::Value
            }
            (Position::Value, Some(name)) => {
                PartKind::Kept { is_reference: self.cut.references.contains(name) }
            }
            (Position::Value, None) if is_place(value) => PartKind::Kept { is_reference: false },
            (Position::Value, None) => PartKind::Value,
        };
        self.parts.push(PartModel {
            name: name.clone(),
            value: value.clone(),
            kind,
            guards: self.guards.clone(),
        });
        name
    }

    /// What a method is called on. Of what only lends something, or makes an iterator of it, that is a part and not what is lent.
    fn receiver(&mut self, value: &mut Expr) {
        match value {
            Expr::MethodCall(call) if LENDING.iter().any(|name| call.method == name) => {
                self.receiver(&mut call.receiver);
                call.args.iter_mut().for_each(|argument| self.reduce(argument, Position::Value));
            }
            other => self.reduce(other, Position::Value),
        }
    }

    /// What is not known as a whole.
    fn take_apart(&mut self, value: &mut Expr, position: Position) {
        match value {
            Expr::Paren(inner) => self.reduce(&mut inner.expr, position),
            Expr::Group(inner) => self.reduce(&mut inner.expr, position),
            Expr::Unary(inner) if matches!(inner.op, UnOp::Not(_)) => self.reduce(&mut inner.expr, position),
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.scope(|split| split.condition(value));
            }
            Expr::Let(_) => self.scope(|split| split.condition(value)),
            Expr::Call(call) => {
                if !matches!(*call.func, Expr::Path(_)) {
                    self.reduce(&mut call.func, Position::Value);
                }
                call.args.iter_mut().for_each(|argument| self.reduce(argument, Position::Value));
            }
            Expr::MethodCall(call) => {
                self.receiver(&mut call.receiver);
                call.args.iter_mut().for_each(|argument| self.reduce(argument, Position::Value));
            }
            // The name alone is late.
            Expr::Path(_) => {}
            Expr::If(branch) => self.scope(|split| {
                let is_settled = split.is_settled(&branch.cond);
                split.condition(&mut branch.cond);
                let [then, otherwise] = [true, false].map(|is_so| split.known(&branch.cond, is_so));
                split.guarded(is_settled, then, |split| split.visit_block_mut(&mut branch.then_branch));
                if let Some((_, value)) = &mut branch.else_branch {
                    split.guarded(is_settled, otherwise, |split| split.otherwise(value));
                }
            }),
            Expr::Closure(closure) => self.scope(|split| {
                closure.inputs.iter().for_each(|pattern| split.bind(pattern));
                split.guarded(false, Vec::new(), |split| split.reduce(&mut closure.body, Position::Value));
            }),
            Expr::Macro(mac) => self.open_macro(&mut mac.mac),
            other => visit_mut::visit_expr_mut(self, other),
        }
    }

    /// A condition, from left to right: a `let` in it binds for what follows, which may not be asked for.
    fn condition(&mut self, value: &mut Expr) {
        match value {
            Expr::Let(binding) => {
                self.reduce(&mut binding.expr, Position::Value);
                self.bind(&binding.pat);
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                let (is_settled, is_and) =
                    (self.is_settled(&binary.left), matches!(binary.op, BinOp::And(_)));
                self.condition(&mut binary.left);
                let known = self.known(&binary.left, is_and);
                self.guarded(is_settled, known, |split| split.condition(&mut binary.right));
            }
            other => self.reduce(other, Position::Truth),
        }
    }

    /// What follows an `else` stays a block, or an `if`.
    fn otherwise(&mut self, value: &mut Expr) {
        match value {
            Expr::Block(block) => self.visit_block_mut(&mut block.block),
            other => self.take_apart(other, Position::Value),
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

    /// What may not be asked for: that is known, or is not before event sets are.
    fn guarded(&mut self, is_known: bool, guards: Vec<Guard>, walk: impl FnOnce(&mut Self)) {
        let (was, count) = (self.is_guarded, self.guards.len());
        self.is_guarded |= !is_known;
        self.guards.extend(guards);
        walk(self);
        self.guards.truncate(count);
        self.is_guarded = was;
    }

    /// What parts are if this, of which parts were taken, is so or not.
    fn known(&self, value: &Expr, is_so: bool) -> Vec<Guard> {
        match value {
            Expr::Paren(inner) => self.known(&inner.expr, is_so),
            Expr::Group(inner) => self.known(&inner.expr, is_so),
            Expr::Unary(inner) if matches!(inner.op, UnOp::Not(_)) => self.known(&inner.expr, !is_so),
            // Both are so, or neither is.
            Expr::Binary(binary)
                if matches!((&binary.op, is_so), (BinOp::And(_), true) | (BinOp::Or(_), false)) =>
            {
                [self.known(&binary.left, is_so), self.known(&binary.right, is_so)].concat()
            }
            Expr::MethodCall(call) => {
                let name = name_of(&call.receiver);
                let is_truth = |part: &&PartModel| part.kind == PartKind::Truth && Some(&part.name) == name;
                let found = self.parts.iter().find(is_truth);
                found.map(|part| (part.name.clone(), is_so)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// `matches!` is known. What another macro makes of its tokens is not: it may have sets, but no variables beside them.
    fn open_macro(&mut self, mac: &mut syn::Macro) {
        let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        if name == "matches"
            && let Ok((mut value, mut pattern)) = matched.parse2(mac.tokens.clone())
        {
            self.reduce(&mut value, Position::Value);
            self.scope(|split| {
                split.bind(&pattern);
                if let Pat::Guard(guarded) = &mut pattern {
                    split.guarded(false, Vec::new(), |split| split.condition(&mut guarded.guard));
                }
            });
            mac.tokens = quote!(#value, #pattern);
            return;
        }
        let is_variable = |word: &Ident| {
            let text = word.unraw().to_string();
            !self.is_late(word)
                && text.starts_with(|letter: char| letter.is_lowercase() || letter == '_')
                && syn::parse_str::<Ident>(&text).is_ok()
        };
        if let Some(word) = mention::words(&mac.tokens).iter().find(|word| is_variable(word)) {
            self.errors.at(word.span(), CONTRACT_PART_MACRO, &[&name, &word.unraw().to_string()]);
        }
    }
}

/// Every other expression is made of expressions that stand for values, in the order in which they are written.
impl VisitMut for Split<'_, '_> {
    fn visit_expr_mut(&mut self, value: &mut Expr) {
        self.reduce(value, Position::Value);
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.scope(|split| {
            split.bind(&arm.pat);
            split.guarded(false, Vec::new(), |split| {
                if let Pat::Guard(guarded) = &mut arm.pat {
                    split.condition(&mut guarded.guard);
                }
                split.reduce(&mut arm.body, Position::Value);
            });
        });
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.scope(|split| block.stmts.iter_mut().for_each(|statement| split.visit_stmt_mut(statement)));
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        match statement {
            Stmt::Local(local) => {
                if let Some(init) = &mut local.init {
                    self.visit_local_init_mut(init);
                }
                self.bind(&local.pat);
            }
            Stmt::Item(_) => {}
            other => visit_mut::visit_stmt_mut(self, other),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.open_macro(mac);
    }

    fn visit_pat_mut(&mut self, _pattern: &mut Pat) {}
}

/// What stands for a part.
fn asked(span: Span, name: &Ident, is_value: bool) -> Expr {
    let how = Ident::new(if is_value { "value" } else { "get" }, span);
    syn::parse2(quote_spanned!(span=> #name.#how())).expect("it is an expression")
}

/// What `matches!` takes.
fn matched(input: ParseStream<'_>) -> syn::Result<(Expr, Pat)> {
    let value = input.parse()?;
    input.parse::<Token![,]>()?;
    // As an arm: with what follows an `if`.
    let rest: TokenStream = input.parse()?;
    let rest: Vec<_> = rest.into_iter().collect();
    let is_comma = |token: &proc_macro2::TokenTree| matches!(token, proc_macro2::TokenTree::Punct(comma) if comma.as_char() == ',');
    let rest = if rest.last().is_some_and(is_comma) { &rest[..rest.len() - 1] } else { &rest[..] };
    let arm: syn::Arm = syn::parse2(quote!(#(#rest)* => ()))?;
    Ok((value, arm.pat))
}

/// The name, if it is nothing else.
fn name_of(value: &Expr) -> Option<&Ident> {
    match value {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Paren(inner) => name_of(&inner.expr),
        Expr::Group(inner) => name_of(&inner.expr),
        _ => None,
    }
}

/// Whether it is where a value is, so that a use of it would take that away.
fn is_place(value: &Expr) -> bool {
    match value {
        Expr::Path(_) | Expr::Index(_) => true,
        Expr::Field(field) => matches!(field.member, Member::Named(_) | Member::Unnamed(_)),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)),
        Expr::Paren(inner) => is_place(&inner.expr),
        Expr::Group(inner) => is_place(&inner.expr),
        _ => false,
    }
}

/// Whether it has the same value everywhere, as far as its syntax tells: literals, names as those of constants, and what is made of them without calls.
fn is_constant(value: &Expr) -> bool {
    let is_upper = |name: &Ident| name.unraw().to_string().starts_with(char::is_uppercase);
    match value {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| is_upper(&last.ident)),
        Expr::Paren(inner) => is_constant(&inner.expr),
        Expr::Group(inner) => is_constant(&inner.expr),
        Expr::Unary(unary) => !matches!(unary.op, UnOp::Deref(_)) && is_constant(&unary.expr),
        Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        Expr::Reference(lent) => is_constant(&lent.expr),
        Expr::Cast(cast) => is_constant(&cast.expr),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_constant),
        Expr::Array(array) => array.elems.iter().all(is_constant),
        Expr::Range(range) => {
            [&range.start, &range.end].into_iter().flatten().all(|bound| is_constant(bound))
        }
        // `Some(3)`
        Expr::Call(call) => is_constant(&call.func) && call.args.iter().all(is_constant),
        // One that ends the condition, and says nothing that changes.
        Expr::Macro(mac) => {
            let name = mac.mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
            let words = mention::words(&mac.mac.tokens);
            ["panic", "unreachable", "todo", "unimplemented"].contains(&name.as_str())
                && words.iter().all(is_upper)
        }
        _ => false,
    }
}

fn has_unsafe(token: &proc_macro2::TokenTree) -> bool {
    match token {
        proc_macro2::TokenTree::Ident(name) => name == "unsafe",
        proc_macro2::TokenTree::Group(group) => group.stream().into_iter().any(|token| has_unsafe(&token)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rest of a condition over the sets `init` and `prod`, and its parts.
    fn taken_apart(text: &str) -> String {
        let mut value: Expr = syn::parse_str(text).expect("it is an expression");
        let late = |name: &Ident| ["init", "prod", "now", "union"].iter().any(|known| name == known);
        let references = [Ident::new("name", Span::call_site())];
        let cut = Cut { late: &late, wanted: None, references: &references, prefix: "p".to_owned() };
        let mut errors = Errors::default();
        let parts = split(&mut value, &cut, &mut errors);
        let is_wrong = !errors.is_empty();
        _ = errors.finish();
        let shown = |value: &Expr| value.to_token_stream().to_string().replace(' ', "");
        let parts: Vec<String> = parts
            .iter()
            .map(|part| {
                let mut value = shown(&part.value);
                for (name, is_so) in &part.guards {
                    value += &format!(" if {}{name}", if *is_so { "" } else { "!" });
                }
                match part.kind {
                    PartKind::Value => value,
                    PartKind::Truth => format!("{value}?"),
                    PartKind::Kept { is_reference } => {
                        format!("{}{value}", if is_reference { "*" } else { "clone " })
                    }
                }
            })
            .collect();
        let rest = shown(&value).replace(".value()", "");
        format!(
            "{rest}{}{}",
            if is_wrong { " wrong" } else { "" },
            parts.iter().map(|part| format!(" | {part}")).collect::<String>()
        )
    }

    #[test]
    fn what_mentions_no_set_is_a_part_of_its_own() {
        let rows = [
            ("!init.is_empty() && init.happens_before(now)", "!init.is_empty()&&init.happens_before(now)"),
            ("n > 3 && f(m)", "p_0 | n>3&&f(m)?"),
            ("self.len() < 3 || !prod.concurrent(now)", "p_0||!prod.concurrent(now) | self.len()<3?"),
            ("prod.len() < limit", "prod.len()<p_0 | clone limit"),
            ("prod.len() < self.limit.load(Relaxed)", "prod.len()<p_0 | self.limit.load(Relaxed)"),
            ("prod.len() < 3 + MAX && true", "prod.len()<3+MAX&&true"),
            ("!(a || prod.is_empty()) && (b)", "!(p_0||prod.is_empty())&&(p_1) | a? | b if !p_0?"),
            ("f(prod, &a.b, name, 3)", "f(prod,p_0.get(),p_1.get(),3) | clone a.b | *name"),
            ("union([init, prod]).is_empty() == flag()", "union([init,prod]).is_empty()==p_0 | flag()"),
            (
                "if a { prod.is_empty() } else { b.c() }",
                "ifp_0{prod.is_empty()}else{p_1} | a? | b.c() if !p_0",
            ),
            (
                "match prod.len() { 0 => a.load(), n => n < m + 1 }",
                "matchprod.len(){0=>p_0,n=>n<p_1} | a.load() | m+1",
            ),
            (
                "if prod.is_empty() { a } else if b { c } else { d() }",
                "ifprod.is_empty(){p_0}elseifp_1{p_2}else{p_3} | clone a | b? | clone c if p_1 | d() if !p_1",
            ),
            ("matches!(prod.len(), 1..=3)", "matches!(prod.len(),1..=3)"),
            ("matches!(prod.len(), n if n < m)", "matches!(prod.len(),nifn<p_0) | clone m"),
            ("{ let n = prod.len(); n < m }", "{letn=prod.len();n<p_0} | clone m"),
            ("prod.iter().all(|e| e.number < k(m))", "prod.iter().all(|e|e.number<p_0) | k(m)"),
            (
                "[m, 2].iter().rev().any(|e| *e < prod.len() + self.n())",
                "p_0.iter().rev().any(|e|*e<prod.len()+p_1) | [m,2] | self.n()",
            ),
            ("prod.is_empty() || panic!(\"no push\")", "prod.is_empty()||panic!(\"nopush\")"),
            ("prod.is_empty() || panic!(\"no {n}\")", "prod.is_empty()||p_0 | panic!(\"no{n}\")?"),
            (
                "if let Some(n) = a && prod.len() < n { b } else { true }",
                "ifletSome(n)=p_0&&prod.len()<n{p_1}else{true} | clone a | clone b",
            ),
            ("COUNT.load(Relaxed) == prod.len()", "p_0==prod.len() | COUNT.load(Relaxed)"),
            ("self.is_of(prod)", "p_0.is_of(prod) wrong | self"),
            ("other!(prod, a)", "other!(prod,a) wrong"),
            ("prod.is_empty() && unsafe { *a == 3 }", "prod.is_empty()&&p_0 wrong | unsafe{*a==3}?"),
            ("unsafe { *a == 3 } && prod.is_empty()", "p_0&&prod.is_empty() | unsafe{*a==3}?"),
            ("true", "true"),
        ];
        for (text, expected) in rows {
            assert_eq!(taken_apart(text), expected, "{text}");
        }
        assert_eq!(rows.len(), 26);
    }
}

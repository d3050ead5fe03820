//! The body of a test, as far as statements of it may be left out.

use proc_macro2::{Group, Span, TokenStream};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Block, Expr, ExprClosure, ExprMethodCall, Lit, Local, Pat, Stmt};

/// The statements of a body.
///
/// `None` if they cannot be read: then nothing is left out.
pub(crate) fn parse_statements(body: TokenStream) -> Option<Vec<Stmt>> {
    Block::parse_within.parse2(body).ok()
}

/// The method call that a statement is, if it may be left out: `q.enq(1);`, `let _ = q.deq();`. A join is none: what comes after it is ordered by it.
pub(crate) fn droppable_call(statement: &mut Stmt) -> Option<&mut ExprMethodCall> {
    let call = match statement {
        Stmt::Expr(Expr::MethodCall(call), Some(_)) => call,
        Stmt::Local(Local { attrs, pat: Pat::Wild(_), init: Some(init), .. })
            if attrs.is_empty() && init.diverge.is_none() =>
        {
            match &mut *init.expr {
                Expr::MethodCall(call) => call,
                _ => return None,
            }
        }
        _ => return None,
    };
    (call.attrs.is_empty() && !joins(call)).then_some(call)
}

fn joins(call: &ExprMethodCall) -> bool {
    let inner = match &*call.receiver {
        Expr::MethodCall(inner) => joins(inner),
        _ => false,
    };
    inner || call.method == "join"
}

/// The whole numbers among the arguments of a call, and of those that it is called on; each with the token before it.
pub(crate) fn numbers_of(call: &mut ExprMethodCall) -> Vec<(Span, &mut Expr)> {
    let ExprMethodCall { receiver, args, paren_token, .. } = call;
    let mut numbers = match &mut **receiver {
        Expr::MethodCall(inner) => numbers_of(inner),
        _ => Vec::new(),
    };
    let mut before = paren_token.span.open();
    for pair in args.pairs_mut() {
        let (argument, comma) = pair.into_tuple();
        if matches!(argument, Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_))) {
            numbers.push((before, argument));
        }
        before = comma.map_or(before, |comma| comma.span);
    }
    numbers
}

/// The first and the last token of a statement that may be left out, or starts or joins a thread.
pub(crate) fn ends_of(statement: &Stmt) -> Option<[Span; 2]> {
    let last = match statement {
        Stmt::Expr(_, Some(semicolon)) => semicolon.span,
        Stmt::Local(local) => local.semi_token.span,
        _ => return None,
    };
    Some([statement.span(), last])
}

/// The name and the body of the thread that a statement starts, `let t = thread::spawn(move || { … });`, if it does.
pub(crate) fn started_thread(statement: &Stmt) -> Option<(Option<String>, &Block)> {
    let (name, call) = match statement {
        Stmt::Local(Local { pat: Pat::Ident(name), init: Some(init), .. }) => {
            (Some(name.ident.to_string()), &*init.expr)
        }
        Stmt::Expr(call, Some(_)) => (None, call),
        _ => return None,
    };
    let Expr::Call(call) = call else { return None };
    let Expr::Path(function) = &*call.func else { return None };
    let is_spawn = function.path.segments.last().is_some_and(|last| last.ident == "spawn");
    let closure: &ExprClosure = match only(&call.args)? {
        Expr::Closure(closure) if is_spawn => closure,
        _ => return None,
    };
    match &*closure.body {
        Expr::Block(block) => Some((name, &block.block)),
        _ => None,
    }
}

fn only<T, P>(list: &Punctuated<T, P>) -> Option<&T> {
    list.first().filter(|_| list.len() == 1)
}

/// Whether a statement does nothing but join the thread of this name: `t.join().unwrap();`.
pub(crate) fn joins_thread(statement: &Stmt, name: &str) -> bool {
    let Stmt::Expr(expression, Some(_)) = statement else { return false };
    let mut expression = expression;
    while let Expr::MethodCall(call) = expression {
        if !call.args.is_empty() && call.method != "expect" {
            return false;
        }
        if call.method == "join" {
            return matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident(name));
        }
        expression = &call.receiver;
    }
    false
}

/// The text of a body, from brace to brace, where the compiler knows it.
pub(crate) fn text_of(braces: &Group) -> Option<String> {
    braces.span().source_text()
}

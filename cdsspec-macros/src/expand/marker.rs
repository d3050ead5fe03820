//! Statements with ordering point annotations.

use super::token::{local, location};
use crate::parse::body::{Body, MarkedStatement, Piece};
use crate::parse::marker::{MarkerKind, MarkerSyntax};
use crate::parse::statement::{Binding, first_statement};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Stmt, UnOp};

// Input:
// #[op_define(linked)] let linked = self.link();
// Output:
// let linked = self.link(); if false { let _: bool = linked; }
/// The tokens of a body without annotations; what only they mention is used, in code that never runs.
pub(super) fn plain(body: &Body) -> TokenStream {
    map(body, &|marked| {
        let MarkedStatement { attributes, conditions, .. } = marked;
        let statement = plain(&marked.statement);
        let uses = marked.markers.iter().filter_map(|marker| marker.condition.as_ref()).map(|condition| {
            let used =
                quote_spanned!(condition.span()=> if false { let _: ::core::primitive::bool = #condition; });
            quote!(#conditions #used)
        });
        match marked.binding {
            Binding::After => quote!(#attributes #statement #(#uses)*),
            Binding::Value => quote!(#(#uses)* #attributes #statement),
        }
    })
}

// Input:
// #[op_define(linked)] let linked = self.link();
// #[op_define] return self.next.load(Acquire);
// Output:
// let statement = Statement::begin();
// let linked = self.link();
// { let holds: bool = linked; if holds { statement.mark(Marker::Define, location) } }
// drop(statement);
// let statement = Statement::begin();
// return match (self.next.load(Acquire)) { value => { statement.mark(Marker::Define, location); drop(statement); value } };
/// The tokens of a body with the annotations carried out.
pub(super) fn recorded(body: &Body, krate: &TokenStream) -> TokenStream {
    map(body, &|marked| statement(marked, krate))
}

fn map(body: &Body, marked: &dyn Fn(&MarkedStatement) -> TokenStream) -> TokenStream {
    let piece = |piece: &Piece| match piece {
        Piece::Token(token) => token.clone().into(),
        Piece::Group(group, inner) => inner.in_brackets(group, |inner| map(inner, marked)).into(),
        Piece::Marked(statement) => marked(statement),
    };
    body.pieces.iter().map(piece).collect::<TokenStream>()
}

fn statement(marked: &MarkedStatement, krate: &TokenStream) -> TokenStream {
    let MarkedStatement { attributes, conditions, .. } = marked;
    let tokens = recorded(&marked.statement, krate);
    match marked.binding {
        Binding::After => {
            let Marks { begin, marks, end } = Marks::new(&marked.markers, conditions, krate);
            let begin = begin.map(|begin| quote!(#conditions let __cdsspec_statement = #begin;));
            let lint = may_not_end();
            quote!(#begin #attributes #tokens #lint #marks #end)
        }
        Binding::Value => {
            let mut marks = Marks::new(&marked.markers, &TokenStream::new(), krate);
            let statement = first_statement(tokens).ok().map(|(statement, _)| statement);
            let statement =
                statement.expect("cdsspec bug: a statement that was read before can be read again");
            let is_repeated = matches!(statement, Stmt::Expr(Expr::While(_), _));
            let begin = if is_repeated { None } else { marks.begin.take() };
            let begin = begin.map(|begin| quote!(#conditions let __cdsspec_statement = #begin;));
            let statement = in_statement(statement, &marks);
            quote!(#begin #attributes #statement)
        }
    }
}

/// The annotations of a statement, carried out.
struct Marks {
    /// Before the statement, if one of them is about an operation of it; of a head that is run again and again, inside.
    begin: Option<TokenStream>,
    /// Where its value is known.
    marks: TokenStream,
    /// What follows at once.
    end: Option<TokenStream>,
}

impl Marks {
    /// Under these `#[cfg]`s.
    fn new(markers: &[MarkerSyntax], conditions: &TokenStream, krate: &TokenStream) -> Self {
        let private = quote!(#krate::__private);
        let marks = markers.iter().map(|marker| {
            let mark = mark(marker, krate);
            quote!(#conditions #mark)
        });
        let has_operation = markers.iter().any(|marker| marker.kind.needs_operation());
        Self {
            begin: has_operation.then(|| quote!(#private::Statement::begin())),
            marks: marks.collect(),
            end: has_operation.then(|| quote!(#conditions #private::drop(__cdsspec_statement);)),
        }
    }
}

/// Stands before the first thing that follows something of the user's, which may never end.
fn may_not_end() -> TokenStream {
    quote!(#[allow(unreachable_code, reason = "what stands before may never end")])
}

/// One annotation, carried out.
fn mark(marker: &MarkerSyntax, krate: &TokenStream) -> TokenStream {
    let private = quote!(#krate::__private);
    let label = marker.label.as_ref().map(ToString::to_string);
    let kind = match marker.kind {
        MarkerKind::Define => quote!(Define),
        MarkerKind::Clear => quote!(Clear),
        MarkerKind::ClearDefine => quote!(ClearDefine),
        MarkerKind::Potential => quote!(Potential(#label)),
        MarkerKind::Check => quote!(Check(#label)),
    };
    let location = location(krate, marker.name.span());
    let arguments = quote!((#private::Marker::#kind, #location));
    let mark = if marker.kind.needs_operation() {
        quote!(__cdsspec_statement.mark #arguments;)
    } else {
        quote!(#private::mark #arguments;)
    };
    match &marker.condition {
        None => mark,
        Some(condition) => {
            let holds = local("__cdsspec_holds", condition.span());
            // In a closure, so that it cannot leave the function, or change what the product has.
            let holds = quote_spanned!(condition.span()=> let #holds = #private::holds(&|| #condition););
            let holds =
                quote!(#[allow(clippy::redundant_closure, reason = "a condition is no function")] #holds);
            let name = marker.name.unraw().to_string();
            let (begin, end) = may_run(condition)
                .then(|| {
                    let begin = quote!(let __cdsspec_condition = #private::Condition::begin(););
                    (begin, quote!(__cdsspec_condition.end(#name, #location);))
                })
                .unzip();
            quote!({ #begin #holds #end if __cdsspec_holds { #mark } })
        }
    }
}

/// Whether a condition may run an operation: not without something in brackets.
fn may_run(condition: &Expr) -> bool {
    condition.to_token_stream().into_iter().any(|token| matches!(token, TokenTree::Group(_)))
}

/// Runs the markers when the statement's value is known.
fn in_statement(statement: Stmt, marks: &Marks) -> Stmt {
    match statement {
        Stmt::Local(mut local) => {
            if let Some(init) = &mut local.init {
                replace_whole(&mut init.expr, marks);
            }
            Stmt::Local(local)
        }
        Stmt::Expr(mut value, semicolon) => {
            match &mut value {
                Expr::If(branch) => in_head(&mut branch.cond, marks),
                Expr::While(repeat) => in_head(&mut repeat.cond, marks),
                Expr::Match(choice) => replace_whole(&mut choice.expr, marks),
                Expr::Return(leave) => {
                    if let Some(value) = &mut leave.expr {
                        replace_whole(value, marks);
                    }
                }
                Expr::Assign(assign) => replace_whole(&mut assign.right, marks),
                other => replace_whole(other, marks),
            }
            Stmt::Expr(value, semicolon)
        }
        Stmt::Macro(mac) => Stmt::Expr(after(mac.mac.to_token_stream(), marks), None),
        item @ Stmt::Item(_) => item,
    }
}

fn in_head(condition: &mut Expr, marks: &Marks) {
    match condition {
        Expr::Let(binding) => replace_whole(&mut binding.expr, marks),
        other => replace_whole(other, marks),
    }
}

/// A value that is no part of another. Its own parentheses go: around the struct in a head they are needed, and around the `match` that comes to
/// stand there the compiler would find them unneeded.
fn replace_whole(value: &mut Expr, marks: &Marks) {
    while let Expr::Paren(paren) = value {
        *value = std::mem::replace(&mut paren.expr, Expr::PLACEHOLDER);
    }
    replace(value, marks);
}

/// Puts the markers behind the innermost value: before every `?`, and inside of what is a place. Twin of `innermost`.
fn replace(value: &mut Expr, marks: &Marks) {
    match value {
        Expr::Try(attempt) => {
            replace(&mut attempt.expr, marks);
            parenthesize(&mut attempt.expr);
        }
        Expr::Paren(paren) => replace(&mut paren.expr, marks),
        Expr::Group(group) => replace(&mut group.expr, marks),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => replace(&mut unary.expr, marks),
        Expr::Field(field) => {
            replace(&mut field.base, marks);
            parenthesize(&mut field.base);
        }
        other => *other = after(other.to_token_stream(), marks),
    }
}

/// A `match` at the start of a statement would end there.
fn parenthesize(value: &mut Expr) {
    if let Expr::Verbatim(tokens) = value {
        *value = Expr::Verbatim(quote!((#tokens)));
    }
}

/// The value, with the markers run once it is there. A `match`, since its temporaries live as long as before; in parentheses, since a
/// struct cannot be made in a head without.
fn after(value: TokenStream, marks: &Marks) -> Expr {
    let (Marks { begin, marks, end }, lint) = (marks, may_not_end());
    Expr::Verbatim(match begin {
        Some(begin) => quote! {
            match (#begin, #value) {
                #lint
                (__cdsspec_statement, __cdsspec_value) => { #marks #end __cdsspec_value }
            }
        },
        None => quote!(match (#value) { #lint __cdsspec_value => { #marks #end __cdsspec_value } }),
    })
}

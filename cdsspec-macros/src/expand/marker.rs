//! Statements with ordering point annotations.

use super::{local, location};
use crate::parse::body::{Body, MarkedStatement, MarkerKind, MarkerSyntax, Piece};
use crate::parse::statement::{Binding, first_statement};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
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
            let used = quote_spanned!(condition.span()=> if false { let _: bool = #condition; });
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
// let linked = self.link();
// { let __cdsspec_holds: bool = linked; if __cdsspec_holds { mark(Marker::Define, location) } }
// return match self.next.load(Acquire) { __cdsspec_value => { mark(Marker::Define, location); __cdsspec_value } };
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
    let marks = marked.markers.iter().map(|marker| mark(marker, krate));
    let markers: TokenStream = match marked.binding {
        Binding::After => marks.map(|mark| quote!(#conditions #mark)).collect(),
        Binding::Value => marks.collect(),
    };
    match marked.binding {
        Binding::After => quote!(#attributes #tokens #markers),
        Binding::Value => {
            let statement = first_statement(tokens).ok().map(|(statement, _)| statement);
            let statement =
                statement.expect("cdsspec bug: a statement that was read before can be read again");
            let statement = in_statement(statement, &markers);
            quote!(#attributes #statement)
        }
    }
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
    let mark = quote!(#private::mark(#private::Marker::#kind, #location););
    match &marker.condition {
        None => mark,
        Some(condition) => {
            let holds = local("__cdsspec_holds", condition.span());
            let holds = quote_spanned!(condition.span()=> let #holds: bool = #condition;);
            quote!({ #holds if __cdsspec_holds { #mark } })
        }
    }
}

/// Runs the markers when the statement's value is known.
fn in_statement(statement: Stmt, markers: &TokenStream) -> Stmt {
    match statement {
        Stmt::Local(mut local) => {
            if let Some(init) = &mut local.init {
                replace(&mut init.expr, markers);
            }
            Stmt::Local(local)
        }
        Stmt::Expr(mut value, semicolon) => {
            match &mut value {
                Expr::If(branch) => in_head(&mut branch.cond, markers),
                Expr::While(repeat) => in_head(&mut repeat.cond, markers),
                Expr::Match(choice) => replace(&mut choice.expr, markers),
                Expr::Return(leave) => {
                    if let Some(value) = &mut leave.expr {
                        replace(value, markers);
                    }
                }
                Expr::Assign(assign) => replace(&mut assign.right, markers),
                other => replace(other, markers),
            }
            Stmt::Expr(value, semicolon)
        }
        Stmt::Macro(mac) => Stmt::Expr(after(mac.mac.to_token_stream(), markers), None),
        item @ Stmt::Item(_) => item,
    }
}

fn in_head(condition: &mut Expr, markers: &TokenStream) {
    match condition {
        Expr::Let(binding) => replace(&mut binding.expr, markers),
        other => replace(other, markers),
    }
}

/// Puts the markers behind the innermost value: before every `?`, and inside of what is a place. Twin of `innermost`.
fn replace(value: &mut Expr, markers: &TokenStream) {
    match value {
        Expr::Try(attempt) => {
            replace(&mut attempt.expr, markers);
            parenthesize(&mut attempt.expr);
        }
        Expr::Paren(paren) => replace(&mut paren.expr, markers),
        Expr::Group(group) => replace(&mut group.expr, markers),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => replace(&mut unary.expr, markers),
        Expr::Field(field) => {
            replace(&mut field.base, markers);
            parenthesize(&mut field.base);
        }
        other => *other = after(other.to_token_stream(), markers),
    }
}

/// A `match` at the start of a statement would end there.
fn parenthesize(value: &mut Expr) {
    if let Expr::Verbatim(tokens) = value {
        *value = Expr::Verbatim(quote!((#tokens)));
    }
}

/// The value, with the markers run once it is there. A `match`, since its temporaries live as long as before.
fn after(value: TokenStream, markers: &TokenStream) -> Expr {
    Expr::Verbatim(quote!(match #value { __cdsspec_value => { #markers __cdsspec_value } }))
}

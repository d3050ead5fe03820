//! The body of a test whose statements can be left out, and its source.

use super::token::location;
use crate::parse::droppable::{
    droppable_call, ends_of, joins_thread, numbers_of, parse_statements, started_thread, text_of,
};
use proc_macro2::{Group, Literal, Span, TokenStream};
use quote::quote;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, ExprLit, Item, Lit, Stmt};

/// What `TestSource` has, as tokens.
#[derive(Default)]
pub(super) struct Source {
    statements: Vec<TokenStream>,
    threads: Vec<TokenStream>,
    numbers: Vec<TokenStream>,
}

/// Wraps the statements that may be left out.
struct Wrapper<'a> {
    krate: &'a TokenStream,
    source: Source,
}

// Input:
// { q.enq(5); let other = thread::spawn(move || { p.deq(); }); other.join().unwrap(); }
// Output:
// {
//     if is_made(0) { q.enq(number(0, 5)); }
//     let other = thread::spawn(move || { if is_made(1) { p.deq(); } });
//     other.join().unwrap();
// }
/// The statements of a body, each of which can be left out that may be; and where they are. `None` if none may be.
pub(super) fn wrapped(krate: &TokenStream, body: &TokenStream) -> Option<(TokenStream, Source)> {
    let mut block = Block { brace_token: Default::default(), stmts: parse_statements(body.clone())? };
    let mut wrapper = Wrapper { krate, source: Source::default() };
    wrapper.visit_block_mut(&mut block);
    let statements = block.stmts;
    (!wrapper.source.statements.is_empty()).then(|| (quote!(#(#statements)*), wrapper.source))
}

impl Source {
    /// The `TestSource` of a test.
    pub(super) fn tokens(
        &self,
        krate: &TokenStream,
        name: &str,
        arguments: &str,
        braces: &Group,
    ) -> TokenStream {
        let text = text_of(braces).filter(|_| !self.statements.is_empty());
        let Self { statements, threads, numbers } = self;
        // Without a text there is nothing to cut from.
        let (statements, threads, numbers) = if text.is_some() {
            (&statements[..], &threads[..], &numbers[..])
        } else {
            (&[][..], &[][..], &[][..])
        };
        let (text, begin) = (text.unwrap_or_default(), location(krate, braces.span_open()));
        quote! {
            #krate::__private::TestSource {
                arguments: #arguments,
                name: #name,
                body: #text,
                begin: #begin,
                statements: &[#(#statements),*],
                threads: &[#(#threads),*],
                numbers: &[#(#numbers),*],
            }
        }
    }
}

impl Wrapper<'_> {
    fn range(&self, [first, last]: [Span; 2]) -> TokenStream {
        let (krate, first, last) = (self.krate, location(self.krate, first), location(self.krate, last));
        quote!(#krate::__private::Range { first: #first, last: #last })
    }

    fn wrap(&mut self, statement: &mut Stmt) {
        let Some(ends) = ends_of(statement) else { return };
        let (krate, number) = (self.krate, self.source.statements.len());
        let Some(call) = droppable_call(statement) else { return };
        for (before, argument) in numbers_of(call) {
            self.wrap_number(number, before, argument);
        }
        self.source.statements.push(self.range(ends));
        let index = Literal::usize_unsuffixed(number);
        let wrapped = quote!(if #krate::__private::is_made(#index) { #statement });
        *statement = Stmt::Expr(Expr::Verbatim(wrapped), None);
    }

    fn wrap_number(&mut self, statement: usize, before: Span, argument: &mut Expr) {
        let Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) = &*argument else { return };
        let (text, value) = (literal.to_string(), literal.base10_parse::<i128>());
        // A suffix would have to be written again.
        let Some(value) = value.ok().filter(|_| literal.suffix().is_empty()) else { return };
        let [statement, index] = [statement, self.source.numbers.len()].map(Literal::usize_unsuffixed);
        // Not of the number itself: `line!()` would be a number there, to whoever looks at it.
        let (krate, before) = (self.krate, location(self.krate, before));
        let value = Literal::i128_unsuffixed(value);
        self.source.numbers.push(quote! {
            #krate::__private::TestNumber { statement: #statement, before: #before, text: #text, value: #value }
        });
        *argument = Expr::Verbatim(quote!(#krate::__private::number(#index, #argument)));
    }

    /// The threads that a block starts whose statements, from `first` on, are all wrapped.
    fn note_thread(&mut self, statement: &Stmt, rest: &[Stmt], first: usize) {
        let Some((name, body)) = started_thread(statement) else { return };
        let is_wrapped = |statement: &Stmt| matches!(statement, Stmt::Expr(Expr::Verbatim(_), None));
        let count = self.source.statements.len();
        if first == count || !body.stmts.iter().all(is_wrapped) || body.stmts.len() != count - first {
            return;
        }
        let joining = name.and_then(|name| rest.iter().find(|other| joins_thread(other, &name)));
        let frame = [Some(statement), joining].into_iter().flatten().filter_map(ends_of);
        let frame: Vec<_> = frame.map(|ends| self.range(ends)).collect();
        let statements = (first..count).map(Literal::usize_unsuffixed);
        let krate = self.krate;
        self.source.threads.push(quote! {
            #krate::__private::TestThread { statements: &[#(#statements),*], frame: &[#(#frame),*] }
        });
    }
}

impl VisitMut for Wrapper<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for index in 0..block.stmts.len() {
            let first = self.source.statements.len();
            let (statement, rest) =
                block.stmts[index..].split_first_mut().expect("the index is one of a statement");
            self.visit_stmt_mut(statement);
            self.wrap(statement);
            self.note_thread(statement, rest, first);
        }
    }

    // What is called elsewhere is no part of the test.
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

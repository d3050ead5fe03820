//! Clauses and other expressions of the specification.

use super::free;
use crate::diagnostics::{self, EMPTY_CLAUSE, Errors, NOT_AN_EXPRESSION};
use crate::parse::helper::Helper;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, Parser};
use syn::{Block, Expr, Stmt};

/// The clauses, from the vocabulary.
macro_rules! clause_kind {
    ($($variant:ident $name:literal $is_after_effect:literal;)*) => {
        /// The clauses, in the order in which they run.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum ClauseKind {
            $($variant,)*
        }

        impl ClauseKind {
            /// All of them.
            pub(crate) const ALL: [Self; cdsspec_vocabulary::CLAUSES.len()] = [$(Self::$variant),*];

            /// The name of the attribute.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The name of the variant, alike here and in the runtime.
            pub(crate) fn variant(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant),)*
                }
            }

            /// Whether it runs after the side effect.
            pub(crate) fn is_after_effect(self) -> bool {
                match self {
                    $(Self::$variant => $is_after_effect,)*
                }
            }
        }
    };
}

cdsspec_vocabulary::clauses!(clause_kind);

/// An expression that the user wrote.
pub(crate) struct Expression {
    /// As tokens that stand where an expression can.
    pub(crate) tokens: TokenStream,
    /// The variables that it mentions and does not bind itself, each once.
    variables: Vec<Ident>,
    /// Its first token.
    pub(crate) span: Span,
    /// As the user wrote it, white space folded.
    pub(crate) text: String,
}

/// A clause.
pub(crate) struct ClauseModel {
    /// Which.
    pub(crate) kind: ClauseKind,
    /// What it says.
    pub(crate) expression: Expression,
}

impl ClauseModel {
    /// Reads a clause.
    pub(super) fn build(kind: ClauseKind, helper: &Helper, errors: &mut Errors) -> Option<Self> {
        Some(Self { kind, expression: Expression::build(helper, errors)? })
    }

    /// Whether it mentions a variable.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Its first mention of a variable, with the place and the hygiene of the mention.
    pub(crate) fn find(&self, name: &str) -> Option<&Ident> {
        self.expression.variables.iter().find(|variable| variable.unraw() == name)
    }
}

impl Expression {
    /// Reads the arguments of a helper: an expression, or statements, whose value is that of the last one.
    pub(super) fn build(helper: &Helper, errors: &mut Errors) -> Option<Self> {
        let tokens = &helper.arguments;
        let name = helper.name.to_string();
        let Some(first) = tokens.clone().into_iter().next() else {
            errors.at(helper.name.span(), EMPTY_CLAUSE, &[&name, &name]);
            return None;
        };
        let text = source_text(helper.span, tokens);
        let (tokens, value) = match diagnostics::read(Expr::parse, tokens, helper.name.span()) {
            Ok(value) => (tokens.clone(), value),
            Err(error) => match Block::parse_within.parse2(tokens.clone()) {
                Ok(stmts) => (quote!({ #tokens }), block(stmts)),
                Err(_) => {
                    errors.at(error.span(), NOT_AN_EXPRESSION, &[&error.to_string()]);
                    return None;
                }
            },
        };
        Some(Self { tokens, variables: free::variables(value), span: first.span(), text })
    }
}

/// Statements as an expression.
fn block(stmts: Vec<Stmt>) -> Expr {
    let block = Block { brace_token: syn::token::Brace::default(), stmts };
    Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block })
}

/// What stands between the parentheses at `span`, as the user wrote it; without comments, and with white space folded.
pub(super) fn source_text(span: Span, tokens: &TokenStream) -> String {
    let written = span.source_text().filter(|text| !text.contains("//") && !text.contains("/*"));
    let written = written.and_then(|text| {
        let inner = text.strip_prefix(['(', '{', '['])?.strip_suffix([')', '}', ']'])?;
        Some(inner.to_owned())
    });
    let text = written.unwrap_or_else(|| tokens.to_token_stream().to_string());
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches(',').to_owned()
}

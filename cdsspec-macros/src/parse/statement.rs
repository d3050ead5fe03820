//! Which operation of a statement an annotation on it means: the last one of the statement's *value*.

use super::marker::MarkerSyntax;
use super::mention::{captured, words};
use crate::diagnostics::{
    CONDITION_NOT_YET_BOUND, HEAD_NOT_YET_BOUND, MARKER_ON_ARM, MARKER_ON_ASYNC, MARKER_ON_CLOSURE,
    MARKER_ON_DECLARATION, MARKER_ON_EXIT, MARKER_ON_LET_CHAIN, MARKER_ON_LET_ELSE, MARKER_ON_LOOP,
    MARKER_ON_NAME, MARKER_ON_VALUELESS, MARKER_UNREADABLE,
};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Pat, Stmt, UnOp};

/// Where the annotation runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    /// After the statement.
    After,
    /// After the statement's value was computed, before it is used: by the branches, by `return`, by `?`, as the block's value.
    Value,
}

/// Why an annotation cannot stand on a statement.
pub(crate) struct Refusal {
    /// The message; none, if the compiler has its own.
    pub(crate) message: Option<&'static str>,
    /// What it points at, if that is not the annotation.
    pub(crate) span: Option<Span>,
    /// The name that the message is about, if that is not the annotation's.
    pub(crate) name: Option<String>,
}

impl From<&'static str> for Refusal {
    fn from(message: &'static str) -> Self {
        Self { message: Some(message), span: None, name: None }
    }
}

/// Reads the statement at the start of `tokens`: how the annotations bind to it, and how many tokens it has. One under a condition may
/// be the last one, whatever stands behind it.
pub(crate) fn bind(
    tokens: &[TokenTree],
    markers: &[MarkerSyntax],
    is_conditional: bool,
) -> Result<(Binding, usize), Refusal> {
    let bound = statement_bound(tokens);
    let stream: TokenStream = tokens[..bound].iter().cloned().collect();
    let (statement, rest_length) = first_statement(stream)?;
    // A group that is nobody's brackets may end behind the statement: it has no length in these tokens then.
    let length = bound.checked_sub(rest_length).ok_or(MARKER_UNREADABLE)?;
    let is_tail = length == tokens.len() || is_conditional;
    Ok((binding_of(&statement, is_tail, markers)?, length))
}

/// How many tokens the first statement has at most: up to a `;`, or to an attribute behind braces. So a body is not read again for each
/// annotation in it.
fn statement_bound(tokens: &[TokenTree]) -> usize {
    let is_punct =
        |token: &TokenTree, letter| matches!(token, TokenTree::Punct(punct) if punct.as_char() == letter);
    let is_braces =
        |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let end = tokens.iter().enumerate().position(|(index, token)| {
        is_punct(token, ';')
            || is_braces(token) && tokens.get(index + 1).is_some_and(|next| is_punct(next, '#'))
    });
    end.map_or(tokens.len(), |end| end + 1)
}

/// Reads one statement, or a last expression; what else there is, is told apart by the token that follows.
pub(crate) fn first_statement(stream: TokenStream) -> Result<(Stmt, usize), Refusal> {
    let statement = |input: ParseStream<'_>| {
        let statement = input.parse::<Stmt>()?;
        Ok((statement, input.parse::<TokenStream>()?))
    };
    if let Ok((statement, rest)) = statement.parse2(stream.clone()) {
        return Ok((statement, rest.into_iter().count()));
    }
    let expression = |input: ParseStream<'_>| {
        let value = input.parse::<Expr>()?;
        Ok((value, input.parse::<TokenStream>()?))
    };
    match expression.parse2(stream.clone()) {
        Ok((value, rest)) if rest.is_empty() => Ok((Stmt::Expr(value, None), 0)),
        _ if is_arm(stream.clone()) => Err(MARKER_ON_ARM.into()),
        _ if has_dangling_dot(stream) => Err(Refusal { message: None, span: None, name: None }),
        _ => Err(MARKER_UNREADABLE.into()),
    }
}

/// Whether something is missing that no Rust does without, so that the compiler says so.
pub(super) fn is_half_typed(error: &syn::Error) -> bool {
    let text = error.to_string();
    text.starts_with("unexpected end of input") || text.starts_with("expected an expression")
}

/// Whether a field or method is missing behind a `.`: the compiler says so, and goes on without.
pub(super) fn has_dangling_dot(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |token: Option<&TokenTree>, letter| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == letter);
    let is_dangling = |index: usize| {
        let is_one_dot = is(tokens.get(index), '.') && (index == 0 || !is(tokens.get(index - 1), '.'));
        let next = tokens.get(index + 1);
        let is_end = match next {
            None => true,
            Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
            _ => is(next, ';') || is(next, ','),
        };
        is_one_dot && is_end
    };
    (0..tokens.len()).any(is_dangling)
        || tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => has_dangling_dot(group.stream()),
            _ => false,
        })
}

/// Whether the tokens go on as a match arm: a pattern, then `=>`.
fn is_arm(stream: TokenStream) -> bool {
    let arm = |input: ParseStream<'_>| {
        Pat::parse_multi_with_leading_vert(input)?;
        let is_arm = input.peek(syn::Token![=>]) || input.peek(syn::Token![if]);
        input.parse::<TokenStream>()?;
        Ok(is_arm)
    };
    arm.parse2(stream).unwrap_or(false)
}

fn binding_of(statement: &Stmt, is_tail: bool, markers: &[MarkerSyntax]) -> Result<Binding, Refusal> {
    match statement {
        Stmt::Local(local) => {
            let Some(init) = &local.init else { return Err(MARKER_ON_VALUELESS.into()) };
            if init.diverge.is_some() {
                return Err(MARKER_ON_LET_ELSE.into());
            }
            binding_of_init(&init.expr, &local.pat, markers)
        }
        Stmt::Item(_) => Err(MARKER_ON_DECLARATION.into()),
        Stmt::Macro(mac) => {
            Ok(if mac.semi_token.is_none() && is_tail { Binding::Value } else { Binding::After })
        }
        Stmt::Expr(value, semicolon) => binding_of_value(value, semicolon.is_none() && is_tail, markers),
    }
}

fn binding_of_init(value: &Expr, pattern: &Pat, markers: &[MarkerSyntax]) -> Result<Binding, Refusal> {
    match value {
        Expr::Closure(_) => Err(MARKER_ON_CLOSURE.into()),
        Expr::Async(_) => Err(MARKER_ON_ASYNC.into()),
        Expr::Try(_) => {
            refuse_exits(innermost(value))?;
            refuse_unbound(pattern, markers, CONDITION_NOT_YET_BOUND)?;
            Ok(Binding::Value)
        }
        other => {
            refuse_exits(other)?;
            refuse_names(innermost(other), markers).map(|()| Binding::After)
        }
    }
}

/// `is_used`: the value is the block's.
fn binding_of_value(value: &Expr, is_used: bool, markers: &[MarkerSyntax]) -> Result<Binding, Refusal> {
    match value {
        // With `?` at its end, a value must be marked before that leaves.
        Expr::Try(_) => refuse_exits(innermost(value)).map(|()| Binding::Value),
        Expr::If(branch) => head(&branch.cond, markers),
        Expr::While(repeat) => head(&repeat.cond, markers),
        Expr::Match(choice) => {
            choice.arms.iter().try_for_each(|arm| refuse_unbound(&arm.pat, markers, HEAD_NOT_YET_BOUND))?;
            head(&choice.expr, markers)
        }
        Expr::Return(leave) => {
            let value = leave.expr.as_deref().ok_or(MARKER_ON_VALUELESS)?;
            let value = innermost(value);
            refuse_exits(value)?;
            refuse_names(value, markers).map(|()| Binding::Value)
        }
        Expr::Assign(assign) if matches!(*assign.right, Expr::Try(_)) => {
            refuse_exits(innermost(&assign.right)).map(|()| Binding::Value)
        }
        Expr::Closure(_) => Err(MARKER_ON_CLOSURE.into()),
        Expr::Async(_) => Err(MARKER_ON_ASYNC.into()),
        Expr::ForLoop(_) | Expr::Loop(_) => Err(MARKER_ON_LOOP.into()),
        other => {
            refuse_exits(other)?;
            refuse_names(innermost(other), markers)?;
            Ok(if is_used { Binding::Value } else { Binding::After })
        }
    }
}

fn head(condition: &Expr, markers: &[MarkerSyntax]) -> Result<Binding, Refusal> {
    let value = match condition {
        Expr::Let(binding) => {
            refuse_unbound(&binding.pat, markers, HEAD_NOT_YET_BOUND)?;
            &binding.expr
        }
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) && has_let(condition) => {
            return Err(MARKER_ON_LET_CHAIN.into());
        }
        other => other,
    };
    let value = innermost(value);
    refuse_exits(value)?;
    refuse_names(value, markers).map(|()| Binding::Value)
}

fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// The value that is computed before every `?` at its end, and before the parts of it that are places.
pub(crate) fn innermost(value: &Expr) -> &Expr {
    match value {
        Expr::Try(attempt) => innermost(&attempt.expr),
        Expr::Paren(paren) => innermost(&paren.expr),
        Expr::Group(group) => innermost(&group.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => innermost(&unary.expr),
        Expr::Field(field) => innermost(&field.base),
        other => other,
    }
}

fn refuse_names(value: &Expr, markers: &[MarkerSyntax]) -> Result<(), Refusal> {
    let needs_operation = markers.iter().any(|marker| marker.kind.needs_operation());
    match value {
        Expr::Path(_) | Expr::Lit(_) if needs_operation => Err(MARKER_ON_NAME.into()),
        _ => Ok(()),
    }
}

/// A `?` in a `let` leaves before the names are bound, and a head is marked before its names are: a condition with such a name would take
/// an outer variable.
fn refuse_unbound(pattern: &Pat, markers: &[MarkerSyntax], message: &'static str) -> Result<(), Refusal> {
    let mut names = BoundNames(Vec::new());
    names.visit_pat_mut(&mut pattern.clone());
    for marker in markers {
        let Some(condition) = &marker.condition else { continue };
        if let Some(name) = mentioned(condition.to_token_stream(), &names.0) {
            let text = name.to_string();
            return Err(Refusal { message: Some(message), span: Some(name.span()), name: Some(text) });
        }
    }
    Ok(())
}

/// The first of the names that stands in the tokens, in a format string too, but for fields and methods of that name.
fn mentioned(tokens: TokenStream, names: &[Ident]) -> Option<Ident> {
    let mut dots = 0;
    tokens.into_iter().find_map(|token| {
        let is_member = dots == 1;
        dots = if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.') { dots + 1 } else { 0 };
        match token {
            TokenTree::Ident(ident) => (!is_member && names.contains(&ident)).then_some(ident),
            TokenTree::Group(group) => mentioned(group.stream(), names),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let captured = captured(&text);
                let name = names.iter().find(|name| captured.contains(&name.to_string().as_str()))?;
                Some(Ident::new(&name.to_string(), literal.span()))
            }
            TokenTree::Punct(_) => None,
        }
    })
}

struct BoundNames(Vec<Ident>);

impl VisitMut for BoundNames {
    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        // A name with a capital is a constant or a variant, which is compared and not bound.
        let is_plain = pattern.by_ref.is_none() && pattern.mutability.is_none() && pattern.subpat.is_none();
        let is_constant = is_plain && is_of_constant(&pattern.ident);
        self.0.extend((!is_constant).then(|| pattern.ident.clone()));
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    /// Of a macro as a pattern, each word may be a name that it binds.
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Macro(mac) = pattern {
            let words = words(&mac.mac.tokens);
            self.0.extend(words.into_iter().filter(|word| !is_of_constant(word)));
        }
        visit_mut::visit_pat_mut(self, pattern);
    }
}

/// Whether a name is that of a constant or a variant, by its first letter.
fn is_of_constant(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

fn refuse_exits(value: &Expr) -> Result<(), Refusal> {
    let mut exits = Exits { is_found: false, loops: 0, labels: Vec::new() };
    exits.visit_expr_mut(&mut value.clone());
    if exits.is_found { Err(MARKER_ON_EXIT.into()) } else { Ok(()) }
}

/// Looks for ways to leave an expression early.
struct Exits {
    is_found: bool,
    /// How many loops there are around, within it.
    loops: usize,
    /// Their labels, and those of blocks.
    labels: Vec<syn::Lifetime>,
}

impl VisitMut for Exits {
    fn visit_expr_mut(&mut self, value: &mut Expr) {
        let is_own = |target: &Option<syn::Lifetime>| match target {
            Some(label) => self.labels.contains(label),
            None => self.loops > 0,
        };
        match value {
            Expr::Closure(_) | Expr::Async(_) => return,
            Expr::Return(_) | Expr::Try(_) => self.is_found = true,
            Expr::Break(leave) => self.is_found |= !is_own(&leave.label),
            Expr::Continue(leave) => self.is_found |= !is_own(&leave.label),
            _ => {}
        }
        let is_loop = matches!(value, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_));
        let label = match value {
            Expr::Loop(repeat) => &repeat.label,
            Expr::While(repeat) => &repeat.label,
            Expr::ForLoop(repeat) => &repeat.label,
            Expr::Block(block) => &block.label,
            _ => &None,
        };
        let depth = self.labels.len();
        self.labels.extend(label.as_ref().map(|label| label.name.clone()));
        self.loops += usize::from(is_loop);
        visit_mut::visit_expr_mut(self, value);
        self.loops -= usize::from(is_loop);
        self.labels.truncate(depth);
    }

    fn visit_item_mut(&mut self, _item: &mut syn::Item) {}
}

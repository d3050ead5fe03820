//! The calls of a source file, by their syntax: where each stands, what its arguments are, and which statement it is in.

use proc_macro2::{LineColumn, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, Stmt, Token};

/// A source file that parses. All ranges are bytes of its text.
pub(super) struct Syntax {
    /// By line and column, both from 1, as the compiler counts them. An expression may begin with several calls, as `f(x)(y)` does.
    calls: BTreeMap<(u32, u32), Vec<Call>>,
    /// The bodies of functions, each with its name, outer ones first.
    functions: Vec<(Range<usize>, String)>,
    /// The names that `use` brings into scope, anywhere in the file.
    imported: BTreeSet<String>,
}

/// The call of a method or of a function by its path.
pub(super) struct Call {
    name: String,
    /// The whole of it, its receiver included.
    pub(super) range: Range<usize>,
    /// What a method is called on, in a word.
    pub(super) object: Option<String>,
    /// Without the receiver of a method, even where it is called by its path.
    pub(super) arguments: Vec<Argument>,
    pub(super) position: Position,
}

/// An argument; a path, if it can be an order that is written there.
pub(super) enum Argument {
    /// Its last segment and where that stands; whether it is the only one.
    Path { name: String, range: Range<usize>, is_single: bool },
    /// Any other expression.
    Other,
}

/// Where a call stands.
#[derive(Clone, Default)]
pub(super) struct Position {
    /// The innermost statement that does it exactly once, if there is one: none in a closure or an arm without braces, or in the condition of
    /// a loop.
    pub(super) statement: Option<Statement>,
    /// It may stand within braces instead.
    pub(super) is_replaceable: bool,
    /// Within braces it would be read as a whole statement or arm, and has to stand in parentheses as well.
    pub(super) needs_parentheses: bool,
    /// What comes behind the call in its statement may leave it, or is done on condition.
    may_leave: bool,
    /// Where the expression begins that is a statement or an arm, and the whole of it.
    whole: Range<usize>,
}

/// A statement, with its attributes and its semicolon.
#[derive(Clone)]
pub(super) struct Statement {
    pub(super) range: Range<usize>,
    has_semicolon: bool,
    /// Where the ordering point annotations end that stand behind it: they are about the last operation before them.
    pub(super) marked_end: usize,
    /// Nothing else but the call.
    pub(super) is_call_alone: bool,
    /// Nothing that may be an operation is done before the call.
    pub(super) begins_with_call: bool,
    /// Nothing that may be an operation is done after the call, and the end is reached.
    pub(super) ends_with_call: bool,
}

impl Syntax {
    /// Reads a file; `None`, if it does not parse.
    pub(super) fn read(text: &str) -> Option<Self> {
        let file = syn::parse_file(text).ok()?;
        let mut lines = vec![0];
        lines.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let mut reader = Reader {
            text,
            lines,
            calls: Vec::new(),
            opaque: Vec::new(),
            functions: Vec::new(),
            imported: BTreeSet::new(),
            position: Position::default(),
        };
        reader.visit_file(&file);
        Some(reader.finish())
    }

    /// The call of this name at a line and a column, both from 1.
    pub(super) fn call(&self, line: u32, column: u32, name: &str) -> Option<&Call> {
        self.calls.get(&(line, column))?.iter().find(|call| call.name == name)
    }

    /// The innermost function around a byte.
    pub(super) fn function(&self, at: usize) -> Option<&str> {
        let around = self.functions.iter().rev().find(|(range, _)| range.contains(&at));
        around.map(|(_, name)| name.as_str())
    }

    /// Whether `use` brings a name into scope.
    pub(super) fn is_imported(&self, name: &str) -> bool {
        self.imported.contains(name)
    }
}

/// Macros of std, and how many of their first arguments they do, once and where they stand.
const PLAIN_MACROS: [(&str, usize); 3] = [("assert", 1), ("assert_eq", 2), ("assert_ne", 2)];

/// Methods of the values that operations return: they do no operations.
const PLAIN_METHODS: [&str; 7] =
    ["expect", "expect_err", "unwrap", "unwrap_err", "unwrap_or", "wrapping_add", "wrapping_sub"];

struct Reader<'a> {
    text: &'a str,
    /// Where each line begins.
    lines: Vec<usize>,
    /// Each with its line and column.
    calls: Vec<((u32, u32), Call)>,
    /// All that may do operations.
    opaque: Vec<Range<usize>>,
    functions: Vec<(Range<usize>, String)>,
    imported: BTreeSet<String>,
    /// Of what is visited.
    position: Position,
}

impl Reader<'_> {
    fn offset(&self, at: LineColumn) -> usize {
        let begin = self.lines[at.line - 1];
        let characters = self.text[begin..].char_indices().nth(at.column);
        characters.map_or(self.text.len(), |(offset, _)| begin + offset)
    }

    fn range(&self, node: &impl Spanned) -> Range<usize> {
        let span = node.span();
        self.offset(span.start())..self.offset(span.end())
    }

    fn at(&mut self, position: Position, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.position, position);
        visit(self);
        self.position = outer;
    }

    /// What is done on condition, several times, or never.
    fn inner(&mut self, expression: &Expr) {
        self.at(Position { statement: None, ..self.position.clone() }, |reader| {
            reader.visit_expr(expression)
        });
    }

    /// What is done once, but not last in its statement.
    fn not_last(&mut self, expression: &Expr) {
        self.at(Position { may_leave: true, ..self.position.clone() }, |reader| {
            reader.visit_expr(expression)
        });
    }

    /// Adds a call that begins, or whose method is, at a place.
    fn add(&mut self, at: LineColumn, mut call: Call) {
        let whole = &self.position.whole;
        call.position = self.position.clone();
        call.position.needs_parentheses = whole.start == call.range.start && *whole != call.range;
        if let Some(statement) = &mut call.position.statement {
            statement.is_call_alone = *whole == call.range;
        }
        self.calls.push(((at.line as u32, at.column as u32 + 1), call));
    }

    fn argument(&self, argument: &Expr) -> Argument {
        match argument {
            Expr::Path(path) if path.qself.is_none() && path.attrs.is_empty() => {
                let segments = &path.path.segments;
                let last = &segments[segments.len() - 1].ident;
                let is_single = segments.len() == 1;
                Argument::Path { name: last.to_string(), range: self.range(last), is_single }
            }
            _ => Argument::Other,
        }
    }

    /// What a macro is given: expressions, of which so many are done where they stand, or statements, or both somewhere in braces.
    fn tokens(&mut self, tokens: &TokenStream, done_count: usize) {
        let expressions = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone());
        if let Ok(expressions) = expressions {
            for (index, expression) in expressions.iter().enumerate() {
                if index < done_count { self.visit_expr(expression) } else { self.inner(expression) }
            }
        } else if let Ok(statements) = Block::parse_within.parse2(tokens.clone()) {
            statements.iter().for_each(|statement| self.visit_stmt(statement));
        } else {
            for tree in tokens.clone() {
                if let TokenTree::Group(group) = tree {
                    self.tokens(&group.stream(), 0);
                }
            }
        }
    }

    fn finish(self) -> Syntax {
        let mut calls: BTreeMap<(u32, u32), Vec<Call>> = BTreeMap::new();
        for (at, mut call) in self.calls {
            let may_leave = call.position.may_leave;
            if let Some(statement) = &mut call.position.statement {
                let within = |one: &&Range<usize>| {
                    statement.range.start <= one.start && one.end <= statement.range.end
                };
                let others = self.opaque.iter().filter(within).filter(|one| **one != call.range);
                let (mut is_first, mut is_last) = (true, true);
                for other in others {
                    is_first &= other.end > call.range.start;
                    let is_around = other.start <= call.range.start && call.range.end <= other.end;
                    is_last &= !is_around && other.start < call.range.end;
                }
                statement.begins_with_call = is_first;
                statement.ends_with_call = is_last && statement.has_semicolon && !may_leave;
            }
            calls.entry(at).or_default().push(call);
        }
        Syntax { calls, functions: self.functions, imported: self.imported }
    }

    fn method_call(&mut self, call: &syn::ExprMethodCall) {
        let (name, range) = (call.method.to_string(), self.range(call));
        if !name.starts_with("is_") && !PLAIN_METHODS.contains(&name.as_str()) {
            self.opaque.push(range.clone());
        }
        let arguments = call.args.iter().map(|argument| self.argument(argument)).collect();
        let (object, position) = (last_name(&call.receiver), Position::default());
        self.add(call.method.span().start(), Call { name, range, object, arguments, position });
    }

    fn path_call(&mut self, call: &syn::ExprCall) {
        let range = self.range(call);
        let Expr::Path(path) = &*call.func else {
            self.opaque.push(range);
            return;
        };
        let segments = &path.path.segments;
        let name = segments[segments.len() - 1].ident.to_string();
        // Such as `Some(…)`.
        if !name.starts_with(char::is_uppercase) {
            self.opaque.push(range.clone());
        }
        // `AtomicU32::load(&x, order)`
        let is_method = name != "fence" && segments.len() > 1;
        let arguments = call.args.iter().skip(usize::from(is_method));
        let arguments = arguments.map(|argument| self.argument(argument)).collect();
        let position = Position::default();
        self.add(path.span().start(), Call { name, range, object: None, arguments, position });
    }
}

/// Whether it is an ordering point annotation as a macro, such as `op_define!()`.
fn is_marker(statement: &Stmt) -> bool {
    let Stmt::Macro(statement) = statement else { return false };
    let name = statement.mac.path.segments.last().map(|segment| segment.ident.to_string());
    cdsspec_vocabulary::MARKERS.iter().any(|marker| name.as_deref() == Some(*marker))
}

/// What an expression is about: `next` of `(*node).next`, `slot` of `array.slot(top)`.
fn last_name(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Field(field) => match &field.member {
            syn::Member::Named(name) => Some(name.to_string()),
            syn::Member::Unnamed(index) => Some(index.index.to_string()),
        },
        Expr::MethodCall(call) => Some(call.method.to_string()),
        Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        Expr::Call(call) => last_name(&call.func),
        Expr::Index(index) => last_name(&index.expr),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.functions.push((self.range(function), function.sig.ident.to_string()));
        self.at(Position::default(), |reader| visit::visit_item_fn(reader, function));
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.functions.push((self.range(function), function.sig.ident.to_string()));
        self.at(Position::default(), |reader| visit::visit_impl_item_fn(reader, function));
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        self.functions.push((self.range(function), function.sig.ident.to_string()));
        self.at(Position::default(), |reader| visit::visit_trait_item_fn(reader, function));
    }

    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        self.imported.insert(name.ident.to_string());
    }

    fn visit_use_rename(&mut self, name: &'ast syn::UseRename) {
        self.imported.insert(name.rename.to_string());
    }

    fn visit_block(&mut self, block: &'ast Block) {
        for (index, statement) in block.stmts.iter().enumerate() {
            let range = self.range(statement);
            let markers = block.stmts[index + 1..].iter().take_while(|next| is_marker(next));
            let marked_end = markers.last().map_or(range.end, |last| self.range(last).end);
            let is_marked = marked_end > range.end;
            let (has_semicolon, whole, attributes) = match statement {
                Stmt::Local(local) => (true, 0..0, local.attrs.len()),
                Stmt::Expr(expression, semicolon) => {
                    let text = &self.text[range.clone()];
                    (semicolon.is_some(), self.range(expression), usize::from(text.starts_with('#')))
                }
                Stmt::Macro(statement) => (statement.semi_token.is_some(), 0..0, statement.attrs.len()),
                Stmt::Item(_) => (false, 0..0, 0),
            };
            let statement_of = Statement {
                range,
                has_semicolon,
                marked_end,
                is_call_alone: false,
                begins_with_call: false,
                ends_with_call: false,
            };
            let position = Position {
                statement: Some(statement_of),
                // An annotation is about the operations of the statement: a fence is one.
                is_replaceable: attributes == 0 && !is_marked,
                whole,
                ..Position::default()
            };
            self.at(position, |reader| reader.visit_stmt(statement));
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        // A guard is part of the pattern.
        let guard = Position { statement: None, ..self.position.clone() };
        self.at(guard, |reader| reader.visit_pat(&arm.pat));
        let whole = self.range(&arm.body);
        self.at(Position { whole, ..self.position.clone() }, |reader| reader.inner(&arm.body));
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Call(call) => self.path_call(call),
            Expr::Await(wait) => self.opaque.push(self.range(wait)),
            _ => {}
        }
        match expression {
            Expr::Closure(closure) => {
                let whole = 0..0;
                self.at(Position { whole, ..self.position.clone() }, |reader| reader.inner(&closure.body));
            }
            Expr::While(repeated) => {
                self.inner(&repeated.cond);
                self.visit_block(&repeated.body);
            }
            Expr::Binary(binary) if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.not_last(&binary.left);
                self.inner(&binary.right);
            }
            Expr::If(condition) => {
                self.not_last(&condition.cond);
                self.visit_block(&condition.then_branch);
                condition.else_branch.iter().for_each(|(_, other)| self.inner(other));
            }
            Expr::Match(choice) => {
                self.not_last(&choice.expr);
                choice.arms.iter().for_each(|arm| self.visit_arm(arm));
            }
            Expr::ForLoop(repeated) => {
                self.not_last(&repeated.expr);
                self.visit_block(&repeated.body);
            }
            Expr::Try(_) | Expr::Return(_) | Expr::Break(_) => {
                let position = Position { may_leave: true, ..self.position.clone() };
                self.at(position, |reader| visit::visit_expr(reader, expression));
            }
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
        let name = invocation.path.get_ident().map(|name| name.to_string()).unwrap_or_default();
        let plain = PLAIN_MACROS.iter().find(|(known, _)| *known == name);
        let done_count = plain.map_or(0, |(_, done_count)| *done_count);
        let position = match plain {
            Some(_) => Position { whole: 0..0, ..self.position.clone() },
            // What becomes of its tokens is not known: an order may be another, but nothing be added.
            None => Position::default(),
        };
        if plain.is_none() {
            self.opaque.push(self.range(invocation));
        }
        // What it says is said of all its expansions, which have places of their own.
        if name != "macro_rules" {
            self.at(position, |reader| reader.tokens(&invocation.tokens, done_count));
        }
    }
}

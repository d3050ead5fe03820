//! Statements of LSL, as far as they are written and looked at here, and their text: one line each, with its place in the source behind it.

use proc_macro2::Span;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A number that is known, or what a register holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Operand {
    /// This number. A truth value is 0 or 1, the null pointer 0.
    Number(i64),
    /// What this register holds. Nothing sets it again before it is read.
    Register(String),
    /// What nobody reads: the item of `None`.
    Undefined,
}

/// A statement, and what in the source it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) statement: Statement,
    pub(crate) span: Span,
}

/// A statement of LSL. Orders are its words.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// `r = operation`, which has no effect. What it reads stands in the text, too.
    Set { register: String, operation: String, reads: Vec<String> },
    /// `r = new`
    New { register: String },
    /// `*p = r order`
    Store { address: String, value: String, order: &'static str },
    /// `fence order`
    Fence { order: &'static str },
    /// `assert (r)`
    Assert { condition: String },
    /// `assume (r)`
    Assume { condition: String },
    /// `p(r, …)(r, …)`
    Call { procedure: String, arguments: Vec<String>, results: Vec<String>, has_effect: bool },
    /// `if (r) break t`, `if (r) continue t`
    Jump { condition: String, is_continue: bool, tag: String },
    /// `atomic { … }`
    Atomic { body: Vec<Node> },
    /// `t: { … }`
    Block { tag: String, is_spin: bool, body: Vec<Node> },
}

/// Whether statements change nothing: they may read.
pub(crate) fn has_no_effect(code: &[Node]) -> bool {
    code.iter().all(|node| match &node.statement {
        Statement::Store { .. } | Statement::New { .. } => false,
        Statement::Call { has_effect, .. } => !has_effect,
        Statement::Atomic { body } | Statement::Block { body, .. } => has_no_effect(body),
        _ => true,
    })
}

/// Whether statements set a register that is among these.
pub(crate) fn sets_any(code: &[Node], registers: &BTreeSet<String>) -> bool {
    code.iter().any(|node| match &node.statement {
        Statement::Atomic { body } | Statement::Block { body, .. } => sets_any(body, registers),
        statement => statement.registers().1.into_iter().any(|register| registers.contains(register)),
    })
}

/// What the text form takes for something else, and the register that nothing sets.
pub(crate) const RESERVED: [&str; 10] =
    ["fence", "atomic", "spin", "if", "assert", "assume", "new", "choose", "undefined", "nothing"];

/// The register that holds a number all through a procedure.
pub(crate) fn constant_register(number: i64) -> String {
    if number < 0 { format!("minus.{}", number.unsigned_abs()) } else { format!("number.{number}") }
}

/// Whether a register holds a number all through every procedure.
pub(crate) fn is_constant(register: &str) -> bool {
    register.starts_with("number.") || register.starts_with("minus.")
}

/// A procedure, with its numbers in front.
pub(crate) struct Procedure {
    pub(crate) name: String,
    /// What is said of it behind its head.
    pub(crate) note: String,
    pub(crate) parameters: Vec<String>,
    pub(crate) results: Vec<String>,
    pub(crate) numbers: BTreeSet<i64>,
    pub(crate) body: Vec<Node>,
    pub(crate) span: Span,
}

impl Procedure {
    /// Its text.
    pub(crate) fn text(&self) -> String {
        let (parameters, results) = (self.parameters.join(", "), self.results.join(", "));
        let mut text = format!("proc {}({parameters})({results}) {{ // {}\n", self.name, self.note);
        let mut line = |words: String| line(&mut text, 1, &words, self.span);
        self.results.iter().filter(|result| !self.parameters.contains(result)).for_each(|result| {
            line(format!("{result} = undefined"));
        });
        self.numbers.iter().for_each(|number| line(format!("{} = {number}", constant_register(*number))));
        write_all(&mut text, 1, &self.body);
        text + "}\n"
    }
}

fn line(text: &mut String, depth: usize, words: &str, span: Span) {
    let start = span.start();
    let indent = "  ".repeat(depth);
    writeln!(text, "{indent}{words} // {}:{}", start.line, start.column + 1).expect("a string takes all");
}

fn write_all(text: &mut String, depth: usize, body: &[Node]) {
    for node in body {
        let inner = match &node.statement {
            Statement::Atomic { body } | Statement::Block { body, .. } => Some(body),
            _ => None,
        };
        line(text, depth, &node.statement.words(), node.span);
        if let Some(inner) = inner {
            write_all(text, depth + 1, inner);
            text.push_str(&"  ".repeat(depth));
            text.push_str("}\n");
        }
    }
}

impl Statement {
    /// Its text, or the head of it.
    fn words(&self) -> String {
        match self {
            Self::Set { register, operation, .. } => format!("{register} = {operation}"),
            Self::New { register } => format!("{register} = new"),
            Self::Store { address, value, order } => format!("*{address} = {value} {order}"),
            Self::Fence { order } => format!("fence {order}"),
            Self::Assert { condition } => format!("assert ({condition})"),
            Self::Assume { condition } => format!("assume ({condition})"),
            Self::Call { procedure, arguments, results, .. } => {
                format!("{procedure}({})({})", arguments.join(", "), results.join(", "))
            }
            Self::Jump { condition, is_continue, tag } => {
                format!("if ({condition}) {} {tag}", if *is_continue { "continue" } else { "break" })
            }
            Self::Atomic { .. } => "atomic {".to_owned(),
            Self::Block { tag, is_spin, .. } => {
                format!("{}{tag}: {{", if *is_spin { "spin " } else { "" })
            }
        }
    }

    /// The same with other names for its registers and tags, for a look at the ways through it.
    pub(crate) fn renamed(&self, name: &dyn Fn(&String) -> String) -> Self {
        let all = |registers: &[String]| registers.iter().map(name).collect();
        let inner = |body: &[Node]| -> Vec<Node> {
            body.iter()
                .map(|node| Node { statement: node.statement.renamed(name), span: node.span })
                .collect()
        };
        match self {
            Self::Set { register, operation, reads } => {
                Self::Set { register: name(register), operation: operation.clone(), reads: all(reads) }
            }
            Self::New { register } => Self::New { register: name(register) },
            Self::Store { address, value, order } => {
                Self::Store { address: name(address), value: name(value), order }
            }
            Self::Fence { order } => Self::Fence { order },
            Self::Assert { condition } => Self::Assert { condition: name(condition) },
            Self::Assume { condition } => Self::Assume { condition: name(condition) },
            Self::Call { procedure, arguments, results, has_effect } => Self::Call {
                procedure: procedure.clone(),
                arguments: all(arguments),
                results: all(results),
                has_effect: *has_effect,
            },
            Self::Jump { condition, is_continue, tag } => {
                Self::Jump { condition: name(condition), is_continue: *is_continue, tag: name(tag) }
            }
            Self::Atomic { body } => Self::Atomic { body: inner(body) },
            Self::Block { tag, is_spin, body } => {
                Self::Block { tag: name(tag), is_spin: *is_spin, body: inner(body) }
            }
        }
    }

    /// The registers that it reads, and those that it sets, without those of statements in it.
    pub(crate) fn registers(&self) -> (Vec<&String>, Vec<&String>) {
        match self {
            Self::Set { register, reads, .. } => (reads.iter().collect(), vec![register]),
            Self::New { register } => (Vec::new(), vec![register]),
            Self::Store { address, value, .. } => (vec![address, value], Vec::new()),
            Self::Assert { condition } | Self::Assume { condition } | Self::Jump { condition, .. } => {
                (vec![condition], Vec::new())
            }
            Self::Call { arguments, results, .. } => (arguments.iter().collect(), results.iter().collect()),
            Self::Fence { .. } | Self::Atomic { .. } | Self::Block { .. } => (Vec::new(), Vec::new()),
        }
    }
}

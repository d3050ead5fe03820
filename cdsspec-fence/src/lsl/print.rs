//! Writes programs in their text form, which [`parse`](super::parse::parse) reads back.

use super::syntax::{Argument, Jump, Operation, Order, Procedure, Program, Register, Statement};
use super::value::Value;
use std::fmt;

const INDENT: &str = "  ";

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for global in &self.globals {
            match &global.initial {
                Value::Undefined => writeln!(f, "global {}", global.name)?,
                initial => writeln!(f, "global {} = {initial}", global.name)?,
            }
        }
        self.procedures.iter().try_for_each(|procedure| write!(f, "{procedure}"))?;
        write_operations(f, "initial", &self.initial, false)?;
        self.threads.iter().try_for_each(|thread| write_operations(f, "thread", thread, true))?;
        write_operations(f, "last", &self.last, false)
    }
}

fn write_operations(
    f: &mut fmt::Formatter<'_>,
    item: &str,
    operations: &[Operation],
    is_kept_empty: bool,
) -> fmt::Result {
    if operations.is_empty() && !is_kept_empty {
        return Ok(());
    }
    writeln!(f, "{item} {{")?;
    operations.iter().try_for_each(|operation| writeln!(f, "{INDENT}{operation}"))?;
    writeln!(f, "}}")
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prime = if self.is_primed { "'" } else { "" };
        write!(f, "{}{prime}({})()", self.procedure, listed(&self.arguments))
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(value) => write!(f, "{value}"),
            Self::Open(values) => write!(f, "choose {{{}}}", listed(values)),
        }
    }
}

impl fmt::Display for Procedure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "proc {}({})({}) {{", self.name, listed(&self.parameters), listed(&self.results))?;
        write_body(f, &self.body, 1)?;
        writeln!(f, "}}")
    }
}

fn listed<T: fmt::Display>(list: &[T]) -> String {
    list.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

fn write_body(f: &mut fmt::Formatter<'_>, body: &[Statement], depth: usize) -> fmt::Result {
    for statement in body {
        write!(f, "{}", INDENT.repeat(depth))?;
        match statement {
            Statement::Atomic(body) => write_braced(f, "atomic {", body, depth)?,
            Statement::Block { tag, is_spin, body } => {
                let spin = if *is_spin { "spin " } else { "" };
                write_braced(f, &format!("{spin}{tag}: {{"), body, depth)?;
            }
            simple => write_simple(f, simple)?,
        }
    }
    Ok(())
}

fn write_braced(f: &mut fmt::Formatter<'_>, head: &str, body: &[Statement], depth: usize) -> fmt::Result {
    writeln!(f, "{head}")?;
    write_body(f, body, depth + 1)?;
    writeln!(f, "{}}}", INDENT.repeat(depth))
}

/// A statement on a line of its own.
fn write_simple(f: &mut fmt::Formatter<'_>, statement: &Statement) -> fmt::Result {
    let order = |order: &Option<Order>| order.map_or(String::new(), |order| format!(" {}", order.word()));
    let registers = |list: &[Register]| listed(list);
    match statement {
        Statement::Constant { register, value } => writeln!(f, "{register} = {value}"),
        Statement::Choose { register, values } => writeln!(f, "{register} = choose {{{}}}", listed(values)),
        Statement::New { register } => writeln!(f, "{register} = new"),
        Statement::Primitive { register, primitive, arguments } => {
            writeln!(f, "{register} = {}({})", primitive.name(), registers(arguments))
        }
        Statement::Store { address, value, order: written } => {
            writeln!(f, "*{address} = {value}{}", order(written))
        }
        Statement::Load { register, address, order: written } => {
            writeln!(f, "{register} = *{address}{}", order(written))
        }
        Statement::Fence { kind, is_candidate } => {
            writeln!(f, "fence{} {}", if *is_candidate { "?" } else { "" }, kind.word())
        }
        Statement::Call { procedure, arguments, results } => {
            writeln!(f, "{procedure}({})({})", registers(arguments), registers(results))
        }
        Statement::Jump { condition, jump, tag } => {
            let word = if *jump == Jump::Break { "break" } else { "continue" };
            writeln!(f, "if ({condition}) {word} {tag}")
        }
        Statement::Assert(register) => writeln!(f, "assert ({register})"),
        Statement::Assume(register) => writeln!(f, "assume ({register})"),
        Statement::Atomic(_) | Statement::Block { .. } => unreachable!("these have a body"),
    }
}

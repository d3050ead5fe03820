//! What a program must keep to before it can be run or encoded.

use super::syntax::{Argument, Operation, Procedure, ProcedureName, Program, Register, Statement, Tag};
use super::value::Path;
use std::fmt;

/// A rule that a program breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// A procedure is called that there is not.
    UnknownProcedure,
    /// A procedure has more arguments or results than it is called with, or fewer.
    Arity,
    /// Two procedures or two globals have one name.
    DefinedTwice,
    /// A procedure calls itself, or one that comes behind it: so that inlining ends.
    CalledBeforeDefined,
    /// A jump to a tag that no enclosing block of its procedure has.
    NotEnclosing,
    /// A block has the tag of one around it.
    TagTwice,
    /// A choice or an open argument has no values.
    NoValue,
    /// A pointer's base leaves no room for the bases of objects behind it.
    FarPointer,
    /// A result is a register that no statement of the procedure sets, and no parameter.
    NeverSet,
}

/// What a program does wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Which rule.
    pub rule: Rule,
    /// The procedure, tag, global, register or pointer.
    pub subject: String,
}

impl Mistake {
    /// What is wrong, and what to do.
    pub fn message(&self) -> &'static str {
        match self.rule {
            Rule::UnknownProcedure => "there is no procedure of this name",
            Rule::Arity => "this procedure is called with too few or too many arguments or results",
            Rule::DefinedTwice => "there are two of this name",
            Rule::CalledBeforeDefined => {
                "this procedure is called by itself or by one before it: define it before its callers"
            }
            Rule::NotEnclosing => "no block around this jump has this tag",
            Rule::TagTwice => "a block around this one has this tag, too",
            Rule::NoValue => "there are no values here to choose from",
            Rule::FarPointer => {
                "objects have bases behind this one, of 32 bits: name a pointer with a lower base"
            }
            Rule::NeverSet => "nothing in the procedure sets this result",
        }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.subject, self.message())
    }
}

impl std::error::Error for Mistake {}

fn mistake<T>(rule: Rule, subject: &impl ToString) -> Result<T, Mistake> {
    Err(Mistake { rule, subject: subject.to_string() })
}

/// Checks the names, arities, jumps, choices, pointers and results of a program.
///
/// # Errors
/// The first mistake.
pub fn check(program: &Program) -> Result<(), Mistake> {
    for (index, global) in program.globals.iter().enumerate() {
        if program.globals[..index].iter().any(|other| other.name == global.name) {
            return mistake(Rule::DefinedTwice, &global.name);
        }
    }
    for (index, procedure) in program.procedures.iter().enumerate() {
        let before = &program.procedures[..index];
        if before.iter().any(|other| other.name == procedure.name) {
            return mistake(Rule::DefinedTwice, &procedure.name);
        }
        check_body(program, before, &procedure.body, &mut Vec::new())?;
        let mut set: Vec<&Register> = procedure.parameters.iter().collect();
        add_set(&procedure.body, &mut set);
        if let Some(result) = procedure.results.iter().find(|result| !set.contains(result)) {
            return mistake(Rule::NeverSet, result);
        }
    }
    program.sequences().flatten().try_for_each(|operation| check_operation(program, operation))?;
    match program.first_object() {
        first if first > u32::MAX / 2 => mistake(Rule::FarPointer, &Path::of_base(first - 1)),
        _ => Ok(()),
    }
}

fn check_operation(program: &Program, operation: &Operation) -> Result<(), Mistake> {
    match program.procedure(&operation.procedure) {
        None => mistake(Rule::UnknownProcedure, &operation.procedure),
        Some(procedure) if procedure.parameters.len() != operation.arguments.len() => {
            mistake(Rule::Arity, &operation.procedure)
        }
        Some(_) if operation.arguments.contains(&Argument::Open(Vec::new())) => {
            mistake(Rule::NoValue, &operation.procedure)
        }
        Some(_) => Ok(()),
    }
}

fn check_call(
    program: &Program,
    before: &[Procedure],
    name: &ProcedureName,
    counts: [usize; 2],
) -> Result<(), Mistake> {
    let Some(called) = before.iter().find(|procedure| procedure.name == *name) else {
        let is_known = program.procedure(name).is_some();
        let rule = if is_known { Rule::CalledBeforeDefined } else { Rule::UnknownProcedure };
        return mistake(rule, name);
    };
    if [called.parameters.len(), called.results.len()] == counts {
        Ok(())
    } else {
        mistake(Rule::Arity, name)
    }
}

fn check_body<'p>(
    program: &Program,
    before: &[Procedure],
    body: &'p [Statement],
    tags: &mut Vec<&'p Tag>,
) -> Result<(), Mistake> {
    for statement in body {
        match statement {
            Statement::Call { procedure, arguments, results } => {
                check_call(program, before, procedure, [arguments.len(), results.len()])?;
            }
            Statement::Choose { register, values } if values.is_empty() => {
                return mistake(Rule::NoValue, register);
            }
            Statement::Jump { tag, .. } if !tags.contains(&tag) => return mistake(Rule::NotEnclosing, tag),
            Statement::Block { tag, .. } if tags.contains(&tag) => return mistake(Rule::TagTwice, tag),
            Statement::Block { tag, body, .. } => {
                tags.push(tag);
                check_body(program, before, body, tags)?;
                tags.pop();
            }
            Statement::Atomic(body) => check_body(program, before, body, tags)?,
            _ => {}
        }
    }
    Ok(())
}

/// The registers that these statements set on some path.
fn add_set<'p>(body: &'p [Statement], set: &mut Vec<&'p Register>) {
    for statement in body {
        match statement {
            Statement::Constant { register, .. }
            | Statement::Choose { register, .. }
            | Statement::New { register }
            | Statement::Primitive { register, .. }
            | Statement::Load { register, .. } => set.push(register),
            Statement::Call { results, .. } => set.extend(results),
            Statement::Atomic(body) | Statement::Block { body, .. } => add_set(body, set),
            _ => {}
        }
    }
}

//! Tests in the notation of figure 8 of the paper: `e ( ed | de )`.
//!
//! Letters are operations, `|` separates threads, what stands before the parentheses is done before the threads begin, and a prime restricts an operation to
//! runs in which no loop is repeated. Blanks mean nothing. Arguments are left open.

use crate::lsl::syntax::{Argument, Operation, ProcedureName, Program};
use crate::lsl::value::Value;
use std::fmt;

/// An operation of a data type, as tests name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letter {
    /// Its name in tests: one letter, or several such as `al`.
    pub name: String,
    /// What it calls.
    pub procedure: ProcedureName,
    /// With what; none if all arguments are open.
    pub arguments: Option<Vec<Argument>>,
}

/// What is wrong with a test, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// How many characters come before.
    pub at: usize,
    /// What is wrong.
    pub message: &'static str,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "character {}: {}", self.at + 1, self.message)
    }
}

impl std::error::Error for NotationError {}

/// A data type that is tested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataType {
    /// Its locations and procedures; what this program does is left out.
    pub implementation: Program,
    /// What is called before all else.
    pub prepare: ProcedureName,
    /// Its operations.
    pub letters: Vec<Letter>,
    /// What each argument may be.
    pub arguments: Vec<Value>,
}

impl DataType {
    /// The test with this text.
    ///
    /// # Errors
    /// What is not in the notation.
    ///
    /// # Panics
    /// If a letter is of a procedure that there is not.
    pub fn test(&self, text: &str) -> Result<Program, NotationError> {
        let prepare = Operation { procedure: self.prepare.clone(), arguments: Vec::new(), is_primed: false };
        let mut program = Program {
            initial: vec![prepare],
            threads: Vec::new(),
            last: Vec::new(),
            ..self.implementation.clone()
        };
        let Some(open) = text.find('(') else {
            return Err(NotationError {
                at: text.chars().count(),
                message: "`(` is missing: threads are written `( e | d )`",
            });
        };
        let Some(close) = text.rfind(')').filter(|close| *close > open) else {
            return Err(NotationError {
                at: text.chars().count(),
                message: "`)` is missing: threads are written `( e | d )`",
            });
        };
        if let Some(behind) = text[close + 1..].find(|character: char| !character.is_whitespace()) {
            return Err(NotationError {
                at: text[..close + 1 + behind].chars().count(),
                message: "nothing stands behind the threads",
            });
        }
        program.initial.extend(self.operations(text, 0, open)?);
        let mut begin = open + 1;
        for thread in text[open + 1..close].split('|') {
            program.threads.push(self.operations(text, begin, begin + thread.len())?);
            begin += thread.len() + 1;
        }
        Ok(program)
    }

    /// The operations between two places of the text.
    fn operations(&self, text: &str, begin: usize, end: usize) -> Result<Vec<Operation>, NotationError> {
        let mut operations: Vec<Operation> = Vec::new();
        let mut at = begin;
        while at < end {
            let rest = &text[at..end];
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                at += blank;
                continue;
            }
            if let (true, Some(operation)) = (rest.starts_with(['\'', '’']), operations.last_mut()) {
                operation.is_primed = true;
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            }
            let letters = self.letters.iter().filter(|letter| rest.starts_with(&letter.name));
            let Some(letter) = letters.max_by_key(|letter| letter.name.len()) else {
                let at = text[..at].chars().count();
                return Err(NotationError { at, message: "there is no operation of this name" });
            };
            operations.push(self.operation(letter));
            at += letter.name.len();
        }
        Ok(operations)
    }

    fn operation(&self, letter: &Letter) -> Operation {
        let procedure = self.implementation.procedure(&letter.procedure).expect("a letter is of a procedure");
        let open = || procedure.parameters.iter().map(|_| Argument::Open(self.arguments.clone())).collect();
        let arguments = letter.arguments.clone().unwrap_or_else(open);
        Operation { procedure: letter.procedure.clone(), arguments, is_primed: false }
    }
}

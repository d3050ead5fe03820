//! What is wrong with a text.

use std::fmt;

/// A place in the text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Where the token is.
    pub position: Position,
    /// The token that is wrong; empty at the end of the text.
    pub token: String,
    /// What is wrong with it, and what is expected.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        let token = if self.token.is_empty() { "end of the text" } else { &self.token };
        write!(f, "line {line}, column {column}: `{token}`: {}", self.message)
    }
}

impl std::error::Error for ParseError {}

impl ParseError {
    /// A mistake somewhere in a line.
    pub(crate) fn in_line<T>(line: usize, token: &str, message: &str) -> Result<T, Self> {
        let position = Position { line, column: 1 };
        Err(Self { position, token: token.to_owned(), message: message.to_owned() })
    }
}

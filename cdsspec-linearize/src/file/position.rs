//! Where something stands in a file, and what is wrong there.

use std::fmt;

/// A place in a file: both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The place of a byte of a text.
    fn of_byte(text: &str, byte: usize) -> Self {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let begin = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        // Bytes that continue a character do not count.
        let column = 1 + before[begin..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        Self { line, column }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.line, self.column)
    }
}

/// What is wrong in a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileError {
    /// Where.
    pub position: Position,
    /// What, and what to do about it.
    pub message: String,
}

/// The same, at a byte of a text: where that is in lines is looked up once, since files are long.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) at: usize,
    message: String,
}

impl Mistake {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }

    /// In a text that begins with this line of the file.
    pub(crate) fn in_text(self, text: &str, line: usize) -> FileError {
        let place = Position::of_byte(text, self.at);
        FileError { position: Position { line: place.line + line - 1, ..place }, message: self.message }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.position, self.message)
    }
}

impl std::error::Error for FileError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_characters() {
        let text = "ab\nçd\n";
        let places: Vec<_> =
            [0, 2, 3, 5, 6, 99].iter().map(|&byte| Position::of_byte(text, byte).to_string()).collect();
        assert_eq!(places, ["1:1", "1:3", "2:1", "2:2", "2:3", "3:1"]);
    }
}

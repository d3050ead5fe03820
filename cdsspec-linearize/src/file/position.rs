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

/// The text of a file in UTF-8. A mark of the order of bytes at its begin is no part of it.
///
/// # Errors
/// It is no UTF-8, with line and column.
pub fn decode(bytes: &[u8]) -> Result<&str, FileError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let before = String::from_utf8_lossy(&bytes[..at]);
        Mistake::new(at, format!("this is no UTF-8: byte {:#04x}", bytes[at])).in_text(&before, 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_utf_8_without_a_mark() {
        let error = |bytes: &[u8]| decode(bytes).expect_err("it is none").to_string();
        assert_eq!(decode(b"\xEF\xBB\xBF{}"), Ok("{}"));
        assert_eq!(error(b"\xEF\xBB\xBFab\n\xC3\xA7\xFF"), "2:2: this is no UTF-8: byte 0xff");
        // The begin of a character, and no more.
        assert_eq!(error(b"a\xC3"), "1:2: this is no UTF-8: byte 0xc3");
        assert_eq!(error(b"\xFF\xFE{"), "1:1: this is no UTF-8: byte 0xff");
    }

    #[test]
    fn columns_are_characters() {
        let text = "ab\nçd\n";
        let places: Vec<_> =
            [0, 2, 3, 5, 6, 99].iter().map(|&byte| Position::of_byte(text, byte).to_string()).collect();
        assert_eq!(places, ["1:1", "1:3", "2:1", "2:2", "2:3", "3:1"]);
    }
}

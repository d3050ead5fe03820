//! Words, numbers and signs of the text form.

use super::error::{ParseError, Position};

/// A token, and where it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) position: Position,
}

const SIGNS: &str = "(){}[]=*:,&?'";

/// Cuts the text into tokens. `//` begins a comment.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        let mut at = 0;
        while let Some(begin) = code[at..].find(|character: char| !character.is_whitespace()) {
            at += begin;
            let position = Position { line: index + 1, column: line[..at].chars().count() + 1 };
            let rest = &code[at..];
            let length = token_length(rest).ok_or_else(|| {
                let first = rest.chars().next().map(String::from).unwrap_or_default();
                ParseError {
                    position,
                    token: first,
                    message: "no token begins with this character".to_owned(),
                }
            })?;
            tokens.push(Token { text: &rest[..length], position });
            at += length;
        }
    }
    Ok(tokens)
}

/// How long the token is with which this text begins.
fn token_length(text: &str) -> Option<usize> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_' || character == '.';
    let first = text.chars().next()?;
    if SIGNS.contains(first) {
        return Some(first.len_utf8());
    }
    let begin = if first == '-' { 1 } else { 0 };
    let word = text[begin..].find(|character| !is_word(character)).unwrap_or(text.len() - begin);
    (word > 0).then_some(begin + word)
}

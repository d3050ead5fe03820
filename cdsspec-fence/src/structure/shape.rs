//! What a client sees, in Rust's words.

use crate::lsl::value::Value;

/// A value of this shape, of the words that come next.
pub(super) fn shown(shape: &mut std::str::Chars<'_>, words: &mut dyn Iterator<Item = Value>) -> String {
    let word = |value: Option<Value>| value.unwrap_or_default();
    match shape.next() {
        Some('n') => word(words.next()).to_string(),
        Some('b') => match word(words.next()) {
            Value::Number(number) => (number != 0).to_string(),
            other => other.to_string(),
        },
        Some('p') => match word(words.next()) {
            Value::Number(0) => "null".to_owned(),
            other => other.to_string(),
        },
        Some('?') => {
            let is_some = word(words.next());
            let item = shown(shape, words);
            if is_some.truth() == Some(true) { format!("Some({item})") } else { "None".to_owned() }
        }
        Some('!') => {
            let is_right = word(words.next());
            let (right, wrong) = (shown(shape, words), shown(shape, words));
            if is_right.truth() == Some(true) { format!("Ok({right})") } else { format!("Err({wrong})") }
        }
        Some('(') => {
            let mut items = Vec::new();
            while shape.clone().next().is_some_and(|next| next != ')') {
                items.push(shown(shape, words));
            }
            shape.next();
            format!("({})", items.join(", "))
        }
        _ => String::new(),
    }
}

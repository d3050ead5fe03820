//! Reads EDN, as far as histories have it: all of its forms, with where they stand.
//!
//! By hand: of the libraries for Rust edn-rs says that it is deprecated, and edn-format says where a text is no EDN, but not where its forms stand, so that a mistake of another kind in a file of a
//! million lines would have no line.

use super::number;
use super::position::Mistake;
use super::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A form, and the byte where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    pub(crate) at: usize,
    pub(crate) node: Node,
}

/// What a form is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// What has no parts.
    Atom(Value),
    /// A vector or a list.
    List(Vec<Form>),
    /// Keys and values in turn, as they are written.
    Map(Vec<Form>),
    /// What a set has, as it is written.
    Set(Vec<Form>),
}

/// Forms in forms are as deep as this at most.
const DEPTH_MAX: usize = 64;

/// All forms of a text.
///
/// # Errors
/// The first thing that is no EDN.
pub(crate) fn read(text: &str) -> Result<Vec<Form>, Mistake> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let mut forms = Vec::new();
    while let Some(form) = reader.form()? {
        forms.push(form);
    }
    match reader.peek() {
        None => Ok(forms),
        Some(close) => reader.wrong(format!("nothing is open that `{close}` could close")),
    }
}

impl Form {
    /// As a value: that of a map or a set does not depend on the order in which it is written. Of entries with one key the last one is there, as in JSON.
    pub(crate) fn value(&self) -> Value {
        let values = |forms: &[Self]| forms.iter().map(Self::value).collect();
        match &self.node {
            Node::Atom(value) => value.clone(),
            Node::List(forms) => Value::List(values(forms)),
            Node::Map(forms) => {
                let entries = forms.chunks_exact(2).map(|entry| (entry[0].value(), entry[1].value()));
                let entries: BTreeMap<Value, Value> = entries.collect();
                Value::Map(entries.into_iter().flat_map(|(key, value)| [key, value]).collect())
            }
            Node::Set(forms) => {
                let members: BTreeSet<Value> = forms.iter().map(Self::value).collect();
                Value::Set(members.into_iter().collect())
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

fn is_end(character: char) -> bool {
    character.is_whitespace() || "()[]{}\",;".contains(character)
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, Mistake> {
        Err(Mistake::new(self.at, message))
    }

    /// Passes over blanks, commas and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
            if self.peek() != Some(';') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// The next form; none at the end of the text, or of what is open.
    fn form(&mut self) -> Result<Option<Form>, Mistake> {
        self.skip();
        while self.rest().starts_with("#_") {
            self.pass_over()?;
            self.skip();
        }
        let at = self.at;
        let node = match self.peek() {
            None | Some(')' | ']' | '}') => return Ok(None),
            Some('[') => Node::List(self.until("[", ']')?),
            Some('(') => Node::List(self.until("(", ')')?),
            Some('{') => {
                let forms = self.until("{", '}')?;
                if forms.len() % 2 == 1 {
                    self.at = at;
                    return self.wrong("a key of this map has no value");
                }
                Node::Map(forms)
            }
            Some('"') => Node::Atom(Value::Text(self.string()?)),
            Some('#') => return self.tagged(),
            Some('\\') => {
                self.at += 1;
                let first = self.peek().map_or(0, char::len_utf8);
                let word = self.word(first);
                Node::Atom(Value::Text(word.to_owned()))
            }
            Some(_) => Node::Atom(atom(self.word(0))),
        };
        Ok(Some(Form { at, node }))
    }

    /// What begins with `#`: a set, or a form with a tag, which is passed over.
    fn tagged(&mut self) -> Result<Option<Form>, Mistake> {
        let at = self.at;
        if self.rest().starts_with("#{") {
            return Ok(Some(Form { at, node: Node::Set(self.until("#{", '}')?) }));
        }
        // `##Inf`, `##-Inf`, `##NaN` are values themselves.
        if self.rest().starts_with("##") {
            let word = self.word(2);
            if !["##Inf", "##-Inf", "##NaN"].contains(&word) {
                let message = format!("there is no value `{word}`: there are ##Inf, ##-Inf and ##NaN");
                return Err(Mistake::new(at, message));
            }
            return Ok(Some(Form { at, node: Node::Atom(Value::Word(word.to_owned())) }));
        }
        self.word(1);
        match self.deeper(Self::form)? {
            Some(form) => Ok(Some(Form { at, ..form })),
            None => Err(Mistake::new(at, "no form comes after this")),
        }
    }

    /// Passes over `#_` and the form after it.
    fn pass_over(&mut self) -> Result<(), Mistake> {
        let at = self.at;
        self.at += 2;
        match self.deeper(Self::form)? {
            Some(_) => Ok(()),
            None => Err(Mistake::new(at, "no form comes after this")),
        }
    }

    fn deeper<T>(&mut self, read: impl Fn(&mut Self) -> Result<T, Mistake>) -> Result<T, Mistake> {
        if self.depth == DEPTH_MAX {
            return self.wrong(format!("forms are in forms more than {DEPTH_MAX} deep"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// The forms up to what closes them.
    fn until(&mut self, open: &str, close: char) -> Result<Vec<Form>, Mistake> {
        let begin = self.at;
        self.at += open.len();
        let mut forms = Vec::new();
        while let Some(form) = self.deeper(Self::form)? {
            forms.push(form);
        }
        match self.peek() {
            Some(found) if found == close => {
                self.at += 1;
                Ok(forms)
            }
            Some(found) => self.wrong(format!("`{close}` is expected here, and not `{found}`")),
            None => {
                self.at = begin;
                self.wrong(format!("`{open}` is not closed"))
            }
        }
    }

    /// The text up to the next blank or bracket, at least so many bytes.
    fn word(&mut self, least: usize) -> &'t str {
        let rest = self.rest();
        let length = least + rest[least..].find(is_end).unwrap_or(rest.len() - least);
        self.at += length;
        &rest[..length]
    }

    fn string(&mut self) -> Result<String, Mistake> {
        let begin = self.at;
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((index, character)) = characters.next() {
            match character {
                '"' => {
                    self.at = begin + index + 1;
                    return Ok(text);
                }
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((_, 'u')) => {
                        let digits: String = characters.by_ref().take(4).map(|(_, digit)| digit).collect();
                        let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                        text.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    _ => {
                        self.at = begin + index;
                        return self.wrong("this is no escape of a text");
                    }
                },
                other => text.push(other),
            }
        }
        self.wrong("`\"` is not closed")
    }
}

fn atom(word: &str) -> Value {
    match word {
        "nil" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => number::of_edn(word).unwrap_or_else(|| Value::Word(word.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let forms = read(text).expect("it is EDN");
        forms.iter().map(|form| form.value().to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn all_forms_are_read() {
        let text = "; a comment\n{:a 1, b [nil true -2 3.5 1/2 7N]} (\"x\\ny\" \\c \\[) #{1 2} #inst \"1985\" #_ 9 +4 #a/b{:k v}";
        let expected =
            "{:a, 1, b, [null, true, -2, 3.5, 1/2, 7]} [\"x\\ny\", \"c\", \"[\"] #{1, 2} \"1985\" 4 {:k, v}";
        assert_eq!(shown(text), expected);
        assert_eq!(shown(" ,; only this"), "");
        assert_eq!(shown(&"#_ 1 ".repeat(100)), "");
    }

    #[test]
    fn infinities_are_values() {
        assert_eq!(shown("[##Inf 1 ##-Inf ##NaN]"), "[##Inf, 1, ##-Inf, ##NaN]");
        let error = read("[1 ##inf 2]").expect_err("it is none").in_text("[1 ##inf 2]", 1).to_string();
        assert_eq!(error, "1:4: there is no value `##inf`: there are ##Inf, ##-Inf and ##NaN");
    }

    #[test]
    fn maps_and_sets_have_no_order() {
        assert_eq!(shown("{:b 2 :a 1} {:a 1, :a 2}"), "{:a, 1, :b, 2} {:a, 2}");
        assert_eq!(shown("#{3 1 2 1} #{{2 1, 1 2} #{:b :a}}"), "#{1, 2, 3} #{{1, 2, 2, 1}, #{:a, :b}}");
    }

    #[test]
    fn mistakes_have_places() {
        let error = |text: &str| read(text).expect_err("it is no EDN").in_text(text, 1).to_string();
        assert_eq!(error("[1 2\n {:a 1]"), "2:7: `}` is expected here, and not `]`");
        assert_eq!(error("{:a 1}\n[2"), "2:1: `[` is not closed");
        assert_eq!(error("{:a}"), "1:1: a key of this map has no value");
        assert_eq!(error("1 )"), "1:3: nothing is open that `)` could close");
        assert_eq!(error("\"abc"), "1:1: `\"` is not closed");
        assert_eq!(error("\"a\\qc\""), "1:3: this is no escape of a text");
        assert_eq!(error("#tag"), "1:1: no form comes after this");
        assert_eq!(error(&"[".repeat(70)), "1:66: forms are in forms more than 64 deep");
    }
}

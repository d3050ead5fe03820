//! Observation sets as files, to stand beside the code and be compared.
//!
//! # Paper
//! Line-Up, section 4.2, figure 7. Threads are letters, and the main thread is `main`; a call has the number of its slot and one; values are
//! the texts of the results, so that a set that was read is compared by these. A call without a `result` is stuck, and has a `B` in its thread.

use super::history::{Made, Results, SerialHistory};
use super::observation::ObservationSet;
use crate::scenario::{Caller, Matrix, Slot, Value};
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use quick_xml::{Reader, Writer};
use std::collections::BTreeMap;
use std::fmt;

/// Why a file is no observation set of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum XmlError {
    /// It is not XML, or not of this form; what is wrong.
    Malformed(String),
    /// It is of another test: what the file says of a call, and what the test has.
    OtherTest {
        /// The call in the file.
        file: String,
        /// The call of the test; empty if there is none.
        test: String,
    },
}

impl fmt::Display for XmlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(what) => write!(f, "this is no observation set: {what}"),
            Self::OtherTest { file, test } => {
                write!(f, "the observations are of another test: there `{file}`, here `{test}`")
            }
        }
    }
}

impl std::error::Error for XmlError {}

fn malformed(what: impl fmt::Display) -> XmlError {
    XmlError::Malformed(what.to_string())
}

type Written = std::io::Result<()>;

impl ObservationSet {
    /// The set in the format of the paper, of the test that it was observed of. The same set gives the same bytes.
    pub fn to_xml(&self, matrix: &Matrix) -> String {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        let root = BytesStart::new("observationset");
        let written = writer.write_event(Event::Start(root.borrow())).and_then(|()| {
            self.groups().try_for_each(|group| write_group(&mut writer, matrix, group))?;
            writer.write_event(Event::End(root.to_end()))
        });
        written.expect("cdsspec bug: memory takes all that is written");
        let mut text = String::from_utf8(writer.into_inner()).expect("cdsspec bug: what is written is text");
        text.push('\n');
        text
    }

    /// The set that a text in the format of the paper has, of this test. Its values are texts.
    ///
    /// # Errors
    /// If it is malformed, or of another test.
    pub fn from_xml(text: &str, matrix: &Matrix) -> Result<Self, XmlError> {
        let mut reader = Reader::from_str(text);
        let mut parsed = Parsed::default();
        let mut histories = Vec::new();
        loop {
            match reader.read_event().map_err(malformed)? {
                Event::Eof if parsed.is_ended => break,
                Event::Eof => return Err(malformed("it has no end")),
                Event::Start(start) => parsed.begin(&start)?,
                Event::Empty(start) => {
                    parsed.begin(&start)?;
                    parsed.end(matrix, &mut histories)?;
                }
                Event::Text(text) => parsed.text.push_str(&text),
                Event::GeneralRef(reference) => {
                    let name: &str = &reference;
                    match (
                        reference.resolve_char_ref().map_err(malformed)?,
                        quick_xml::escape::resolve_xml_entity(name),
                    ) {
                        (Some(character), _) => parsed.text.push(character),
                        (None, Some(text)) => parsed.text.push_str(text),
                        (None, None) => return Err(malformed(format!("&{name};"))),
                    }
                }
                Event::End(_) => parsed.end(matrix, &mut histories)?,
                _ => {}
            }
        }
        Ok(Self::new(matrix.call_count(), histories).as_texts())
    }
}

fn write_group(
    writer: &mut Writer<Vec<u8>>,
    matrix: &Matrix,
    (results, orders): (&Results, &[Vec<Slot>]),
) -> Written {
    writer.write_event(Event::Start(BytesStart::new("observation")))?;
    let mut threads: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (slot, caller, _) in matrix.calls() {
        let calls = threads.entry(letter(caller)).or_default();
        let number = slot.index() + 1;
        match &results[slot.index()] {
            Made::Not => {}
            Made::Pending => calls.push(format!("{number}B")),
            Made::Returned(_) => calls.push(number.to_string()),
        }
    }
    for (id, calls) in threads {
        write_text(
            writer,
            BytesStart::new("thread").with_attributes([("id", id.as_str())]),
            &calls.join(" "),
        )?;
    }
    for (slot, _, entry) in matrix.calls() {
        let number = (slot.index() + 1).to_string();
        let start = BytesStart::new("op").with_attributes([("id", number.as_str()), ("name", &*entry.name)]);
        match &results[slot.index()] {
            Made::Not => {}
            Made::Pending => writer.write_event(Event::Empty(start))?,
            Made::Returned(value @ (Value::Exempt | Value::Unmade)) => {
                let what = if *value == Value::Exempt { "result" } else { "call" };
                write_text(
                    writer,
                    start.with_attributes([("exempt", what)]),
                    &format!("result=\"{value}\""),
                )?;
            }
            Made::Returned(value) => write_text(writer, start, &format!("result=\"{value}\""))?,
        }
    }
    for order in orders {
        let word = |slot: &Slot| match &results[slot.index()] {
            Made::Pending => format!("{}[ #", slot.index() + 1),
            _ => format!("{0}[ ]{0}", slot.index() + 1),
        };
        let history = order.iter().map(word).collect::<Vec<_>>().join(" ");
        write_text(writer, BytesStart::new("history"), &history)?;
    }
    writer.write_event(Event::End(BytesEnd::new("observation")))
}

fn write_text(writer: &mut Writer<Vec<u8>>, start: BytesStart<'_>, text: &str) -> Written {
    let end = start.to_end().into_owned();
    writer.write_event(Event::Start(start))?;
    writer.write_event(Event::Text(BytesText::from_escaped(quick_xml::escape::partial_escape(text))))?;
    writer.write_event(Event::End(end))
}

/// A thread: `A` is the first column.
fn letter(caller: Caller) -> String {
    match caller {
        Caller::Initial | Caller::Last => "main".to_owned(),
        Caller::Column(column) => match u8::try_from(column).ok().filter(|column| *column < 26) {
            Some(column) => char::from(b'A' + column).to_string(),
            None => format!("T{}", column + 1),
        },
    }
}

/// What was read so far.
#[derive(Default)]
struct Parsed {
    /// The elements that are open, the innermost last.
    open: Vec<String>,
    text: String,
    /// The attributes of the call that is open.
    call: (String, String),
    /// What of it is exempt: its result, or all.
    exempt: Option<Value>,
    /// The thread that is open, and all that were, with the numbers of their calls.
    thread: String,
    threads: BTreeMap<usize, String>,
    /// The results of the calls of the observation that is open, by their numbers.
    results: BTreeMap<usize, Option<Value>>,
    /// Whether the set was closed.
    is_ended: bool,
}

impl Parsed {
    fn begin(&mut self, start: &BytesStart<'_>) -> Result<(), XmlError> {
        let name = start.name();
        let name = name.as_ref();
        self.text.clear();
        match name {
            "observation" => {
                self.results.clear();
                self.threads.clear();
            }
            "op" => {
                self.call = (attribute(start, "id")?, attribute(start, "name")?);
                let exempt = start.try_get_attribute("exempt").map_err(malformed)?;
                self.exempt = match exempt.as_ref().map(|exempt| &*exempt.value) {
                    None => None,
                    Some("result") => Some(Value::Exempt),
                    Some("call") => Some(Value::Unmade),
                    Some(other) => return Err(malformed(format!("what is exempt of a call: `{other}`"))),
                };
            }
            "thread" => self.thread = attribute(start, "id")?,
            "observationset" | "history" => {}
            other => return Err(malformed(format!("an element `{other}`"))),
        }
        self.open.push(name.to_owned());
        Ok(())
    }

    fn end(&mut self, matrix: &Matrix, histories: &mut Vec<SerialHistory>) -> Result<(), XmlError> {
        match self.open.pop().as_deref() {
            Some("op") => {
                let number: usize = self.call.0.parse().map_err(malformed)?;
                let known = matrix.calls().find(|(slot, ..)| slot.index() + 1 == number);
                let test = known.map_or(String::new(), |(_, _, entry)| entry.name.to_string());
                if test != self.call.1 {
                    return Err(XmlError::OtherTest { file: self.call.1.clone(), test });
                }
                let text = self.text.trim();
                let value = text.strip_prefix("result=\"").and_then(|rest| rest.strip_suffix('"'));
                if value.is_none() && !text.is_empty() {
                    return Err(malformed(format!("the result of call {number}: `{text}`")));
                }
                let thread = known.map(|(_, caller, _)| letter(caller));
                let there = self.threads.get(&number);
                if there != thread.as_ref() {
                    let of = |thread: Option<&String>| thread.map_or("no thread", String::as_str).to_owned();
                    let (file, test) = (of(there), of(thread.as_ref()));
                    let says = |thread| format!("{} of {thread}", self.call.1);
                    return Err(XmlError::OtherTest { file: says(file), test: says(test) });
                }
                let shown = |text: &str| self.exempt.clone().unwrap_or_else(|| Value::Shown(text.to_owned()));
                let value = value.map(shown);
                self.results.insert(number, value);
            }
            Some("thread") => {
                for word in self.text.split_whitespace() {
                    let number = word.strip_suffix('B').unwrap_or(word).parse().map_err(malformed)?;
                    self.threads.insert(number, self.thread.clone());
                }
            }
            Some("observation") => {
                let is_full = self.results.values().all(Option::is_some);
                if is_full && self.results.len() != matrix.call_count() {
                    let count = |count: usize| format!("{count} calls");
                    let (file, test) = (count(self.results.len()), count(matrix.call_count()));
                    return Err(XmlError::OtherTest { file, test });
                }
            }
            Some("history") => histories.push(self.history()?),
            Some("observationset") => self.is_ended = true,
            _ => {}
        }
        self.text.clear();
        Ok(())
    }

    /// `1[ ]1 3[ #`
    fn history(&self) -> Result<SerialHistory, XmlError> {
        let wrong = || malformed(format!("the history `{}`", self.text));
        let mut calls = Vec::new();
        let mut words = self.text.split_whitespace();
        while let Some(word) = words.next() {
            let number: usize =
                word.strip_suffix('[').and_then(|word| word.parse().ok()).ok_or_else(wrong)?;
            let value = self.results.get(&number).ok_or_else(wrong)?.clone();
            let end = words.next().ok_or_else(wrong)?;
            let is_right = match &value {
                Some(_) => end.strip_prefix(']').and_then(|end| end.parse().ok()) == Some(number),
                None => end == "#" && words.clone().next().is_none(),
            };
            if !is_right {
                return Err(wrong());
            }
            calls.push((Slot::new(number - 1), value));
        }
        Ok(SerialHistory { calls })
    }
}

fn attribute(start: &BytesStart<'_>, name: &str) -> Result<String, XmlError> {
    let attribute = start.try_get_attribute(name).map_err(malformed)?;
    let attribute = attribute.ok_or_else(|| malformed(format!("no `{name}` of a call")))?;
    quick_xml::escape::unescape(&attribute.value).map(|value| value.into_owned()).map_err(malformed)
}

//! What stands in the source at a place: read from the file, where there is one.

use crate::record::Place;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Source files, each read once.
#[derive(Default)]
pub(super) struct Sources(BTreeMap<&'static str, Option<Vec<String>>>);

/// A place in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Description {
    /// The function that it is in.
    pub(super) function: Option<String>,
    /// What the operation is about: the field, variable or function before the dot.
    pub(super) object: Option<String>,
    /// The line, trimmed.
    pub(super) line: Option<String>,
    /// The source has something else there than the name of the operation, such as a macro invocation: there may be other operations
    /// at the same place.
    pub(super) is_ambiguous: bool,
}

impl Sources {
    /// What stands at a place; little, if its file cannot be read.
    pub(super) fn describe(&mut self, place: &Place) -> Description {
        self.lines(place.source.file).map(|lines| describe(lines, place)).unwrap_or_default()
    }

    /// The lines of a file.
    pub(super) fn lines(&mut self, file: &'static str) -> Option<&[String]> {
        let read = || {
            let text = std::fs::read_to_string(find(file)?).ok()?;
            Some(text.lines().map(str::to_owned).collect())
        };
        self.0.entry(file).or_insert_with(read).as_deref()
    }
}

/// The file that the compiler calls so: its name is relative to the root of the workspace, and programs run there or below.
fn find(file: &str) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join(file)).find(|path: &PathBuf| Path::is_file(path))
}

fn describe(lines: &[String], place: &Place) -> Description {
    let index = (place.source.line as usize).saturating_sub(1);
    let Some(line) = lines.get(index) else { return Description::default() };
    let column = (place.source.column as usize).saturating_sub(1);
    let (before, here): (String, String) =
        (line.chars().take(column).collect(), line.chars().skip(column).collect());
    // A function may be called by its path.
    let called = here.split(['(', '!', ' ']).next().unwrap_or_default();
    let is_ambiguous =
        called.rsplit("::").next() != Some(place.name.spelling()) || here.starts_with(&format!("{called}!"));
    let above = || {
        lines[..index]
            .iter()
            .rev()
            .map(|line| line.trim())
            .find(|line| !line.is_empty() && !line.starts_with("//"))
    };
    let receiver = match before.trim().strip_suffix('.') {
        Some("") => above(),
        Some(receiver) => Some(receiver),
        None => None,
    };
    Description {
        function: function(&lines[..=index]),
        object: receiver.filter(|_| !is_ambiguous).and_then(last_name),
        line: Some(line.trim().to_owned()),
        is_ambiguous,
    }
}

/// `next` of `(*node).next`, `slot` of `array.slot(top)`.
fn last_name(receiver: &str) -> Option<String> {
    let mut depth = 0;
    let mut rest = receiver;
    while let Some(last) = rest.chars().next_back() {
        match last {
            ')' | ']' => depth += 1,
            '(' | '[' => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
        rest = &rest[..rest.len() - last.len_utf8()];
    }
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let begin = rest.trim_end_matches(is_part).len();
    let name = &rest[begin..];
    (!name.is_empty()).then(|| name.to_owned())
}

/// The function whose body the last of these lines is in: the last one above it that is indented less.
fn function(lines: &[String]) -> Option<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let last = indent(lines.last()?);
    let name_in = |line: &String| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "fn")?;
        let name = words.get(at + 1)?.split(['(', '<']).next()?;
        (indent(line) < last && !line.trim_start().starts_with("//")).then(|| name.to_owned())
    };
    lines.iter().rev().find_map(name_in)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{OperationName, Orders, SourceLocation, operation_name};
    use std::sync::atomic::Ordering::Relaxed;

    const TEXT: &str = "
impl Queue {
    fn take(&self) {
        // fn comment()
        let word = Self::at(array).slot(bottom).load(Relaxed);
        self.top.compare_exchange(top, top + 1, Relaxed, Relaxed);
        self.nodes[0]
            .store(1, Relaxed);
        atomic::fence(SeqCst);
        both!(a, b);
    }
}";

    fn describe_at(line: u32, column: u32, name: OperationName) -> Description {
        let lines: Vec<String> = TEXT.lines().map(str::to_owned).collect();
        let source = SourceLocation { file: "a.rs", line, column };
        describe(&lines, &Place { source, name, orders: Orders::One(Relaxed) })
    }

    fn words(description: Description) -> (Option<String>, bool) {
        let function = description.function.unwrap_or_default();
        let words = description.object.map(|object| format!("{function}: {object}"));
        (words, description.is_ambiguous)
    }

    #[test]
    fn an_operation_is_described_by_its_function_and_what_it_is_about() {
        assert_eq!(
            words(describe_at(5, 49, operation_name!("load", Load))),
            (Some("take: slot".to_owned()), false)
        );
        assert_eq!(
            words(describe_at(6, 18, operation_name!("compare_exchange", CompareExchange))),
            (Some("take: top".to_owned()), false)
        );
        assert_eq!(
            words(describe_at(8, 14, operation_name!("store", Store))),
            (Some("take: nodes".to_owned()), false)
        );
        let fence = describe_at(9, 9, operation_name!("fence", Fence));
        assert_eq!(
            (fence.function.as_deref(), fence.object, fence.is_ambiguous),
            (Some("take"), None, false)
        );
    }

    #[test]
    fn an_operation_in_a_macro_is_ambiguous() {
        assert!(describe_at(10, 9, operation_name!("store", Store)).is_ambiguous);
    }

    #[test]
    fn a_line_that_is_not_there_is_no_mistake() {
        assert_eq!(describe_at(100, 1, operation_name!("load", Load)), Description::default());
    }
}

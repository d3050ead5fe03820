//! What stands in the source at a place: read from the file, where there is one.

use super::syntax::{Call, Syntax};
use crate::record::Place;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Source files, each read once.
#[derive(Default)]
pub(super) struct Sources(BTreeMap<&'static str, Option<Source>>);

/// A source file.
pub(super) struct Source {
    pub(super) text: String,
    /// Nothing, if it does not parse.
    pub(super) syntax: Option<Syntax>,
}

/// A place in words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Description {
    /// The function that it is in.
    pub(super) function: Option<String>,
    /// What the operation is about: the field, variable or function before the dot.
    pub(super) object: Option<String>,
    /// The line, trimmed.
    pub(super) line: Option<String>,
    /// The source has something else there than a call of the operation, such as a macro invocation: there may be other operations
    /// at the same place.
    pub(super) is_ambiguous: bool,
}

impl Sources {
    /// What stands at a place; little, if its file cannot be read.
    pub(super) fn describe(&mut self, place: &Place) -> Description {
        self.source(place.source.file).map(|source| source.describe(place)).unwrap_or_default()
    }

    /// A file, if it can be read.
    pub(super) fn source(&mut self, file: &'static str) -> Option<&Source> {
        let read = || Some(Source::new(std::fs::read_to_string(find(file)?).ok()?));
        self.0.entry(file).or_insert_with(read).as_ref()
    }
}

/// The file that the compiler calls so: its name is relative to the root of the workspace, and programs run there or below.
fn find(file: &str) -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|folder| folder.join(file)).find(|path: &PathBuf| Path::is_file(path))
}

impl Source {
    /// A file with this text.
    pub(super) fn new(text: String) -> Self {
        let syntax = Syntax::read(&text);
        Self { text, syntax }
    }

    /// The call at a place, unless something else stands there.
    pub(super) fn call(&self, place: &Place) -> Option<&Call> {
        self.syntax.as_ref()?.call(place.source.line, place.source.column, place.name.spelling())
    }

    fn describe(&self, place: &Place) -> Description {
        let index = (place.source.line as usize).saturating_sub(1);
        let Some(line) = self.text.lines().nth(index) else { return Description::default() };
        let begin = line.as_ptr() as usize - self.text.as_ptr() as usize;
        let column = (place.source.column as usize).saturating_sub(1);
        let column = line.char_indices().nth(column).map_or(line.len(), |(offset, _)| offset);
        let function = self.syntax.as_ref().and_then(|syntax| syntax.function(begin + column));
        let call = self.call(place);
        Description {
            function: function.map(str::to_owned),
            object: call.and_then(|call| call.object.clone()),
            line: Some(line.trim().to_owned()),
            is_ambiguous: call.is_none(),
        }
    }
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
        let source = SourceLocation { file: "a.rs", line, column };
        Source::new(TEXT.to_owned()).describe(&Place { source, name, orders: Orders::One(Relaxed) })
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
    fn functions_are_told_apart_by_their_braces_and_not_by_their_lines() {
        let rows = [
            ("fn f() { a.@load(Relaxed); }", "f: a"),
            ("fn f() {}\nfn g() {\nfn h() {}\na.@load(Relaxed);\n}", "g: a"),
            ("fn f() { fn g() {} a.next\n// fn h()\n.@load(Relaxed); }", "f: next"),
            ("fn f(\n    a: A,\n) {\n    thread(|| f(a[0].@load(Relaxed)));\n}", "f: a"),
            ("fn f() { assert!(matches!(a.@load(Relaxed), Some(_))); }", "f: a"),
        ];
        for (text, expected) in rows {
            let at = text.find('@').expect("it is marked");
            let line = text[..at].matches('\n').count() as u32 + 1;
            let column = text[..at].lines().last().map_or(0, str::len) as u32 + 1;
            let source = SourceLocation { file: "a.rs", line, column };
            let place = Place { source, name: operation_name!("load", Load), orders: Orders::One(Relaxed) };
            let description = Source::new(text.replace('@', "")).describe(&place);
            assert_eq!(words(description), (Some(expected.to_owned()), false), "{text}");
        }
    }

    #[test]
    fn a_line_that_is_not_there_is_no_mistake() {
        assert_eq!(describe_at(100, 1, operation_name!("load", Load)), Description::default());
    }
}

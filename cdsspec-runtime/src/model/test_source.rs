//! A test as it is written, and what it is without some of its statements.

use crate::port::Omission;
use crate::record::SourceLocation;

/// A test as it is written. The macro makes it.
#[derive(Clone, Copy, Debug)]
pub struct TestSource {
    /// The arguments of the attribute.
    pub arguments: &'static str,
    /// What the test is called.
    pub name: &'static str,
    /// The body, from brace to brace; empty, if it is not known.
    pub body: &'static str,
    /// Where the body begins.
    pub begin: SourceLocation,
    /// The statements that may be left out, in order; what is in one stands behind it.
    pub statements: &'static [Range],
    /// The threads whose bodies are such statements and nothing else.
    pub threads: &'static [TestThread],
    /// Whole numbers among the arguments of such statements.
    pub numbers: &'static [TestNumber],
}

/// From the first character to the last one.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The first character.
    pub first: SourceLocation,
    /// The last character.
    pub last: SourceLocation,
}

/// A thread that a test starts.
#[derive(Clone, Copy, Debug)]
pub struct TestThread {
    /// The statements of its body, by their numbers.
    pub statements: &'static [usize],
    /// The statement that starts it, and the one that joins it.
    pub frame: &'static [Range],
}

/// A whole number.
#[derive(Clone, Copy, Debug)]
pub struct TestNumber {
    /// In which statement.
    pub statement: usize,
    /// The token before it, a parenthesis or a comma.
    pub before: SourceLocation,
    /// As it is written.
    pub text: &'static str,
    /// Its value.
    pub value: i128,
}

/// Places of the body in bytes: where to cut, and what to put there instead.
struct Edit {
    begin: usize,
    end: usize,
    new: String,
}

impl TestSource {
    /// How many statements it has, but for those within others.
    pub(super) fn outer_count(&self, omission: &Omission) -> usize {
        let is_kept =
            |index: &usize| !omission.statements[*index] && !self.is_within_left_out(*index, omission);
        (0..self.statements.len()).filter(is_kept).count()
    }

    /// Whether a statement is within another one that is left out.
    pub(super) fn is_within_left_out(&self, index: usize, omission: &Omission) -> bool {
        let key = |location: SourceLocation| (location.line, location.column);
        let inner = self.statements[index];
        let holds = |outer: &Range| key(outer.first) < key(inner.first) && key(inner.last) <= key(outer.last);
        let mut left_out = self.statements.iter().zip(&omission.statements).filter(|(_, is_out)| **is_out);
        left_out.any(|(outer, _)| holds(outer))
    }

    /// The test without what is left out, and with other numbers: source that can be pasted.
    pub(super) fn without(&self, omission: &Omission) -> String {
        let mut edits: Vec<Edit> = Vec::new();
        let mut cut = |range: &Range| {
            let ends = self.offset(range.first).zip(self.offset(range.last));
            edits.extend(ends.map(|(begin, last)| {
                let (begin, end) = self.whole_lines(begin, last + 1);
                Edit { begin, end, new: String::new() }
            }));
        };
        for (range, _) in self.statements.iter().zip(&omission.statements).filter(|(_, is_out)| **is_out) {
            cut(range);
        }
        let is_empty = |thread: &&TestThread| {
            thread
                .statements
                .iter()
                .all(|&index| omission.statements[index] || self.is_within_left_out(index, omission))
        };
        self.threads.iter().filter(is_empty).flat_map(|thread| thread.frame).for_each(&mut cut);
        for (number, value) in self.numbers.iter().zip(&omission.numbers) {
            if let Some((value, begin)) = value.zip(self.offset_of(number)) {
                edits.push(Edit { begin, end: begin + number.text.len(), new: value.to_string() });
            }
        }
        edits.sort_by_key(|edit| (edit.begin, std::cmp::Reverse(edit.end)));
        self.with_head(&self.edited(&edits))
    }

    fn edited(&self, edits: &[Edit]) -> String {
        let (mut text, mut done) = (String::new(), 0);
        // What is in a part that was cut is gone with it.
        for edit in edits.iter() {
            if edit.begin >= done {
                text.push_str(&self.body[done..edit.begin]);
                text.push_str(&edit.new);
                done = edit.end;
            }
        }
        text.push_str(&self.body[done..]);
        text
    }

    /// Whether the places are in the body: not those of a test that a macro has written.
    pub(super) fn is_known(&self) -> bool {
        let is_end =
            |range: &Range| self.offset(range.last).is_some_and(|last| self.body[last..].starts_with(';'));
        let frames = self.threads.iter().flat_map(|thread| thread.frame);
        self.body.starts_with('{')
            && self
                .statements
                .iter()
                .chain(frames)
                .all(|range| self.offset(range.first).is_some() && is_end(range))
            && self.numbers.iter().all(|number| self.offset_of(number).is_some())
    }

    /// Where a place is in the body, in bytes; `None` if it is not there.
    fn offset(&self, place: SourceLocation) -> Option<usize> {
        let lines = place.line.checked_sub(self.begin.line)? as usize;
        let line = self.body.split_inclusive('\n').nth(lines)?;
        let before: usize = self.body.split_inclusive('\n').take(lines).map(str::len).sum();
        let first_column = if lines == 0 { self.begin.column } else { 1 };
        let column = place.column.checked_sub(first_column)? as usize;
        Some(before + line.char_indices().nth(column)?.0)
    }

    /// Where a number begins; `None` if it is not there.
    fn offset_of(&self, number: &TestNumber) -> Option<usize> {
        let rest = &self.body[self.offset(number.before)? + 1..];
        let number_on = rest.trim_start();
        number_on.starts_with(number.text).then(|| self.body.len() - number_on.len())
    }

    /// With the space around it, where nothing else is on its lines.
    fn whole_lines(&self, begin: usize, end: usize) -> (usize, usize) {
        let is_space = |text: &str| text.chars().all(char::is_whitespace);
        let line_begin = self.body[..begin].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.body[end..].find('\n').map_or(self.body.len(), |newline| end + newline + 1);
        if is_space(&self.body[line_begin..begin]) && is_space(&self.body[end..line_end]) {
            return (line_begin, line_end);
        }
        (begin, end)
    }

    /// The whole function, as far to the left as it can be.
    fn with_head(&self, body: &str) -> String {
        let last = body.rfind('\n').map_or("", |newline| &body[newline + 1..]);
        let indent = &last[..last.len() - last.trim_start().len()];
        let mut text = String::from("#[cdsspec::test");
        if !self.arguments.is_empty() {
            text.extend(["(", self.arguments, ")"]);
        }
        text.extend(["]\nfn ", self.name, "() "]);
        for line in body.split_inclusive('\n') {
            text.push_str(line.strip_prefix(indent).unwrap_or(line));
        }
        text.push('\n');
        text
    }
}

//! How the things of an execution are called in a text.

use super::super::data::{ReportedCall, ReportedExecution, ReportedOperation};
use crate::record::{CallId, Orders, Place, SourceLocation, ThreadId};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The names of the things of one execution, the same throughout one text.
pub(super) struct Names<'a> {
    pub(super) execution: &'a ReportedExecution,
    /// The calls without what they return: `Queue2.pop()`.
    calls: Vec<String>,
    /// Numbers that were abbreviated, each with its abbreviation.
    abbreviated: RefCell<Vec<(String, String)>>,
}

/// A number of more digits is abbreviated in tables.
const DIGITS_MAX: usize = 12;

impl<'a> Names<'a> {
    pub(super) fn new(execution: &'a ReportedExecution) -> Self {
        let qualifiers = qualifiers(&execution.calls);
        let calls = execution.calls.iter().map(|call| {
            format!("{}{}({})", qualifiers[&call.object], call.method, call.arguments.join(", "))
        });
        Self { execution, calls: calls.collect(), abbreviated: RefCell::default() }
    }

    /// `#3 pop() -> Some(2)`.
    pub(super) fn call(&self, call: CallId) -> String {
        let begin = self.call_begin(call);
        match (&self.execution.call(call).returned, self.execution.call(call).is_pending) {
            (_, true) => format!("{begin} pending"),
            (Some(returned), false) => format!("{begin} -> {returned}"),
            (None, false) => begin,
        }
    }

    /// `#3 pop()`.
    pub(super) fn call_begin(&self, call: CallId) -> String {
        format!("{call:?} {}", self.calls[call.index()])
    }

    /// `#0 push(1), #1 pop() -> Some(1)`.
    pub(super) fn calls(&self, calls: &[CallId]) -> String {
        calls.iter().map(|&call| self.call(call)).collect::<Vec<_>>().join(", ")
    }

    /// A text for a table: big numbers are abbreviated, as `12345…7890`. Two numbers never have one abbreviation.
    pub(super) fn short(&self, text: &str) -> String {
        let mut short = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(begin) = rest.find(|character: char| character.is_ascii_digit()) {
            let (before, number) = rest.split_at(begin);
            let digits = number.bytes().take_while(u8::is_ascii_digit).count();
            short.push_str(before);
            short.push_str(&self.abbreviate(&number[..digits]));
            rest = &number[digits..];
        }
        short + rest
    }

    fn abbreviate(&self, digits: &str) -> String {
        if digits.len() <= DIGITS_MAX {
            return digits.to_owned();
        }
        let short = format!("{}…{}", &digits[..5], &digits[digits.len() - 4..]);
        let mut known = self.abbreviated.borrow_mut();
        match known.iter().find(|(_, taken)| *taken == short) {
            Some((owner, _)) if owner != digits => return digits.to_owned(),
            Some(_) => {}
            None => known.push((digits.to_owned(), short.clone())),
        }
        short
    }

    /// `thread 1`, or `thread 1 "writer"`.
    pub(super) fn thread(&self, thread: ThreadId) -> String {
        match self.execution.threads.get(thread.index()).and_then(|thread| thread.name.as_ref()) {
            Some(name) => format!("thread {} {name:?}", thread.index()),
            None => format!("thread {}", thread.index()),
        }
    }
}

/// `Queue2.` where several objects have calls: the second object with a specification of that name. By the objects.
fn qualifiers(calls: &[ReportedCall]) -> BTreeMap<crate::record::ObjectId, String> {
    let names: BTreeMap<_, _> = calls.iter().map(|call| (call.object, call.specification.as_str())).collect();
    let qualifier = |(object, name)| {
        let number = names.range(..=object).filter(|(_, other)| **other == name).count();
        if names.len() < 2 { String::new() } else { format!("{name}{number}.") }
    };
    names.iter().map(|(&object, &name)| (object, qualifier((object, name)))).collect()
}

/// `load(Acquire)`; `load(Acquire) as Relaxed`, if an override made it that.
pub(super) fn operation_text(operation: &ReportedOperation) -> String {
    let text = place_text(&operation.place);
    match operation.order {
        Some(order) if operation.is_overridden => format!("{text} as {order:?}"),
        _ => text,
    }
}

/// `load(Acquire)`, `lock`.
pub(super) fn place_text(place: &Place) -> String {
    match place.orders {
        Orders::None => place.name.to_string(),
        orders => format!("{}({orders})", place.name),
    }
}

/// `queue.rs:10`, where the folder is clear from what else is said.
pub(super) fn short_place(source: SourceLocation) -> String {
    let file = source.file.rsplit(['/', '\\']).next().unwrap_or(source.file);
    format!("{file}:{}", source.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Finding;
    use crate::report::scene;

    #[test]
    fn two_big_numbers_never_have_one_abbreviation() {
        let recorder = scene::push_pop(scene::exact_stack());
        let findings = [Finding::EngineFailed("for a test".to_owned())];
        let execution = ReportedExecution::new(recorder.recording(), &findings, 1).unwrap();
        let names = Names::new(&execution);
        assert_eq!(names.short("f(123456789012) -> -1234567890123"), "f(123456789012) -> -12345…0123");
        assert_eq!(names.short("1234500000123"), "1234500000123", "that is another one");
        assert_eq!(names.short("[1234567890123, é]"), "[12345…0123, é]", "and that is the first");
    }
}

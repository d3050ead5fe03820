//! How the things of a recording are called in a report: never by an address.

use super::page::fold;
use crate::record::{
    CallId, MethodCall, Operation, OperationId, Orders, Place, Recording, SourceLocation, StoreId, ThreadId,
    ValueKind,
};
use crate::specification::integer_text;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The names of the things of one recording, the same throughout one report.
pub(super) struct Names<'a> {
    pub(super) recording: &'a Recording,
    pointers: Pointers,
    calls: Vec<String>,
    /// Numbers that were abbreviated, each with its abbreviation.
    abbreviated: RefCell<Vec<(String, String)>>,
}

/// Addresses, numbered in order of appearance.
#[derive(Default)]
struct Pointers(RefCell<Vec<String>>);

/// A number of more digits is abbreviated in tables.
const DIGITS_MAX: usize = 12;

/// An address has at least this many hexadecimal digits.
const ADDRESS_DIGITS: usize = 6;

impl<'a> Names<'a> {
    pub(super) fn new(recording: &'a Recording) -> Self {
        let mut names = Self {
            recording,
            pointers: Pointers::default(),
            calls: Vec::new(),
            abbreviated: RefCell::default(),
        };
        names.calls = recording.calls.iter().map(|call| names.render(call)).collect();
        names
    }

    /// `pop() -> Some(2)`.
    pub(super) fn call_text(&self, call: CallId) -> &str {
        &self.calls[call.index()]
    }

    /// `#3 pop() -> Some(2)`.
    pub(super) fn call(&self, call: CallId) -> String {
        format!("{call:?} {}", self.call_text(call))
    }

    /// `#0 push(1), #1 pop() -> Some(1)`.
    pub(super) fn calls(&self, calls: &[CallId]) -> String {
        calls.iter().map(|&call| self.call(call)).collect::<Vec<_>>().join(", ")
    }

    /// The method's name.
    pub(super) fn method(&self, call: CallId) -> &'static str {
        method(self.recording, self.recording.call(call)).name
    }

    /// What the call returned, where it can be shown.
    pub(super) fn returned(&self, call: CallId) -> Option<String> {
        let call = self.recording.call(call);
        let values = method(self.recording, call).values;
        guard(|| (values.render_return)(&*call.values))
            .unwrap_or_else(|| Some(UNSHOWABLE.to_owned()))
            .map(|text| self.text(&text))
    }

    /// A text of the user's in one line, with its addresses numbered.
    pub(super) fn text(&self, text: &str) -> String {
        fold(&self.pointers.scrub(text))
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
        match self.recording.threads.get(thread.index()).and_then(|thread| thread.name.as_ref()) {
            Some(name) => format!("thread {} {name:?}", thread.index()),
            None => format!("thread {}", thread.index()),
        }
    }

    /// The value of a store; nothing for what is not a value of the program.
    pub(super) fn value(&self, store: StoreId) -> Option<String> {
        let store = self.recording.store(store);
        let text = match self.recording.locations[store.location.index()].kind {
            ValueKind::Unsigned(name) => integer_text(store.value.into(), name),
            ValueKind::Signed(name) => integer_text(store.value.cast_signed().into(), name),
            ValueKind::Bool => (store.value != 0).to_string(),
            ValueKind::Pointer if store.value == 0 => "null".to_owned(),
            ValueKind::Pointer => self.pointers.scrub(&format!("{:#x}", store.value)),
            ValueKind::Lock | ValueKind::Internal => return None,
        };
        Some(text)
    }

    /// The outermost call that an operation belongs to.
    pub(super) fn call_of(&self, operation: OperationId) -> Option<CallId> {
        let operation = self.recording.operation(operation);
        let is_inside = |call: &&MethodCall| {
            let end = call.response.map_or(u32::MAX, |moment| moment.position);
            call.thread == operation.thread
                && (call.invocation.position + 1..=end).contains(&operation.position)
        };
        self.recording.calls.iter().find(is_inside).map(|call| call.id)
    }

    fn render(&self, call: &MethodCall) -> String {
        let method = method(self.recording, call);
        let arguments = guard(|| (method.values.render_arguments)(&*call.values))
            .unwrap_or_else(|| vec![UNSHOWABLE.to_owned()]);
        let mut text =
            format!("{}{}({})", self.qualifier(call), method.name, self.text(&arguments.join(", ")));
        if call.is_pending() {
            text.push_str(" pending");
        } else if let Some(returned) = self.returned(call.id) {
            text.push_str(" -> ");
            text.push_str(&returned);
        }
        text
    }

    /// `Queue2.` where several objects have calls: the second object with a specification of that name.
    fn qualifier(&self, call: &MethodCall) -> String {
        let recording = self.recording;
        let mut objects: Vec<_> = recording.calls.iter().map(|call| call.object).collect();
        objects.sort_unstable();
        objects.dedup();
        if objects.len() < 2 {
            return String::new();
        }
        let name = recording.specification(call.object).name;
        let of_name = objects.iter().filter(|&&object| recording.specification(object).name == name);
        let number = of_name.filter(|&&object| object <= call.object).count();
        format!("{name}{number}.")
    }
}

const UNSHOWABLE: &str = "<its Debug panicked>";

/// Runs code of the user's; nothing, if it panics.
fn guard<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

fn method<'a>(recording: &'a Recording, call: &MethodCall) -> &'a crate::specification::Method {
    recording.specification(call.object).method(call.method)
}

/// `load(Acquire)`; `load(Acquire) as Relaxed`, if an override made it that.
pub(super) fn operation_text(operation: &Operation) -> String {
    let text = place_text(&operation.place);
    match (operation.overridden_order(), operation.order) {
        (Some(_), Some(order)) => format!("{text} as {order:?}"),
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

impl Pointers {
    /// Replaces each hexadecimal number that may be an address by `p1`, `p2`, ….
    fn scrub(&self, text: &str) -> String {
        let mut scrubbed = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(begin) = rest.find("0x") {
            let (before, number) = rest.split_at(begin);
            let digits = number[2..].bytes().take_while(u8::is_ascii_hexdigit).count();
            scrubbed.push_str(before);
            if digits < ADDRESS_DIGITS {
                scrubbed.push_str(&number[..2 + digits]);
            } else {
                scrubbed.push_str(&format!("p{}", self.number(&number[2..2 + digits])));
            }
            rest = &number[2 + digits..];
        }
        scrubbed.push_str(rest);
        scrubbed
    }

    fn number(&self, digits: &str) -> usize {
        let address = digits.trim_start_matches('0').to_ascii_lowercase();
        let mut known = self.0.borrow_mut();
        let index = known.iter().position(|known| *known == address).unwrap_or_else(|| {
            known.push(address);
            known.len() - 1
        });
        index + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_big_numbers_never_have_one_abbreviation() {
        let recorder = crate::report::scene::push_pop(crate::report::scene::exact_stack());
        let names = Names::new(recorder.recording());
        assert_eq!(names.short("f(123456789012) -> -1234567890123"), "f(123456789012) -> -12345…0123");
        assert_eq!(names.short("1234500000123"), "1234500000123", "that is another one");
        assert_eq!(names.short("[1234567890123, é]"), "[12345…0123, é]", "and that is the first");
    }

    #[test]
    fn addresses_are_numbered_in_order_of_appearance_and_small_numbers_are_kept() {
        let pointers = Pointers::default();
        assert_eq!(pointers.scrub("Node(0x7f00aabbcc10, 0x10)"), "Node(p1, 0x10)");
        assert_eq!(pointers.scrub("0x7F00AABBCC20 0x00007f00aabbcc10"), "p2 p1");
        assert_eq!(pointers.scrub("é0x"), "é0x");
    }
}

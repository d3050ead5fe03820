//! Texts of the user's, made safe to show: in one line, and without addresses.

use crate::record::{MethodCall, Recording, StoreId, ValueKind};
use crate::specification::{Method, integer_text};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Makes texts of one recording: addresses have the same numbers throughout one report.
pub(super) struct Namer<'a> {
    pub(super) recording: &'a Recording,
    pointers: Pointers,
}

/// Addresses, numbered in order of appearance.
#[derive(Default)]
struct Pointers(RefCell<Vec<String>>);

/// An address has at least this many hexadecimal digits.
const ADDRESS_DIGITS: usize = 6;

const UNSHOWABLE: &str = "<its Debug panicked>";

impl<'a> Namer<'a> {
    pub(super) fn new(recording: &'a Recording) -> Self {
        Self { recording, pointers: Pointers::default() }
    }

    /// The arguments of a call, each in one line.
    pub(super) fn arguments(&self, call: &MethodCall) -> Vec<String> {
        let values = self.method(call).values;
        let arguments =
            guard(|| (values.render_arguments)(&*call.values)).unwrap_or_else(|| vec![UNSHOWABLE.to_owned()]);
        arguments.iter().map(|argument| self.line(argument)).collect()
    }

    /// What a call returned, where it can be shown.
    pub(super) fn returned(&self, call: &MethodCall) -> Option<String> {
        let values = self.method(call).values;
        let returned =
            guard(|| (values.render_return)(&*call.values)).unwrap_or_else(|| Some(UNSHOWABLE.to_owned()));
        returned.map(|text| self.line(&text))
    }

    pub(super) fn method(&self, call: &MethodCall) -> &'static Method {
        self.recording.specification(call.object).method(call.method)
    }

    /// A text of the user's in one line, with its addresses numbered.
    pub(super) fn line(&self, text: &str) -> String {
        fold(&self.text(text))
    }

    /// A text of the user's with its addresses numbered.
    pub(super) fn text(&self, text: &str) -> String {
        self.pointers.scrub(text)
    }

    /// The value of a store; nothing for what is not a value of the program.
    pub(super) fn value(&self, store: StoreId) -> Option<String> {
        let store = self.recording.store(store);
        let text = match self.recording.locations[store.location.index()].kind {
            ValueKind::Unsigned(name) => integer_text(store.value.into(), name),
            ValueKind::Signed(name) => integer_text(store.value.cast_signed().into(), name),
            ValueKind::Bool => (store.value != 0).to_string(),
            ValueKind::Pointer if store.value == 0 => "null".to_owned(),
            ValueKind::Pointer => self.text(&format!("{:#x}", store.value)),
            ValueKind::Lock | ValueKind::Internal => return None,
        };
        Some(text)
    }
}

/// Texts of the user's may have lines: one, with what is between words folded.
pub(in crate::report) fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Runs code of the user's; nothing, if it panics.
fn guard<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
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
    fn addresses_are_numbered_in_order_of_appearance_and_small_numbers_are_kept() {
        let pointers = Pointers::default();
        assert_eq!(pointers.scrub("Node(0x7f00aabbcc10, 0x10)"), "Node(p1, 0x10)");
        assert_eq!(pointers.scrub("0x7F00AABBCC20 0x00007f00aabbcc10"), "p2 p1");
        assert_eq!(pointers.scrub("é0x"), "é0x");
    }
}

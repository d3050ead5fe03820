//! What operations are called, and what a name stands for.

use std::fmt;
use std::hash::{Hash, Hasher};

/// What kind of thing is written at a place: which orders may stand there, and which operations it consists of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperationForm {
    /// A load, with one order.
    Load,
    /// A store, with one order.
    Store,
    /// A read-modify-write that always writes, with one order.
    Update,
    /// A compare-exchange, with the orders on success and on failure; the deprecated `compare_and_swap` has one.
    CompareExchange,
    /// A load and then compare-exchanges, until one succeeds or nothing is to be stored: `fetch_update` and its like.
    FetchUpdate,
    /// A fence, with one order.
    Fence,
    /// A fence that is not written: an override of the run adds it.
    AddedFence,
    /// Anything without orders of its own: locks, cells, threads.
    Unordered,
}

/// A name as it is written, and what it stands for.
#[derive(PartialEq, Eq, Debug)]
pub struct Spelling {
    /// As the user writes it: `load`, `fetch_add`, `lock`, `spawn`.
    pub text: &'static str,
    /// What it stands for.
    pub form: OperationForm,
}

/// The name of an operation. The text is for people: what the checker does depends on the form alone.
///
/// `operation_name!("fetch_add", Update)` makes one.
#[derive(Clone, Copy)]
pub struct OperationName(&'static Spelling);

impl OperationName {
    /// The name that is spelt so.
    pub const fn new(spelling: &'static Spelling) -> Self {
        Self(spelling)
    }

    /// What it stands for.
    #[inline]
    pub fn form(self) -> OperationForm {
        self.0.form
    }

    /// As the user writes it: to be shown, or looked for in a source.
    pub fn spelling(self) -> &'static str {
        self.0.text
    }

    /// Whether it is the same one, to the address: quicker than `==`, and `false` may be wrong.
    #[inline]
    pub fn is_identical(self, other: Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }

    /// What [`new`](Self::new) was given.
    pub(crate) fn as_static(self) -> &'static Spelling {
        self.0
    }
}

/// As the user writes it.
#[cfg(feature = "json")]
impl serde::Serialize for OperationName {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.spelling())
    }
}

impl PartialEq for OperationName {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.is_identical(*other) || self.0 == other.0
    }
}

impl Eq for OperationName {}

impl Hash for OperationName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.spelling().hash(state);
    }
}

impl fmt::Display for OperationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.spelling())
    }
}

impl fmt::Debug for OperationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.spelling(), f)
    }
}

/// The name of an operation: its text, and its form if it has orders.
#[doc(hidden)]
#[macro_export]
macro_rules! __operation_name {
    ($text:expr) => {
        $crate::__operation_name!($text, Unordered)
    };
    ($text:expr, $form:ident) => {
        const {
            $crate::record::OperationName::new(&$crate::record::Spelling {
                text: $text,
                form: $crate::record::OperationForm::$form,
            })
        }
    };
}

#[cfg(test)]
mod tests {
    use super::OperationName;
    use crate::record::operation_name;

    #[test]
    fn names_are_equal_if_text_and_form_are() {
        let load = operation_name!("load", Load);
        assert_eq!(load, operation_name!("load", Load));
        assert_ne!(load, operation_name!("load"));
        assert_ne!(load, operation_name!("store", Load));
        assert_eq!(size_of::<OperationName>(), size_of::<usize>());
        assert_eq!((format!("{load:>6}"), format!("{load:?}")), ("  load".to_owned(), "\"load\"".to_owned()));
    }
}

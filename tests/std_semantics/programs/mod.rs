//! Programs that run on std and on cdsspec: the same source, with one or the other as `lib`, and all that can come of each under the latter.
#![allow(clippy::unwrap_used, reason = "programs under test: a thread that panics fails the test")]

use super::lib;

/// A program, and its outcomes.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) run: fn() -> String,
    pub(crate) expected: &'static [&'static str],
}

macro_rules! table {
    ($($name:ident $expected:tt $body:block)*) => {
        $(fn $name() -> String $body)*

        pub(crate) const TABLE: &[super::Row] =
            &[$(super::Row { name: stringify!($name), run: $name, expected: &$expected }),*];
    };
}

/// A panic that no hook sees.
fn fail(message: &'static str) -> ! {
    std::panic::resume_unwind(Box::new(message))
}

/// What a panic said.
fn message(payload: Box<dyn std::any::Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no text".to_owned())
}

mod arcs;
mod channels;
mod locals;
mod locks;
mod onces;
mod threads;

/// All of them.
pub(crate) const TABLES: [&[Row]; 6] =
    [arcs::TABLE, channels::TABLE, locals::TABLE, locks::TABLE, onces::TABLE, threads::TABLE];

//! The parts of a condition that mention no event set: each is evaluated once, at the call, and its value is kept.
//!
//! Which events are in a set when a call begins depends on the order of the calls. Everything else that a condition mentions has one value at
//! the call: what an atomic is, how many handles an `Arc` has, whether a channel has hung up. So a condition is taken apart: what mentions no set is
//! evaluated there and then, in the order in which it is written, and the rest is looked at over these values.

use crate::Level;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Which conditions are looked at: those up to a level, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Looks(Option<Level>);

impl Looks {
    /// Those up to this level.
    pub const fn up_to(level: Level) -> Self {
        Self(Some(level))
    }

    /// None.
    pub const fn none() -> Self {
        Self(None)
    }

    /// Whether a condition of this level is.
    pub fn at(self, level: Level) -> bool {
        self.0.is_some_and(|highest| level <= highest)
    }
}

/// What can be kept until event sets are known: it says the same then, since it shares nothing that others may change.
#[diagnostic::on_unimplemented(
    message = "a condition cannot keep a `{Self}` until its event sets are known",
    label = "this is not `Copy`",
    note = "beside event sets a condition has `Copy` values, a `&str`, and slices of such values, as `numbers[..]`",
    note = "ask for what is wanted in a part without event sets: `names.len() > 3 && prod.is_empty()`"
)]
pub trait Kept {
    /// As what it is kept.
    type Value;

    /// It, as it is now.
    fn kept(&self) -> Self::Value;
}

impl<T: Copy> Kept for T {
    type Value = T;

    fn kept(&self) -> T {
        *self
    }
}

impl Kept for str {
    type Value = String;

    fn kept(&self) -> String {
        self.to_owned()
    }
}

impl<T: Copy> Kept for [T] {
    type Value = Vec<T>;

    fn kept(&self) -> Vec<T> {
        self.to_vec()
    }
}

/// The value of a part of a condition. If it panicked, whoever asks for it does.
#[derive(Debug)]
pub struct Part<T>(Option<Result<T, String>>);

impl<T> Part<T> {
    /// Evaluates it, if it is looked at, and keeps the value.
    ///
    /// # Panics
    /// As [`of`](Self::of).
    pub fn of_value(is_looked_at: bool, value: impl FnOnce() -> T) -> Self
    where
        T: Kept,
    {
        Self::of(is_looked_at, value)
    }

    /// Evaluates it, if it is looked at.
    ///
    /// # Panics
    /// If `value` panics with a payload that is no text, as nothing but an engine does that leaves a thread.
    pub fn of(is_looked_at: bool, value: impl FnOnce() -> T) -> Self {
        Self(is_looked_at.then(|| {
            catch_unwind(AssertUnwindSafe(value)).map_err(|payload| match payload.downcast::<String>() {
                Ok(text) => *text,
                Err(payload) => match payload.downcast::<&str>() {
                    Ok(text) => (*text).to_owned(),
                    Err(payload) => resume_unwind(payload),
                },
            })
        }))
    }

    /// The value.
    ///
    /// # Panics
    /// If the part panicked, with its message; or if it was not evaluated, which is a bug.
    pub fn get(&self) -> &T {
        match &self.0 {
            Some(Ok(value)) => value,
            // The hook was told when it happened.
            Some(Err(message)) => resume_unwind(Box::new(message.clone())),
            None => panic!("cdsspec bug: a condition is looked at whose parts were not"),
        }
    }

    /// A copy of the value.
    ///
    /// # Panics
    /// As [`get`](Self::get) does.
    pub fn value(&self) -> T
    where
        T: Clone,
    {
        self.get().clone()
    }
}

impl Part<bool> {
    /// Whether it was evaluated, and is this.
    pub fn is(&self, is_so: bool) -> bool {
        matches!(self.0, Some(Ok(value)) if value == is_so)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_evaluated_where_it_is_made_and_panics_where_it_is_asked_for() {
        let count = std::cell::Cell::new(0);
        let part = Part::of(Looks::up_to(Level::Audit).at(Level::Audit), || count.replace(count.get() + 1));
        assert_eq!((count.get(), part.value(), part.value(), count.get()), (1, 0, 0, 1));
        let none: Part<u32> =
            Part::of(Looks::up_to(Level::Default).at(Level::Audit), || panic!("not looked at"));
        assert!(catch_unwind(AssertUnwindSafe(|| none.value())).is_err());
        assert!(!Looks::none().at(Level::Default));
        assert!(Part::of(true, || true).is(true) && !Part::of(true, || true).is(false));
        assert!(!Part::of(false, || true).is(true) && !Part::of(false, || true).is(false));
        let number = 3;
        let broken: Part<bool> = Part::of(true, || panic!("no {number}"));
        let payload = catch_unwind(AssertUnwindSafe(|| broken.value())).expect_err("it panicked");
        assert_eq!(payload.downcast_ref::<String>().map(String::as_str), Some("no 3"));
        struct Left;
        let left = || Part::of(true, || std::panic::panic_any(Left));
        assert!(catch_unwind(left).is_err_and(|payload| payload.is::<Left>()));
    }
}

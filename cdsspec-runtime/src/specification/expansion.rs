//! What generated code needs beside the types of the specification: the facade exports all of it as `__private`.

pub use super::{
    AdmissibilityRule, AgreesByEquality, AgreesByUnit, AgreesNever, BlockMethod, Broken, Clause, ClauseKind,
    Comparison, Concurrent, KeySupport, MarkerText, Method, ObjectByDeref, ObjectByPointer, ObjectExtent,
    ObjectNever, ObjectProbe, OtherMethod, Probe, ProbeClone, ProbeKey, ProbeNoClone, ProbeNoKey,
    ProbeNoShow, ProbeShow, RegisteredBlock, RegisteredMarker, RegisteredSpecification, RegisteredStructures,
    ReturnBorrowing, ReturnOwned, ReturnProbe, SharedSpecification, Specification, SpecificationBlock,
    SpecifiedMethod, StateSupport, Step, StepMode, Unit, Unmentioned, ValueSupport, as_instance,
    assert_instance, first_method, is_instance, keep, method_id, name_of, other_method, returned_of,
    says_nothing, shared_methods, unmentioned_key,
};
pub use crate::record::{MethodId, SourceLocation};
pub use crate::{__can_show as can_show, __key as key, __show as show};
pub use inventory;
pub use std::any::{Any, TypeId, type_name};
pub use std::borrow::{Borrow, ToOwned};
pub use std::boxed::Box;
pub use std::clone::Clone;
pub use std::default::Default;
pub use std::iter::Iterator;
pub use std::mem::drop;
pub use std::ops::Deref;
pub use std::option::Option::{self, None, Some};
pub use std::result::Result::{self, Err, Ok};
pub use std::sync::OnceLock;
pub use std::vec::Vec;

/// Stands where a value is not recorded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unrecorded;

/// The recorded values of a call: `entered` while it runs, `returned` from its end on. Exactly one of the two is there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Recorded<E, R> {
    entered: Option<E>,
    returned: Option<R>,
}

impl<E, R> Recorded<E, R> {
    /// A call that begins.
    pub fn enter(entered: E) -> Self {
        Self { entered: Some(entered), returned: None }
    }

    /// The call returns.
    pub fn complete(&mut self, complete: impl FnOnce(E) -> R) {
        self.returned = self.entered.take().map(complete);
    }

    /// The values of a call that returned.
    pub fn returned(&self) -> Option<&R> {
        self.returned.as_ref()
    }

    /// The values of a call that is run on a state.
    ///
    /// # Panics
    /// If the call is pending: a bug of the checker.
    pub fn values(&self) -> &R {
        self.returned().expect("cdsspec bug: only calls that returned are run on a state")
    }
}

/// A record behind its erased type.
pub trait Record: Any {
    /// The values of a call that runs.
    type Entered;
    /// The values of a call that returned.
    type Returned;
    /// Which of the two there is.
    fn stage(&self) -> Stage<'_, Self::Entered, Self::Returned>;
}

/// How far a call is.
#[derive(Debug)]
pub enum Stage<'a, E, R> {
    /// It is pending.
    Entered(&'a E),
    /// It returned.
    Returned(&'a R),
}

impl<E: 'static, R: 'static> Record for Recorded<E, R> {
    type Entered = E;
    type Returned = R;

    fn stage(&self) -> Stage<'_, E, R> {
        match (&self.entered, &self.returned) {
            (_, Some(returned)) => Stage::Returned(returned),
            (Some(entered), None) => Stage::Entered(entered),
            (None, None) => panic!("cdsspec bug: a record has values"),
        }
    }
}

/// The values of a call that returned; `None` of one that is pending.
///
/// # Panics
/// If `V` is not the record of the method: a bug of the macro.
pub fn returned<V: Record>(values: &dyn Any) -> Option<&V::Returned> {
    match record::<V>(values).stage() {
        Stage::Returned(returned) => Some(returned),
        Stage::Entered(_) => None,
    }
}

/// Looks at a record in either stage.
///
/// # Panics
/// If `V` is not the record of the method: a bug of the macro.
pub fn with_record<V: Record, T>(
    values: &dyn Any,
    entered: impl FnOnce(&V::Entered) -> T,
    returned: impl FnOnce(&V::Returned) -> T,
) -> T {
    match record::<V>(values).stage() {
        Stage::Entered(record) => entered(record),
        Stage::Returned(record) => returned(record),
    }
}

fn record<V: Record>(values: &dyn Any) -> &V {
    values.downcast_ref().expect("cdsspec bug: the record of a method has one type")
}

/// A state behind its erased type.
///
/// # Panics
/// If it is of another type: a bug of the macro.
pub fn state_ref<S: 'static>(state: &dyn Any) -> &S {
    state.downcast_ref().expect("cdsspec bug: a specification has one type of state")
}

/// The same, owned.
///
/// # Panics
/// If it is of another type: a bug of the macro.
pub fn state_owned<S: 'static>(state: Box<dyn Any>) -> S {
    *state.downcast().expect("cdsspec bug: a specification has one type of state")
}

/// The parts of a state as text: of one part its value, of several `name = value, …`.
pub fn state_text(parts: &[(&str, Option<String>)]) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "_".to_owned());
    match parts {
        [(_, value)] => text(value),
        several => {
            let parts: Vec<_> =
                several.iter().map(|(name, value)| format!("{name} = {}", text(value))).collect();
            parts.join(", ")
        }
    }
}

/// Arguments as text; `_` for one that is not recorded or cannot be shown.
pub fn argument_texts<const COUNT: usize>(texts: [Option<String>; COUNT]) -> Vec<String> {
    texts.into_iter().map(|text| text.unwrap_or_else(|| "_".to_owned())).collect()
}

/// The arguments of a method without parameters, as text.
pub fn no_arguments(_values: &dyn Any) -> Vec<String> {
    Vec::new()
}

/// A return value that is not recorded, as text.
pub fn no_return(_values: &dyn Any) -> Option<String> {
    None
}

/// What a side effect returned, as text; nothing for `()`.
pub fn specified(text: Option<String>) -> Option<String> {
    text.filter(|text| text != "()")
}

/// Runs a closure once. The bound makes it `FnOnce`, so that it may give back what it captured.
#[inline]
pub fn run<R, F: FnOnce() -> R>(f: F) -> R {
    f()
}

/// What a closure makes of a return value.
pub fn project<T: ?Sized, P>(value: &T, projection: impl FnOnce(&T) -> P) -> P {
    projection(value)
}

/// The probe of the type of a value.
pub fn probe_of<T>(_value: &T) -> Probe<T> {
    Probe::new()
}

/// The text of a value behind a reference, if its type is `Debug`.
#[doc(hidden)]
#[macro_export]
macro_rules! __show {
    ($reference:expr) => {{
        #[allow(unused_imports, reason = "which of the two is used depends on the type")]
        use $crate::specification::{ProbeNoShow as _, ProbeShow as _};
        let value = $reference;
        (&&$crate::specification::expansion::probe_of(value)).show(value)
    }};
}

/// Whether values of a type can be shown.
#[doc(hidden)]
#[macro_export]
macro_rules! __can_show {
    ($type:ty) => {{
        #[allow(unused_imports, reason = "which of the two is used depends on the type")]
        use $crate::specification::{ProbeNoShow as _, ProbeShow as _};
        (&&$crate::specification::Probe::<$type>::new()).can_show()
    }};
}

/// Equality and hash of a type, where it has them.
#[doc(hidden)]
#[macro_export]
macro_rules! __key {
    ($type:ty) => {{
        #[allow(unused_imports, reason = "which of the two is used depends on the type")]
        use $crate::specification::{ProbeKey as _, ProbeNoKey as _};
        (&&$crate::specification::Probe::<$type>::new()).key()
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_of_a_pending_call_until_it_is_completed() {
        let mut record = Recorded::<i32, (i32, bool)>::enter(3);
        assert!(returned::<Recorded<i32, (i32, bool)>>(&record).is_none());
        record.complete(|value| (value, true));
        assert_eq!(returned::<Recorded<i32, (i32, bool)>>(&record), Some(&(3, true)));
    }

    #[test]
    fn the_parts_of_a_state_are_named_when_there_are_several() {
        assert_eq!(state_text(&[("q", Some("[1]".to_owned()))]), "[1]");
        assert_eq!(state_text(&[("q", Some("[1]".to_owned())), ("n", None)]), "q = [1], n = _");
    }
}

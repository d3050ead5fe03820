//! Sequential states, and everything of a specification that is run on them. Any of it may panic: that is an error of the
//! specification, which is kept and told.

use super::ObjectCalls;
use super::hash::WordHasher;
use crate::record::{SourceLocation, SpecificationError, SpecificationErrorKind, ThreadId};
use crate::specification::{Broken, ClauseKind, Step, StepMode};
use std::any::Any;
use std::cell::RefCell;
use std::hash::Hasher;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Makes the states of one object, and keeps the first panic in that.
pub(super) struct States<'a> {
    pub(super) calls: &'a ObjectCalls<'a>,
    failure: RefCell<Option<SpecificationError>>,
}

/// A state; ended by `clear`.
pub(super) struct State<'a> {
    states: &'a States<'a>,
    /// `None` only while it is being dropped.
    value: Option<Box<dyn Any>>,
}

impl<'a> States<'a> {
    pub(super) fn new(calls: &'a ObjectCalls<'a>) -> Self {
        Self { calls, failure: RefCell::new(None) }
    }

    /// The first panic outside the clauses of a method, if there was one.
    pub(super) fn failure(&self) -> Option<SpecificationError> {
        self.failure.borrow().clone()
    }

    pub(super) fn initial(&'a self) -> Result<State<'a>, SpecificationError> {
        let value = self.guard("initial", || (self.calls.specification.state.initial)())?;
        Ok(State { states: self, value: Some(value) })
    }

    fn guard<R>(&self, clause: &'static str, run: impl FnOnce() -> R) -> Result<R, SpecificationError> {
        catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
            let error = specification_error(
                clause,
                message_of(&*payload),
                self.calls.specification.source,
                self.calls.first_thread(),
            );
            self.failure.borrow_mut().get_or_insert(error).clone()
        })
    }
}

impl<'a> State<'a> {
    fn value(&self) -> &dyn Any {
        self.value.as_deref().expect("cdsspec bug: a state that is in use has a value")
    }

    pub(super) fn copy(&self) -> Result<Self, SpecificationError> {
        let copy = self.states.calls.specification.state.copy;
        let value = self.states.guard("copy", || copy(self.value()))?;
        Ok(State { states: self.states, value: Some(value) })
    }

    pub(super) fn render(&self) -> Result<Option<String>, SpecificationError> {
        let Some(render) = self.states.calls.specification.state.render else { return Ok(None) };
        self.states.guard("Debug of the state", || Some(render(self.value())))
    }

    /// Whether states can be compared.
    pub(super) fn has_key(calls: &ObjectCalls<'_>) -> bool {
        calls.specification.state.key.is_some()
    }

    /// Equal states have equal hashes.
    pub(super) fn hash(&self, hasher: &mut WordHasher) -> Result<u64, SpecificationError> {
        let Some(key) = self.states.calls.specification.state.key else { return Ok(hasher.finish()) };
        self.states.guard("Hash of the state", || {
            (key.hash)(self.value(), hasher);
            hasher.finish()
        })
    }

    /// Its bytes, without those behind pointers.
    pub(super) fn size(&self) -> usize {
        size_of_val(self.value())
    }

    /// Whether two states are equal. A panic says no, and is kept.
    pub(super) fn is_equal(&self, other: &Self) -> bool {
        let Some(key) = self.states.calls.specification.state.key else { return false };
        let is_equal = || (key.is_equal)(self.value(), other.value());
        self.states.guard("Eq of the state", is_equal).unwrap_or(false)
    }

    /// Runs one call on the state.
    pub(super) fn step(
        &mut self,
        slot: usize,
        mode: StepMode,
    ) -> Result<Result<(), Broken>, SpecificationError> {
        let calls = self.states.calls;
        let call = calls.calls()[slot];
        let value = self.value.as_deref_mut().expect("cdsspec bug: a state that is in use has a value");
        let mut step = Step::new(value, &*call.values, calls.concurrent(slot), mode);
        let run = calls.method(slot).step;
        let result = catch_unwind(AssertUnwindSafe(|| run(&mut step)));
        let result = result.map_err(|payload| {
            let (text, source) = clause_text(calls, slot, step.clause());
            specification_error(text, message_of(&*payload), source, call.thread)
        })?;
        assert!(
            mode != StepMode::EffectOnly || result.is_ok(),
            "cdsspec bug: a side effect alone breaks no condition"
        );
        Ok(result)
    }
}

impl Drop for State<'_> {
    fn drop(&mut self) {
        let Some(value) = self.value.take() else { return };
        // A panic is kept, and told when the search is over.
        let _kept = self.states.guard("clear", || (self.states.calls.specification.state.clear)(value));
    }
}

/// A clause as the user wrote it; the name of its kind, and the method's place, where the method has none.
pub(super) fn clause_text(
    calls: &ObjectCalls<'_>,
    slot: usize,
    kind: ClauseKind,
) -> (&'static str, SourceLocation) {
    let method = calls.method(slot);
    method.clause(kind).map_or((kind.name(), method.source), |clause| (clause.text, clause.source))
}

/// The error that a clause panicked.
pub(crate) fn specification_error(
    clause: &'static str,
    message: String,
    marker: SourceLocation,
    thread: ThreadId,
) -> SpecificationError {
    SpecificationError { kind: SpecificationErrorKind::ClausePanicked { clause, message }, marker, thread }
}

/// The message of a panic, as far as it is text.
pub(crate) fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
}

//! The sequential side of a specification, as what histories are judged against: the declared state, side effects, conditions, and `c_ret == s_ret` where no
//! condition is written. Ordering points, justification and admissibility play no part: a history in time needs none of them.
//!
//! A call is its record: what it was asked, and what it returned. In a prefix of a history it may be pending although it returned later. Then it may return whatever it likes
//! (definition 1 of CGVT: extensions), so that its side effect counts and its post_condition does not. A side effect that looks at `c_ret` sees what the call returned in the end: it is
//! known, and which other value it could have returned nobody can say. So a prefix may be refused that another return would explain; the whole history is judged by what was
//! returned, in either case.

use crate::history::message_of;
use crate::record::{MethodId, SpecificationErrorKind};
use crate::specification::{
    Broken, ClauseKind, Concurrent, KeySupport, Specification, StateSupport, Step, StepMode,
};
use cdsspec_linearize::SequentialSpecification;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// A call of an annotated method that has returned, as its record.
#[derive(Clone)]
pub(super) struct SpecifiedCall {
    pub(super) method: MethodId,
    pub(super) values: Rc<dyn Any>,
    pub(super) key: Option<KeySupport>,
}

impl PartialEq for SpecifiedCall {
    fn eq(&self, other: &Self) -> bool {
        let is_equal = |key: KeySupport| (key.is_equal)(&*self.values, &*other.values);
        self.method == other.method
            && (Rc::ptr_eq(&self.values, &other.values) || self.key.is_some_and(is_equal))
    }
}

impl fmt::Debug for SpecifiedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SpecifiedCall").field("method", &self.method).finish_non_exhaustive()
    }
}

/// Whether the conditions of a call hold where it takes effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Agreement {
    /// They do.
    Agrees,
    /// The post_condition does not: the call can have had this effect if it was pending.
    Differs,
}

/// A specification as a sequential one, and the first panic of what its author wrote.
pub(super) struct Sequentially {
    specification: &'static Specification,
    failure: Rc<RefCell<Option<SpecificationErrorKind>>>,
    state_count: Cell<u64>,
}

/// A sequential state. States that cannot be compared are each another one, so that a search remembers nothing.
#[derive(Clone)]
pub(super) struct SequentialState(Rc<KeptState>);

struct KeptState {
    support: StateSupport,
    /// `None` only while it is being dropped.
    value: Option<Box<dyn Any>>,
    number: u64,
    failure: Rc<RefCell<Option<SpecificationErrorKind>>>,
}

impl Sequentially {
    /// The sequential side of a specification.
    ///
    /// # Errors
    /// The method whose conditions look at `concurrent`: which calls are concurrent is a question about ordering points.
    pub(super) fn new(specification: &'static Specification) -> Result<Self, &'static str> {
        match specification.methods.iter().find(|method| method.has_conditions_on_concurrent()) {
            Some(method) => Err(method.name),
            None => Ok(Self { specification, failure: Rc::default(), state_count: Cell::new(0) }),
        }
    }

    /// What panicked first of the specification, if anything did.
    pub(super) fn failure(&self) -> Option<SpecificationErrorKind> {
        self.failure.borrow().clone()
    }

    /// A call of one of its methods.
    pub(super) fn call(&self, method: MethodId, values: &Rc<dyn Any>) -> SpecifiedCall {
        SpecifiedCall { method, values: values.clone(), key: self.specification.method(method).values.key }
    }

    fn keep(&self, value: Box<dyn Any>) -> SequentialState {
        let number = self.state_count.get();
        self.state_count.set(number + 1);
        let (support, failure) = (self.specification.state, self.failure.clone());
        SequentialState(Rc::new(KeptState { support, value: Some(value), number, failure }))
    }

    fn guard<R>(&self, clause: &'static str, run: impl FnOnce() -> R) -> Option<R> {
        guard(&self.failure, || clause, run)
    }
}

/// Runs what a user wrote. A panic is kept, with the clause that it was in.
fn guard<R>(
    failure: &RefCell<Option<SpecificationErrorKind>>,
    clause: impl FnOnce() -> &'static str,
    run: impl FnOnce() -> R,
) -> Option<R> {
    let result = catch_unwind(AssertUnwindSafe(run));
    result
        .map_err(|payload| {
            let message = message_of(&*payload);
            let kind = SpecificationErrorKind::ClausePanicked { clause: clause(), message };
            failure.borrow_mut().get_or_insert(kind);
        })
        .ok()
}

/// What a step came to; `None`: the call cannot take effect there.
fn agreement(result: Result<(), Broken>) -> Option<Agreement> {
    match result {
        Ok(()) => Some(Agreement::Agrees),
        Err(broken) if broken.clause == ClauseKind::PreCondition => None,
        Err(_) => Some(Agreement::Differs),
    }
}

impl SequentialSpecification for Sequentially {
    type Operation = SpecifiedCall;
    type Result = Agreement;
    type State = SequentialState;
    type Part = ();

    fn initial(&self) -> SequentialState {
        let initial = self.guard("initial", || (self.specification.state.initial)());
        self.keep(initial.unwrap_or_else(|| Box::new(())))
    }

    fn step(
        &self,
        state: &SequentialState,
        call: &SpecifiedCall,
    ) -> impl IntoIterator<Item = (Agreement, SequentialState)> {
        // After a panic nothing is asked of the specification any more: the verdict is about it.
        if self.failure.borrow().is_some() {
            return None;
        }
        let mut copy = self.guard("copy", || (self.specification.state.copy)(state.0.value()))?;
        let method = self.specification.method(call.method);
        let mut step = Step::new(&mut *copy, &*call.values, Concurrent::new(&[]), StepMode::Sequential);
        let result = catch_unwind(AssertUnwindSafe(|| (method.step)(&mut step)));
        let at = step.clause();
        let result = guard(
            &self.failure,
            || method.clause(at).map_or(at.name(), |clause| clause.text),
            || result.unwrap_or_else(|payload| std::panic::resume_unwind(payload)),
        );
        let agreement = result.and_then(agreement);
        // Kept in each case: `clear` ends it.
        let after = self.keep(copy);
        agreement.map(|agreement| (agreement, after))
    }

    fn part(&self, _: &SpecifiedCall) {}
}

impl KeptState {
    fn value(&self) -> &dyn Any {
        self.value.as_deref().expect("cdsspec bug: a state that is in use has a value")
    }
}

impl Drop for KeptState {
    fn drop(&mut self) {
        // After a panic in `initial` there is none of the specification's type.
        if self.failure.borrow().is_some() {
            return;
        }
        let Some(value) = self.value.take() else { return };
        guard(&self.failure, || "clear", || (self.support.clear)(value));
    }
}

impl PartialEq for SequentialState {
    fn eq(&self, other: &Self) -> bool {
        let is_same = self.0.number == other.0.number;
        let Some(key) = self.0.support.key.filter(|_| !is_same) else { return is_same };
        let is_equal = || (key.is_equal)(self.0.value(), other.0.value());
        guard(&self.0.failure, || "Eq of the state", is_equal).unwrap_or(false)
    }
}

impl Eq for SequentialState {}

impl Hash for SequentialState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0.support.key {
            None => self.0.number.hash(state),
            Some(key) => {
                let hash = || (key.hash)(self.0.value(), state);
                guard(&self.0.failure, || "Hash of the state", hash);
            }
        }
    }
}

impl fmt::Debug for SequentialState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SequentialState").field(&self.0.number).finish()
    }
}

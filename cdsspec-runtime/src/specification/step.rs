//! One call, run on a sequential state.

use super::{ClauseKind, Probe};
use crate::record::{CallId, MethodId};
use std::any::{Any, TypeId};

/// Which clauses a step runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepMode {
    /// In a sequential history: pre_condition, side_effect, post_condition.
    Sequential,
    /// Last in a justifying subhistory: justifying_pre_condition, side_effect, justifying_post_condition.
    Justifying,
    /// Before the last in a justifying subhistory: side_effect only.
    EffectOnly,
}

/// A call that is concurrent with the one at hand.
#[derive(Clone, Copy)]
pub struct ConcurrentCall<'a> {
    /// Its method.
    pub method: MethodId,
    /// The call.
    pub call: CallId,
    /// Its recorded values.
    pub values: &'a dyn Any,
}

/// The calls concurrent with the one at hand, those of each thread in turn (CDSSpec, section 3.1: `CONCURRENT`).
#[derive(Clone, Copy)]
pub struct Concurrent<'a> {
    calls: &'a [ConcurrentCall<'a>],
}

impl<'a> Concurrent<'a> {
    /// The set of these calls.
    pub fn new(calls: &'a [ConcurrentCall<'a>]) -> Self {
        Self { calls }
    }

    /// Whether no call is concurrent.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// How many calls are concurrent.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = ConcurrentCall<'a>> + use<'a> {
        self.calls.iter().copied()
    }

    /// The recorded values of the calls of one method.
    ///
    /// # Panics
    /// If `V` is not the record of that method: a bug of the macro.
    pub fn of<V: 'static>(&self, method: MethodId) -> impl Iterator<Item = &'a V> + use<'a, V> {
        self.all()
            .filter(move |call| call.method == method)
            .map(|call| call.values.downcast_ref().expect("cdsspec bug: the record of a method has one type"))
    }
}

/// A call, the state to run it on, and the calls concurrent with it.
pub struct Step<'a> {
    state: &'a mut dyn Any,
    values: &'a dyn Any,
    concurrent: Concurrent<'a>,
    mode: StepMode,
    at: ClauseKind,
    /// Whether the value of the side effect is `()`, in a step that is only asked that.
    is_unit: Option<bool>,
}

impl<'a> Step<'a> {
    /// A step that has not begun.
    pub fn new(
        state: &'a mut dyn Any,
        values: &'a dyn Any,
        concurrent: Concurrent<'a>,
        mode: StepMode,
    ) -> Self {
        Self { state, values, concurrent, mode, at: ClauseKind::PreCondition, is_unit: None }
    }

    /// Whether the step is only asked of which type the value of its side effect is, and runs no clause. This is the answer.
    pub fn is_asked<S>(&mut self, _effect: &Probe<S>) -> bool {
        let Some(is_unit) = &mut self.is_unit else { return false };
        *is_unit = typeid::of::<S>() == TypeId::of::<()>();
        true
    }

    /// Which clauses to run.
    pub fn mode(&self) -> StepMode {
        self.mode
    }

    /// Says which clause runs next: should it panic, this is the one to name.
    pub fn at(&mut self, clause: ClauseKind) {
        self.at = clause;
    }

    /// The clause that was begun last.
    pub fn clause(&self) -> ClauseKind {
        self.at
    }

    /// The state, the recorded values and the concurrent calls.
    ///
    /// # Panics
    /// If the types are not those of the specification: a bug of the macro.
    pub fn parts<S: 'static, V: 'static>(&mut self) -> (&mut S, &'a V, Concurrent<'a>) {
        (
            self.state.downcast_mut().expect("cdsspec bug: a specification has one type of state"),
            self.values.downcast_ref().expect("cdsspec bug: the record of a method has one type"),
            self.concurrent,
        )
    }

    /// The same, with the clause that runs next as a place to say it, so that the state can be held meanwhile.
    ///
    /// # Panics
    /// If the types are not those of the specification: a bug of the macro.
    pub fn split<S: 'static, V: 'static>(&mut self) -> (&mut S, &'a V, Concurrent<'a>, &mut ClauseKind) {
        (
            self.state.downcast_mut().expect("cdsspec bug: a specification has one type of state"),
            self.values.downcast_ref().expect("cdsspec bug: the record of a method has one type"),
            self.concurrent,
            &mut self.at,
        )
    }
}

/// Whether the value of a side effect is `()`, which says nothing about the return value: so nothing of that is recorded.
///
/// # Panics
/// If the step looks at the state or the values before it answers: a bug of the macro.
pub fn says_nothing(step: fn(&mut Step<'_>) -> Result<(), Broken>) -> bool {
    let mut state = ();
    let mut asked = Step::new(&mut state, &(), Concurrent::new(&[]), StepMode::EffectOnly);
    asked.is_unit = Some(false);
    let result = step(&mut asked);
    assert!(result.is_ok(), "cdsspec bug: a step that runs no clause breaks none");
    asked.is_unit == Some(true)
}

/// A condition that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// Which one.
    pub clause: ClauseKind,
    /// What the side effect returned (`s_ret`), as text, where it was run and can be shown.
    pub specified: Option<String>,
}

//! Method calls and their ordering points.

use super::{CallId, MethodId, ObjectId, OperationId, OperationName, SourceLocation, ThreadId};
use std::any::Any;
use std::fmt;
use std::rc::Rc;

/// A point between two operations of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// How many operations the thread had done.
    pub position: u32,
    /// How many operations had been done by all threads together, in the engine's order.
    pub operation_count: usize,
    /// The tick of the call clock, where there is one: real time.
    pub tick: Option<u64>,
}

/// One invocation of an annotated method. Calls on an object inside a call on the same object are not calls of their own.
pub struct MethodCall {
    /// Its number, in order of invocation.
    pub id: CallId,
    /// The object.
    pub object: ObjectId,
    /// The method, in the object's specification.
    pub method: MethodId,
    /// The calling thread.
    pub thread: ThreadId,
    /// When it began.
    pub invocation: Moment,
    /// When it returned; `None` while it is pending, or if it was left by a panic.
    pub response: Option<Moment>,
    /// Arguments and return value: the record that the macro made for this method. Shared, so that a check may remember it
    /// beyond the execution.
    pub values: Rc<dyn Any>,
    /// Its ordering points, in program order.
    pub points: Vec<OrderingPoint>,
}

impl MethodCall {
    /// Whether the call has not returned.
    pub fn is_pending(&self) -> bool {
        self.response.is_none()
    }
}

impl fmt::Debug for MethodCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MethodCall")
            .field("id", &self.id)
            .field("object", &self.object)
            .field("method", &self.method)
            .field("thread", &self.thread)
            .field("response", &self.response)
            .field("points", &self.points)
            .finish_non_exhaustive()
    }
}

/// An operation that orders its call against other calls (CDSSpec, section 4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderingPoint {
    /// The operation.
    pub operation: OperationId,
    /// Where the annotation stands.
    pub marker: SourceLocation,
}

/// A mistake in a specification that shows only when the program runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecificationError {
    /// What is wrong.
    pub kind: SpecificationErrorKind,
    /// The annotation.
    pub marker: SourceLocation,
    /// The thread that came by.
    pub thread: ThreadId,
}

/// The kinds of such mistakes.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(tag = "error", rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SpecificationErrorKind {
    /// An ordering point annotation ran outside any annotated call.
    MarkerOutsideCall {
        /// The annotation's name.
        marker: &'static str,
    },
    /// An ordering point annotation has no operation before it in its call.
    MarkerWithoutOperation {
        /// The annotation's name.
        marker: &'static str,
    },
    /// The statement that an ordering point annotation stands on ran no operation.
    StatementWithoutOperation {
        /// The annotation's name.
        marker: &'static str,
    },
    /// The condition of an ordering point annotation ran an operation.
    ConditionWithOperation {
        /// The annotation's name.
        marker: &'static str,
    },
    /// An `op_check` names a label that no `potential_op` of the program has.
    LabelUnknown {
        /// The label.
        label: &'static str,
        /// The one that it may mean.
        nearest: Option<&'static str>,
    },
    /// A clause panicked.
    ClausePanicked {
        /// The clause, as written.
        clause: &'static str,
        /// The message of the panic.
        message: String,
    },
    /// A clause gave another answer when it was run again on the same history.
    ClauseUnstable {
        /// The clause, as written.
        clause: &'static str,
    },
    /// An `expects!` of a contract ran in a thread in which no call of its method did.
    StrayCondition {
        /// The condition, as written.
        condition: &'static str,
    },
    /// An instrumented operation was called through a function pointer, so that its place in the program is unknown.
    PlaceUnknown {
        /// The operation.
        name: OperationName,
    },
}

impl fmt::Display for SpecificationErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MarkerOutsideCall { marker } => write!(
                f,
                "`{marker}` ran outside any annotated call: call the function only from methods of a `#[spec]` impl, \
                 or move the annotation into one"
            ),
            Self::MarkerWithoutOperation { marker } => write!(
                f,
                "`{marker}` has no operation before it in its call: put it after the atomic operation, lock or cell \
                 access that orders the call"
            ),
            Self::StatementWithoutOperation { marker } => write!(
                f,
                "this statement ran no operation, and `{marker}` on it marks one: put it on the statement of the atomic \
                 operation, lock or cell access that orders the call, or give it a condition that says when there is one"
            ),
            Self::ConditionWithOperation { marker } => write!(
                f,
                "the condition of `{marker}` ran an operation, which a build that does not check leaves out: run it in a \
                 statement before, and mention its value"
            ),
            Self::StrayCondition { condition } => write!(
                f,
                "`expects!({condition})` runs in a thread in which no call of its method is running, so that it has no event to be looked at with: \
                 take it out of what another thread runs, or what runs after the return"
            ),
            Self::LabelUnknown { label, nearest } => {
                write!(f, "no `potential_op({label})` marks an operation in this program: ")?;
                match nearest {
                    Some(nearest) => write!(f, "did you mean `{nearest}`?"),
                    None => f.write_str("correct the label, or add one"),
                }
            }
            Self::ClausePanicked { clause, message } => {
                write!(
                    f,
                    "the clause `{clause}` panicked: {message}: make it total, or state what it assumes as a pre_condition"
                )
            }
            Self::ClauseUnstable { clause } => write!(
                f,
                "the clause `{clause}` gave another answer when it was run again on the same history: let it depend on \
                 nothing but the state and the values of the calls"
            ),
            Self::PlaceUnknown { name } => write!(
                f,
                "`{name}` was called through a function pointer, so its place is unknown: write a closure, \
                 `|x| x.{name}(…)`"
            ),
        }
    }
}

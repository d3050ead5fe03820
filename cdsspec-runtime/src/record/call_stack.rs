//! The calls that a thread is in.

use super::statement::OpenStatements;
use super::{CallId, OperationId};
use std::ops::Range;

/// What a thread is in.
#[derive(Default)]
pub(super) struct CallStack {
    /// Its calls, outermost first.
    pub(super) frames: Vec<Frame>,
    /// Its annotated statements.
    pub(super) statements: OpenStatements,
}

pub(super) struct Frame {
    /// The call that operations and ordering points here count for: the outermost one on the same object.
    /// None in a call that is not specified, which swallows the annotations in it.
    pub(super) call: Option<CallId>,
    pub(super) is_internal: bool,
    /// Where the object is, from its first byte to behind its last one.
    pub(super) memory: Range<usize>,
    /// Whether fields told which object it is, and not its address alone.
    pub(super) is_told: bool,
    /// Potential ordering points by label; the most recent one of each.
    pub(super) potential: Vec<(&'static str, OperationId)>,
}

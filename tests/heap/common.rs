//! Running programs, and what they are made of.

use cdsspec::sync::atomic::AtomicUsize;
use cdsspec::{Builder, EngineKind, Outcome};

pub(crate) const ENGINES: [EngineKind; 2] = [EngineKind::Rc11, EngineKind::Loom];

/// Explores every execution.
pub(crate) fn check(engine: EngineKind, program: fn()) -> Outcome {
    Builder::new().name("program").engine(engine).stop_at_first(false).check(program)
}

/// Something with an instrumented object in it.
pub(crate) struct Node {
    pub(crate) value: AtomicUsize,
}

impl Node {
    pub(crate) fn alloc(value: usize) -> *mut Self {
        Box::into_raw(Box::new(Self { value: AtomicUsize::new(value) }))
    }

    /// Frees a node.
    ///
    /// # Safety
    /// The checker is there to say whether that is right.
    pub(crate) unsafe fn free(node: *mut Self) {
        // SAFETY: `alloc` made it.
        drop(unsafe { Box::from_raw(node) });
    }
}

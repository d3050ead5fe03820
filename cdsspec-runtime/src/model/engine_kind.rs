//! The engines by name.

use std::borrow::Cow;

/// An engine to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum EngineKind {
    /// The best one that is compiled in.
    Default,
    /// Every execution of the C11 model, each once.
    Rc11,
    /// Executions that are drawn, of the memory model that is chosen.
    Random,
    /// loom, behind the feature `loom`.
    Loom,
}

impl From<EngineKind> for Cow<'static, str> {
    fn from(kind: EngineKind) -> Self {
        Cow::Borrowed(match kind {
            EngineKind::Default => "default",
            EngineKind::Rc11 => "rc11",
            EngineKind::Random => "random",
            EngineKind::Loom => "loom",
        })
    }
}

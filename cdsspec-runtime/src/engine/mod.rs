//! Who runs the program: explores its executions, one recording each.

#[cfg(feature = "loom")]
pub mod loom;
mod memory;
pub mod rc11;
mod watch;

pub use crate::record::Exploration;
pub use watch::Watch;

use crate::record::Recording;
use std::any::Any;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// The program under test. It runs once for every execution.
pub type Program = Arc<dyn Fn() + Send + Sync + 'static>;

/// Explores the executions of a program.
pub trait Engine {
    /// Its name: in reports, in `CDSSPEC_ENGINE`.
    fn name(&self) -> &'static str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// What it does not model, a phrase each.
    fn not_modelled(&self) -> &'static [&'static str];

    /// Explores `program` within `limits` and hands each execution to `visitor`, on the calling thread.
    fn explore(&self, program: Program, limits: &Limits, visitor: Rc<RefCell<dyn Visitor>>) -> Exploration;
}

/// What an engine can do. A check refuses what the engine lacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Capabilities {
    /// Explores every execution of the memory model.
    pub is_complete: bool,
    /// Hands over each execution graph once.
    pub has_unique_graphs: bool,
    /// Knows which store each load reads.
    pub has_store_identity: bool,
    /// Knows the modification order of each location.
    pub has_modification_order: bool,
    /// Hands over blocked executions as results.
    pub has_blocked_executions: bool,
    /// Can run one execution again.
    pub has_replay: bool,
}

/// Gets the executions of an exploration.
pub trait Visitor {
    /// Looks at one execution; `Break` ends the exploration.
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()>;

    /// Whether it looks at the operations of every execution, and at [`Recording::modification_order`]. If not, an engine may leave
    /// them out of executions that completed without a method call.
    fn needs_operations(&self) -> bool {
        true
    }

    /// Where to note what each thread does, if anybody looks on.
    fn watch(&self) -> Option<Arc<Watch>> {
        None
    }

    /// The exploration starts again from the beginning: with more memory, or with operations that it took to be left out. Forget what was
    /// visited.
    fn restart(&mut self);
}

/// The limits of an exploration. `None`: no limit.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Executions to visit, at most: reached, to the execution. Those count that were visited before a [`Visitor::restart`].
    pub executions_max: Option<u64>,
    /// Time to explore: looked at between executions.
    pub duration_max: Option<Duration>,
    /// Preemptions in one execution: a bound on what is explored, so that the best verdict is `holds_within`.
    pub preemptions_max: Option<usize>,
    /// Operations of one execution, spins included.
    pub branches_max: usize,
    /// Operations in one recording.
    pub recording_max: usize,
    /// Stack of each thread of the program, in bytes.
    pub stack_bytes: usize,
    /// Whether each call begins with an operation on one shared hidden location, where the engine may miss executions without it.
    pub has_call_clock: bool,
    /// Whether a weak compare-exchange may fail spuriously, once per place and thread in an execution, where the engine models that.
    pub has_spurious_failures: bool,
    /// Whether a wait on a `Condvar` and `park` may end without a reason, once per place and thread in an execution, where the engine models
    /// that.
    pub has_spurious_wakeups: bool,
    /// Rounds of one loop that are explored, at most, for each place, thread and call, where rounds cannot be left out: a bound, if it is
    /// reached. `None`: up to 128, as long as that is cheap.
    pub loop_rounds_max: Option<usize>,
    /// Whether every change of the count of an [`Arc`](crate::sync::Arc) is an operation, also where nobody can tell in which order they
    /// were: what is found is the same, in more executions.
    pub counts_handles: bool,
    /// What to look for in the heap, where the program has [`allocator!`](macro@crate::allocator).
    pub memory: MemoryClasses,
}

/// What to look for in the heap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryClasses {
    /// Uses that are not after the allocation or initialisation.
    pub uninitialised: bool,
    /// Uses that are not before the free, and second frees.
    pub freed: bool,
    /// Objects that are never freed.
    pub leaks: bool,
    /// Whether what is found to leak is freed when the execution ends: whoever sets it promises that nothing uses it after that.
    pub(crate) reclaims_leaks: bool,
}

impl Default for MemoryClasses {
    fn default() -> Self {
        Self { uninitialised: true, freed: true, leaks: false, reclaims_leaks: false }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            executions_max: None,
            duration_max: None,
            preemptions_max: None,
            branches_max: 10_000,
            recording_max: 100_000,
            stack_bytes: 256 * 1024,
            has_call_clock: true,
            has_spurious_failures: true,
            has_spurious_wakeups: true,
            loop_rounds_max: None,
            counts_handles: false,
            memory: MemoryClasses::default(),
        }
    }
}

/// The text of a panic of the program.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a text").to_owned()
}

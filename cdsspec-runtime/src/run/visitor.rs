//! The program, and who looks at its executions.

use super::Watch;
use crate::record::{Course, Recording};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The program under test. It runs once for every execution.
pub type Program = Arc<dyn Fn() + Send + Sync + 'static>;

/// Gets the executions of an exploration.
pub trait Visitor {
    /// Looks at one execution; `Break` ends the exploration.
    fn visit(&mut self, recording: &Recording) -> ControlFlow<()>;

    /// Whether it looks at the operations of every execution, and at [`Recording::modification_order`]. If not, an engine may leave
    /// them out of executions that completed without a method call.
    fn needs_operations(&self) -> bool {
        true
    }

    /// Whether it looks at the order of the SeqCst operations ([`Recording::sc`]), which has up to as many pairs as the square of their number.
    fn needs_sc_order(&self) -> bool {
        true
    }

    /// What leads to the execution that was just visited, if that is known; to be asked for only if it is wanted. Engines that cannot run one execution
    /// again do not say it.
    fn note_course(&mut self, course: &dyn Fn() -> Option<Course>) {
        let _ = course;
    }

    /// Where to note what each thread does, if anybody looks on.
    fn watch(&self) -> Option<Arc<Watch>> {
        None
    }

    /// The exploration starts again from the beginning: with more memory, or with operations that it took to be left out. Forget what was
    /// visited.
    fn restart(&mut self);
}

/// The text of a panic of the program.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a text").to_owned()
}

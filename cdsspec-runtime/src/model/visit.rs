//! A program under an engine: explored, or one execution of it run again.

use super::identity::Identity;
use super::setting::Settings;
use super::watchdog;
use crate::engine::{Engine, Exploration, Program, Visitor};
use crate::port::OrderTable;
use crate::{process, report};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A program, and the memory orders that are not as they are written in it, if any are.
pub(super) struct OrderedProgram<'t> {
    pub(super) program: Program,
    pub(super) table: Option<&'t Arc<OrderTable>>,
}

impl From<Program> for OrderedProgram<'_> {
    fn from(program: Program) -> Self {
        Self { program, table: None }
    }
}

impl OrderedProgram<'_> {
    /// As it is to run.
    pub(super) fn in_force(&self) -> Program {
        let Some(table) = self.table.cloned() else { return self.program.clone() };
        with_orders(&self.program, table)
    }
}

/// The program with the orders of a table.
pub(super) fn with_orders(program: &Program, table: Arc<OrderTable>) -> Program {
    let program = program.clone();
    Arc::new(move || {
        crate::port::with(|execution| execution.set_orders(&table));
        program();
    })
}

/// Explores, and hands the executions over.
pub(super) fn visit(
    engine: &dyn Engine,
    settings: &Settings,
    identity: &Identity,
    program: Program,
    visitor: Rc<RefCell<dyn Visitor>>,
) -> Exploration {
    let watch = visitor.borrow().watch().filter(|_| settings.patience.ends());
    let _watched = watch.map(|watch| watchdog::watch(watch, identity.program.clone(), settings.patience));
    let line = |crash| report::crash(crash, &identity.program, identity.test.as_deref(), process::columns());
    let limits = &settings.limits;
    process::during_run(line, || match &settings.replay {
        Some(schedule) => engine.replay(program, limits, &schedule.course, visitor),
        None => engine.explore(program, limits, visitor),
    })
}

//! Matrices that are drawn execution by execution, and executions that keep to a guide: for histories that are long.

use super::builder::{Exemption, Scenario};
use super::concurrent::{ConcurrentLog, Noting};
use super::kept::Kept;
use super::matrix::{Entry, Matrix, Slot};
use super::program::{Observer, Plan, program_of};
use super::value::Value;
use crate::engine::Program;
use crate::port::{Guide, as_checker, follow};
use std::sync::{Arc, Mutex, PoisonError};

/// What one execution runs: a matrix, and the order of steps that its threads keep to, if any.
#[derive(Clone)]
pub(crate) struct GuidedRun {
    pub(crate) matrix: Arc<Matrix>,
    pub(crate) guide: Option<Arc<Guide>>,
}

/// Says what the next execution runs. An execution that is run again runs the same.
pub(crate) type NextRun = Arc<dyn Fn() -> GuidedRun + Send + Sync>;

/// Notes calls, and tells the guide which one each thread is at.
struct Guiding {
    noting: Noting,
    now: Mutex<Option<Now>>,
}

/// The execution that runs.
struct Now {
    guide: Arc<Guide>,
    /// For each slot its column, and its place there; `None` of the main thread's.
    places: Vec<Option<(usize, usize)>>,
}

impl Guiding {
    fn with(&self, f: impl FnOnce(&Now)) {
        as_checker(|| self.now.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(f));
    }

    fn note(&self, slot: Slot, done: usize) {
        self.with(|now| {
            if let Some((column, place)) = now.places[slot.index()] {
                now.guide.note_call(column, place + done);
            }
        });
    }
}

impl Observer for Guiding {
    fn begin(&self, matrix: &Matrix) {
        self.noting.begin(matrix);
    }

    fn before_threads(&self) {
        self.with(|now| follow(&now.guide));
    }

    fn invoke(&self, slot: Slot, exemption: &Exemption) -> bool {
        self.note(slot, 0);
        self.noting.invoke(slot, exemption)
    }

    fn note_return(&self, slot: Slot, value: Value) {
        self.noting.note_return(slot, value);
        self.note(slot, 1);
    }
}

/// Where each call of a matrix stands in its column; `None` of those of the main thread.
fn places(matrix: &Matrix) -> Vec<Option<(usize, usize)>> {
    let mut places = vec![None; matrix.call_count()];
    for column in 0..matrix.columns.len() {
        for (place, (slot, _)) in matrix.column_slots(column).enumerate() {
            places[slot.index()] = Some((column, place));
        }
    }
    places
}

impl<T: Send + Sync + 'static> Scenario<T> {
    /// A program that is another matrix in each execution, and keeps to a guide. Its calls are noted in `log`.
    pub(crate) fn guided_program(&self, next: NextRun, log: &Arc<ConcurrentLog>) -> Program {
        let scenario = self.clone();
        let guiding = Arc::new(Guiding { noting: Noting::of(log), now: Mutex::default() });
        let told = guiding.clone();
        let plans = move || {
            let run = next();
            let now = run.guide.map(|guide| Now { guide, places: places(&run.matrix) });
            *told.now.lock().unwrap_or_else(PoisonError::into_inner) = now;
            Arc::new(Plan { scenario: scenario.clone(), matrix: (*run.matrix).clone() })
        };
        program_of(Arc::new(plans), guiding)
    }
}

/// Makes the calls of a scenario outside of any execution.
pub(crate) struct Calling<'s, T>(&'s Scenario<T>);

impl<T: Send + Sync + 'static> Scenario<T> {
    /// Who makes its calls outside of any execution.
    pub(crate) fn caller(&self) -> Calling<'_, T> {
        Calling(self)
    }

    /// The first call whose result does not count, if there is one.
    pub(crate) fn first_exempt(&self) -> Option<&str> {
        let mut exempt = self.invocations.iter().filter(|one| one.exemption != Exemption::None);
        exempt.next().map(|one| &*one.name)
    }
}

impl<T: Send + Sync + 'static> Calling<'_, T> {
    /// An object.
    pub(crate) fn make(&self) -> T {
        (self.0.make)()
    }

    /// Makes these calls, as one thread; each is made by the one who is handed it.
    pub(crate) fn call_each<'e>(
        &self,
        object: &T,
        entries: &'e [Entry],
        mut make: impl FnMut(&'e Entry, &mut dyn FnMut() -> Value),
    ) {
        let mut kept = Kept::default();
        for entry in entries {
            let call = &self.0.invocations[entry.invocation.index()].call;
            make(entry, &mut || call(object, &mut kept));
        }
    }
}

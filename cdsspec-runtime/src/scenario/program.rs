//! A matrix as a program: its threads make their calls, and whoever looks on is told.

use super::builder::{Exemption, Scenario};
use super::kept::Kept;
use super::matrix::{Entry, Matrix, Slot};
use super::value::Value;
use crate::engine::Program;
use crate::port::{as_checker, plan_calls, stand_still_after};
use crate::thread;
use std::panic::resume_unwind;
use std::sync::Arc;

/// Who looks on while a matrix runs.
pub(super) trait Observer: Send + Sync {
    /// An execution of this matrix begins.
    fn begin(&self, _matrix: &Matrix) {}

    /// The threads are about to be created.
    fn before_threads(&self) {}

    /// A call is about to be made. `false`: it is not to be.
    fn invoke(&self, slot: Slot, exemption: &Exemption) -> bool;

    /// It has returned this.
    fn note_return(&self, slot: Slot, value: Value);

    /// After how many events the thread of a column stands still, if it is to.
    fn still_after(&self, _column: usize) -> Option<usize> {
        None
    }

    /// Whether what a thread still keeps when it has made its calls stays so to the end of the execution: dropped there, it would act beside
    /// calls of others, and be none itself.
    fn keeps_to_the_end(&self) -> bool {
        true
    }
}

/// Nobody.
struct Unobserved;

impl Observer for Unobserved {
    fn invoke(&self, _slot: Slot, _exemption: &Exemption) -> bool {
        true
    }

    fn note_return(&self, _slot: Slot, _value: Value) {}

    fn keeps_to_the_end(&self) -> bool {
        false
    }
}

/// A matrix of a scenario.
pub(super) struct Plan<T> {
    pub(super) scenario: Scenario<T>,
    pub(super) matrix: Matrix,
}

/// Says of each execution which plan it has.
pub(super) type Plans<T> = Arc<dyn Fn() -> Arc<Plan<T>> + Send + Sync>;

impl<T: Send + Sync + 'static> Plan<T> {
    /// Makes some of its calls.
    pub(super) fn call<'a>(
        &self,
        (object, kept): (&'a T, &mut Kept<'a>),
        calls: impl Iterator<Item = (Slot, Entry)>,
        observer: &dyn Observer,
    ) {
        for (slot, entry) in calls {
            let invocation = &self.scenario.invocations[entry.invocation.index()];
            if !observer.invoke(slot, &invocation.exemption) {
                continue;
            }
            let value = (invocation.call)(object, kept);
            let value = as_checker(|| match &invocation.exemption {
                Exemption::Result => Value::Exempt,
                Exemption::Returned(returned) if value == *returned => Value::Unmade,
                _ => value.clone(),
            });
            observer.note_return(slot, value);
        }
    }

    /// Says which calls it makes, for a scheduler that counts what they do.
    fn announce(&self) {
        let Matrix { initial, columns, last, .. } = &self.matrix;
        plan_calls(&self.scenario.name, || {
            let all = initial.iter().chain(columns.iter().flatten()).chain(last);
            all.map(|entry| &*self.scenario.invocations[entry.invocation.index()].name)
        });
    }

    /// The calls of a column, or others, as what a thread has of its own.
    pub(super) fn owned<'m>(calls: impl Iterator<Item = (Slot, &'m Entry)>) -> Vec<(Slot, Entry)> {
        as_checker(|| calls.map(|(slot, entry)| (slot, entry.clone())).collect())
    }

    pub(super) fn initial_calls(&self) -> Vec<(Slot, Entry)> {
        let initial = self.matrix.initial.iter().enumerate();
        Self::owned(initial.map(|(index, entry)| (Slot::new(index), entry)))
    }
}

/// Waits for threads, and goes on with the first of their panics.
pub(super) fn join_all(handles: Vec<thread::JoinHandle<()>>) {
    for handle in handles {
        if let Err(payload) = handle.join() {
            resume_unwind(payload);
        }
    }
}

/// The program that a matrix is: the main thread makes an object and the initial calls, the threads make theirs side by side, and when all
/// have ended the main thread makes the last ones and drops the object.
pub(super) fn program<T: Send + Sync + 'static>(
    scenario: &Scenario<T>,
    matrix: &Matrix,
    observer: Arc<dyn Observer>,
) -> Program {
    let plan = Arc::new(Plan { scenario: scenario.clone(), matrix: matrix.clone() });
    program_of(Arc::new(move || plan.clone()), observer)
}

/// The same, of a matrix that may be another one in each execution.
pub(super) fn program_of<T: Send + Sync + 'static>(plans: Plans<T>, observer: Arc<dyn Observer>) -> Program {
    Arc::new(move || {
        let plan = as_checker(|| plans());
        observer.begin(&plan.matrix);
        plan.announce();
        let object = Arc::new((plan.scenario.make)());
        let mut kept = Kept::default();
        plan.call((&object, &mut kept), plan.initial_calls().into_iter(), &*observer);
        observer.before_threads();
        let mut handles = Vec::new();
        for column in 0..plan.matrix.columns.len() {
            let (plan, object, observer) = (plan.clone(), object.clone(), observer.clone());
            handles.push(thread::spawn(move || {
                if let Some(event_count) = observer.still_after(column) {
                    stand_still_after(event_count);
                }
                let mut kept = Kept::default();
                let calls = Plan::<T>::owned(plan.matrix.column_slots(column));
                plan.call((&object, &mut kept), calls.into_iter(), &*observer);
                if observer.keeps_to_the_end() {
                    kept.keep();
                }
            }));
        }
        join_all(handles);
        let last = Plan::<T>::owned(plan.matrix.last_slots());
        plan.call((&object, &mut kept), last.into_iter(), &*observer);
    })
}

impl<T: Send + Sync + 'static> Scenario<T> {
    /// A matrix as a program, for [`Builder::check`](crate::model::Builder::check): its threads make their calls side by side, and what they call is checked against its
    /// specification, if it has one.
    pub fn program(&self, matrix: &Matrix) -> impl Fn() + Send + Sync + 'static {
        let program = program(self, matrix, Arc::new(Unobserved));
        move || program()
    }
}

//! Objects that a program is to end.

use super::with;
use crate::record::SourceLocation;

/// Of an object that the program is to end before its execution ends: as long as this is there, the object is. Which are left is looked at where
/// [`Builder::tracks_objects`](crate::model::Builder::tracks_objects) asks for it.
#[derive(Debug)]
pub struct Tracked {
    /// The execution, and which object of it; `None` outside of one.
    object: Option<(u64, usize)>,
}

impl Tracked {
    /// Of an object that is called `what` in reports and is made here.
    pub fn new(what: &'static str, source: SourceLocation) -> Self {
        let object = with(|execution| {
            let is_observed = !execution.port().is_unobserved();
            is_observed.then(|| (execution.number(), execution.heap().left_objects().add((what, source))))
        });
        Self { object: object.flatten() }
    }

    /// The object has ended.
    pub(crate) fn end(&mut self) {
        let Some((number, object)) = self.object.take() else { return };
        with(|execution| {
            if execution.number() == number {
                execution.heap().left_objects().remove(object);
            }
        });
    }
}

impl Drop for Tracked {
    fn drop(&mut self) {
        self.end();
    }
}

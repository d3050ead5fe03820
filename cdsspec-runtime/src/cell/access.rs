//! Accesses of a cell, from their beginning to their end.

use crate::port::{CellAccess, in_our_frame, with};
use crate::record::{LocationId, Place};

/// An access that lasts until this is dropped, also by a panic of the closure.
pub(super) struct Lasting(pub(super) Option<Begun>);

/// Where an access has begun.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    pub(super) access: CellAccess,
    pub(super) place: Place,
    pub(super) location: LocationId,
    pub(super) is_write: bool,
}

impl Drop for Lasting {
    /// Ends it. An engine orders accesses by where they begin: so one that has released something meanwhile, after which another thread may access
    /// the cell, is also one at its end.
    fn drop(&mut self) {
        let Some(Begun { access, place, location, is_write }) = self.0 else { return };
        with(|execution| {
            let port = execution.port();
            port.end_cell(access);
            let progress = port.progress();
            let begun = execution.heap().open_accesses().remove(progress.thread, location);
            let has_gone_on = begun.is_some_and(|position| progress.position != position);
            if progress.is_observed && has_gone_on && !port.is_panicking() {
                port.end_cell(port.begin_cell(in_our_frame(place), location, is_write));
            }
        });
    }
}

//! The word that somebody waits for: set by who wakes up, taken back by who waits.

use crate::port::{Access, LocationHint, Update, WaitUpdate, note_outside_use, with};
use crate::record::{Place, ValueKind};
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError};

const SET: Update = Update { operand: 1, function: |_, set| set };
const TAKE: WaitUpdate = WaitUpdate { operand: 0, function: |set, taken| (set == 1).then_some(taken) };

/// A signal. What happens before it is set happens before the end of the wait that takes it.
pub(super) struct Signal {
    hint: LocationHint,
    /// Outside an execution.
    is_set: Mutex<bool>,
    changed: Condvar,
}

impl Signal {
    pub(super) const fn new() -> Self {
        Self { hint: LocationHint::new(), is_set: Mutex::new(false), changed: Condvar::new() }
    }

    /// Sets it. It may be set already: then nothing is lost but that it was set twice.
    pub(super) fn set(&self, place: Place) {
        let set = with(|execution| {
            let location = execution.locate_for_operation(&self.hint, ValueKind::Internal, || 0);
            execution.port().update(Access { place, location, order: Ordering::Release }, SET);
        });
        if set.is_none() {
            note_outside_use(&place, &self.hint);
            *self.is_set.lock().unwrap_or_else(PoisonError::into_inner) = true;
            self.changed.notify_one();
        }
    }

    /// Waits until it is set, and takes it back. May end without a reason: in an execution once per place and thread, where the engine
    /// models that. Not inlined: what the engine answers would be left in the caller's frame, which is compared from round to round.
    #[inline(never)]
    pub(super) fn wait(&self, place: Place) {
        let waited = with(|execution| {
            let port = execution.port();
            if port.wakes_spuriously(place) {
                return;
            }
            let location = execution.locate_for_operation(&self.hint, ValueKind::Internal, || 0);
            port.wait_update(Access { place, location, order: Ordering::Acquire }, TAKE);
        });
        if waited.is_none() {
            let is_set = self.is_set.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.changed.wait_while(is_set, |is_set| !*is_set);
            *waited.unwrap_or_else(PoisonError::into_inner) = false;
        }
    }
}

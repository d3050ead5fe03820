//! The orders of a run: which are in force at which place, and which places were reached.

use super::overrides::is_same;
use super::{Overrides, Replacement};
use crate::record::Place;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A place that the programs of a run have reached with an operation that has orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReachedPlace {
    /// Which.
    pub place: Place,
    /// Whether an operation there did what it was to do. One that may fail may never have.
    pub has_succeeded: bool,
    /// Whether a compare-exchange there has failed.
    pub has_failed: bool,
}

/// Collects the places that runs reach. Clones are handles of one log.
#[derive(Clone, Debug, Default)]
pub struct PlaceLog(Arc<Mutex<Vec<ReachedPlace>>>);

impl PlaceLog {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }

    /// The places so far, in the order of the source.
    pub fn places(&self) -> Vec<ReachedPlace> {
        let mut places = self.lock().clone();
        places.sort_by_key(|reached| reached.place.sort_key());
        places
    }

    fn note(&self, place: Place, is_success: bool) {
        let mut places = self.lock();
        let index = places.iter().position(|known| is_same(&known.place, &place)).unwrap_or_else(|| {
            places.push(ReachedPlace { place, has_succeeded: false, has_failed: false });
            places.len() - 1
        });
        places[index].has_succeeded |= is_success;
        places[index].has_failed |= !is_success;
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ReachedPlace>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The orders of one run.
#[derive(Debug, Default)]
pub struct OrderTable {
    overrides: Overrides,
    log: PlaceLog,
    allows_unreached: bool,
}

impl OrderTable {
    /// A table with these overrides, which notes the places that are reached.
    pub fn new(overrides: Overrides, log: PlaceLog) -> Self {
        Self { overrides, log, allows_unreached: false }
    }

    /// The same, where a place that is named need not be reached.
    pub fn allow_unreached(self) -> Self {
        Self { allows_unreached: true, ..self }
    }

    /// The first place that is named and was never reached, if that is a mistake.
    pub fn first_unreached(&self) -> Option<Place> {
        if self.allows_unreached {
            return None;
        }
        let reached = self.log.lock();
        let is_reached = |place: &Place| reached.iter().any(|known| known.place == *place);
        self.overrides.iter().map(|(place, _)| *place).find(|place| !is_reached(place))
    }

    /// The overrides.
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    pub(super) fn at(&self, place: &Place) -> Replacement {
        self.overrides.at(place)
    }

    pub(super) fn note(&self, place: Place, is_success: bool) {
        self.log.note(place, is_success);
    }
}

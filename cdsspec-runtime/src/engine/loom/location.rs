//! Locations, and loom's atomics for them.

use super::port::LoomPort;
use super::state::{LocationState, LoomState};
use crate::record::{Ending, LocationId, StoreId, ValueKind};

impl LoomPort {
    /// A location at its first use.
    pub(super) fn make_location(&self, kind: ValueKind, initial: u64) -> LocationId {
        let mut state = self.state.borrow_mut();
        let location = LocationId::new(state.locations.len());
        let initial_store = {
            let mut recorder = self.recorder.borrow_mut();
            let recorded = recorder.new_location(kind, initial);
            // Values that are looked at after the end may have locations that their recording does not know.
            debug_assert!(
                recorded == location || self.is_closed(),
                "cdsspec bug: the tables of locations are in step"
            );
            recorder.recording().locations[recorded.index()].initial
        };
        state.locations.push(LocationState {
            atomic: None,
            indices: vec![0],
            initial: initial_store,
            newest_value: initial,
        });
        location
    }

    /// loom's atomic for a location: an index into the pool. Where there is none left, the exploration starts again with more.
    pub(super) fn atomic(&self, location: LocationId) -> usize {
        let mut state = self.state.borrow_mut();
        if let Some(atomic) = state.locations[location.index()].atomic {
            return atomic;
        }
        let atomic = state.atomics_used;
        if atomic >= self.atomics.borrow().len() {
            drop(state);
            self.atomics_wanted.set(Some(self.atomics.borrow().len() * 2));
            self.cut(Ending::EngineFailed("loom: too few atomics".to_owned()));
            super::cut::leave();
        }
        state.atomics_used += 1;
        state.locations[location.index()].atomic = Some(atomic);
        atomic
    }

    /// An index for a store that is about to be made.
    pub(super) fn reserve_index(&self) -> usize {
        let mut state = self.state.borrow_mut();
        state.stores.push(None);
        state.stores.len() - 1
    }

    /// The store at `index` was made.
    pub(super) fn note_store(&self, location: LocationId, index: usize, store: StoreId, value: u64) {
        let mut state = self.state.borrow_mut();
        state.stores[index] = Some(store);
        let known = &mut state.locations[location.index()];
        known.indices.push(index);
        known.newest_value = value;
    }

    /// A store that loom is not told of: it takes the place of the newest one.
    pub(super) fn replace_newest(&self, location: LocationId, store: StoreId, value: u64) {
        let mut state = self.state.borrow_mut();
        let known = &mut state.locations[location.index()];
        known.newest_value = value;
        let index = *known.indices.last().expect("the initial store is there");
        if index == 0 {
            known.initial = store;
        } else {
            state.stores[index] = Some(store);
        }
    }

    /// Changes the newest value in place: nobody is told.
    pub(super) fn poke(&self, location: LocationId, value: u64) {
        let mut state = self.state.borrow_mut();
        state.locations[location.index()].newest_value = value;
        if self.is_closed() {
            return;
        }
        drop(state);
        let store = self.newest(location);
        self.recorder.borrow_mut().recording_mut().stores[store.index()].value = value;
    }

    /// The index to guess for a compare-exchange: the newest store whose value satisfies `is_wanted`.
    pub(super) fn guess(
        &self,
        state: &LoomState,
        location: LocationId,
        is_wanted: impl Fn(u64) -> bool,
    ) -> Option<usize> {
        let recorder = self.recorder.borrow();
        let stores = &recorder.recording().stores;
        state.locations[location.index()]
            .indices
            .iter()
            .rev()
            .copied()
            .find(|&index| is_wanted(stores[self.store_at(state, location, index).index()].value))
    }

    /// The value of the store at an index.
    pub(super) fn value_at(&self, location: LocationId, index: usize) -> (StoreId, u64) {
        let store = self.store_at(&self.state.borrow(), location, index);
        (store, self.recorder.borrow().recording().store(store).value)
    }
}

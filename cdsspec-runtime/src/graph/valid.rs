//! What is true of every graph that an execution ends with. Debug builds with the feature `checks-graphs` look at each.

use super::{EventId, Graph, Label, LocationIndex, ReadsFrom};

impl Graph {
    /// # Panics
    /// If an event, a location or a clock contradicts another.
    pub(crate) fn assert_valid(&self) {
        assert_eq!(self.clocks.event_count(), self.events.len(), "cdsspec bug: an event has no clocks");
        for id in 0..self.events.len() as EventId {
            self.assert_event(id);
        }
        for location in 0..self.locations.len() as LocationIndex {
            self.assert_location(location);
        }
    }

    fn assert_event(&self, id: EventId) {
        let event = self.event(id);
        assert_eq!(
            self.threads.get(event.thread, event.index as usize),
            Some(id),
            "cdsspec bug: an event is in its thread"
        );
        assert_eq!(
            self.porf(id).get(event.thread),
            event.index + 1,
            "cdsspec bug: sb \u{222a} rf has a cycle"
        );
        for thread in 0..self.threads.len() {
            assert!(
                self.hb(id).get(thread) <= self.porf(id).get(thread),
                "cdsspec bug: hb is not within sb \u{222a} rf"
            );
        }
        if let ReadsFrom::Event(store) = event.reads_from {
            let known = self.event(store);
            assert!(known.is_write && known.location == event.location, "cdsspec bug: a read reads no store");
            assert!(known.is_in(self.porf(id)), "cdsspec bug: rf is not within sb \u{222a} rf");
        }
        if let Label::Create { child } = event.label {
            assert_eq!(self.creators[child], Some(id), "cdsspec bug: a thread is created once");
        }
    }

    fn assert_location(&self, location: LocationIndex) {
        let known = self.location(location);
        for (position, &write) in known.writes.iter().enumerate() {
            let event = self.event(write);
            assert!(event.is_write && event.location == Some(location), "cdsspec bug: mo has another event");
            if event.is_rmw() {
                assert_eq!(
                    self.store_at(location, position),
                    event.reads_from,
                    "cdsspec bug: a read-modify-write is not directly after the store that it reads"
                );
            }
        }
        let written = self.events.iter().filter(|event| event.is_write && event.location == Some(location));
        assert_eq!(written.count(), known.writes.len(), "cdsspec bug: a store is once in mo");
        self.assert_coherent(location);
    }

    /// What happens before an event, it does not go back behind. (RC11, section 3.3: hb ; eco? is irreflexive.)
    fn assert_coherent(&self, location: LocationIndex) {
        let known = self.location(location);
        let place = |id: EventId| {
            let event = self.event(id);
            let store = if event.is_write { ReadsFrom::Event(id) } else { event.reads_from };
            (store != ReadsFrom::Bottom).then(|| self.position(location, store))
        };
        let accesses = known.writes.iter().chain(&known.reads).copied();
        let places: Vec<(EventId, usize)> = accesses.filter_map(|id| Some((id, place(id)?))).collect();
        for &(later, last) in &places {
            let hb = self.hb(later);
            for &(first, earlier) in &places {
                let is_behind = earlier > last && self.event(first).is_in(hb);
                assert!(!is_behind, "cdsspec bug: a location goes back behind what happened before");
            }
        }
    }
}

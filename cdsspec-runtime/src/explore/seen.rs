//! Which stores of a location are known to whom: for samples, in which nothing that was added changes.
//!
//! [`Graph::last_known`] goes through all reads of a location, of which a long execution has very many. Here each store has a list of those that read
//! it, a thread once: of the reads of one store by one thread the first is enough, since whoever knows a later one knows that too. And the last known
//! store is looked for from the newest one down, so that as much is looked at as is news. Debug builds of our tests compare the two.

use crate::graph::{EventClock, EventId, Graph, LocationIndex, ReadsFrom};
use smallvec::SmallVec;

/// The first read of a store by a thread: the thread, and the index of the read in it.
type FirstRead = (u32, u32);

/// Of each location, for the initial store and those after it in modification order, who has read them.
#[derive(Default, Debug)]
pub(super) struct Seen(Vec<Vec<SmallVec<[FirstRead; 4]>>>);

impl Seen {
    /// A sample begins.
    pub(super) fn restart(&mut self) {
        self.0.iter_mut().for_each(Vec::clear);
    }

    fn location(&mut self, location: LocationIndex) -> &mut Vec<SmallVec<[FirstRead; 4]>> {
        let index = location as usize;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, Vec::new);
        }
        let known = &mut self.0[index];
        if known.is_empty() {
            known.push(SmallVec::new());
        }
        known
    }

    /// A read has read a store, and a write stands where it does, for good.
    #[inline]
    pub(super) fn note(&mut self, graph: &Graph, id: EventId) {
        let event = graph.event(id);
        let Some(location) = event.location else { return };
        let known = self.location(location);
        if event.label.is_read() && event.reads_from != ReadsFrom::Bottom {
            let reader = (event.thread as u32, u32::from(event.index));
            let readers = &mut known[graph.position(location, event.reads_from)];
            if readers.iter().all(|&(thread, _)| thread != reader.0) {
                readers.push(reader);
            }
        }
        if event.is_write {
            known.insert(graph.position(location, ReadsFrom::Event(id)), SmallVec::new());
        }
    }

    /// [`Graph::last_known`], of events that were noted.
    #[inline]
    pub(super) fn last_known(&self, graph: &Graph, location: LocationIndex, clock: EventClock<'_>) -> usize {
        let writes = &graph.location(location).writes;
        let readers = self.0.get(location as usize);
        let is_read = |position: usize| {
            readers.and_then(|readers| readers.get(position)).is_some_and(|readers| {
                readers.iter().any(|&(thread, index)| index < u32::from(clock.get(thread as usize)))
            })
        };
        let is_known =
            |position: &usize| graph.event(writes[position - 1]).is_in(clock) || is_read(*position);
        let last = (1..=writes.len()).rev().find(is_known).unwrap_or(0);
        #[cfg(all(feature = "checks-graphs", debug_assertions))]
        assert_eq!(last, graph.last_known(location, clock), "cdsspec bug: a store is known, or is not");
        last
    }
}

//! The cuts that a search has seen, each once.

use crate::limit::set_bytes;
use crate::order::{Enabled, Order};
use indexmap::IndexSet;

/// A cut, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CutId(pub(crate) u32);

/// Cuts, by what is enabled in them; with how many calls each has.
pub(crate) struct Cuts<'p> {
    order: &'p Order,
    cuts: IndexSet<Enabled>,
    sizes: Vec<u32>,
    heap_bytes: usize,
}

impl<'p> Cuts<'p> {
    /// With the empty one, which is number 0.
    pub(crate) fn new(order: &'p Order) -> Self {
        let mut cuts = Self { order, cuts: IndexSet::new(), sizes: Vec::new(), heap_bytes: 0 };
        cuts.insert(order.start(), 0);
        cuts
    }

    fn insert(&mut self, enabled: Enabled, size: u32) -> CutId {
        let heap_bytes = if enabled.spilled() { enabled.capacity() * size_of::<u32>() } else { 0 };
        let (index, is_new) = self.cuts.insert_full(enabled);
        if is_new {
            self.sizes.push(size);
            self.heap_bytes += heap_bytes;
        }
        CutId(index as u32)
    }

    /// What may come next.
    pub(crate) fn enabled(&self, cut: CutId) -> &Enabled {
        &self.cuts[cut.0 as usize]
    }

    /// How many calls the cut has.
    pub(crate) fn size(&self, cut: CutId) -> u32 {
        self.sizes[cut.0 as usize]
    }

    /// The cut with this enabled call as well.
    pub(crate) fn after(&mut self, cut: CutId, call: u32) -> CutId {
        let enabled = self.order.after(self.enabled(cut), call);
        self.insert(enabled, self.size(cut) + 1)
    }

    /// At most how many bytes they keep.
    pub(crate) fn bytes(&self) -> usize {
        set_bytes(self.cuts.len(), size_of::<Enabled>() + size_of::<u32>()) + self.heap_bytes
    }
}

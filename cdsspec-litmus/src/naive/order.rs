//! All modification orders of one location.

use super::matrix::{Matrix, members};

/// The orders of `writes`, of which the lowest is the initial store, that do not go against happens-before and have each
/// read-modify-write directly after its source.
pub(super) fn orders(writes: u64, updates: u64, sources: &[Option<usize>], hb: &Matrix) -> Vec<Vec<usize>> {
    let mut search = Search { updates, sources, hb, found: Vec::new() };
    let initial = writes.trailing_zeros() as usize;
    search.place(&mut vec![initial], writes & !(1 << initial));
    search.found
}

struct Search<'a> {
    updates: u64,
    sources: &'a [Option<usize>],
    hb: &'a Matrix,
    found: Vec<Vec<usize>>,
}

impl Search<'_> {
    fn place(&mut self, order: &mut Vec<usize>, left: u64) {
        if left == 0 {
            self.found.push(order.clone());
            return;
        }
        let last = order[order.len() - 1];
        let must_follow = members(left & self.updates).find(|&update| self.sources[update] == Some(last));
        for next in members(left) {
            let is_update = self.updates >> next & 1 != 0;
            let is_placed_well = match must_follow {
                Some(update) => next == update,
                None => !is_update,
            };
            let is_first = members(left).all(|other| !self.hb.has(other, next));
            if is_placed_well && is_first {
                order.push(next);
                self.place(order, left & !(1 << next));
                order.pop();
            }
        }
    }
}

//! Accesses of non-atomic locations that last, and the races between them: for engines that know none of their own.

use super::{Clock, LocationId, OperationId, ThreadId};

/// The accesses of all cells that a next one may race with.
#[derive(Default)]
pub(super) struct Cells {
    /// By location, as far as one was accessed.
    cells: Vec<Cell>,
}

/// The accesses of one.
#[derive(Default)]
struct Cell {
    write: Option<Lasting>,
    /// The last read of each thread since that write.
    reads: Vec<Lasting>,
}

#[derive(Clone, Copy)]
struct Lasting {
    operation: OperationId,
    thread: ThreadId,
    /// A thread whose clock includes this many operations of `thread` comes after it; `u32::MAX` while it lasts.
    end: u32,
}

impl Cells {
    /// Forgets the execution.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    /// An access begins, before which that happens. The one that it races with, if it does.
    pub(super) fn begin(
        &mut self,
        location: LocationId,
        (operation, thread): (OperationId, ThreadId),
        is_write: bool,
        known: &Clock,
    ) -> Option<OperationId> {
        if self.cells.len() <= location.index() {
            self.cells.resize_with(location.index() + 1, Cell::default);
        }
        let cell = &mut self.cells[location.index()];
        let is_before = |access: &Lasting| access.thread == thread || access.end <= known.get(access.thread);
        let reads: &[Lasting] = if is_write { &cell.reads } else { &[] };
        let rival = cell.write.iter().chain(reads).find(|access| !is_before(access)).copied();
        let access = Lasting { operation, thread, end: u32::MAX };
        if is_write {
            cell.reads.clear();
            cell.write = Some(access);
        } else {
            cell.reads.retain(|read| read.thread != thread);
            cell.reads.push(access);
        }
        rival.map(|access| access.operation)
    }

    /// An access ends: a thread whose clock includes `end` operations of its thread comes after it.
    pub(super) fn end(&mut self, location: LocationId, operation: OperationId, end: u32) {
        let Some(cell) = self.cells.get_mut(location.index()) else { return };
        for access in cell.write.iter_mut().chain(&mut cell.reads) {
            if access.operation == operation {
                access.end = end;
            }
        }
    }
}

//! Two cells that are read together.

use cdsspec::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// `PairSnapshot`: a read looks at the first cell before and after the second one.
///
/// # Source
/// CGVT, example 1, figures 1 and 2; from Qadeer, Sezgin and Tasiran, *Back and forth: prophecy variables for static verification of concurrent programs*, 2009.
///
/// # Fault
/// That the first cell has the same value twice does not mean that it had it all the time. Beside one `read` it takes four writes: the first cell changes, then the second one,
/// which is read; it changes back, and then the first one does. The fault is seen at once (type 1).
///
/// # Correct
/// Each write stores a stamp of its own beside the value, so that no cell is twice the same.
pub(crate) struct PairSnapshot {
    cells: [AtomicU64; 2],
    /// The stamp of the next write, if writes have stamps.
    next_stamp: Option<AtomicU64>,
}

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(values: [i32; 2])]
impl PairSnapshot {
    /// As in the paper.
    pub(crate) fn faulty() -> Self {
        Self { cells: [AtomicU64::new(0), AtomicU64::new(0)], next_stamp: None }
    }

    /// With stamps.
    pub(crate) fn correct() -> Self {
        Self { next_stamp: Some(AtomicU64::new(1)), ..Self::faulty() }
    }

    /// Writes a cell.
    #[scenario(args((0, 1), (0, 2), (1, 1), (1, 2)))]
    #[side_effect(values[cell] = value)]
    pub(crate) fn write(&self, cell: usize, value: i32) {
        let stamp = self.next_stamp.as_ref().map_or(0, |next| next.fetch_add(1, SeqCst));
        self.cells[cell].store(stamp << 32 | u64::from(value.cast_unsigned()), SeqCst);
    }

    /// Reads both cells.
    #[scenario]
    #[side_effect((values[0], values[1]))]
    pub(crate) fn read(&self) -> (i32, i32) {
        loop {
            let first = self.cells[0].load(SeqCst);
            let second = self.cells[1].load(SeqCst);
            if first == self.cells[0].load(SeqCst) {
                return (value_of(first), value_of(second));
            }
        }
    }
}

/// The value in a cell: its lower half.
fn value_of(cell: u64) -> i32 {
    cell as u32 as i32
}

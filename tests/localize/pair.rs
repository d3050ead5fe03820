//! The snapshot of example 1: a read that finds the first part as it was takes both for values of one moment.

use cdsspec::sync::atomic::{AtomicU32, Ordering::SeqCst};

/// Two parts, which are written one at a time and read together.
pub(super) struct Pair([AtomicU32; 2]);

#[cdsspec::scenarios]
#[cdsspec::spec]
#[declare_state(parts: [u32; 2])]
impl Pair {
    pub(super) fn new() -> Self {
        Self([AtomicU32::new(0), AtomicU32::new(0)])
    }

    #[side_effect({ parts[part] = value; })]
    #[scenario(args((0, 1), (0, 2), (1, 1), (1, 2)))]
    pub(super) fn write(&self, part: usize, value: u32) {
        self.0[part].store(value, SeqCst);
    }

    #[side_effect((parts[0], parts[1]))]
    #[scenario]
    pub(super) fn read(&self) -> (u32, u32) {
        loop {
            let first = self.0[0].load(SeqCst);
            let second = self.0[1].load(SeqCst);
            if first == self.0[0].load(SeqCst) {
                return (first, second);
            }
        }
    }
}

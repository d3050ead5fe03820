use cdsspec::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Default)]
pub struct Counter(AtomicU32);

#[cdsspec::scenarios]
impl Counter {
    pub fn increment(&self) -> u32 {
        let before = self.0.load(Relaxed);
        self.0.store(before + 1, Relaxed);
        before
    }

    pub fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }
}

//! A counter whose operations are all relaxed, as those that count requests or cache misses. CDSSpec (section 3.2, at its end) asks what can be
//! said of it, when happens-before orders nothing.
//!
//! # Ordering points
//! The operations themselves. They order nothing; what orders calls is the program around them: a thread's own sequence, spawns, joins.
//!
//! # What is specified
//! How many additions there were, and a floor. Every execution is admissible. A call sees all additions before it, and of the concurrent
//! ones any number: once threads are joined, exactly all. The floor is what calls before have seen: nobody comes to see less. And no
//! addition gets the number that another one gets, so that it can serve as an identity.
//!
//! The paper's specification lets calls return any older value; this one has no older value that is before a call.
//!
//! # What is left out
//! Whatever would publish other memory: for that, the additions must release and acquire. The wrap after 2^64 additions.

use cdsspec::example::seeded;
use cdsspec::sync::atomic::AtomicU64;
use cdsspec::sync::atomic::Ordering::Relaxed;

/// A counter.
#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

#[cdsspec::spec]
#[declare_state(count: u64, floor: u64)]
impl Counter {
    /// Counts one more; returns how many there were before.
    #[justifying_pre_condition((*floor..=*count + concurrent.increment().count() as u64).contains(&c_ret)
        && concurrent.increment().all(|other| other.c_ret != c_ret))]
    #[side_effect({
        *count += 1;
        *floor = (c_ret + 1).max(*floor);
    })]
    pub(crate) fn increment(&self) -> u64 {
        if seeded("loses_additions") {
            let count = self.0.load(Relaxed);
            #[op_define]
            self.0.store(count + 1, Relaxed);
            return count;
        }
        #[op_define]
        self.0.fetch_add(if seeded("counts_twice") { 2 } else { 1 }, Relaxed)
    }

    /// How many there were.
    #[justifying_pre_condition((*floor..=*count + concurrent.increment().count() as u64).contains(&c_ret))]
    #[side_effect(*floor = c_ret.max(*floor))]
    pub(crate) fn read(&self) -> u64 {
        #[op_define]
        let count = self.0.load(Relaxed);
        match () {
            () if seeded("reads_too_little") => count.saturating_sub(1),
            () if seeded("reads_too_much") => count + 1,
            () if seeded("reads_nothing") => 0,
            () => count,
        }
    }
}

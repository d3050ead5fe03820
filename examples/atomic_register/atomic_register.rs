//! A register: one number that is read and written, all relaxed. CDSSpec (section 2.2) takes it as the example of a structure of which no
//! sequential one gives all that it does.
//!
//! # Ordering points
//! The operations themselves. They are relaxed, so that they order nothing; what orders calls is the program around them: a thread's own
//! sequence, spawns, joins, whatever else synchronises.
//!
//! # What is specified
//! A number. Every execution is admissible. A `read` returns what some order of the calls before it leaves, or what a concurrent
//! `write` writes: never what was overwritten before the read.
//!
//! In `coherent.rs` is what is to be said beyond that, if no number is written twice: reads that come after one another do not go back.
//!
//! # What is left out
//! Whatever would publish other memory: for that, the orders must be release and acquire.

use cdsspec::example::seeded;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::Relaxed;

/// A number.
#[derive(Default)]
pub(crate) struct Register(AtomicI32);

#[cdsspec::spec]
#[declare_state(number: i32)]
impl Register {
    /// The number.
    #[justifying_pre_condition(c_ret == *number || concurrent.write().any(|write| write.new == c_ret))]
    pub(crate) fn read(&self) -> i32 {
        #[op_define]
        let number = self.0.load(Relaxed);
        if seeded("returns_what_was_overwritten") {
            return 0;
        }
        number
    }

    /// Replaces the number.
    #[side_effect(*number = new)]
    pub(crate) fn write(&self, new: i32) {
        #[op_define]
        self.0.store(if seeded("writes_another_number") { new + 1 } else { new }, Relaxed);
    }
}

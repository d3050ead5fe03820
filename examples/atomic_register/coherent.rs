//! All that a relaxed register guarantees, as long as no number is written twice: its writes have one order, and whoever comes after a call
//! that saw one of them does not see an earlier one. That is coherence.
//!
//! The state is the numbers that the register has had. A `read` that finds another one than the last has seen a concurrent `write`, and
//! brings it in; if that one was there before, the calls are in the wrong order, or the register went back.

use cdsspec::example::seeded;
use cdsspec::sync::atomic::AtomicI32;
use cdsspec::sync::atomic::Ordering::Relaxed;

/// A register of which each number is written once.
#[derive(Default)]
pub(crate) struct CoherentRegister {
    number: AtomicI32,
    /// How many reads there were: only for the seeded bug.
    read_count: AtomicI32,
}

#[cdsspec::spec]
#[declare_state(numbers: Vec<i32>)]
#[initial(vec![0])]
impl CoherentRegister {
    /// The number.
    #[side_effect({
        let is_new = numbers.last() != Some(&c_ret);
        numbers.extend(is_new.then_some(c_ret));
        is_new
    })]
    #[post_condition(true)]
    #[justifying_post_condition((1..numbers.len()).all(|index| !numbers[..index].contains(&numbers[index]))
        && (!s_ret || concurrent.write().any(|write| write.new == c_ret)))]
    pub(crate) fn read(&self) -> i32 {
        #[op_define]
        let number = self.number.load(Relaxed);
        if seeded("goes_back") && self.read_count.fetch_add(1, Relaxed) == 1 {
            return 0;
        }
        number
    }

    /// Replaces the number.
    #[side_effect(numbers.push(new))]
    pub(crate) fn write(&self, new: i32) {
        #[op_define]
        self.number.store(new, Relaxed);
    }
}

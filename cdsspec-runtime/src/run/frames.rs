//! Whether a thread would do the same again: its stack and registers in one number.
//!
//! A loop comes back for ever only if nothing that it keeps changes from round to round. What it keeps is in a register or on its stack, so
//! a round after which both are as before the round is one after which the thread goes on as before. What it keeps elsewhere, in the
//! heap, is not looked at. Frames of ours, below the one of the program's that calls an operation, keep nothing: what is in them follows from
//! the operation, and dead words that others have left there would differ for no reason.

use crate::port::Caller;

const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

/// The registers of a suspended caller, and its stack up to `base`, as a hash: each word in turn is xored into it, which is then multiplied
/// by an odd number and turned by half its bits.
pub(crate) fn fingerprint(caller: &Caller, base: usize) -> u64 {
    let mut hash = 0;
    for register in caller.registers {
        add(&mut hash, register);
    }
    for address in (caller.top..base).step_by(size_of::<u64>()) {
        // SAFETY: between the stack pointer of a thread that is suspended and the base of its stack all is mapped. What is there is only
        // compared.
        add(&mut hash, unsafe { std::ptr::with_exposed_provenance::<u64>(address).read_volatile() });
    }
    hash
}

/// The same with a word more.
pub(crate) fn with_word(mut fingerprint: u64, word: u64) -> u64 {
    add(&mut fingerprint, word);
    fingerprint
}

#[inline(always)]
fn add(hash: &mut u64, word: u64) {
    *hash = (*hash ^ word).wrapping_mul(MULTIPLIER).rotate_left(u64::BITS / 2);
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::fingerprint;
    use crate::port::Caller;
    use std::cell::{Cell, RefCell};
    use std::hint::black_box;

    /// What the rounds keep outside their stack.
    #[derive(Default)]
    struct Heap {
        round: Cell<usize>,
        seen: RefCell<Vec<Option<u64>>>,
    }

    #[inline(never)]
    fn run_rounds(heap: &Heap) {
        let mut word = [0_usize];
        let base = (&raw const word).addr() + size_of_val(&word);
        while begin_round(heap, &mut word) {
            end_round(heap, Caller::this_one().map(|caller| fingerprint(&caller, base)));
        }
    }

    // Apart, so that nothing of a round stays in the registers of the loop.
    #[inline(never)]
    fn begin_round(heap: &Heap, word: &mut [usize; 1]) -> bool {
        // Changes in every third round only.
        word[0] = heap.round.get() / 3;
        black_box(heap.round.get() < 9)
    }

    #[inline(never)]
    fn end_round(heap: &Heap, seen: Option<u64>) {
        heap.seen.borrow_mut().push(seen);
        heap.round.set(heap.round.get() + 1);
    }

    #[test]
    fn a_changed_word_of_the_stack_changes_the_fingerprint_and_nothing_else_does() {
        let heap = Box::<Heap>::default();
        run_rounds(&heap);
        let seen = heap.seen.take();
        assert_eq!(seen.iter().flatten().count(), 9);
        let changed: Vec<bool> = seen.windows(2).map(|pair| pair[0] != pair[1]).collect();
        assert_eq!(changed, [false, false, true, false, false, true, false, false]);
    }

    #[test]
    fn a_changed_register_changes_the_fingerprint() {
        let caller = Caller::this_one().expect("it is known how");
        // No word of the stack: what is changed here would be among them.
        let base = caller.top;
        let mut seen = vec![fingerprint(&caller, base)];
        for index in 0..caller.registers.len() {
            let mut changed = caller;
            changed.registers[index] ^= 1;
            seen.push(fingerprint(&changed, base));
        }
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
    }
}

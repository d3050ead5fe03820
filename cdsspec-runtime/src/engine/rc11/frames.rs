//! Whether a thread would do the same again: its stack and registers in one number.
//!
//! A loop comes back for ever only if nothing that it keeps changes from round to round. What it keeps is in a register or on its stack, so
//! a round after which both are as before the round is one after which the thread goes on as before. What it keeps elsewhere, in the
//! heap, is not looked at.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use std::arch::naked_asm;

/// The stack of the running thread from the caller's frame up to `base`, and the registers that a function must keep, as a hash.
/// `None` where it is not known how to look at them.
#[inline]
pub(super) fn fingerprint(base: usize) -> Option<u64> {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        // SAFETY: the words from the stack pointer to the base of the running thread's stack are mapped, and only read.
        Some(unsafe { hash_frames(base) })
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = base;
        None
    }
}

/// Each word in turn, the registers that a function must keep first, is xored into the hash, which is then multiplied by an odd number
/// and turned by half its bits.
///
/// # Safety
/// The memory from the stack pointer to `base` must be the running stack, and `base` a multiple of 8.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "sysv64" fn hash_frames(base: usize) -> u64 {
    naked_asm!(
        "push rbx",
        "push rbp",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "xor eax, eax",
        "movabs rcx, 0x9E3779B97F4A7C15",
        "mov rdx, rsp",
        "2:",
        "cmp rdx, rdi",
        "jae 3f",
        "xor rax, qword ptr [rdx]",
        "imul rax, rcx",
        "rol rax, 32",
        "add rdx, 8",
        "jmp 2b",
        "3:",
        "add rsp, 48",
        "ret",
    )
}

/// The same, for the other kind of processor.
///
/// # Safety
/// As there.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn hash_frames(base: usize) -> u64 {
    naked_asm!(
        "stp x29, x30, [sp, #-16]!",
        "stp x27, x28, [sp, #-16]!",
        "stp x25, x26, [sp, #-16]!",
        "stp x23, x24, [sp, #-16]!",
        "stp x21, x22, [sp, #-16]!",
        "stp x19, x20, [sp, #-16]!",
        "stp d14, d15, [sp, #-16]!",
        "stp d12, d13, [sp, #-16]!",
        "stp d10, d11, [sp, #-16]!",
        "stp d8, d9, [sp, #-16]!",
        "mov x1, #0",
        "movz x2, #0x7C15",
        "movk x2, #0x7F4A, lsl #16",
        "movk x2, #0x79B9, lsl #32",
        "movk x2, #0x9E37, lsl #48",
        "mov x3, sp",
        "2:",
        "cmp x3, x0",
        "b.hs 3f",
        "ldr x4, [x3], #8",
        "eor x1, x1, x4",
        "mul x1, x1, x2",
        "ror x1, x1, #32",
        "b 2b",
        "3:",
        "mov x0, x1",
        "add sp, sp, #160",
        "ret",
    )
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::fingerprint;
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
            end_round(heap, fingerprint(base));
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
}

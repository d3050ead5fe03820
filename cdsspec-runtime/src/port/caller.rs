//! What a thread of the program keeps where it calls an operation: registers, and the part of its stack that is in use.
//!
//! An operation runs in frames of ours, below the caller's. What is in them says nothing about the program, and they may cover what has
//! ended. So an operation that begins notes its caller's stack pointer and the registers that a function must keep: whatever the caller
//! still needs is in these, or in its frame and above. For this to be the caller's frame and not one of ours, each operation is inlined into
//! its caller, in builds without optimisation as well.

use crate::record::{OperationName, Orders, Place, SourceLocation};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use std::arch::naked_asm;
use std::cell::Cell;

#[cfg(target_arch = "aarch64")]
const REGISTERS: usize = 19;
#[cfg(not(target_arch = "aarch64"))]
const REGISTERS: usize = 6;

/// Registers that a function must keep, and the stack pointer of the function that has them.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Caller {
    /// Nothing below it is the caller's.
    pub(crate) top: usize,
    pub(crate) registers: [u64; REGISTERS],
}

/// The operation that begins on this OS thread.
struct Beginning {
    operation: Cell<Option<(OperationName, SourceLocation)>>,
    caller: Cell<Caller>,
}

thread_local! {
    static BEGINNING: Beginning = const {
        let caller = Cell::new(Caller { top: 0, registers: [0; REGISTERS] });
        Beginning { operation: Cell::new(None), caller }
    };
}

/// The place of an operation that begins, which is the caller's and is inlined into its own.
#[inline(always)]
#[track_caller]
pub(crate) fn here(name: OperationName, orders: Orders) -> Place {
    note_caller(noted());
    place(name, orders)
}

/// The place of an operation that begins in a function of ours, as a destructor or a loop: it counts as the caller, so that what is in its
/// frame is compared. Little should be.
#[inline(always)]
pub(crate) fn in_our_frame(place: Place) -> Place {
    note_caller(noted());
    begin(&place);
    place
}

#[inline(never)]
fn noted() -> *const Cell<Caller> {
    BEGINNING.with(|beginning| std::ptr::from_ref(&beginning.caller))
}

#[inline(never)]
#[track_caller]
fn place(name: OperationName, orders: Orders) -> Place {
    let place = Place::here(name, orders);
    begin(&place);
    place
}

#[inline(never)]
fn begin(place: &Place) {
    BEGINNING.with(|beginning| beginning.operation.set(Some((place.name, place.source))));
}

/// Whether it is known who called the operation that begins at this place: not of one in a destructor, which was not noted. It is
/// [`last_caller`] until another operation begins.
#[inline]
pub(crate) fn take_beginning(place: &Place) -> bool {
    BEGINNING.with(|beginning| {
        let begun = beginning.operation.take();
        Caller::IS_KNOWN && begun.is_some_and(|begun| is_begun(&begun, place))
    })
}

/// Most often the texts of one place are one, to the address.
#[inline]
fn is_begun((name, source): &(OperationName, SourceLocation), place: &Place) -> bool {
    name.is_identical(place.name)
        && std::ptr::eq(source.file, place.source.file)
        && (source.line, source.column) == (place.source.line, place.source.column)
        || (*name, *source) == (place.name, place.source)
}

/// An operation that is done in the same call as one before begins: its caller is that one's. Other threads may have begun some since.
pub(super) fn begin_beside(place: &Place, caller: Caller) {
    BEGINNING.with(|beginning| beginning.caller.set(caller));
    begin(place);
}

/// Who called the operation that began last.
pub(crate) fn last_caller() -> Caller {
    BEGINNING.with(|beginning| beginning.caller.get())
}

/// The top of the stack of who called the operation that began last.
#[inline]
pub(crate) fn last_top() -> usize {
    last_caller().top
}

impl Caller {
    /// Whether it is known for this kind of processor how to look at registers.
    const IS_KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

    /// The function that asks; `None` where it is not known how.
    #[inline(always)]
    pub(crate) fn this_one() -> Option<Self> {
        let caller = Cell::new(Self { top: 0, registers: [0; REGISTERS] });
        note_caller(&raw const caller);
        Self::IS_KNOWN.then(|| caller.get())
    }
}

/// Writes down the stack pointer and the registers that a function must keep, as they are in the function that calls this one, into
/// what the pointer leads to.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
extern "sysv64" fn note_caller(caller: *const Cell<Caller>) {
    naked_asm!(
        "lea rax, [rsp + 8]",
        "mov [rdi], rax",
        "mov [rdi + 8], rbx",
        "mov [rdi + 16], rbp",
        "mov [rdi + 24], r12",
        "mov [rdi + 32], r13",
        "mov [rdi + 40], r14",
        "mov [rdi + 48], r15",
        "ret",
    )
}

/// The same, for the other kind of processor.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
extern "C" fn note_caller(caller: *const Cell<Caller>) {
    naked_asm!(
        "mov x1, sp",
        "str x1, [x0]",
        "stp x19, x20, [x0, #8]",
        "stp x21, x22, [x0, #24]",
        "stp x23, x24, [x0, #40]",
        "stp x25, x26, [x0, #56]",
        "stp x27, x28, [x0, #72]",
        "str x29, [x0, #88]",
        "stp d8, d9, [x0, #96]",
        "stp d10, d11, [x0, #112]",
        "stp d12, d13, [x0, #128]",
        "stp d14, d15, [x0, #144]",
        "ret",
    )
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn note_caller(_caller: *const Cell<Caller>) {}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::{Caller, here, last_caller, take_beginning};
    use crate::record::{Orders, Place, operation_name};
    use std::hint::black_box;

    fn take_caller(place: &Place) -> Option<Caller> {
        take_beginning(place).then(last_caller)
    }

    #[inline(never)]
    fn address_of_a_callees_local() -> usize {
        let local = black_box(0_u64);
        std::ptr::from_ref(&local).addr()
    }

    #[test]
    fn the_top_of_the_stack_lies_between_what_the_caller_has_and_what_it_calls() {
        let local = black_box(0_u64);
        let place = here(operation_name!("load"), Orders::None);
        let caller = take_caller(&place).expect("it was noted");
        assert!(address_of_a_callees_local() < caller.top && caller.top <= std::ptr::from_ref(&local).addr());
    }

    #[test]
    fn a_caller_is_noted_for_the_operation_that_follows_alone() {
        let first = here(operation_name!("load"), Orders::None);
        let second = here(operation_name!("load"), Orders::None);
        assert!(take_caller(&first).is_none());
        assert!(take_caller(&second).is_none());
        let third = here(operation_name!("load"), Orders::None);
        assert!(take_caller(&Place { name: operation_name!("store"), ..third }).is_none());
    }
}

//! What the heap shows: memory that is used before it is initialised for its user, after it was freed, freed twice, or never freed.
//!
//! With [`allocator!`](macro@crate::allocator) in a test crate, what the program allocates and frees in an execution is noted, with
//! how far its thread had come. Frees are held back to the end of the execution: nothing is reused in it, and nothing is taken away that
//! some other thread, of the program or not, may still look at. What is left at the end stays, for whoever has it.
//!
//! When the execution has ended, its log is held against happens-before, whatever order its threads ran in:
//! - an object in a block is used, and the allocation does not happen before that, or what [`initialized`] told of;
//! - an object in a block is used, and that does not happen before the free.

mod allocator;
mod fault;
mod header;
mod installed;
mod leak;
mod left;
mod log;
mod open;
mod running;
mod table;

pub use allocator::Allocator;
pub(crate) use fault::{Classes, Fault, FaultKind, Happened, Use, faults};
pub use installed::is_installed;
pub use log::Progress;
pub(crate) use running::{Running, begin, during};
pub(crate) use table::Heap;

use crate::record::SourceLocation;

/// Tells the checker that the memory of `*pointer` has just been initialised, as by `ptr::write` or through a `MaybeUninit`: whoever
/// uses an instrumented object in it must come after that. A new allocation need not be told: what is in it counts as made with it.
///
/// The pointer is not read. Outside an execution, or without [`allocator!`](macro@crate::allocator), it does nothing.
#[track_caller]
pub fn initialized<T>(pointer: *const T) {
    let source = SourceLocation::caller();
    table::with(|heap| heap.note_initialisation(pointer.addr(), size_of::<T>(), source));
}

//! Memory for a value whose size only its pointer tells.
//!
//! std allocates the memory of its own `Arc` only for what it knows the type of. But it says of [`StdArc::from_raw`] that the pointer may be one of
//! another type, if its data has the same size and alignment: so memory for the value is that of a slice of chunks as large as their alignment.

use std::alloc::Layout;
use std::sync::Arc as StdArc;

/// Calls `$f::<Chunk>` with the chunk whose alignment is `$alignment`.
macro_rules! by_alignment {
    ($alignment:expr, $f:ident($argument:expr), $($one:literal)*) => {
        match $alignment {
            $($one => {
                #[repr(align($one))]
                struct Chunk {
                    _bytes: [u8; $one],
                }
                $f::<Chunk>($argument)
            })*
            larger => panic!("an Arc made of a box does not take an alignment of {larger}, over 4096"),
        }
    };
}

/// The data of a std `Arc` that was turned into a raw pointer: memory of this layout, whose size is not 0 but a multiple of its alignment.
///
/// # Panics
/// If the alignment is over 4096.
pub(super) fn allocate(layout: Layout) -> *mut u8 {
    let count = layout.size() / layout.align();
    debug_assert_eq!(count * layout.align(), layout.size(), "cdsspec bug: a size that is padded");
    by_alignment!(layout.align(), allocate_chunks(count), 4 8 16 32 64 128 256 512 1024 2048 4096)
}

fn allocate_chunks<Chunk>(count: usize) -> *mut u8 {
    StdArc::into_raw(StdArc::<[Chunk]>::new_uninit_slice(count)).cast_mut().cast()
}

//! What is tested in a program whose allocator is [`allocator!`](cdsspec::allocator): the heap, and searches over many tests.

mod child;

mod heap;
mod heap_twin;
mod hints;
mod lineup;
mod localize;

cdsspec::allocator!();

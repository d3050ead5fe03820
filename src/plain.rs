//! What a plain build has: std's own; and what one with the feature `contracts` has beside it.

use std::alloc::{GlobalAlloc, Layout};

/// Atomics, locks and shared pointers: [`std::sync`], with the feature `contracts` with clocks beside them.
pub mod sync {
    #[cfg(feature = "contracts")]
    pub use cdsspec_contracts::sync::*;
    #[cfg(not(feature = "contracts"))]
    pub use std::sync::*;
}

/// Threads: [`std::thread`], with the feature `contracts` with clocks beside them.
pub mod thread {
    #[cfg(feature = "contracts")]
    pub use cdsspec_contracts::thread::*;
    #[cfg(not(feature = "contracts"))]
    pub use std::thread::*;
}

pub use std::thread_local;

/// Hints: [`std::hint`].
pub mod hint {
    pub use std::hint::*;
}

/// Cells: [`std::cell`], with an `UnsafeCell` that says when it is accessed.
pub mod cell {
    pub use std::cell::*;

    /// A [`std::cell::UnsafeCell`] whose accesses have a beginning and an end.
    #[derive(Debug, Default)]
    #[repr(transparent)]
    pub struct UnsafeCell<T: ?Sized>(std::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        /// A cell with this value.
        pub const fn new(value: T) -> Self {
            Self(std::cell::UnsafeCell::new(value))
        }

        /// The value.
        pub fn into_inner(self) -> T {
            self.0.into_inner()
        }
    }

    impl<T: ?Sized> UnsafeCell<T> {
        /// Reads through a pointer that is valid during `f`, as long as nobody writes.
        #[inline]
        pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
            f(self.0.get())
        }

        /// Writes through a pointer that is valid during `f`, as long as nobody else reads or writes.
        #[inline]
        pub fn with_mut<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
            f(self.0.get())
        }

        /// A pointer that is valid for reads as long as it is kept and nobody writes.
        #[inline]
        pub fn read(&self) -> ConstPtr<T> {
            ConstPtr(self.0.get())
        }

        /// A pointer that is valid as long as it is kept and nobody else reads or writes.
        #[inline]
        pub fn write(&self) -> MutPtr<T> {
            MutPtr(self.0.get())
        }

        /// The value, which nobody else can see.
        pub fn get_mut(&mut self) -> &mut T {
            self.0.get_mut()
        }
    }

    /// A pointer that reads a cell as long as it is kept.
    #[derive(Debug)]
    pub struct ConstPtr<T: ?Sized>(*const T);

    /// A pointer that writes a cell as long as it is kept.
    #[derive(Debug)]
    pub struct MutPtr<T: ?Sized>(*mut T);

    impl<T: ?Sized> ConstPtr<T> {
        /// The value.
        ///
        /// # Safety
        /// As of a raw pointer: the cell is there, and nobody writes it.
        #[inline]
        pub unsafe fn deref(&self) -> &T {
            // SAFETY: as the caller promises.
            unsafe { &*self.0 }
        }

        /// Runs `f` with the raw pointer, which is not to be kept.
        #[inline]
        pub fn with<R>(&self, f: impl FnOnce(*const T) -> R) -> R {
            f(self.0)
        }
    }

    impl<T: ?Sized> MutPtr<T> {
        /// The value.
        ///
        /// # Safety
        /// As of a raw pointer: the cell is there, nobody else accesses it, and there is no other reference.
        #[expect(clippy::mut_from_ref, reason = "it stands for a raw pointer")]
        #[inline]
        pub unsafe fn deref(&self) -> &mut T {
            // SAFETY: as the caller promises.
            unsafe { &mut *self.0 }
        }

        /// Runs `f` with the raw pointer, which is not to be kept.
        #[inline]
        pub fn with<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
            f(self.0)
        }
    }

    impl<T> From<T> for UnsafeCell<T> {
        fn from(value: T) -> Self {
            Self::new(value)
        }
    }
}

/// Tells the checker what it cannot see of memory: in a plain build there is none.
pub mod alloc {
    /// Tells the checker that the memory of `*pointer` has just been initialised. Does nothing in a plain build.
    #[inline]
    pub fn initialized<T>(_pointer: *const T) {}
}

/// The allocator that lets engines see the heap; in a plain build it is `Inner`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator<Inner = std::alloc::System>(Inner);

impl Allocator {
    /// Around the system's allocator.
    pub const fn new() -> Self {
        Self(std::alloc::System)
    }
}

impl<Inner> Allocator<Inner> {
    /// Around an allocator.
    pub const fn around(inner: Inner) -> Self {
        Self(inner)
    }
}

// SAFETY: it does what `Inner` does.
unsafe impl<Inner: GlobalAlloc> GlobalAlloc for Allocator<Inner> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.0.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.0.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { self.0.dealloc(block, layout) };
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { self.0.realloc(block, layout, size) }
    }
}

/// Declares [`Allocator`] as the global allocator, once in a test crate.
#[macro_export]
macro_rules! allocator {
    () => {
        const _: () = {
            #[global_allocator]
            static ALLOCATOR: $crate::Allocator = $crate::Allocator::new();
        };
    };
}
